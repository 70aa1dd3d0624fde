package policy

import "squall/engine/ticks"

// Reading is a measured span. Value counts only when Known is true: nothing is known while there
// are too few samples.
type Reading struct {
	Value ticks.Ticks
	Known bool
}

// Readings are the measured terms of a live policy and the state of its guards (executor.md 19.1).
// The zero value is a policy that has not executed yet.
type Readings struct {
	// Ceiling is the measured attempt ceiling, before AttemptTimeout and deadline lower it (8.4).
	Ceiling Reading
	// Base is the backoff base, held within its spread (9.3).
	Base Reading
	// HedgeThreshold is how long a leg runs before another one may start beside it.
	HedgeThreshold Reading
	// QueueDelay is how long the caller's own pool makes work wait; known once its normal is.
	QueueDelay Reading
	// Breaker is the state that the next call would meet.
	Breaker CircuitState
	// Utilization is the share of the retry bucket that is spent, in [0, 1].
	Utilization float64
}

// Readings are what the policy has measured. Asking can fix the answer of a window for a while, see
// Window.Threshold, and refills the bucket (10.5).
func (l *Live) Readings(now ticks.Ticks) Readings {
	var r Readings
	s := &l.settings
	r.Ceiling.Value, r.Ceiling.Known = l.measuredCeiling(now)
	if m := s.Backoff.Measured; m != nil {
		if normal, ok := l.baseWindow.Threshold(now, m.MinimumSamples); ok {
			r.Base = Reading{l.curve.Base(normal), true}
		}
	}
	if h := s.Hedge; h != nil {
		if threshold, ok := l.hedgeWindow.Threshold(now, h.MinimumSamples); ok {
			r.HedgeThreshold = Reading{max(threshold, h.MinimumDelay), true}
		}
	}
	if s.Saturation != nil && l.Queue.Known {
		r.QueueDelay = Reading{l.Queue.Delay, true}
	}
	if l.HasCircuit {
		r.Breaker = l.Circuit.State(now)
	}
	if l.bucket != nil {
		r.Utilization = l.bucket.Utilization(now)
	}
	return r
}

// of drops the readings of what the policy does not have.
func (r Readings) of(s *Settings) Readings {
	if _, on := s.EffectiveCeiling(); !on {
		r.Ceiling = Reading{}
	}
	if s.Backoff.Measured == nil {
		r.Base = Reading{}
	}
	if s.Hedge == nil {
		r.HedgeThreshold = Reading{}
	}
	if s.Saturation == nil {
		r.QueueDelay = Reading{}
	}
	if s.Breaker == nil || r.Breaker > CircuitIsolated {
		r.Breaker = CircuitClosed
	}
	if _, on := s.bucket(); !on || r.Utilization != r.Utilization {
		r.Utilization = 0
	}
	return r
}
