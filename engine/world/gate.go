package world

import (
	"math"

	"squall/engine/policy"
	"squall/engine/ticks"
)

// Gate is a live limiter: it hands out permits and refuses at once when it has none
// (simulator.md 8).
type Gate struct {
	held     int
	permits  int // of a fixed limit
	adaptive bool

	limit              float64
	minimum, maximum   float64
	multiple, decrease float64
	peak, roundCount   int
	roundFastest       ticks.Ticks
	baseline           policy.Window
}

// NewGate is the live form of a valid limiter, made at now.
func NewGate(l *Limiter, now ticks.Ticks) *Gate {
	a := l.Adaptive
	if a == nil {
		return &Gate{permits: l.Concurrency}
	}
	return &Gate{
		adaptive: true, limit: float64(a.Initial), minimum: float64(a.Minimum), maximum: float64(a.Maximum),
		multiple: a.Multiple, decrease: a.Decrease, roundFastest: math.MaxInt64,
		baseline: policy.NewWindow(0.1, 5*ticks.Minute, now),
	}
}

// Limit is the whole part of the limit.
func (g *Gate) Limit() int {
	if g.adaptive {
		return int(g.limit) // between minimum and maximum, which are ints
	}
	return g.permits
}

// Held is how many permits are out.
func (g *Gate) Held() int { return g.held }

// Acquire takes a permit if there is one.
func (g *Gate) Acquire() bool {
	if g.held >= g.Limit() {
		return false
	}
	g.held++
	g.peak = max(g.peak, g.held)
	return true
}

// Release gives back a permit that was taken at acquired, and reports whether the limit's whole
// part moved.
func (g *Gate) Release(now, acquired ticks.Ticks) (moved bool) {
	g.held--
	if !g.adaptive {
		return false
	}
	d := now - acquired
	g.baseline.Record(now, d)
	b, known := g.baseline.Threshold(now, 20)
	g.roundCount++
	g.roundFastest = min(g.roundFastest, d)
	before := g.Limit()
	if g.roundCount < max(20, before) {
		return false
	}
	if known && b > 0 {
		if float64(g.roundFastest) > float64(float64(b)*g.multiple) {
			g.limit = max(g.minimum, float64(g.limit*g.decrease))
		} else if float64(g.peak) >= float64(g.limit*0.75) {
			g.limit = min(g.maximum, g.limit+1)
		}
	}
	g.roundCount, g.roundFastest, g.peak = 0, math.MaxInt64, g.held
	return g.Limit() != before
}
