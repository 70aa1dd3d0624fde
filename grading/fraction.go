package grading

import (
	"math"
	"math/bits"
	"slices"
)

// fraction is num/den with den above 0, exact. The zero value is no fraction.
type fraction struct{ num, den uint64 }

func (f fraction) known() bool { return f.den > 0 }

// more compares two known fractions.
func (f fraction) more(g fraction) bool {
	hi1, lo1 := bits.Mul64(f.num, g.den)
	hi2, lo2 := bits.Mul64(g.num, f.den)
	return hi1 > hi2 || hi1 == hi2 && lo1 > lo2
}

// above compares with a bound above 0.
func (f fraction) above(bound Thousandths) bool { return f.more(fraction{uint64(bound), 1000}) }

// float is the double nearest to it.
func (f fraction) float() float64 {
	if !f.known() {
		return 0
	}
	if f.num == 0 {
		return 0
	}
	// The first 63 digits of the quotient, the last of them set when there are more: a double
	// has 53, so that it rounds as the exact quotient would.
	above, below := bits.LeadingZeros64(f.num), bits.LeadingZeros64(f.den)
	num := f.num << above
	quotient, rest := bits.Div64(num>>1, num<<63, f.den<<below)
	if rest > 0 {
		quotient |= 1
	}
	return math.Ldexp(float64(quotient), below-above-63)
}

// median is twice the median of some numbers, so that halves are kept. The zero value is of none.
type median struct {
	twice uint64
	known bool
}

// medianOf sorts the numbers; each is below 2^63.
func medianOf(numbers []uint64) median {
	n := len(numbers)
	if n == 0 {
		return median{}
	}
	slices.Sort(numbers)
	return median{numbers[(n-1)/2] + numbers[n/2], true}
}
