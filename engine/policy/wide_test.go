package policy

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// exactPower is the same power by the library's numbers of any size, for n >= 1.
func exactPower(factor float64, n int) float64 {
	x := new(big.Float).SetPrec(512).SetFloat64(factor)
	product := new(big.Float).SetPrec(512).SetInt64(1)
	for {
		if n&1 == 1 {
			product.Mul(product, x)
		}
		if n >>= 1; n == 0 {
			f, _ := product.Float64()
			return f
		}
		x.Mul(x, x)
	}
}

func TestPowerAtTheEdges(t *testing.T) {
	for _, c := range []struct {
		factor float64
		n      int
	}{
		{1.5, 1}, {1.5, 2}, {1.5, 33}, {1.5, 1750}, {1.5, 1751}, {1.1, 7447}, {1.1, 7448}, {3, 646}, {3, 647},
		{math.Nextafter(1, 2), 1 << 30}, {math.Nextafter(2, 1), 1023}, {math.Nextafter(2, 3), 1024}, {math.MaxFloat64, 2}, {1e300, math.MaxInt32},
		{0.5, 1074}, {0.5, 1075}, {0.5, 1076}, {0.3, 618}, {0.75, 2590}, {1e-300, math.MaxInt32}, {5e-324, 1}, {5e-324, 2}, {-1.5, 3}, {-1.5, 2000}, {4, 511}, {4, 512},
	} {
		if got, want := power(c.factor, c.n), exactPower(c.factor, c.n); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%v^%d: %v, want %v", c.factor, c.n, got, want)
		}
	}
}

func TestPowerIsTheNearestDouble(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		factor := rapid.OneOf(rapid.Float64Range(1, 10), rapid.Float64Range(0.1, 2), rapid.Float64Range(-1e10, 1e300)).Draw(t, "factor")
		n := rapid.OneOf(rapid.IntRange(1, 40), rapid.IntRange(1, 5000)).Draw(t, "n")
		if factor == 0 {
			return
		}
		if got, want := power(factor, n), exactPower(factor, n); math.Float64bits(got) != math.Float64bits(want) {
			t.Errorf("%v^%d: %v, want %v", factor, n, got, want)
		}
	})
}
