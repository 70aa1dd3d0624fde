package recording

import (
	"bytes"
	"math"
)

// decimal is a number as it is written ("2.85", "-1", "1.9e15"), times ten to the power of shift,
// to the nearest integer, halves up. It is exact: a float would not keep nanoseconds. It is false
// for other text and for what does not fit in 64 bits.
func decimal(s []byte, shift int) (int64, bool) {
	s = bytes.TrimSpace(s)
	if n, ok := plainInteger(s, shift); ok {
		return n, true
	}
	negative := false
	if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
		negative = s[0] == '-'
		s = s[1:]
	}
	mantissa, point, exponent, ok := splitDecimal(s)
	if !ok {
		return 0, false
	}
	// The value is 0.MANTISSA times ten to the power of point: its first digits are the integer.
	point += exponent + shift
	var n uint64
	for i := range max(point, 0) {
		var digit uint64
		if d := mantissa.digit(i); i < mantissa.len {
			digit = uint64(d - '0')
		} else if n == 0 {
			break // zeros behind a zero, however many
		}
		if n > (math.MaxInt64-digit)/10 {
			return 0, false
		}
		n = n*10 + digit
	}
	next := byte('0')
	if point >= 0 && point < mantissa.len {
		next = mantissa.digit(point)
	}
	if next >= '5' && (!negative || next > '5' || mantissa.rest(point+1)) {
		n++
	}
	if n > math.MaxInt64 {
		return 0, false
	}
	if negative {
		return -int64(n), true
	}
	return int64(n), true
}

// plainInteger is decimal for the few digits that nearly every number has.
func plainInteger(s []byte, shift int) (n int64, ok bool) {
	if len(s) == 0 || shift < 0 || len(s)+shift > 19 { // 19 digits fit in 64 bits without a sign
		return 0, false
	}
	var u uint64
	for _, c := range s {
		if !isDigit(c) {
			return 0, false
		}
		u = u*10 + uint64(c-'0')
	}
	for range shift {
		u *= 10
	}
	return int64(u), u <= math.MaxInt64
}

// digits are the digits of a decimal number without its point.
type digits struct {
	whole, fraction []byte
	len             int
}

func (d digits) digit(i int) byte {
	switch {
	case i < len(d.whole):
		return d.whole[i]
	case i < d.len:
		return d.fraction[i-len(d.whole)]
	}
	return '0'
}

// rest tells whether a digit other than zero stands at i or behind it.
func (d digits) rest(i int) bool {
	for ; i < d.len; i++ {
		if d.digit(i) != '0' {
			return true
		}
	}
	return false
}

// exponentMax is beyond every number that fits and far from overflow.
const exponentMax = 1_000_000

func splitDecimal(s []byte) (d digits, point, exponent int, ok bool) {
	d.whole, s = leadingDigits(s)
	if len(s) > 0 && s[0] == '.' {
		d.fraction, s = leadingDigits(s[1:])
	}
	d.len = len(d.whole) + len(d.fraction)
	if d.len == 0 {
		return d, 0, 0, false
	}
	if len(s) > 0 && (s[0] == 'e' || s[0] == 'E') {
		s = s[1:]
		negative := len(s) > 0 && s[0] == '-'
		if len(s) > 0 && (s[0] == '-' || s[0] == '+') {
			s = s[1:]
		}
		var power []byte
		if power, s = leadingDigits(s); len(power) == 0 {
			return d, 0, 0, false
		}
		for _, c := range power {
			exponent = min(exponent*10+int(c-'0'), exponentMax)
		}
		if negative {
			exponent = -exponent
		}
	}
	return d, len(d.whole), exponent, len(s) == 0
}

func leadingDigits(s []byte) (digits, rest []byte) {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return s[:n], s[n:]
}

// integer is a value that is a number or the text of one.
func (v scalar) integer() (int64, bool) { return v.scaled(0) }

// scaled is a value that is a number or the text of one, times ten to the power of shift.
func (v scalar) scaled(shift int) (int64, bool) {
	if v.kind != number && v.kind != text {
		return 0, false
	}
	return decimal(v.text, shift)
}

// hexNumber reads one to sixteen hex digits of either case.
func hexNumber(s []byte) (n uint64, ok bool) {
	if len(s) == 0 || len(s) > 16 {
		return 0, false
	}
	for _, c := range s {
		switch {
		case isDigit(c):
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		n = n<<4 | uint64(c)
	}
	return n, true
}
