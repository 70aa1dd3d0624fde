package policy

import (
	"math"

	"squall/engine/ticks"
)

// Curve is the live form of BackoffSettings: it says how long to wait before an attempt
// (executor.md 9). It holds nothing but settings and the powers that it has worked out.
type Curve struct {
	settings BackoffSettings
	powers   powers
}

// NewCurve is the curve of s.
func NewCurve(s BackoffSettings) Curve { return Curve{settings: s} }

// Delay is the wait before attempt number next, which is at least 2, after an attempt that ended
// with verdict. normal is the measured normal latency; it counts only when known is true, and
// only on a curve with Measured. draw gives a number in [0, 1); every jittered delay takes one,
// even a delay of 0. The answer is not negative.
func (c *Curve) Delay(next int, verdict Kind, normal ticks.Ticks, known bool, draw func() float64) ticks.Ticks {
	t := c.shape(next, verdict, normal, known)
	switch c.settings.Jitter {
	case FullJitter:
		t = float64(t * draw())
	case EqualJitter:
		half := float64(t * 0.5) // t / 2 would be fused with the sum below
		t = half + float64(half*draw())
	}
	return delayOf(t)
}

// Base is the measured base for a normal latency (9.3): Multiple times it, held within Spread
// times and a Spread-th of TransientBase. Without Measured it is TransientBase.
func (c *Curve) Base(normal ticks.Ticks) ticks.Ticks {
	m := c.settings.Measured
	if m == nil {
		return c.settings.TransientBase
	}
	configured := float64(c.settings.TransientBase)
	v := float64(float64(normal) * m.Multiple)
	if low := configured / m.Spread; v < low {
		v = low
	}
	if high := float64(configured * m.Spread); v > high {
		v = high
	}
	return delayOf(v)
}

// shape is the delay before jitter, in ticks (9.2).
func (c *Curve) shape(next int, verdict Kind, normal ticks.Ticks, known bool) float64 {
	s := &c.settings
	base := s.TransientBase
	switch {
	case verdict == Throttled:
		base = s.ThrottledBase
	case known && s.Measured != nil:
		base = c.Base(normal)
	}
	if base <= 0 {
		return 0
	}
	t := float64(base)
	if s.Kind == Exponential {
		t = float64(t * c.powers.of(s.Factor, max(next-2, 0)))
	}
	if s.MaximumDelay != ticks.Infinite {
		t = min(t, float64(s.MaximumDelay))
	}
	return t
}

// delayOf is a delay in whole ticks: nothing for what is not finite or not positive (9.1).
func delayOf(t float64) ticks.Ticks {
	if t != t || t <= 0 || t > math.MaxFloat64 {
		return 0
	}
	return ticks.FromFloat(t)
}
