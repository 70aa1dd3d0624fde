package scenario

import (
	"squall/engine/policy"
	"squall/engine/ticks"
)

var failuresTable = newTable("failures",
	"Opens at a multiple of the measured error rate.",
	number("multiple", "5", "(1,)", "How many times the normal error rate opens the breaker.", "breaker.md 1.2", func(f *policy.FailuresSettings) *float64 { return &f.Multiple }),
	span("window", "5m", "s", "(0,)", "How far back the normal rate is measured.", "breaker.md 1.2", func(f *policy.FailuresSettings) *ticks.Ticks { return &f.Window }),
	integer("minimumSamples", "100", "[1,)", "How many outcomes it takes before a normal rate is known.", "breaker.md 1.2", func(f *policy.FailuresSettings) *int { return &f.MinimumSamples }),
	number("floor", "0.05", "(0,1]", "The lowest error rate that can open the breaker.", "breaker.md 1.2", func(f *policy.FailuresSettings) *float64 { return &f.Floor }),
)

var slowCallsTable = newTable("slowCalls",
	"Opens when calls take a multiple of measured normal latency.",
	number("multiple", "3", "(1,)", "How many times the normal latency makes a call a slow one.", "breaker.md 1.1", func(s *policy.SlowCallsSettings) *float64 { return &s.Multiple }),
	number("quantile", "0.5", "(0,0.5]", "The quantile that counts as normal latency.", "breaker.md 1.1", func(s *policy.SlowCallsSettings) *float64 { return &s.Quantile }),
	span("window", "5m", "s", "(0,)", "How far back the normal latency is measured.", "breaker.md 1.1", func(s *policy.SlowCallsSettings) *ticks.Ticks { return &s.Window }),
	integer("minimumSamples", "20", "[1,)", "How many outcomes it takes before a normal latency is known.", "breaker.md 1.1", func(s *policy.SlowCallsSettings) *int { return &s.MinimumSamples }),
)

var recoveryTable = newTable("recovery",
	"Hands traffic back over a ramp instead of all at once.",
	number("length", "0.25", "(0,)", "How long the ramp is, as a share of the break that was served.", "breaker.md 1.3", func(r *policy.RecoverySettings) *float64 { return &r.Length }),
	span("minimumLength", "1s", "s", "(0,)", "The shortest ramp.", "breaker.md 1.3", func(r *policy.RecoverySettings) *ticks.Ticks { return &r.MinimumLength }),
	span("maximumLength", "30s", "s", "", "The longest ramp; at least minimumLength.", "breaker.md 1.3", func(r *policy.RecoverySettings) *ticks.Ticks { return &r.MaximumLength }),
	number("initialFraction", "0.05", "(0,1)", "The share of calls that the ramp begins with.", "breaker.md 1.3", func(r *policy.RecoverySettings) *float64 { return &r.InitialFraction }),
)

var breakerTable = newTable("breaker",
	"A circuit breaker: refuses calls for a while when too many fail or are slow.",
	integer("consecutiveFailures", "5", "[1,)", "Opens after this many failures in a row.", "breaker.md 1", func(b *policy.BreakerSettings) *int { return &b.ConsecutiveFailures }),
	number("failureRatio", "", "(0,1]", "Opens at this share of failures in tripWindow; null: off.", "breaker.md 1", func(b *policy.BreakerSettings) *float64 { b.HasFailureRatio = true; return &b.FailureRatio }).
		orNull(func(b *policy.BreakerSettings) { b.HasFailureRatio = false }),
	threeValued("failures", "{}", failuresTable, "Opens at a multiple of the measured error rate. Missing: derived from tripWindow, off above 6 minutes; null: off.", "breaker.md 2.3",
		func() policy.FailuresSettings { return policy.Failures(5) },
		func(b *policy.BreakerSettings, f policy.FailuresSettings) { b.Failures = policy.Give(f) },
		func(b *policy.BreakerSettings) { b.Failures = policy.Disable[policy.FailuresSettings]() }),
	integer("minimumCalls", "20", "[1,)", "How many outcomes in tripWindow it takes before shares count.", "breaker.md 1", func(b *policy.BreakerSettings) *int { return &b.MinimumCalls }),
	span("tripWindow", "30s", "s", "(0,)", "How far back outcomes count for opening.", "breaker.md 1", func(b *policy.BreakerSettings) *ticks.Ticks { return &b.TripWindow }),
	span("slowCallThreshold", "", "ms", "(0,)", "A call that takes this long is a slow one; null: off.", "breaker.md 1", func(b *policy.BreakerSettings) *ticks.Ticks {
		b.HasSlowCallThreshold = true
		return &b.SlowCallThreshold
	}).
		orNull(func(b *policy.BreakerSettings) { b.HasSlowCallThreshold = false }),
	threeValued("slowCalls", "{}", slowCallsTable, "Measures what a slow call is. Missing: three times p50, off for long trip windows; null: off.", "breaker.md 2.4",
		func() policy.SlowCallsSettings { return policy.SlowCalls(3) },
		func(b *policy.BreakerSettings, s policy.SlowCallsSettings) { b.SlowCalls = policy.Give(s) },
		func(b *policy.BreakerSettings) { b.SlowCalls = policy.Disable[policy.SlowCallsSettings]() }),
	number("slowCallRatio", "0.5", "(0,1]", "Opens at this share of slow calls in tripWindow.", "breaker.md 1", func(b *policy.BreakerSettings) *float64 { return &b.SlowCallRatio }),
	span("breakDuration", "15s", "s", "(0,)", "How long the first break lasts; every further one without a recovery between is twice as long.", "breaker.md 1", func(b *policy.BreakerSettings) *ticks.Ticks { return &b.BreakDuration }),
	span("maximumBreakDuration", "2m", "s", "", "The longest break; at least breakDuration.", "breaker.md 1", func(b *policy.BreakerSettings) *ticks.Ticks { return &b.MaximumBreakDuration }),
	choice("breakJitter", "equal", jitters, "How a break is spread, so that callers do not come back together.", "breaker.md 8.1", func(b *policy.BreakerSettings, i int) { b.BreakJitter = policy.Jitter(i) }),
	part("recovery", recoveryTable, "Hands traffic back over a ramp; missing or null: all at once.", "breaker.md 9",
		func() policy.RecoverySettings { return policy.Recovery(0.25) }, func(b *policy.BreakerSettings, r policy.RecoverySettings) { b.Recovery = &r }),
	integer("halfOpenProbes", "1", "[1,)", "How many calls may probe beside each other after a break.", "breaker.md 1", func(b *policy.BreakerSettings) *int { return &b.HalfOpenProbes }),
	integer("probeSuccesses", "2", "[1,)", "How many probes must succeed before the breaker closes.", "breaker.md 1", func(b *policy.BreakerSettings) *int { return &b.ProbeSuccesses }),
	flag("adaptive", "true", "false takes away the measured defaults of failures and slowCalls.", "breaker.md 1", func(b *policy.BreakerSettings) *bool { return &b.Adaptive }),
)
