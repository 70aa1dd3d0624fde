package world

import "squall/engine/ticks"

// Brownout is the dependency with one more stretch during which it is slower but still answers.
func (d Dependency) Brownout(after ticks.Ticks, slower float64, lasting ticks.Ticks) Dependency {
	return d.impaired(Impairment{After: after, Slower: slower, Lasting: lasting})
}

// Outage is the dependency with one more stretch during which every call fails at once.
func (d Dependency) Outage(after, lasting ticks.Ticks) Dependency {
	return d.impaired(Impairment{Outage: true, After: after, Lasting: lasting})
}

func (d Dependency) impaired(i Impairment) Dependency {
	n := len(d.Impairments)
	d.Impairments = append(d.Impairments[:n:n], i) // a copy: dependencies are values
	return d
}

// WithFailing is the dependency with this share of calls failing while nothing else is wrong.
func (d Dependency) WithFailing(share float64) Dependency { d.Failing = share; return d }

// WithCapacity is the dependency serving this many calls at once; 0 is unbounded.
func (d Dependency) WithCapacity(concurrent int) Dependency { d.Capacity = concurrent; return d }

// Stall is the pool with one more stretch during which work items wait longer for a thread.
func (p Pool) Stall(after, delay, lasting ticks.Ticks) Pool {
	n := len(p.Stalls)
	p.Stalls = append(p.Stalls[:n:n], Stall{After: after, Delay: delay, Lasting: lasting})
	return p
}
