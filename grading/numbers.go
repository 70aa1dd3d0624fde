package grading

import (
	"cmp"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// The numbers of sentences (grading.md 7.1): rounded half up, and computed from the exact value.

// share is handled of windows in percent, with as many decimals as it takes to stand on the right
// side of every rung, of 0 and of 100.
func (l Ladder) share(handled, windows int) string {
	percent := fraction{100 * uint64(handled), uint64(windows)}
	limits := [...]Thousandths{l.A, l.B, l.C, l.D, 100_000}
	fits := func(printed decimal) bool {
		if (printed.compare(0) > 0) != (handled > 0) {
			return false
		}
		for _, limit := range limits {
			if (printed.compare(limit) >= 0) != (percent.compare(limit) >= 0) {
				return false
			}
		}
		return true
	}
	return percent.round(2, fits) + "%"
}

// ratio is a fraction that exceeds a bound, with as many decimals as it takes to show that.
func ratio(f fraction, bound Thousandths) string {
	return f.round(1, func(printed decimal) bool { return printed.compare(bound) > 0 }) + "x"
}

// compare is the sign of the fraction less a bound of 0 or more.
func (f fraction) compare(bound Thousandths) int {
	hi1, lo1 := bits.Mul64(f.num, 1000)
	hi2, lo2 := bits.Mul64(f.den, uint64(bound))
	return cmp.Or(cmp.Compare(hi1, hi2), cmp.Compare(lo1, lo2))
}

// decimalsMax ends the search for a form that fits; a fraction of two 64-bit numbers never needs it.
const decimalsMax = 40

// round writes the fraction with some decimals, more until the form fits; trailing zeros are dropped.
func (f fraction) round(decimals int, fits func(printed decimal) bool) string {
	for ; ; decimals++ {
		if d := f.decimal(decimals); decimals >= decimalsMax || fits(d) {
			return point(d.digits, d.decimals)
		}
	}
}

// decimal is a number as it is printed: its digits, so many of them behind the point.
type decimal struct {
	digits   string
	decimals int
}

// decimal rounds the fraction half up.
func (f fraction) decimal(decimals int) decimal {
	digits, rest := strconv.AppendUint(nil, f.num/f.den, 10), f.num%f.den
	for range decimals {
		hi, lo := bits.Mul64(rest, 10)
		var digit uint64
		digit, rest = bits.Div64(hi, lo, f.den)
		digits = append(digits, byte('0'+digit))
	}
	if rest >= f.den-rest {
		i := len(digits) - 1
		for ; i >= 0 && digits[i] == '9'; i-- {
			digits[i] = '0'
		}
		if i < 0 {
			digits = slices.Insert(digits, 0, '1')
		} else {
			digits[i]++
		}
	}
	return decimal{string(digits), decimals}
}

// compare is the sign of the number less a bound of 0 or more.
func (d decimal) compare(bound Thousandths) int {
	places := max(d.decimals, 3)
	a, b := integer(d.digits, places-d.decimals), integer(strconv.FormatInt(int64(bound), 10), places-3)
	return cmp.Or(cmp.Compare(len(a), len(b)), strings.Compare(a, b))
}

// integer is digits times 10^zeros without zeros in front, so that the longer one is greater.
func integer(digits string, zeros int) string {
	return strings.TrimLeft(digits+strings.Repeat("0", zeros), "0")
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
