package world

import (
	"squall/engine/policy"
	"squall/engine/ticks"
)

// Arrivals turns draws into the gaps and levels of a valid load (simulator.md 5).
type Arrivals struct {
	mean                float64
	mixed               bool
	sheddable, withPlus float64 // upper ends of the two lowest shares
	critical            float64
}

// NewArrivals is the live form of a load.
func NewArrivals(l *Load) Arrivals {
	return Arrivals{
		mean:      1e7 / float64(l.PerSecond),
		mixed:     l.Sheddable > 0 || l.SheddablePlus > 0 || l.CriticalPlus > 0,
		sheddable: l.Sheddable,
		withPlus:  l.Sheddable + l.SheddablePlus,
		critical:  1 - l.CriticalPlus,
	}
}

// Mixed says whether arrivals draw for a level.
func (a *Arrivals) Mixed() bool { return a.mixed }

// Gap is the time to the next arrival for a draw; it may be 0.
func (a *Arrivals) Gap(draw float64) ticks.Ticks {
	return ticks.FromFloat(float64(2*draw) * a.mean)
}

// Level is the level of an arrival for a draw; only a mixed load draws.
func (a *Arrivals) Level(draw float64) policy.Level {
	switch {
	case draw < a.sheddable:
		return policy.Sheddable
	case draw < a.withPlus:
		return policy.SheddablePlus
	case draw < a.critical:
		return policy.Critical
	}
	return policy.CriticalPlus
}

// CriticalShare is what is left for Critical, in the order of subtraction of simulator.md 5.
func (l *Load) CriticalShare() float64 {
	return ((1 - l.Sheddable) - l.SheddablePlus) - l.CriticalPlus
}
