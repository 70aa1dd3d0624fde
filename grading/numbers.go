package grading

import (
	"math/big"
	"strconv"
	"strings"
)

// The numbers of sentences (grading.md 7.1): rounded half up, and computed from the exact value.

// share is handled of windows in percent, with as many decimals as it takes to stand on the right
// side of every rung, of 0 and of 100.
func (l Ladder) share(handled, windows int) string {
	num, den := big.NewInt(100), big.NewInt(int64(windows))
	num.Mul(num, big.NewInt(int64(handled)))
	limits := []int64{int64(l.A), int64(l.B), int64(l.C), int64(l.D), 100_000}
	fits := func(printed, scale *big.Int) bool {
		if (printed.Sign() > 0) != (handled > 0) {
			return false
		}
		for _, limit := range limits {
			if (compare(printed, scale, limit) >= 0) != (compare(num, den, limit) >= 0) {
				return false
			}
		}
		return true
	}
	return decimal(num, den, 2, fits) + "%"
}

// ratio is a fraction that exceeds a bound, with as many decimals as it takes to show that.
func ratio(f fraction, bound Thousandths) string {
	num, den := new(big.Int).SetUint64(f.num), new(big.Int).SetUint64(f.den)
	exceeds := func(printed, scale *big.Int) bool { return compare(printed, scale, int64(bound)) > 0 }
	return decimal(num, den, 1, exceeds) + "x"
}

// compare is the sign of num/den - thousandths/1000.
func compare(num, den *big.Int, thousandths int64) int {
	left := new(big.Int).Mul(num, big.NewInt(1000))
	right := new(big.Int).Mul(den, big.NewInt(thousandths))
	return left.Cmp(right)
}

// decimalsMax ends the search for a form that fits; a fraction of two 64-bit numbers never needs it.
const decimalsMax = 40

// decimal rounds num/den to some decimals, more until the form fits; trailing zeros are dropped.
// fits gets what is printed as a fraction.
func decimal(num, den *big.Int, decimals int, fits func(printed, scale *big.Int) bool) string {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(decimals)), nil)
	for {
		printed := new(big.Int).Mul(num, scale)
		printed.Lsh(printed, 1).Add(printed, den)
		printed.Div(printed, new(big.Int).Lsh(den, 1))
		if decimals >= decimalsMax || fits(printed, scale) {
			return point(printed.String(), decimals)
		}
		decimals++
		scale.Mul(scale, big.NewInt(10))
	}
}

// point puts the decimal point into digits, and drops zeros at the end.
func point(digits string, decimals int) string {
	if missing := decimals + 1 - len(digits); missing > 0 {
		digits = strings.Repeat("0", missing) + digits
	}
	whole, rest := digits[:len(digits)-decimals], strings.TrimRight(digits[len(digits)-decimals:], "0")
	if rest == "" {
		return whole
	}
	return whole + "." + rest
}

// units of a duration, the largest first.
var units = [...]struct {
	name string
	ns   uint64
}{{"s", 1e9}, {"ms", 1e6}, {"us", 1e3}}

// duration writes a time in seconds, milliseconds or microseconds with at most one decimal.
func duration(ns int64) string { return halves(2*uint64(ns), false) }

// durationWithin is the same, rounded up.
func durationWithin(ns int64) string { return halves(2*uint64(ns), true) }

// halves is a duration given in halves of a nanosecond, as medians are.
func halves(twice uint64, up bool) string {
	if twice == 0 {
		return "0 ms"
	}
	i := 0
	for i < len(units)-1 && twice < 2*units[i].ns {
		i++
	}
	tenth := units[i].ns / 5 // in halves of a nanosecond
	tenths, rest := twice/tenth, twice%tenth
	if up && rest > 0 || !up && 2*rest >= tenth {
		tenths++
	}
	if tenths == 10_000 && i > 0 {
		tenths, i = 10, i-1
	}
	return point(strconv.FormatUint(tenths, 10), 1) + " " + units[i].name
}

// half writes a number given in halves: "1.5".
func half(twice uint64) string {
	text := strconv.FormatUint(twice/2, 10)
	if twice%2 == 1 {
		text += ".5"
	}
	return text
}

// plural is a count with its noun, "1 fault" or "2 faults".
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
