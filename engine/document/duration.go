package document

import (
	"errors"
	"math"
	"strings"

	"squall/engine/ticks"
)

// What can be wrong with a duration. The sentences follow the text they are about.
var (
	ErrDuration = errors.New(`is no duration; write numbers with units, such as "1m30s", "250ms" or "80us"`)
	ErrUnit     = errors.New("has a number without a unit; the units are ns, us, ms, s, m and h")
	ErrFine     = errors.New("is finer than 100ns, the smallest step of time")
	ErrLong     = errors.New("is longer than ten years (87600h), the longest duration")
	ErrNegative = errors.New("is negative; a duration is at least 0")
)

// durationMax is ten years of 365 days, far from the end of the range that ticks can count.
const durationMax = 87_600 * ticks.Hour

// units in nanoseconds. "µ" has two code points that look alike; Go reads both.
var units = []struct {
	name string
	ns   int64
}{{"ns", 1}, {"us", 1_000}, {"µs", 1_000}, {"μs", 1_000}, {"ms", 1_000_000}, {"s", 1_000_000_000}, {"m", 60_000_000_000}, {"h", 3_600_000_000_000}}

// ParseDuration reads a span of time as Go writes it, exactly: what is finer than a tick is
// refused, never rounded. "0" needs no unit.
func ParseDuration(text string) (ticks.Ticks, error) {
	rest := strings.TrimPrefix(text, "+")
	rest, negative := strings.CutPrefix(rest, "-")
	if rest == "0" {
		return 0, nil
	}
	if rest == "" {
		return 0, ErrDuration
	}
	const limit = int64(durationMax) * 100
	var sum int64
	for rest != "" {
		whole, after := digits(rest)
		var part string
		if tail, point := strings.CutPrefix(after, "."); point {
			part, after = digits(tail)
		}
		if whole == "" && part == "" {
			return 0, ErrDuration
		}
		unit, after, err := unitOf(after)
		if err != nil {
			return 0, err
		}
		n, err := scale(whole, part, unit)
		if err != nil {
			return 0, err
		}
		if sum += n; sum > limit {
			return 0, ErrLong
		}
		rest = after
	}
	switch {
	case sum%100 != 0:
		return 0, ErrFine
	case negative && sum != 0:
		return 0, ErrNegative
	}
	return ticks.Ticks(sum / 100), nil
}

// digits cuts the decimal digits off the front.
func digits(s string) (front, rest string) {
	i := 0
	for i < len(s) && s[i] >= '0' && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

// unitOf cuts a unit off the front: everything up to the next number.
func unitOf(s string) (ns int64, rest string, err error) {
	end := strings.IndexAny(s, "0123456789.")
	if end < 0 {
		end = len(s)
	}
	if end == 0 {
		return 0, "", ErrUnit
	}
	for _, u := range units {
		if s[:end] == u.name {
			return u.ns, s[end:], nil
		}
	}
	return 0, "", ErrDuration
}

// scale is whole.part units in nanoseconds. Digits beyond what a unit can hold must be zeros.
func scale(whole, part string, unit int64) (int64, error) {
	var n int64
	for _, c := range []byte(strings.TrimLeft(whole, "0")) {
		if n > math.MaxInt64/100 {
			return 0, ErrLong
		}
		n = n*10 + int64(c-'0')
	}
	if n > math.MaxInt64/2/unit {
		return 0, ErrLong
	}
	n *= unit
	for _, c := range []byte(strings.TrimRight(part, "0")) {
		// unit is 60 or 3600 times a power of ten, so a digit can be worth a fraction of it
		if unit%10 != 0 {
			return 0, ErrFine
		}
		unit /= 10
		n += int64(c-'0') * unit
	}
	return n, nil
}
