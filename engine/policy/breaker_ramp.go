package policy

import "squall/engine/ticks"

// ramp hands traffic back after a break (breaker.md 9). Its clock raises the share of admitted
// calls from first to 1 in a straight line over length; slow answers hold it down by a cap. Every
// number is a share of calls in [0, 1].
type ramp struct {
	first  float64
	cap    float64
	credit float64 // of admissions saved up, below 1 between calls
	fast   int     // fast successes since the cap moved
	start  ticks.Ticks
	length ticks.Ticks
}

// admission is the share of calls that may pass now.
func (r *ramp) admission(now ticks.Ticks) float64 {
	clock := 1.0
	if r.length > 0 {
		gone := float64(now-r.start) / float64(r.length)
		clock = r.first + float64((1-r.first)*gone)
	}
	return min(r.cap, clock)
}

// admit spreads the share evenly over the calls that ask, without chance.
func (r *ramp) admit(share float64) bool {
	r.credit += share
	if r.credit < 1 {
		return false
	}
	r.credit--
	return true
}

// pace halves what is admitted after a slow answer, and lifts the cap a step after enough fast
// ones in a row.
func (r *ramp) pace(now ticks.Ticks, slow bool, enough int) {
	if slow {
		r.cap = max(r.first, r.admission(now)/2)
		r.fast = 0
		return
	}
	if r.fast++; r.fast >= enough {
		r.cap = min(1, r.cap+r.first)
		r.fast = 0
	}
}

// length is how long the ramp behind a break takes that lasted served (8.2).
func (r *RecoverySettings) length(served ticks.Ticks) ticks.Ticks {
	t := float64(served) * r.Length
	switch {
	case t != t || t >= float64(r.MaximumLength):
		return r.MaximumLength
	case t <= float64(r.MinimumLength):
		return r.MinimumLength
	}
	return ticks.FromFloat(t)
}
