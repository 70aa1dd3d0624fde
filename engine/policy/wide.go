package policy

import (
	"math"
	"math/bits"
)

// wideWords is wide enough that the rounding of the final result is the only one that shows.
const wideWords = 8

// exponentMost ends the growth of an exponent, far outside what a double can hold.
const exponentMost = 1 << 40

// wide is a binary number of 512 digits: 0.mantissa times 2^exponent, the mantissa's most
// significant word last and its highest bit set. Package math/big has such numbers too, but weighs
// more in a WebAssembly module than the rest of this package.
type wide struct {
	mantissa [wideWords]uint64
	exponent int64
	negative bool
}

// wideOf is a finite number that is not zero, exactly.
func wideOf(x float64) wide {
	var w wide
	fraction, exponent := split(x)
	w.mantissa[wideWords-1] = fraction
	w.exponent, w.negative = exponent, x < 0
	return w
}

// split takes a finite number that is not zero apart: a fraction with its highest bit set and an exponent.
func split(x float64) (fraction uint64, exponent int64) {
	b := math.Float64bits(x)
	fraction, exponent = b&(1<<52-1), int64(b>>52&0x7ff)
	if exponent == 0 {
		exponent = 1 // a denormal number
	} else {
		fraction |= 1 << 52
	}
	zeros := bits.LeadingZeros64(fraction)
	return fraction << zeros, exponent - 1011 - int64(zeros)
}

// times is the product, rounded to the nearest, ties to even.
func (w *wide) times(v *wide) wide {
	var p [2 * wideWords]uint64
	for i, x := range w.mantissa {
		if x == 0 {
			continue
		}
		var carry uint64
		for j, y := range v.mantissa {
			hi, lo := bits.Mul64(x, y)
			var c uint64
			lo, c = bits.Add64(lo, carry, 0)
			hi += c
			p[i+j], c = bits.Add64(p[i+j], lo, 0)
			carry = hi + c
		}
		p[i+wideWords] = carry
	}
	r := wide{exponent: w.exponent + v.exponent, negative: w.negative != v.negative}
	if p[len(p)-1]>>63 == 0 {
		for i := len(p) - 1; i > 0; i-- {
			p[i] = p[i]<<1 | p[i-1]>>63
		}
		p[0] <<= 1
		r.exponent--
	}
	copy(r.mantissa[:], p[wideWords:])
	var rest uint64
	for _, x := range p[:wideWords-1] {
		rest |= x
	}
	half := p[wideWords-1]
	if half > 1<<63 || half == 1<<63 && (rest != 0 || r.mantissa[0]&1 == 1) {
		r.increment()
	}
	r.exponent = max(-exponentMost, min(r.exponent, exponentMost))
	return r
}

// increment adds one to the last digit.
func (w *wide) increment() {
	carry := uint64(1)
	for i := range w.mantissa {
		w.mantissa[i], carry = bits.Add64(w.mantissa[i], 0, carry)
	}
	if carry > 0 {
		w.mantissa[wideWords-1] = 1 << 63
		w.exponent++
	}
}

// float is the nearest double, ties to even.
func (w *wide) float() float64 {
	top := w.mantissa[wideWords-1]
	for _, x := range w.mantissa[:wideWords-1] {
		if x != 0 {
			top |= 1 // only whether there is more matters, far behind the last digit of a double
			break
		}
	}
	digits := int64(53)
	if w.exponent < -1021 {
		digits += w.exponent + 1021 // a denormal result has fewer
	}
	var x float64
	switch {
	case w.exponent > 1024:
		x = math.Inf(1)
	case digits >= 0:
		drop := uint(64 - digits)
		kept, rest, half := top>>drop, top&(1<<drop-1), uint64(1)<<(drop-1)
		if rest > half || rest == half && kept&1 == 1 {
			kept++
		}
		x = math.Ldexp(float64(kept), int(w.exponent-digits))
	}
	if w.negative {
		return -x
	}
	return x
}
