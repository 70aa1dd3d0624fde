package grading

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func whole() *rapid.Generator[uint64] {
	return rapid.OneOf(rapid.Uint64Range(0, 100), rapid.Uint64Range(0, 1<<54), rapid.Uint64Range(math.MaxUint64-9, math.MaxUint64), rapid.Uint64())
}

func exactly(f fraction) *big.Rat {
	return new(big.Rat).SetFrac(new(big.Int).SetUint64(f.num), new(big.Int).SetUint64(f.den))
}

func TestFloatIsTheNearestDouble(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := fraction{whole().Draw(t, "num"), max(1, whole().Draw(t, "den"))}
		if want, _ := exactly(f).Float64(); f.float() != want {
			t.Errorf("%d/%d: %v, want %v", f.num, f.den, f.float(), want)
		}
	})
	if x := (fraction{}).float(); x != 0 {
		t.Errorf("no fraction: %v", x)
	}
}

func TestDecimalRoundsHalfUp(t *testing.T) {
	for _, c := range []struct {
		f        fraction
		decimals int
		want     string
	}{
		{fraction{5, 1000}, 2, "0.01"}, {fraction{4999, 1_000_000}, 2, "0"}, {fraction{9995, 1000}, 2, "10"}, {fraction{99_999, 1000}, 0, "100"}, {fraction{1, 3}, 5, "0.33333"},
	} {
		d := c.f.decimal(c.decimals)
		if got := point(d.digits, d.decimals); got != c.want {
			t.Errorf("%d/%d: %s, want %s", c.f.num, c.f.den, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		f, decimals := fraction{whole().Draw(t, "num"), max(1, whole().Draw(t, "den"))}, rapid.IntRange(0, 30).Draw(t, "decimals")
		d := f.decimal(decimals)
		want := exactly(f).FloatString(decimals) // rounds half away from zero
		if got := strings.Replace(want, ".", "", 1); d.digits != got {
			t.Errorf("%d/%d: %s, want %s", f.num, f.den, d.digits, got)
		}
		bound := rapid.Int64Range(0, 200_000).Draw(t, "bound")
		limit := big.NewRat(bound, 1000)
		if got, want := f.compare(Thousandths(bound)), exactly(f).Cmp(limit); got != want {
			t.Errorf("%d/%d less %v is %d, want %d", f.num, f.den, limit, got, want)
		}
		printed, _ := new(big.Rat).SetString(want)
		if got, want := d.compare(Thousandths(bound)), printed.Cmp(limit); got != want {
			t.Errorf("%v less %v is %d, want %d", printed, limit, got, want)
		}
	})
}
