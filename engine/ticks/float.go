//go:build !wasm

package ticks

import "math"

// FromFloat truncates toward zero and saturates; NaN is 0. A plain conversion would differ
// between processors outside the range of int64.
func FromFloat(x float64) Ticks {
	if x > -(1<<63) && x < 1<<63 {
		return Ticks(x)
	}
	return saturated(x)
}

func saturated(x float64) Ticks {
	switch {
	case x >= 1<<63:
		return Max
	case x != x:
		return 0
	}
	return math.MinInt64
}
