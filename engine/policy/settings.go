package policy

import "squall/engine/ticks"

// Settings is a policy: how one call to a dependency is made. It is a value; copy it and change a
// field to get another policy. Section numbers are those of executor.md unless another document
// is named.
type Settings struct {
	// Preset is the preset the settings started from; it decides the classifier (2.2, 3.3).
	Preset Preset
	// Name is shown in timelines; empty means none.
	Name string
	// Attempts is how many attempts a call may make, the first included; it also bounds hedged legs.
	Attempts int
	// Deadline bounds the whole call; ticks.Infinite is no bound.
	Deadline ticks.Ticks
	// AttemptTimeout bounds one attempt; ticks.Infinite is no bound.
	AttemptTimeout ticks.Ticks
	// AttemptCeiling can lower AttemptTimeout to a multiple of measured latency.
	AttemptCeiling Optional[CeilingSettings]
	Backoff        BackoffSettings
	Budget         BudgetChoice
	// Breaker is nil for no breaker.
	Breaker *BreakerSettings
	// Hedge is nil for a sequential call.
	Hedge *HedgeSettings
	// Saturation is nil when the policy does not look at its process's pool.
	Saturation *SaturationSettings
	// UseAmbientCriticality lets the level of a call decide about its retries and hedges (15.1).
	UseAmbientCriticality bool
	// Adaptive false takes away every derived default that is measured.
	Adaptive bool
}

// Preset names the starting values of a policy (2.2).
type Preset uint8

// The presets, in the order of 2.2.
const (
	PresetDefault Preset = iota
	PresetHTTP
	PresetNone
	PresetInstant
)

// Mention tells the three states of a three-valued setting apart (scenario.md 1).
type Mention uint8

// Unmentioned takes the derived default, Off switches the feature off, Given is used as written.
const (
	Unmentioned Mention = iota
	Off
	Given
)

// Optional is a three-valued setting. Value counts only when Mention is Given.
type Optional[T any] struct {
	Mention Mention
	Value   T
}

// Give is a setting that was written.
func Give[T any](v T) Optional[T] { return Optional[T]{Mention: Given, Value: v} }

// Disable is a setting that was switched off.
func Disable[T any]() Optional[T] { return Optional[T]{Mention: Off} }

// CeilingSettings is a measured attempt ceiling (2.5).
type CeilingSettings struct {
	Multiple       float64
	Quantile       float64
	Window         ticks.Ticks
	MinimumSamples int
	Floor          ticks.Ticks
}

// BackoffKind is the shape of a curve (2.3).
type BackoffKind uint8

// The kinds that a scenario can write.
const (
	Exponential BackoffKind = iota
	Constant
)

// Jitter spreads a delay (9.1) or a break (breaker.md 8.1).
type Jitter uint8

// Full draws from 0 to the delay, Equal from its half to all of it, NoJitter draws nothing.
const (
	FullJitter Jitter = iota
	EqualJitter
	NoJitter
)

// BackoffSettings is the curve of delays between attempts (2.3).
type BackoffSettings struct {
	Kind          BackoffKind
	TransientBase ticks.Ticks
	ThrottledBase ticks.Ticks
	Factor        float64
	// MaximumDelay caps the curve; ticks.Infinite is no cap.
	MaximumDelay ticks.Ticks
	Jitter       Jitter
	// Measured replaces TransientBase by measured normal latency; nil is off.
	Measured *MeasuredBaseSettings
}

// MeasuredBaseSettings is a backoff base that follows measured latency (2.4).
type MeasuredBaseSettings struct {
	Multiple       float64
	Quantile       float64
	Window         ticks.Ticks
	MinimumSamples int
	Spread         float64
}

// BudgetKind is where a policy's retry tokens come from (10.1).
type BudgetKind uint8

// Automatic is a bucket of each call's own, NoBudget none, Bucket an explicit one.
const (
	AutomaticBudget BudgetKind = iota
	NoBudget
	BucketBudget
)

// BudgetChoice is the budget of a policy. Policies that hold the same *BudgetSettings share one
// bucket in a run; equal values behind different pointers do not.
type BudgetChoice struct {
	Kind   BudgetKind
	Bucket *BudgetSettings
}

// BudgetSettings is an explicit bucket (2.9).
type BudgetSettings struct {
	// Name is the bucket's name in the scenario, empty for one written inside a policy.
	Name             string
	Fraction         float64
	MinimumPerSecond int
}

// HedgeSettings sends a second attempt beside a slow one (2.6).
type HedgeSettings struct {
	Quantile          float64
	MaximumConcurrent int
	MinimumSamples    int
	MinimumDelay      ticks.Ticks
	Window            ticks.Ticks
	SuppressAt        float64
	// WinRate is nil when hedges are not throttled by how often they win.
	WinRate *WinRateSettings
}

// WinRateSettings throttles hedges that do not win (2.7).
type WinRateSettings struct {
	Minimum          float64
	Window           ticks.Ticks
	MinimumSamples   int
	MinimumAllowance float64
}

// SaturationSettings tells a stalled pool from a slow dependency (2.8).
type SaturationSettings struct {
	Multiple       float64
	Floor          ticks.Ticks
	MinimumSamples int
}

// BreakerSettings is a circuit breaker (breaker.md 1).
type BreakerSettings struct {
	ConsecutiveFailures int
	// FailureRatio is 0 when the trip is off and HasFailureRatio is false.
	FailureRatio    float64
	HasFailureRatio bool
	Failures        Optional[FailuresSettings]
	MinimumCalls    int
	TripWindow      ticks.Ticks
	// SlowCallThreshold counts only when HasSlowCallThreshold is true.
	SlowCallThreshold    ticks.Ticks
	HasSlowCallThreshold bool
	SlowCalls            Optional[SlowCallsSettings]
	SlowCallRatio        float64
	BreakDuration        ticks.Ticks
	MaximumBreakDuration ticks.Ticks
	BreakJitter          Jitter
	// Recovery is nil when a break ends at a cliff.
	Recovery       *RecoverySettings
	HalfOpenProbes int
	ProbeSuccesses int
	Adaptive       bool
}

// FailuresSettings trips at a multiple of the measured error rate (breaker.md 1.2).
type FailuresSettings struct {
	Multiple       float64
	Window         ticks.Ticks
	MinimumSamples int
	Floor          float64
}

// SlowCallsSettings trips at a multiple of measured normal latency (breaker.md 1.1).
type SlowCallsSettings struct {
	Multiple       float64
	Quantile       float64
	Window         ticks.Ticks
	MinimumSamples int
}

// RecoverySettings hands traffic back over a ramp (breaker.md 1.3).
type RecoverySettings struct {
	Length          float64
	MinimumLength   ticks.Ticks
	MaximumLength   ticks.Ticks
	InitialFraction float64
}
