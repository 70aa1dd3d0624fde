package engine

import (
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/world"
)

// Topology is everything that decides a run except its seed: who calls whom under which policy,
// what is at the bottom, what arrives where, and what guards a process (simulator.md 14).
type Topology struct {
	// Single marks the shorthand: one caller, one dependency, the text block of a single run.
	Single   bool
	Duration ticks.Ticks
	// Record keeps the timeline.
	Record bool
	// RecordCalls keeps every request and every attempt of every service for the grader (grading.md 1).
	RecordCalls     bool
	Calls           []Call
	Leaves          []Leaf
	Loads           []Entry
	Pools           []ServicePool
	ServiceLimiters []ServiceLimiter
	// Chaos is nil for a run without injected faults.
	Chaos *world.Chaos
}

// Call is one declared call. Policies that hold the same *policy.BudgetSettings share a bucket;
// everything else of a policy is copied for each call (simulator.md 3).
type Call struct {
	From, To string
	Policy   policy.Settings
	// Limiter guards this call alone; nil is none.
	Limiter *world.Limiter
	// Optional calls do not fail the request when they fail (scenario.md 4).
	Optional bool
}

// Leaf is a named dependency.
type Leaf struct {
	Name       string
	Dependency world.Dependency
}

// Entry is a load and the service it arrives at.
type Entry struct {
	At   string
	Load world.Load
}

// ServicePool is the pool of one service.
type ServicePool struct {
	Service string
	Pool    world.Pool
}

// ServiceLimiter is the limiter that all calls of one service share.
type ServiceLimiter struct {
	Service string
	Limiter world.Limiter
}
