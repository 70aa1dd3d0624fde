package engine

import (
	"context"

	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/problem"
	"squall/engine/ticks"
	"squall/engine/world"
)

// CallGraph describes a run of several services that call each other (simulator.md 14). It is a
// value: each method returns a changed copy, so a description can be shared and varied.
type CallGraph struct {
	topology Topology
	limiters []callLimiter
}

// callLimiter is a limiter and the call it is meant for, which may not be declared.
type callLimiter struct {
	from, to string
	limiter  world.Limiter
}

// Graph begins the description of a call graph.
func Graph() CallGraph { return CallGraph{} }

// Calls declares that one service calls another, or a leaf, under a policy. A service makes its
// calls one after another, in the order they are declared.
func (g CallGraph) Calls(caller, callee string, p policy.Settings) CallGraph {
	g.topology.Calls = with(g.topology.Calls, Call{From: caller, To: callee, Policy: p})
	return g
}

// Tries declares a call that does not fail the request when it fails (scenario.md 4).
func (g CallGraph) Tries(caller, callee string, p policy.Settings) CallGraph {
	g.topology.Calls = with(g.topology.Calls, Call{From: caller, To: callee, Policy: p, Optional: true})
	return g
}

// Leaf declares a dependency.
func (g CallGraph) Leaf(name string, d world.Dependency) CallGraph {
	g.topology.Leaves = with(g.topology.Leaves, Leaf{Name: name, Dependency: d})
	return g
}

// Under offers a load at a service.
func (g CallGraph) Under(l world.Load, service string) CallGraph {
	g.topology.Loads = with(g.topology.Loads, Entry{At: service, Load: l})
	return g
}

// For says how long load is offered.
func (g CallGraph) For(d ticks.Ticks) CallGraph { g.topology.Duration = d; return g }

// WithPool gives a service a thread pool.
func (g CallGraph) WithPool(service string, p world.Pool) CallGraph {
	g.topology.Pools = with(g.topology.Pools, ServicePool{Service: service, Pool: p})
	return g
}

// WithLimiter bounds what one declared call lets out. The call may be declared later.
func (g CallGraph) WithLimiter(caller, callee string, l world.Limiter) CallGraph {
	g.limiters = with(g.limiters, callLimiter{from: caller, to: callee, limiter: l})
	return g
}

// WithServiceLimiter bounds what all calls of one service let out together.
func (g CallGraph) WithServiceLimiter(service string, l world.Limiter) CallGraph {
	g.topology.ServiceLimiters = with(g.topology.ServiceLimiters, ServiceLimiter{Service: service, Limiter: l})
	return g
}

// WithChaos injects faults.
func (g CallGraph) WithChaos(c world.Chaos) CallGraph { g.topology.Chaos = &c; return g }

// Recording keeps the timeline of every call.
func (g CallGraph) Recording() CallGraph { g.topology.Record = true; return g }

// with appends to a copy, so that descriptions that share a beginning do not overwrite each other.
func with[T any](list []T, more T) []T { return append(list[:len(list):len(list)], more) }

// Topology is the valid topology that the description stands for. What is wrong is a problem.List:
// everything about the graph in the order of simulator.md 14.2, or, when the graph is sound,
// everything about its parts.
func (g CallGraph) Topology() (*Topology, error) {
	t := g.topology
	t.Calls = append([]Call(nil), t.Calls...)
	var l problem.List
	r := t.roles()
	t.validateShape(&l, r)
	g.placeLimiters(&t, &l)
	t.validateGuards(&l, r)
	if len(l) == 0 {
		t.validateParts(&l)
	}
	if len(l) > 0 {
		return nil, l
	}
	return &t, nil
}

// placeLimiters puts limiters at their calls, and is rows 11 and 12.
func (g CallGraph) placeLimiters(t *Topology, l *problem.List) {
	for i := range g.limiters {
		m := &g.limiters[i]
		var call *Call
		for k := range t.Calls {
			if c := &t.Calls[k]; c.From == m.from && c.To == m.to {
				call = c
				break
			}
		}
		switch {
		case call == nil:
			l.Add(at("limiters", i), problem.Sprintf("is for %q calling %q, which is not a call this topology makes", m.from, m.to))
		case call.Limiter != nil:
			l.Add(at("limiters", i), problem.Sprintf("is a second one for %q calling %q. One call, one limiter", m.from, m.to))
		default:
			call.Limiter = &m.limiter
		}
	}
}

// Run runs the description with one seed. The error is a problem.List when the description is not
// valid, else one of Run's.
func (g CallGraph) Run(seed int32) (*measure.Report, error) {
	t, err := g.Topology()
	if err != nil {
		return nil, err
	}
	return Run(context.Background(), t, seed, Options{})
}

// RunAll runs the description once for each seed.
func (g CallGraph) RunAll(seeds ...int32) (*measure.Band, error) {
	t, err := g.Topology()
	if err != nil {
		return nil, err
	}
	return RunBand(context.Background(), t, seeds, BandOptions{})
}
