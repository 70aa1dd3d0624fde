package policy

import (
	"math"
	"slices"
	"strings"
	"testing"

	"squall/engine/ticks"
)

// with is the preset changed by every given change.
func with(preset Settings, changes ...func(*Settings)) Settings {
	for _, change := range changes {
		change(&preset)
	}
	return preset
}

func attempts(n int) func(*Settings)         { return func(s *Settings) { s.Attempts = n } }
func deadline(t ticks.Ticks) func(*Settings) { return func(s *Settings) { s.Deadline = t } }
func timeout(t ticks.Ticks) func(*Settings)  { return func(s *Settings) { s.AttemptTimeout = t } }
func ceiling(c CeilingSettings) func(*Settings) {
	return func(s *Settings) { s.AttemptCeiling = Give(c) }
}
func backoff(b BackoffSettings) func(*Settings)    { return func(s *Settings) { s.Backoff = b } }
func hedged(h HedgeSettings) func(*Settings)       { return func(s *Settings) { s.Hedge = &h } }
func guarded(x SaturationSettings) func(*Settings) { return func(s *Settings) { s.Saturation = &x } }
func bucket(b BudgetSettings) func(*Settings) {
	return func(s *Settings) { s.Budget = BudgetChoice{Kind: BucketBudget, Bucket: &b} }
}
func base(m MeasuredBaseSettings) func(*Settings) {
	return func(s *Settings) { s.Backoff.Measured = &m }
}
func winning(w WinRateSettings) func(*Settings) {
	return func(s *Settings) {
		h := Hedge(0.95)
		h.WinRate = &w
		s.Hedge = &h
	}
}

func noCeiling(s *Settings) { s.AttemptCeiling = Disable[CeilingSettings]() }
func fixed(s *Settings)     { s.Adaptive = false }
func ambient(s *Settings)   { s.UseAmbientCriticality = true }
func noBudget(s *Settings)  { s.Budget.Kind = NoBudget }

func TestEffectiveCeiling(t *testing.T) {
	own := Ceiling(7)
	for _, tt := range []struct {
		id     string
		policy Settings
		want   *CeilingSettings
	}{
		{"H1 default", Default(), new(Ceiling(3))},
		{"H1 http", HTTP(), new(Ceiling(3))},
		{"H2", None(), nil},
		{"H3", with(Default(), timeout(ticks.Infinite)), nil},
		{"H4", with(Default(), timeout(ticks.Infinite), ceiling(own)), &own},
		{"H5", with(Default(), timeout(20*ticks.Millisecond)), nil},
		{"at the floor", with(Default(), timeout(50*ticks.Millisecond)), nil},
		{"above the floor", with(Default(), timeout(50*ticks.Millisecond+1)), new(Ceiling(3))},
		{"H6", with(Default(), timeout(20*ticks.Millisecond), ceiling(own)), &own},
		{"H7", with(HTTP(), fixed), nil},
		{"off", with(Default(), noCeiling), nil},
	} {
		got, on := tt.policy.EffectiveCeiling()
		if on != (tt.want != nil) || on && got != *tt.want {
			t.Errorf("%s: %+v, %v", tt.id, got, on)
		}
	}
}

func TestPresets(t *testing.T) { // H10
	for _, tt := range []struct {
		policy            Settings
		attempts          int
		deadline, timeout ticks.Ticks
		name              string
	}{
		{Default(), 3, 30 * ticks.Second, 10 * ticks.Second, ""},
		{HTTP(), 3, 30 * ticks.Second, 10 * ticks.Second, "http"},
		{None(), 1, ticks.Infinite, ticks.Infinite, ""},
		{Instant(), 3, ticks.Infinite, ticks.Infinite, ""},
	} {
		s := &tt.policy
		if s.Attempts != tt.attempts || s.Deadline != tt.deadline || s.AttemptTimeout != tt.timeout || s.Name != tt.name {
			t.Errorf("preset %d: %+v", s.Preset, s)
		}
		if problems := s.Validate(); problems != nil {
			t.Errorf("preset %d: %v", s.Preset, problems)
		}
	}
}

func TestValidate(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	changed := func(change func(*CeilingSettings)) func(*Settings) {
		c := Ceiling(3)
		change(&c)
		return ceiling(c)
	}
	changedBase := func(change func(*MeasuredBaseSettings)) func(*Settings) {
		m := MeasuredBase(1)
		change(&m)
		return base(m)
	}
	changedHedge := func(change func(*HedgeSettings)) func(*Settings) {
		h := Hedge(0.95)
		change(&h)
		return hedged(h)
	}
	changedWin := func(change func(*WinRateSettings)) func(*Settings) {
		w := WinRate(0.2)
		change(&w)
		return winning(w)
	}
	factor := func(x float64) func(*Settings) { return func(s *Settings) { s.Backoff.Factor = x } }
	capped := func(t ticks.Ticks) func(*Settings) { return func(s *Settings) { s.Backoff.MaximumDelay = t } }
	suppress := func(x float64) func(*Settings) { return changedHedge(func(h *HedgeSettings) { h.SuppressAt = x }) }
	allowance := func(x float64) func(*Settings) {
		return changedWin(func(w *WinRateSettings) { w.MinimumAllowance = x })
	}

	for _, tt := range []struct {
		id     string
		policy Settings
		paths  string // of every problem, in order
		says   string // in some message
	}{
		{"H4", with(Default(), timeout(ticks.Infinite), ceiling(Ceiling(3))), "", ""},
		{"H5", with(Default(), timeout(20*ticks.Millisecond)), "", ""},
		{"H6", with(Default(), timeout(20*ticks.Millisecond), ceiling(Ceiling(3))), "attemptCeiling.floor", "20ms"},
		{"H7", with(HTTP(), fixed), "", ""},
		{"H8", with(HTTP(), fixed, ceiling(Ceiling(3)), hedged(Hedge(0.95))), "attemptCeiling hedge", "adaptive"},
		{"H9", with(HTTP(), fixed, noCeiling), "", ""},

		{"I1", with(Default(), ceiling(Ceiling(1))), "attemptCeiling.multiple", "is 1;"},
		{"I1 NaN", with(Default(), ceiling(Ceiling(nan))), "attemptCeiling.multiple", "NaN"},
		{"I1 infinite", with(Default(), ceiling(Ceiling(inf))), "attemptCeiling.multiple", "+Inf"},
		{"I2 low", with(Default(), changed(func(c *CeilingSettings) { c.Quantile = 0.4 })), "attemptCeiling.quantile", "0.4"},
		{"I2 high", with(Default(), changed(func(c *CeilingSettings) { c.Quantile = 0.999 })), "attemptCeiling.quantile", "0.999"},
		{"I2 NaN", with(Default(), changed(func(c *CeilingSettings) { c.Quantile = nan })), "attemptCeiling.quantile", ""},
		{"I2 edges", with(Default(), changed(func(c *CeilingSettings) { c.Quantile = 0.5 })), "", ""},
		{"I2 edge", with(Default(), changed(func(c *CeilingSettings) { c.Quantile = 0.99 })), "", ""},
		{"I3", with(Default(), timeout(ticks.Second), changed(func(c *CeilingSettings) { c.Floor = ticks.Second })), "attemptCeiling.floor", "attemptTimeout, which is 1s"},
		{"I3 below", with(Default(), timeout(ticks.Second), changed(func(c *CeilingSettings) { c.Floor = ticks.Second - 1 })), "", ""},
		{"ceiling's rest", with(Default(), ceiling(CeilingSettings{Multiple: 3, Quantile: 0.95})),
			"attemptCeiling.window attemptCeiling.minimumSamples attemptCeiling.floor", "is 0s; it must be positive"},

		{"I4", with(Default(), base(MeasuredBase(0))), "backoff.measured.multiple", "is 0;"},
		{"I4 infinite", with(Default(), base(MeasuredBase(inf))), "backoff.measured.multiple", ""},
		{"I5 high", with(Default(), changedBase(func(m *MeasuredBaseSettings) { m.Quantile = 0.9 })), "backoff.measured.quantile", "0.9"},
		{"I5 zero", with(Default(), changedBase(func(m *MeasuredBaseSettings) { m.Quantile = 0 })), "backoff.measured.quantile", ""},
		{"I5 NaN", with(Default(), changedBase(func(m *MeasuredBaseSettings) { m.Quantile = nan })), "backoff.measured.quantile", ""},
		{"I6", with(Default(), changedBase(func(m *MeasuredBaseSettings) { m.Spread = 1 })), "backoff.measured.spread", "is 1;"},
		{"I6 NaN", with(Default(), changedBase(func(m *MeasuredBaseSettings) { m.Spread = nan })), "backoff.measured.spread", ""},
		{"I7", with(Default(), backoff(ConstantBackoff(ticks.Second)), base(MeasuredBase(1))), "backoff.measured", "constant"},
		{"I8", with(Default(), fixed, base(MeasuredBase(1))), "backoff.measured", "adaptive"},
		{"base's rest", with(Default(), base(MeasuredBaseSettings{Multiple: 1, Quantile: 0.5, Spread: 2})),
			"backoff.measured.window backoff.measured.minimumSamples", ""},

		{"I9", with(Default(), factor(0)), "backoff.factor", "is 0;"},
		{"I9 NaN", with(Default(), factor(nan)), "backoff.factor", "NaN"},
		{"I9 constant", with(Default(), backoff(ConstantBackoff(0)), factor(0)), "", ""},
		{"curve", with(Default(), func(s *Settings) { s.Backoff.TransientBase, s.Backoff.ThrottledBase = -1, -2 }, capped(-3)),
			"backoff.transientBase backoff.throttledBase backoff.maximumDelay", "-100ns"},
		{"no cap", with(Default(), capped(ticks.Infinite)), "", ""},
		{"constant", with(Default(), func(s *Settings) { s.Backoff.Kind, s.Backoff.TransientBase = Constant, -5*ticks.Millisecond }), "backoff.delay", "-5ms"},

		{"I10 low", with(Default(), hedged(Hedge(0.4))), "hedge.quantile", "0.4"},
		{"I10 high", with(Default(), hedged(Hedge(1))), "hedge.quantile", ""},
		{"I10 NaN", with(Default(), hedged(Hedge(nan))), "hedge.quantile", ""},
		{"I10 concurrency", with(Default(), changedHedge(func(h *HedgeSettings) { h.MaximumConcurrent = 1 })), "hedge.maximumConcurrent", "is 1;"},
		{"I11", with(Default(), attempts(1), hedged(Hedge(0.95))), "hedge", "is 1;"},
		{"I12 zero", with(Default(), suppress(0)), "hedge.suppressAt", "is 0;"},
		{"I12 negative", with(Default(), suppress(-0.5)), "hedge.suppressAt", "-0.5"},
		{"I12 high", with(Default(), suppress(1.5)), "hedge.suppressAt", "1.5"},
		{"I12 NaN", with(Default(), suppress(nan)), "hedge.suppressAt", "NaN"},
		{"I12 one", with(Default(), suppress(1)), "", ""},
		{"hedge's rest", with(Default(), hedged(HedgeSettings{Quantile: 0.5, MaximumConcurrent: 2, MinimumDelay: -1, SuppressAt: 1})),
			"hedge.minimumSamples hedge.minimumDelay hedge.window", ""},

		{"I13 zero", with(Default(), winning(WinRate(0))), "hedge.winRate.minimum", "is 0;"},
		{"I13 one", with(Default(), winning(WinRate(1))), "hedge.winRate.minimum", ""},
		{"I13 negative", with(Default(), winning(WinRate(-0.5))), "hedge.winRate.minimum", ""},
		{"I13 high", with(Default(), winning(WinRate(1.5))), "hedge.winRate.minimum", ""},
		{"I13 NaN", with(Default(), winning(WinRate(nan))), "hedge.winRate.minimum", ""},
		{"I14 one", with(Default(), allowance(1)), "hedge.winRate.minimumAllowance", "is 1;"},
		{"I14 high", with(Default(), allowance(1.5)), "hedge.winRate.minimumAllowance", ""},
		{"I14 negative", with(Default(), allowance(-0.1)), "hedge.winRate.minimumAllowance", "-0.1"},
		{"I14 NaN", with(Default(), allowance(nan)), "hedge.winRate.minimumAllowance", ""},
		{"I14 none", with(Default(), allowance(0)), "", ""},
		{"win's rest", with(Default(), winning(WinRateSettings{Minimum: 0.5})), "hedge.winRate.window hedge.winRate.minimumSamples", ""},

		{"I15", with(Default(), attempts(0)), "attempts", "is 0; it must be at least 1"},
		{"I16", with(Default(), attempts(0), hedged(Hedge(0))), "attempts hedge.quantile hedge", ""},

		{"E10", with(Default(), ambient, attempts(1)), "useAmbientCriticality", "nothing to gate"},
		{"E11", with(Default(), ambient, noBudget), "useAmbientCriticality", "budget is none"},
		{"E12", with(Default(), ambient, noBudget, hedged(Hedge(0.95))), "", ""},
		{"ambient", with(Default(), ambient), "", ""},

		{"bounds", with(Default(), deadline(0), timeout(-2*ticks.Millisecond)), "deadline attemptTimeout", "-2ms"},
		{"C11 zero", with(Default(), bucket(BudgetSettings{Fraction: 0})), "budget.fraction", "is 0;"},
		{"C11 negative", with(Default(), bucket(BudgetSettings{Fraction: -0.1})), "budget.fraction", ""},
		{"C11 high", with(Default(), bucket(BudgetSettings{Fraction: 1.5})), "budget.fraction", ""},
		{"C11 NaN, C12", with(Default(), bucket(BudgetSettings{Fraction: nan, MinimumPerSecond: -1})), "budget.fraction budget.minimumPerSecond", "is -1;"},
		{"shared", with(Default(), bucket(BudgetSettings{Name: "common", Fraction: 7})), "", ""},
		{"no bucket", with(Default(), func(s *Settings) { s.Budget.Kind = BucketBudget }), "budget", ""},

		{"saturation", with(Default(), guarded(SaturationSettings{Multiple: 1})), "saturation.multiple saturation.floor saturation.minimumSamples", ""},
		{"saturation NaN", with(Default(), guarded(Saturation(nan))), "saturation.multiple", ""},
		{"saturation alone", with(Default(), noCeiling, guarded(Saturation(5))), "saturation", "measures nothing"},
		{"saturation with a base", with(Default(), noCeiling, guarded(Saturation(5)), base(MeasuredBase(1))), "", ""},
		{"saturation with a hedge", with(Default(), noCeiling, guarded(Saturation(5)), hedged(Hedge(0.95))), "", ""},
		{"saturation, not adaptive", with(Default(), fixed, guarded(Saturation(5))), "saturation saturation", ""},

		{"breaker", with(Default(), attempts(0), func(s *Settings) { s.Breaker = &BreakerSettings{} }, bucket(BudgetSettings{})),
			"attempts budget.fraction breaker.consecutiveFailures breaker.minimumCalls breaker.tripWindow breaker.slowCallRatio " +
				"breaker.breakDuration breaker.halfOpenProbes breaker.probeSuccesses", ""},
		{"order", with(Settings{}, ceiling(CeilingSettings{}), base(MeasuredBaseSettings{}), winning(WinRateSettings{Minimum: -1, MinimumAllowance: -1}), guarded(SaturationSettings{})),
			"attempts deadline attemptTimeout backoff.factor backoff.measured.multiple backoff.measured.quantile backoff.measured.window " +
				"backoff.measured.minimumSamples backoff.measured.spread attemptCeiling.multiple attemptCeiling.quantile attemptCeiling.window " +
				"attemptCeiling.minimumSamples attemptCeiling.floor attemptCeiling.floor attemptCeiling backoff.measured hedge saturation " +
				"hedge.winRate.minimum hedge.winRate.window hedge.winRate.minimumSamples hedge.winRate.minimumAllowance hedge " +
				"saturation.multiple saturation.floor saturation.minimumSamples", ""},
	} {
		t.Run(tt.id, func(t *testing.T) {
			problems := tt.policy.Validate()
			var paths []string
			for _, p := range problems {
				paths = append(paths, p.Path)
			}
			if want := strings.Fields(tt.paths); !slices.Equal(paths, want) {
				t.Errorf("problems with %q, want %q", paths, want)
			}
			if tt.says != "" && !strings.Contains(problems.Error(), tt.says) {
				t.Errorf("%q does not say %q", problems.Error(), tt.says)
			}
		})
	}
}
