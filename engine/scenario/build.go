package scenario

import (
	"squall/engine"
	"squall/engine/document"
	"squall/engine/policy"
	"squall/engine/problem"
	"squall/engine/world"
)

// build makes the topology of what was read: the graph as declared, or the one call that the
// shorthand means.
func (r *reader) build(m document.Members, d *draft) {
	t := &d.Topology
	t.Duration, t.Record = d.duration, d.record
	if seed := m.Get("seed"); seed.Exists() && m.Get("seeds").Exists() {
		seed.KeyProblem("cannot stand beside seeds: one is a single run, the other a band")
	}
	written := func(key string) bool { v := m.Get(key); return v.Exists() && v.Kind() != document.Null }
	full := m.Get("services").Exists() || m.Get("dependencies").Exists()
	short := !full && m.Get("dependency").Exists()
	for _, key := range []string{"policy", "dependency", "pool", "limiter"} {
		short = short || written(key)
	}
	switch {
	case short && full:
		for _, key := range []string{"policy", "dependency", "pool", "limiter"} {
			if v := m.Get(key); written(key) {
				v.KeyProblem("is short for a graph of one call and cannot stand beside services or dependencies")
			}
		}
		r.buildGraph(d)
	case short:
		if v := m.Get("policies"); v.Exists() {
			v.KeyProblem("has no calls to be named by: a scenario of one call writes its policy under the key policy")
		}
		if v := m.Need("dependency"); v.Kind() == document.Null {
			v.Problem("must be an object, not null")
		}
		r.buildSingle(d)
	default:
		m.Need("services")
		m.Need("dependencies")
		r.buildGraph(d)
	}
}

// The names that the shorthand gives its two ends (scenario.md 2).
const (
	singleCaller     = "client"
	singleDependency = "dependency"
)

func (r *reader) buildSingle(d *draft) {
	t := &d.Topology
	t.Single = true
	c := engine.Call{From: singleCaller, To: singleDependency, Policy: policy.Default()}
	if v := d.single.policy; v.Kind() == document.Text {
		v.Problem("is a name, but there are no policies to name: write the policy in place")
	} else if v.Exists() {
		c.Policy, _ = r.readPolicy(v)
	}
	c.Limiter = readLimiter(r, d.single.limiter)
	t.Calls = []engine.Call{c}
	var leaf world.Dependency
	if v := d.single.dependency; v.Exists() {
		dependencyTable.read(r, v, &leaf)
	}
	t.Leaves = []engine.Leaf{{Name: singleDependency, Dependency: leaf}}
	if pool, ok := readPool(r, d.single.pool); ok {
		t.Pools = []engine.ServicePool{{Service: singleCaller, Pool: pool}}
	}
	for i := range d.loads {
		if e := &d.loads[i]; e.atValue.Exists() {
			e.atValue.KeyProblem("has nothing to name: in a scenario of one call, load arrives at its caller")
		}
		t.Loads = append(t.Loads, engine.Entry{At: singleCaller, Load: d.loads[i].Load})
	}
}

func (r *reader) buildGraph(d *draft) {
	t := &d.Topology
	targets := append(append([]string(nil), d.services.names...), d.dependencies.names...)
	for i, from := range d.services.names {
		s := &d.services.values[i]
		for k := range s.calls {
			c := &s.calls[k]
			t.Calls = append(t.Calls, engine.Call{From: from, To: c.to, Policy: c.policy.settings, Limiter: c.limiter, Optional: c.optional})
			if c.toValue.Kind() == document.Text && d.services.find(c.to) == nil && d.dependencies.find(c.to) == nil {
				c.toValue.Problem(undeclared(c.to, targets))
			}
		}
		if s.hasPool {
			t.Pools = append(t.Pools, engine.ServicePool{Service: from, Pool: s.pool})
		}
		if s.limiter != nil {
			t.ServiceLimiters = append(t.ServiceLimiters, engine.ServiceLimiter{Service: from, Limiter: *s.limiter})
		}
	}
	for i, name := range d.dependencies.names {
		t.Leaves = append(t.Leaves, engine.Leaf{Name: name, Dependency: d.dependencies.values[i]})
	}
	entries := entryServices(d)
	for i := range d.loads {
		e := &d.loads[i]
		at := e.at
		switch {
		case e.atValue.Exists():
			if e.atValue.Kind() == document.Text && d.services.find(at) == nil && d.dependencies.find(at) == nil {
				e.atValue.Problem(unknownName(at, "a service", d.services.names))
			}
		case len(entries) == 1:
			at = entries[0]
		case d.loadValues[i].Kind() == document.Object && len(t.Calls) > 0:
			d.loadValues[i].Report(problem.List{{Path: "at", Message: "is missing, and there is not exactly one service that makes calls and is called by nobody; " +
				"name the service that the load arrives at"}})
		}
		t.Loads = append(t.Loads, engine.Entry{At: at, Load: e.Load})
	}
}

func undeclared(name string, known []string) string {
	message := string(document.AppendText([]byte("is "), name)) + ", which is called but never declared"
	if near := document.Nearest(name, known); near != "" {
		return message + string(document.AppendText([]byte("; did you mean "), near)) + "?"
	}
	return message + "; declare it in services or in dependencies"
}

// entryServices are the services that make calls and are called by nobody.
func entryServices(d *draft) []string {
	called := map[string]bool{}
	for i := range d.services.values {
		for _, c := range d.services.values[i].calls {
			called[c.to] = true
		}
	}
	var entries []string
	for i, name := range d.services.names {
		if len(d.services.values[i].calls) > 0 && !called[name] {
			entries = append(entries, name)
		}
	}
	return entries
}
