package engine

import (
	"strconv"
	"strings"

	"squall/engine/problem"
)

// Validate is everything that is wrong with a topology: first the graph, in the order of
// simulator.md 14.2, then its policies in the order of the calls, leaves, pools, loads, limiters
// and chaos rules. Paths are relative to the topology: "calls[1].policy.attempts", "leaves[0].p99",
// "loads[0].at", "pools[0].service", "serviceLimiters[0].concurrency", "chaos.rules[2].percent".
func (t *Topology) Validate() problem.List {
	var l problem.List
	t.validateGraph(&l)
	t.validateParts(&l)
	return l
}

// validateParts checks what the graph is made of.
func (t *Topology) validateParts(l *problem.List) {
	for i := range t.Calls {
		c := &t.Calls[i]
		l.Under(at("calls", i)+".policy", c.Policy.Validate())
	}
	for i := range t.Leaves {
		l.Under(at("leaves", i), t.Leaves[i].Dependency.Validate())
	}
	for i := range t.Pools {
		l.Under(at("pools", i), t.Pools[i].Pool.Validate())
	}
	for i := range t.Loads {
		l.Under(at("loads", i), t.Loads[i].Load.Validate())
	}
	for i := range t.ServiceLimiters {
		l.Under(at("serviceLimiters", i), t.ServiceLimiters[i].Limiter.Validate())
	}
	for i := range t.Calls {
		if m := t.Calls[i].Limiter; m != nil {
			l.Under(at("calls", i)+".limiter", m.Validate())
		}
	}
	if t.Chaos != nil {
		l.Under("chaos", t.Chaos.Validate())
	}
}

func at(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }

// roles is what each name of a topology is.
type roles struct{ leaf, caller map[string]bool }

// validateGraph refuses graphs in the order of simulator.md 14.2. A limiter of a call is part of
// the call here, so that rows 11 and 12 cannot happen; CallGraph, where they can, checks them.
func (t *Topology) validateGraph(l *problem.List) {
	r := t.roles()
	t.validateShape(l, r)
	t.validateGuards(l, r)
}

// roles finds out what each name of the topology is.
func (t *Topology) roles() roles {
	r := roles{map[string]bool{}, map[string]bool{}}
	for i := range t.Leaves {
		r.leaf[t.Leaves[i].Name] = true
	}
	for i := range t.Calls {
		r.caller[t.Calls[i].From] = true
	}
	return r
}

// validateShape is rows 1 to 10.
func (t *Topology) validateShape(l *problem.List, r roles) {
	if len(t.Calls) == 0 {
		l.Add("calls", "is empty: the graph has no calls; let a service call a dependency")
	}
	if len(t.Loads) == 0 {
		l.Add("loads", "is empty: the graph has no load; say how many requests a second arrive at which service")
	}
	if t.Duration <= 0 {
		l.Add("duration", problem.Sprintf("is %s: the run has no duration; it must be positive", t.Duration))
	}
	declared := map[string]bool{}
	for i, leaf := range t.Leaves {
		if declared[leaf.Name] {
			l.Add(at("leaves", i)+".name", problem.Sprintf("is %q, declared as a leaf more than once", leaf.Name))
		}
		declared[leaf.Name] = true
	}
	t.validateCalls(l, r)
	for i, load := range t.Loads {
		if !r.caller[load.At] {
			l.Add(at("loads", i)+".at", problem.Sprintf("is %q, which makes no calls; load arrives at a service", load.At))
		}
	}
	for i, load := range t.Loads {
		if load.Load.Peers != 1 && len(t.Calls) > 1 {
			l.Add(at("loads", i)+".peers", problem.Sprintf("is %d in a graph of %d calls. Peers approximate processes that have no policies of their own: "+
				"declare the other callers as services, or leave peers out", load.Load.Peers, len(t.Calls)))
		}
	}
}

// validateGuards is rows 13 to 19.
func (t *Topology) validateGuards(l *problem.List, r roles) {
	limited := r.guards(l, "cannot have a limiter", "One service, one process-wide limiter")
	for i, m := range t.ServiceLimiters {
		limited(at("serviceLimiters", i), m.Service)
	}
	pooled := r.guards(l, "cannot have a pool", "One service, one process, one pool")
	for i, p := range t.Pools {
		pooled(at("pools", i), p.Service)
	}
	t.validateCycles(l)
}

// validateCalls is rows 5 to 8.
func (t *Topology) validateCalls(l *problem.List, r roles) {
	type pair struct{ from, to string }
	seen := map[pair]bool{}
	for i := range t.Calls {
		c := &t.Calls[i]
		if c.From == c.To {
			l.Add(at("calls", i)+".to", problem.Sprintf("is %q, so that %q calls itself and would never finish", c.To, c.From))
		}
		if p := (pair{c.From, c.To}); seen[p] {
			l.Add(at("calls", i)+".to", problem.Sprintf("is %q, which %q calls more than once: there is one call with one policy between two names", c.To, c.From))
		} else {
			seen[p] = true
		}
		if r.leaf[c.From] {
			l.Add(at("calls", i)+".from", problem.Sprintf("is %q, which is declared as a leaf and also makes calls; a leaf only answers", c.From))
		}
		if !r.leaf[c.To] && !r.caller[c.To] {
			l.Add(at("calls", i)+".to", problem.Sprintf("is %q, which is called but never declared, neither as a service that makes calls nor as a dependency", c.To))
		}
	}
}

// guards checks the services that one sort of guard stands on: rows 13 to 18.
func (r roles) guards(l *problem.List, cannot, once string) func(path, service string) {
	seen := map[string]bool{}
	return func(path, service string) {
		switch {
		case r.leaf[service]:
			l.Add(path+".service", problem.Sprintf("is %q, which is a leaf and %s; guards stand where calls leave a process", service, cannot))
		case !r.caller[service]:
			l.Add(path+".service", problem.Sprintf("is %q, which makes no calls", service))
		case seen[service]:
			l.Add(path+".service", problem.Sprintf("is %q a second time. %s", service, once))
		}
		seen[service] = true
	}
}

// validateCycles is row 19: every call that leads back to where a walk came from closes a cycle.
// The walk keeps its own stack, so that a long chain costs no depth.
func (t *Topology) validateCycles(l *problem.List) {
	calls := map[string][]int{}
	for i := range t.Calls {
		calls[t.Calls[i].From] = append(calls[t.Calls[i].From], i)
	}
	type visit struct {
		name string
		next int
	}
	var path []visit
	place := map[string]int{} // 1 + the place on the path; -1 when everything below was walked
	for i := range t.Calls {
		if start := t.Calls[i].From; place[start] == 0 {
			path, place[start] = append(path, visit{name: start}), 1
		}
		for len(path) > 0 {
			top := &path[len(path)-1]
			if top.next == len(calls[top.name]) {
				place[top.name] = -1
				path = path[:len(path)-1]
				continue
			}
			call := calls[top.name][top.next]
			top.next++
			switch to := t.Calls[call].To; {
			case place[to] > 0:
				var names strings.Builder
				for _, v := range path[place[to]-1:] {
					names.WriteString(v.name + " -> ")
				}
				l.Add(at("calls", call)+".to", problem.Sprintf("is %q, and so these calls form a cycle: %s%s", to, names.String(), to))
			case place[to] == 0:
				path = append(path, visit{name: to})
				place[to] = len(path)
			}
		}
	}
}
