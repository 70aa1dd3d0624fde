package policy

import (
	"math"

	"squall/engine/problem"
	"squall/engine/ticks"
)

// Validate is everything that is wrong with the settings, in the order of executor.md 2.11; then
// come the budget (2.9) and the breaker (breaker.md 2.1). Paths are the keys of a scenario, and a
// path with its message behind it is a sentence. A bucket with a name stands outside of the policies
// that share it and is validated there, see BudgetSettings.Validate.
func (s *Settings) Validate() problem.List {
	var l problem.List
	l.AtLeastOne("attempts", s.Attempts)
	bound(&l, "deadline", s.Deadline)
	bound(&l, "attemptTimeout", s.AttemptTimeout)
	l.Under("backoff", s.Backoff.validate())
	if c, on := s.EffectiveCeiling(); on {
		l.Under("attemptCeiling", c.validate(s.AttemptTimeout))
	}
	s.contradictions(&l)
	if s.UseAmbientCriticality && s.Hedge == nil {
		const nothing = "is true but has nothing to gate: without hedge a level can only hold back retries, and "
		switch {
		case s.Attempts <= 1:
			l.Add("useAmbientCriticality", problem.Sprintf(nothing+"attempts is %d; allow retries, add a hedge, or leave it out", s.Attempts))
		case s.Budget.Kind == NoBudget:
			l.Add("useAmbientCriticality", nothing+"budget is none, so there is no bucket to reserve; give a budget, add a hedge, or leave it out")
		}
	}
	if s.Hedge != nil {
		l.Under("hedge", s.Hedge.validate())
		if s.Attempts <= 1 {
			l.Add("hedge", problem.Sprintf("is given but could never start: attempts bounds hedged legs too and is %d; it must be at least 2", s.Attempts))
		}
	}
	if s.Saturation != nil {
		l.Under("saturation", s.Saturation.validate())
		if _, on := s.EffectiveCeiling(); !on && s.Backoff.Measured == nil && s.Hedge == nil {
			l.Add("saturation", "is given but the policy measures nothing that it could protect; use attemptCeiling, backoff.measured or hedge, or leave it out")
		}
	}
	switch b := &s.Budget; {
	case b.Kind == BucketBudget && b.Bucket == nil:
		l.Add("budget", "names no bucket; give it one, or make it automatic or none")
	case b.Kind == BucketBudget && b.Bucket.Name == "":
		l.Under("budget", b.Bucket.Validate())
	}
	if s.Breaker != nil {
		l.Under("breaker", s.Breaker.Validate())
	}
	return l
}

// contradictions are the measured settings of a policy that is told to measure nothing (rules 22-25).
func (s *Settings) contradictions(l *problem.List) {
	if s.Adaptive {
		return
	}
	for _, setting := range []struct {
		path  string
		given bool
	}{
		{"attemptCeiling", s.AttemptCeiling.Mention == Given},
		{"backoff.measured", s.Backoff.Measured != nil},
		{"hedge", s.Hedge != nil},
		{"saturation", s.Saturation != nil},
	} {
		if setting.given {
			l.Add(setting.path, "is given although adaptive is false, which rules out everything measured; drop one of the two")
		}
	}
}

// Validate is what is wrong with a bucket (executor.md 2.9).
func (b *BudgetSettings) Validate() problem.List {
	var l problem.List
	share(&l, "fraction", b.Fraction)
	if b.MinimumPerSecond < 0 {
		l.Add("minimumPerSecond", problem.Sprintf("is %d; it must be 0 or more", b.MinimumPerSecond))
	}
	return l
}

func (b *BackoffSettings) validate() problem.List {
	var l problem.List
	if b.Kind == Exponential {
		require(&l, "factor", b.Factor, b.Factor > 0, "it must be above 0")
	}
	base := "transientBase"
	if b.Kind == Constant {
		base = "delay" // its key on such a curve
	}
	notNegative(&l, base, b.TransientBase)
	notNegative(&l, "throttledBase", b.ThrottledBase)
	if b.MaximumDelay != ticks.Infinite {
		notNegative(&l, "maximumDelay", b.MaximumDelay)
	}
	if b.Measured != nil {
		l.Under("measured", b.Measured.validate())
		if b.Kind != Exponential {
			l.Add("measured", problem.Sprintf("is given on a curve of kind %s; only an exponential curve can grow from measured latency", b.Kind))
		}
	}
	return l
}

func (m *MeasuredBaseSettings) validate() problem.List {
	var l problem.List
	require(&l, "multiple", m.Multiple, m.Multiple > 0 && m.Multiple <= math.MaxFloat64, "it must be a number above 0")
	require(&l, "quantile", m.Quantile, m.Quantile > 0 && m.Quantile <= 0.5, "it must be above 0 and at most 0.5, because a base follows normal latency and not its tail")
	l.Positive("window", m.Window)
	l.AtLeastOne("minimumSamples", m.MinimumSamples)
	aboveOne(&l, "spread", m.Spread)
	return l
}

func (c *CeilingSettings) validate(timeout ticks.Ticks) problem.List {
	var l problem.List
	aboveOne(&l, "multiple", c.Multiple)
	require(&l, "quantile", c.Quantile, c.Quantile >= 0.5 && c.Quantile <= 0.99, "it must lie between 0.5 and 0.99")
	l.Positive("window", c.Window)
	l.AtLeastOne("minimumSamples", c.MinimumSamples)
	l.Positive("floor", c.Floor)
	if timeout != ticks.Infinite && c.Floor >= timeout {
		l.Add("floor", problem.Sprintf("is %s, which leaves the ceiling nothing to lower; it must be below attemptTimeout, which is %s", c.Floor, timeout))
	}
	return l
}

func (h *HedgeSettings) validate() problem.List {
	var l problem.List
	require(&l, "quantile", h.Quantile, h.Quantile >= 0.5 && h.Quantile < 1, "it must be at least 0.5 and below 1")
	if h.MaximumConcurrent < 2 {
		l.Add("maximumConcurrent", problem.Sprintf("is %d; it counts the first leg too and must be at least 2", h.MaximumConcurrent))
	}
	l.AtLeastOne("minimumSamples", h.MinimumSamples)
	notNegative(&l, "minimumDelay", h.MinimumDelay)
	l.Positive("window", h.Window)
	share(&l, "suppressAt", h.SuppressAt)
	if h.WinRate != nil {
		l.Under("winRate", h.WinRate.validate())
	}
	return l
}

func (w *WinRateSettings) validate() problem.List {
	var l problem.List
	require(&l, "minimum", w.Minimum, w.Minimum > 0 && w.Minimum < 1, "it must be above 0 and below 1")
	l.Positive("window", w.Window)
	l.AtLeastOne("minimumSamples", w.MinimumSamples)
	require(&l, "minimumAllowance", w.MinimumAllowance, w.MinimumAllowance >= 0 && w.MinimumAllowance < 1, "it must be at least 0 and below 1")
	return l
}

func (s *SaturationSettings) validate() problem.List {
	var l problem.List
	aboveOne(&l, "multiple", s.Multiple)
	l.Positive("floor", s.Floor)
	l.AtLeastOne("minimumSamples", s.MinimumSamples)
	return l
}

// require adds a problem unless x is fine. Ranges are tested so that NaN lies outside of them.
func require(l *problem.List, path string, x float64, fine bool, want string) {
	if !fine {
		l.Add(path, problem.Sprintf("is %v; %s", x, want))
	}
}

func bound(l *problem.List, path string, t ticks.Ticks) {
	if t != ticks.Infinite && t <= 0 {
		l.Add(path, problem.Sprintf("is %s; it must be positive, or none for no bound", t))
	}
}

func notNegative(l *problem.List, path string, t ticks.Ticks) {
	if t < 0 {
		l.Add(path, problem.Sprintf("is %s; it must not be negative", t))
	}
}

// String is the word for the kind in a scenario.
func (k BackoffKind) String() string {
	switch k {
	case Exponential:
		return "exponential"
	case Constant:
		return "constant"
	}
	return "custom"
}
