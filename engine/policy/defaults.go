package policy

import "squall/engine/ticks"

// Default is the preset that the others are written against (executor.md 2.2).
func Default() Settings {
	return Settings{
		Preset:         PresetDefault,
		Attempts:       3,
		Deadline:       30 * ticks.Second,
		AttemptTimeout: 10 * ticks.Second,
		Backoff:        ExponentialBackoff(),
		Adaptive:       true,
	}
}

// HTTP is Default with the Http classifier and the name "http".
func HTTP() Settings {
	s := Default()
	s.Preset, s.Name = PresetHTTP, "http"
	return s
}

// None makes one attempt, unbounded.
func None() Settings {
	s := Default()
	s.Preset, s.Attempts = PresetNone, 1
	s.Deadline, s.AttemptTimeout = ticks.Infinite, ticks.Infinite
	s.Backoff = NoBackoff()
	s.Budget.Kind = NoBudget
	s.Adaptive = false
	return s
}

// Instant is Default without bounds, backoff or budget: the preset that tests start from.
func Instant() Settings {
	s := Default()
	s.Preset = PresetInstant
	s.Deadline, s.AttemptTimeout = ticks.Infinite, ticks.Infinite
	s.Backoff = NoBackoff()
	s.Budget.Kind = NoBudget
	return s
}

// ExponentialBackoff is the curve of the default preset (2.3).
func ExponentialBackoff() BackoffSettings {
	return BackoffSettings{
		Kind:          Exponential,
		TransientBase: 100 * ticks.Millisecond,
		ThrottledBase: ticks.Second,
		Factor:        2,
		MaximumDelay:  30 * ticks.Second,
	}
}

// ConstantBackoff waits d, jittered, before every attempt: both bases and the cap are d.
func ConstantBackoff(d ticks.Ticks) BackoffSettings {
	return BackoffSettings{Kind: Constant, TransientBase: d, ThrottledBase: d, Factor: 2, MaximumDelay: d}
}

// NoBackoff is a constant 0 with full jitter, which still draws (9.1).
func NoBackoff() BackoffSettings { return ConstantBackoff(0) }

// AutomaticBucket is what an automatic budget and a bucket with missing keys are made of (2.9).
func AutomaticBucket() BudgetSettings { return BudgetSettings{Fraction: 0.1, MinimumPerSecond: 3} }

// Ceiling is a measured ceiling at multiple times the 95th percentile (2.5).
func Ceiling(multiple float64) CeilingSettings {
	return CeilingSettings{Multiple: multiple, Quantile: 0.95, Window: 5 * ticks.Minute, MinimumSamples: 20, Floor: 50 * ticks.Millisecond}
}

// MeasuredBase follows the measured median (2.4).
func MeasuredBase(multiple float64) MeasuredBaseSettings {
	return MeasuredBaseSettings{Multiple: multiple, Quantile: 0.5, Window: 5 * ticks.Minute, MinimumSamples: 20, Spread: 10}
}

// Hedge starts a second leg at a quantile of measured latency (2.6).
func Hedge(quantile float64) HedgeSettings {
	return HedgeSettings{
		Quantile: quantile, MaximumConcurrent: 2, MinimumSamples: 20,
		MinimumDelay: 10 * ticks.Millisecond, Window: 30 * ticks.Second, SuppressAt: 0.5,
	}
}

// WinRate throttles hedges that win less often than minimum (2.7).
func WinRate(minimum float64) WinRateSettings {
	return WinRateSettings{Minimum: minimum, Window: ticks.Minute, MinimumSamples: 10, MinimumAllowance: 0.05}
}

// Saturation looks for queues of multiple times the normal delay (2.8).
func Saturation(multiple float64) SaturationSettings {
	return SaturationSettings{Multiple: multiple, Floor: 20 * ticks.Millisecond, MinimumSamples: 20}
}

// Breaker is a breaker with every default (breaker.md 1).
func Breaker() BreakerSettings {
	return BreakerSettings{
		ConsecutiveFailures: 5, MinimumCalls: 20, TripWindow: 30 * ticks.Second, SlowCallRatio: 0.5,
		BreakDuration: 15 * ticks.Second, MaximumBreakDuration: 2 * ticks.Minute, BreakJitter: EqualJitter,
		HalfOpenProbes: 1, ProbeSuccesses: 2, Adaptive: true,
	}
}

// SlowCalls is a trip at multiple times the measured median (breaker.md 1.1).
func SlowCalls(multiple float64) SlowCallsSettings {
	return SlowCallsSettings{Multiple: multiple, Quantile: 0.5, Window: 5 * ticks.Minute, MinimumSamples: 20}
}

// Failures is a trip at multiple times the measured error rate (breaker.md 1.2).
func Failures(multiple float64) FailuresSettings {
	return FailuresSettings{Multiple: multiple, Window: 5 * ticks.Minute, MinimumSamples: 100, Floor: 0.05}
}

// Recovery is a ramp of length times the break that was served (breaker.md 1.3).
func Recovery(length float64) RecoverySettings {
	return RecoverySettings{Length: length, MinimumLength: ticks.Second, MaximumLength: 30 * ticks.Second, InitialFraction: 0.05}
}
