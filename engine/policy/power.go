package policy

import "math"

// knownPowers is how many powers a curve remembers: far more than attempts that anyone waits for.
const knownPowers = 32

// powers are the powers of one factor, worked out when first asked for.
type powers struct {
	known [knownPowers]bool
	value [knownPowers]float64
}

// of is factor to the n-th, for n >= 0.
func (p *powers) of(factor float64, n int) float64 {
	if factor == 2 {
		return powerOfTwo(n)
	}
	if n >= knownPowers {
		return power(factor, n)
	}
	if !p.known[n] {
		p.known[n], p.value[n] = true, power(factor, n)
	}
	return p.value[n]
}

// powerOfTwo is exact, and infinite from 2^1024 on.
func powerOfTwo(n int) float64 {
	if n > 1023 {
		return math.Inf(1)
	}
	return math.Float64frombits(uint64(n+1023) << 52)
}

// power is the double nearest to the exact factor^n, for n >= 0 (executor.md 9.5). Libraries of
// mathematics differ in the last bit of a power, so it is worked out wide and rounded once.
func power(factor float64, n int) float64 {
	switch {
	case n == 0 || factor == 1:
		return 1
	case n == 1 || factor == 0 || factor != factor || math.IsInf(factor, 0):
		return factor // the last three are refused by validation
	}
	square, product := wideOf(factor), wideOf(1)
	for {
		if n&1 == 1 {
			product = product.times(&square)
		}
		if n >>= 1; n == 0 {
			return product.float()
		}
		square = square.times(&square)
	}
}
