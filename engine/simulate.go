package engine

import (
	"context"

	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/problem"
	"squall/engine/ticks"
	"squall/engine/world"
)

// Simulation describes a run of one policy against one dependency. It is a value: each method
// returns a changed copy, so a description can be shared and varied.
type Simulation struct {
	policy     policy.Settings
	dependency *world.Dependency
	load       *world.Load
	duration   ticks.Ticks
	record     bool
	pool       *world.Pool
	limiter    *world.Limiter
	chaos      *world.Chaos
}

// Simulate begins the description of a run of one policy: one caller, "client", one dependency,
// "dependency".
func Simulate(p policy.Settings) Simulation { return Simulation{policy: p} }

// Against says what the policy calls.
func (s Simulation) Against(d world.Dependency) Simulation { s.dependency = &d; return s }

// Under says what load is offered.
func (s Simulation) Under(l world.Load) Simulation { s.load = &l; return s }

// For says how long load is offered.
func (s Simulation) For(d ticks.Ticks) Simulation { s.duration = d; return s }

// WithPool gives the caller a thread pool.
func (s Simulation) WithPool(p world.Pool) Simulation { s.pool = &p; return s }

// WithLimiter bounds what the call lets out.
func (s Simulation) WithLimiter(l world.Limiter) Simulation { s.limiter = &l; return s }

// WithChaos injects faults.
func (s Simulation) WithChaos(c world.Chaos) Simulation { s.chaos = &c; return s }

// Recording keeps the timeline.
func (s Simulation) Recording() Simulation { s.record = true; return s }

// The names of the two ends of a single run.
const (
	Client     = "client"
	DependedOn = "dependency"
)

// Topology is the graph of one call that the description stands for. What is missing or wrong is a
// problem.List (simulator.md 9).
func (s Simulation) Topology() (*Topology, error) {
	var missing problem.List
	if s.dependency == nil {
		missing.Add("dependency", "there is nothing to call: say what with Against()")
	}
	if s.load == nil {
		missing.Add("load", "nobody calls: say how often with Under()")
	}
	if s.duration <= 0 {
		missing.Add("duration", "the run has no length: give it one above zero with For()")
	}
	if len(missing) > 0 {
		return nil, missing
	}
	t := &Topology{
		Single: true, Duration: s.duration, Record: s.record, Chaos: s.chaos,
		Calls:  []Call{{From: Client, To: DependedOn, Policy: s.policy, Limiter: s.limiter}},
		Leaves: []Leaf{{DependedOn, *s.dependency}},
		Loads:  []Entry{{Client, *s.load}},
	}
	if s.pool != nil {
		t.Pools = []ServicePool{{Client, *s.pool}}
	}
	if problems := t.Validate(); len(problems) > 0 {
		return nil, problems
	}
	return t, nil
}

// Run runs the description with one seed. The error is a problem.List when the description is not
// valid, else one of Run's.
func (s Simulation) Run(seed int32) (*measure.Report, error) {
	t, err := s.Topology()
	if err != nil {
		return nil, err
	}
	return Run(context.Background(), t, seed, Options{})
}

// RunAll runs the description once for each seed.
func (s Simulation) RunAll(seeds ...int32) (*measure.Band, error) {
	t, err := s.Topology()
	if err != nil {
		return nil, err
	}
	return RunBand(context.Background(), t, seeds, BandOptions{})
}

// Constant is a steady load of a process on its own.
func Constant(perSecond int) world.Load { return world.Load{PerSecond: perSecond, Peers: 1} }

// Healthy is a dependency that answers every call with this spread of latencies.
func Healthy(p50, p99 ticks.Ticks) world.Dependency { return world.Dependency{P50: p50, P99: p99} }
