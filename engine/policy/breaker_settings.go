package policy

import (
	"math"

	"squall/engine/problem"
	"squall/engine/ticks"
)

// derivedWindowMax is the longest baseline that a derived default stretches to; a trip window that
// needs more goes without that trip (breaker.md 2.5).
const derivedWindowMax = ticks.Hour

// EffectiveFailures is the relative failure trip that a breaker works with: as written, or the
// derived default (2.3). It is false when the trip is off.
func (s *BreakerSettings) EffectiveFailures() (FailuresSettings, bool) {
	switch s.Failures.Mention {
	case Given:
		return s.Failures.Value, true
	case Off:
		return FailuresSettings{}, false
	}
	f := Failures(5)
	if !s.Adaptive {
		return FailuresSettings{}, false
	}
	if s.TripWindow <= 0 {
		return f, true
	}
	var on bool
	f.Window, on = stretched(f.Window, float64(10.0*float64(s.TripWindow)))
	return f, on
}

// EffectiveSlowCalls is the relative slow-call trip that a breaker works with: as written, or the
// derived default (2.4). It is false when the trip is off.
func (s *BreakerSettings) EffectiveSlowCalls() (SlowCallsSettings, bool) {
	switch s.SlowCalls.Mention {
	case Given:
		return s.SlowCalls.Value, true
	case Off:
		return SlowCallsSettings{}, false
	}
	c := SlowCalls(3)
	if !s.Adaptive {
		return SlowCallsSettings{}, false
	}
	if s.TripWindow <= 0 || !isShare(s.SlowCallRatio) {
		return c, true
	}
	var on bool
	c.Window, on = stretched(c.Window, float64(float64(2*s.SlowCallRatio)*float64(s.TripWindow))/0.5)
	return c, on
}

// stretched is the baseline that needs at least need ticks, or false when that is too long.
func stretched(own ticks.Ticks, need float64) (ticks.Ticks, bool) {
	switch {
	case !(need <= float64(derivedWindowMax)):
		return own, false
	case need <= float64(own):
		return own, true
	}
	return ticks.FromFloat(math.Ceil(need)) + ticks.Second, true
}

// Validate is everything that is wrong with the settings, in the order of breaker.md 2.1. Paths
// are relative to the breaker.
func (s *BreakerSettings) Validate() problem.List {
	var l problem.List
	l.AtLeastOne("consecutiveFailures", s.ConsecutiveFailures)
	if s.HasFailureRatio {
		share(&l, "failureRatio", s.FailureRatio)
	}
	l.AtLeastOne("minimumCalls", s.MinimumCalls)
	l.Positive("tripWindow", s.TripWindow)
	if s.HasSlowCallThreshold && s.SlowCallThreshold <= 0 {
		l.Add("slowCallThreshold", problem.Sprintf("is %s; it must be positive, or null for no fixed slow-call trip", s.SlowCallThreshold))
	}
	if !s.Adaptive {
		const contradiction = "is given though adaptive is false, which takes away every measured trip; drop one of the two"
		if s.SlowCalls.Mention == Given {
			l.Add("slowCalls", contradiction)
		}
		if s.Failures.Mention == Given {
			l.Add("failures", contradiction)
		}
	}
	if c, on := s.EffectiveSlowCalls(); on {
		l.Under("slowCalls", c.validate())
		if s.TripWindow > 0 && isShare(s.SlowCallRatio) && !s.slowCallsWin(&c) {
			l.Add("slowCalls.window", problem.Sprintf("is %s; the normal latency would rise as fast as the calls get slow, so that the breaker could never open on latency: "+
				"window times quantile %v must be at least twice slowCallRatio %v times tripWindow %s", c.Window, c.Quantile, s.SlowCallRatio, s.TripWindow))
		}
	}
	if f, on := s.EffectiveFailures(); on {
		l.Under("failures", f.validate())
		if s.TripWindow > 0 && f.Multiple > 1 && f.Window > 0 && !s.failuresWin(&f) {
			l.Add("failures.window", problem.Sprintf("is %s; the normal error rate would rise as fast as the calls fail, so that the breaker could never open on the error rate: "+
				"window divided by multiple %v must be at least twice tripWindow %s", f.Window, f.Multiple, s.TripWindow))
		}
	}
	share(&l, "slowCallRatio", s.SlowCallRatio)
	l.Positive("breakDuration", s.BreakDuration)
	if s.MaximumBreakDuration < s.BreakDuration {
		l.Add("maximumBreakDuration", problem.Sprintf("is %s; it must be at least breakDuration, which is %s", s.MaximumBreakDuration, s.BreakDuration))
	}
	if s.Recovery != nil {
		l.Under("recovery", s.Recovery.validate())
	}
	l.AtLeastOne("halfOpenProbes", s.HalfOpenProbes)
	l.AtLeastOne("probeSuccesses", s.ProbeSuccesses)
	return l
}

// slowCallsWin is the first race of 2.2: slow calls must fill the trip window before they have
// become the normal latency.
func (s *BreakerSettings) slowCallsWin(c *SlowCallsSettings) bool {
	return float64(c.Quantile*seconds(c.Window)) >= float64(2*float64(s.SlowCallRatio*seconds(s.TripWindow)))
}

// failuresWin is the second race of 2.2.
func (s *BreakerSettings) failuresWin(f *FailuresSettings) bool {
	return seconds(f.Window)/f.Multiple >= float64(2*seconds(s.TripWindow))
}

func (c *SlowCallsSettings) validate() problem.List {
	var l problem.List
	aboveOne(&l, "multiple", c.Multiple)
	if !(c.Quantile > 0 && c.Quantile <= 0.5) {
		l.Add("quantile", problem.Sprintf("is %v; normal latency is at most the median, so it must be above 0 and at most 0.5", c.Quantile))
	}
	l.Positive("window", c.Window)
	l.AtLeastOne("minimumSamples", c.MinimumSamples)
	return l
}

func (f *FailuresSettings) validate() problem.List {
	var l problem.List
	aboveOne(&l, "multiple", f.Multiple)
	l.Positive("window", f.Window)
	l.AtLeastOne("minimumSamples", f.MinimumSamples)
	share(&l, "floor", f.Floor)
	return l
}

func (r *RecoverySettings) validate() problem.List {
	var l problem.List
	if !(r.Length > 0 && r.Length <= math.MaxFloat64) {
		l.Add("length", problem.Sprintf("is %v; it is a multiple of the break and must be a positive number", r.Length))
	}
	l.Positive("minimumLength", r.MinimumLength)
	if r.MaximumLength < r.MinimumLength {
		l.Add("maximumLength", problem.Sprintf("is %s; it must be at least minimumLength, which is %s", r.MaximumLength, r.MinimumLength))
	}
	if !(r.InitialFraction > 0 && r.InitialFraction < 1) {
		l.Add("initialFraction", problem.Sprintf("is %v; it must lie between 0 and 1, and be neither", r.InitialFraction))
	}
	return l
}

func isShare(x float64) bool { return x > 0 && x <= 1 } // false for NaN

func share(l *problem.List, path string, x float64) {
	if !isShare(x) {
		l.Add(path, problem.Sprintf("is %v; it must be above 0 and at most 1", x))
	}
}

func aboveOne(l *problem.List, path string, x float64) {
	if !(x > 1 && x <= math.MaxFloat64) {
		l.Add(path, problem.Sprintf("is %v; it must be a number above 1", x))
	}
}

func seconds(t ticks.Ticks) float64 { return float64(t) / float64(ticks.Second) }
