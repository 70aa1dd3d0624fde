// Package world is what a run fakes: the load that arrives, the dependency that answers, the
// pool that attempts queue in, the limiter they ask, and the chaos that is injected
// (simulator.md 5 to 8, grading.md 3).
package world

import "squall/engine/ticks"

// Dependency is a leaf: what a call reaches in the end (simulator.md 6).
type Dependency struct {
	P50, P99 ticks.Ticks
	// Failing is the share of calls that fail while nothing else is wrong.
	Failing float64
	// Capacity is how many calls are served at once; 0 is unbounded.
	Capacity int
	// Impairments are kept in declaration order: an outage wins, brownouts multiply.
	Impairments []Impairment
}

// Impairment is a stretch of a run during which a dependency is slower or down.
type Impairment struct {
	Outage bool
	After  ticks.Ticks
	// Slower is the factor of a brownout; it does not count for an outage.
	Slower  float64
	Lasting ticks.Ticks
}

// Load is what arrives at a service (simulator.md 5).
type Load struct {
	PerSecond int
	// Peers is how many processes offer the same load to the same dependency, this one included.
	Peers int
	// Shares of the levels; the rest is Critical.
	Sheddable, SheddablePlus, CriticalPlus float64
}

// Pool is the thread pool of one process (simulator.md 7).
type Pool struct {
	Healthy ticks.Ticks
	Stalls  []Stall
}

// Stall is a stretch during which work items wait longer for a thread.
type Stall struct{ After, Delay, Lasting ticks.Ticks }

// Limiter bounds what leaves a process (simulator.md 8): Concurrency permits, or an adaptive
// limit when Adaptive is not nil.
type Limiter struct {
	Concurrency int
	Adaptive    *Adaptive
}

// Adaptive is a concurrency limit that discovers itself.
type Adaptive struct {
	Minimum, Maximum, Initial int
	Multiple, Decrease        float64
}

// DefaultAdaptive has the defaults of simulator.md 8.
func DefaultAdaptive() Adaptive {
	return Adaptive{Minimum: 4, Maximum: 200, Initial: 20, Multiple: 2, Decrease: 0.9}
}

// Chaos is a list of fault-injection rules; the first that claims a call decides (grading.md 3).
type Chaos struct{ Rules []ChaosRule }

// ChaosRule perturbs calls in its scope while its window is open.
type ChaosRule struct {
	ID, Name string
	Scope    ChaosScope
	// Percent is from 0 to 100.
	Percent    float64
	StartAfter ticks.Ticks
	// Duration counts only when HasDuration is true; without it the window has no end.
	Duration    ticks.Ticks
	HasDuration bool
	Sticky      bool
	// MaxLatency is the delay ceiling, at most 60 s, 30 s by default.
	MaxLatency ticks.Ticks
	Effects    []ChaosEffect
	// Matched is how many calls the rule matched in a recording; it counts only when HasMatched is
	// true, and a run ignores it.
	Matched    int
	HasMatched bool
}

// ChaosScope says which calls a rule claims; an empty key matches all.
type ChaosScope struct{ To, From, Method, Path string }

// EffectKind is what a rule does to a call.
type EffectKind uint8

// The effects of grading.md 3.
const (
	EffectLatency EffectKind = iota
	EffectStatus
	EffectRefuse
	EffectReset
	EffectStall
	EffectDrop
	EffectCorrupt
	EffectTruncate
	EffectNoResponse
)

func (k EffectKind) String() string {
	return [...]string{"latency", "status", "refuse", "reset", "stall", "drop", "corrupt", "truncate", "no-response"}[k]
}

// ChaosEffect is one effect of a rule.
type ChaosEffect struct {
	Kind EffectKind
	// Percent is the effect's own probability; it counts only when HasPercent is true.
	Percent    float64
	HasPercent bool
	// Status is the answer of EffectStatus.
	Status int
	// Latency is added by EffectLatency: LatencyFactor-1 times the served latency when the factor
	// is not 0, else uniform from LatencyLow to LatencyHigh (equal for a fixed addition).
	LatencyFactor           float64
	LatencyLow, LatencyHigh ticks.Ticks
	// Text is the effect as the report shows it ("latency 100ms-2s", "status 503 @50%").
	Text string
}
