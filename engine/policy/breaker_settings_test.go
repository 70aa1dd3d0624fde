package policy

import (
	"math"
	"strings"
	"testing"

	"squall/engine/ticks"
)

func TestBreakerValidate(t *testing.T) {
	slow := func(change func(*SlowCallsSettings)) func(*BreakerSettings) {
		v := SlowCalls(3)
		change(&v)
		return slowCalls(v)
	}
	fails := func(change func(*FailuresSettings)) func(*BreakerSettings) {
		v := Failures(5)
		change(&v)
		return failures(v)
	}
	tripWindow := func(d string) func(*BreakerSettings) {
		return func(s *BreakerSettings) { s.TripWindow = instant(d) }
	}
	fixed := func(s *BreakerSettings) { s.Adaptive = false }
	nan := math.NaN()

	tests := []struct {
		id     string
		change func(*BreakerSettings)
		paths  string // of every problem, in order
		says   string // in some message
	}{
		{"C1", settings(consecutive(0), failureRatio(2), breaks("30s"), breaksAtMost("10s"), probes(1, 0)),
			"consecutiveFailures failureRatio maximumBreakDuration probeSuccesses", "30s"},
		{"C2", settings(consecutive(3), breaks("5s")), "", ""},
		{"C3", settings(breaks("10m"), breaksAtMost("10m")), "", ""},
		{"C4", nil, "", ""},
		{"C5", settings(noSlowCalls, noFailures), "", ""},
		{"C7", tripWindow("45m"), "", ""},
		{"C8", fixed, "", ""},
		{"C9", settings(fixed, slowCalls(SlowCalls(3)), failures(Failures(5))), "slowCalls failures", "adaptive"},
		{"C10", settings(fixed, noSlowCalls, noFailures, slowerThan("2s"), failureRatio(0.5)), "", ""},
		{"C11", slow(func(c *SlowCallsSettings) { c.Quantile = 0.95 }), "slowCalls.quantile", "0.95"},
		{"C11 b", slow(func(c *SlowCallsSettings) { c.Quantile = 0.99 }), "slowCalls.quantile", "0.99"},
		{"C12", slow(func(c *SlowCallsSettings) { c.Window = 30 * ticks.Second }), "slowCalls.window", "never open on latency"},
		{"C13", slowCalls(SlowCalls(1)), "slowCalls.multiple", "is 1;"},
		{"C13 b", slowCalls(SlowCalls(0.5)), "slowCalls.multiple", ""},
		{"C13 c", slowCalls(SlowCalls(nan)), "slowCalls.multiple", "NaN"},
		{"C13 d", failures(Failures(1)), "failures.multiple", ""},
		{"C13 e", failures(Failures(0.5)), "failures.multiple", ""},
		{"C13 f", failures(Failures(nan)), "failures.multiple", ""},
		{"C14", fails(func(f *FailuresSettings) { f.Window = ticks.Minute }), "failures.window", "never open on the error rate"},
		{"C14 b", fails(func(f *FailuresSettings) { f.Floor = 0 }), "failures.floor", ""},
		{"C14 c", fails(func(f *FailuresSettings) { f.Floor = 1.5 }), "failures.floor", ""},
		{"C14 d", fails(func(f *FailuresSettings) { f.Floor = nan }), "failures.floor", ""},
		{"C15", failures(Failures(10)), "failures.window", "5m"},
		{"C15 b", fails(func(f *FailuresSettings) { f.Multiple, f.Window = 10, 10*ticks.Minute }), "", ""},
		{"C16", recovers(RecoverySettings{Length: 0, MinimumLength: 10 * ticks.Second, MaximumLength: 5 * ticks.Second, InitialFraction: 1}),
			"recovery.length recovery.maximumLength recovery.initialFraction", ""},
		{"infinite multiples", settings(slowCalls(SlowCalls(math.Inf(1))), failures(Failures(math.Inf(1)))),
			"slowCalls.multiple failures.multiple failures.window", "+Inf"},
		{"quantile not a number", slow(func(c *SlowCallsSettings) { c.Quantile = nan }), "slowCalls.quantile slowCalls.window", "NaN"},
		{"ratio not a number", settings(failureRatio(nan), func(s *BreakerSettings) { s.SlowCallRatio = nan }), "failureRatio slowCallRatio", ""},
		{"order", func(s *BreakerSettings) {
			*s = BreakerSettings{HasFailureRatio: true, HasSlowCallThreshold: true, Recovery: &RecoverySettings{Length: nan}}
		},
			"consecutiveFailures failureRatio minimumCalls tripWindow slowCallThreshold slowCallRatio breakDuration " +
				"recovery.length recovery.minimumLength recovery.initialFraction halfOpenProbes probeSuccesses", ""},
		{"order of the measured trips", func(s *BreakerSettings) {
			s.Adaptive = false
			s.SlowCalls, s.Failures = Give(SlowCallsSettings{}), Give(FailuresSettings{})
		}, "slowCalls failures slowCalls.multiple slowCalls.quantile slowCalls.window slowCalls.minimumSamples slowCalls.window " +
			"failures.multiple failures.window failures.minimumSamples failures.floor", ""},
	}
	for _, tt := range tests {
		t.Run(tt.id, func(t *testing.T) {
			s := Breaker()
			if tt.change != nil {
				tt.change(&s)
			}
			problems := s.Validate()
			var paths []string
			for _, p := range problems {
				paths = append(paths, p.Path)
			}
			if got := strings.Join(paths, " "); got != tt.paths {
				t.Errorf("problems with %q, want %q", got, tt.paths)
			}
			if len(problems) > 0 && !strings.Contains(problems.Error(), tt.says) {
				t.Errorf("%q does not say %q", problems.Error(), tt.says)
			}
			NewCircuit(s, 0) // whatever the settings, it must not panic
		})
	}
}

func TestBreakerDerivedTrips(t *testing.T) { // C4, C5, C8
	s := Breaker()
	if c, on := s.EffectiveSlowCalls(); !on || c != SlowCalls(3) {
		t.Errorf("slow calls: %v, %v", c, on)
	}
	if f, on := s.EffectiveFailures(); !on || f != Failures(5) {
		t.Errorf("failures: %v, %v", f, on)
	}
	for name, change := range map[string]func(*BreakerSettings){
		"off":          settings(noSlowCalls, noFailures),
		"not adaptive": func(s *BreakerSettings) { s.Adaptive = false },
	} {
		s := Breaker()
		change(&s)
		if _, on := s.EffectiveSlowCalls(); on {
			t.Errorf("%s: slow calls are on", name)
		}
		if _, on := s.EffectiveFailures(); on {
			t.Errorf("%s: failures are on", name)
		}
	}
	s.Adaptive, s.SlowCalls = false, Give(SlowCalls(7))
	if c, on := s.EffectiveSlowCalls(); !on || c.Multiple != 7 {
		t.Errorf("slow calls that are given: %v, %v", c, on)
	}
}

func TestBreakerDerivedWindows(t *testing.T) { // C6, X25; 0 is stepped aside
	for _, tt := range []struct {
		trip                int
		ratio               float64
		failures, slowCalls int
	}{
		{30, 0.5, 300, 300}, {60, 0.5, 601, 300}, {150, 0.5, 1501, 300}, {300, 0.5, 3001, 601},
		{31, 0.5, 311, 300}, {151, 0.5, 1511, 303}, {360, 0.5, 3601, 721}, {361, 0.5, 0, 723},
		{1800, 0.5, 0, 3601}, {1801, 0.5, 0, 0}, {900, 1, 0, 3601}, {901, 1, 0, 0},
	} {
		s := Breaker()
		s.TripWindow, s.SlowCallRatio = ticks.Ticks(tt.trip)*ticks.Second, tt.ratio
		f, on := s.EffectiveFailures()
		if on != (tt.failures > 0) || on && f.Window != ticks.Ticks(tt.failures)*ticks.Second {
			t.Errorf("trip window %d s: failures over %d, %v", tt.trip, f.Window, on)
		}
		c, on := s.EffectiveSlowCalls()
		if on != (tt.slowCalls > 0) || on && c.Window != ticks.Ticks(tt.slowCalls)*ticks.Second {
			t.Errorf("trip window %d s: slow calls over %d, %v", tt.trip, c.Window, on)
		}
		if problems := s.Validate(); problems != nil {
			t.Errorf("trip window %d s: %v", tt.trip, problems)
		}
	}
}
