package engine_test

import (
	"fmt"

	"squall/engine"
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/virtual"
	"squall/engine/world"

	"pgregory.net/rapid"
)

// choose is one of n alternatives: what a random scenario is made from, whoever chooses.
type choose func(n int) int

// chosenBy chooses by a number, the same for ever.
func chosenBy(number int) choose {
	dice := virtual.NewDice(int32(number))
	return func(n int) int { return int(dice.Next() * float64(n)) }
}

// drawn lets rapid choose, so that it can look for a smaller scenario that fails too.
func drawn(t *rapid.T) choose {
	return func(n int) int { return rapid.IntRange(0, n-1).Draw(t, "choice") }
}

func pick[T any](c choose, values ...T) T { return values[c(len(values))] }

// one says yes to one in n.
func (c choose) one(n int) bool { return c(n) == n-1 }

// scenario is a small random topology: a second or two, a few hundred calls, and times that are
// often equal, because ties are where rules are easily broken.
func (c choose) scenario() *engine.Topology {
	t := &engine.Topology{Duration: pick(c, 200*ms, 700*ms, second, 1500*ms, 2500*ms)}
	services := 1 + c(3)
	leaves := 1 + c(2)
	name := func(i int) string {
		if i < services {
			return fmt.Sprintf("s%d", i)
		}
		return fmt.Sprintf("d%d", i-services)
	}
	shared := policy.BudgetSettings{Fraction: pick(c, 0.01, 0.1, 0.5), MinimumPerSecond: c(4)}
	for from := range services {
		for to := from + 1; to < services+leaves; to++ {
			if last := to == services+leaves-1; !last && !c.one(2) {
				continue
			}
			call := engine.Call{From: name(from), To: name(to), Policy: c.policy(&shared), Optional: c.one(8)}
			if c.one(5) {
				call.Limiter = c.limiter()
			}
			t.Calls = append(t.Calls, call)
		}
		if c.one(4) {
			t.ServiceLimiters = append(t.ServiceLimiters, engine.ServiceLimiter{Service: name(from), Limiter: *c.limiter()})
		}
		if c.one(4) {
			t.Pools = append(t.Pools, engine.ServicePool{Service: name(from), Pool: c.pool()})
		}
	}
	for i := range leaves {
		t.Leaves = append(t.Leaves, engine.Leaf{Name: name(services + i), Dependency: c.dependency()})
	}
	t.Loads = append(t.Loads, engine.Entry{At: name(0), Load: c.load()})
	if c.one(4) {
		t.Loads = append(t.Loads, engine.Entry{At: name(c(services)), Load: c.load()})
	}
	if len(t.Calls) == 1 && len(t.Loads) == 1 {
		t.Loads[0].Load.Peers = 1 + c(3)
	}
	if c.one(4) {
		t.Chaos = c.chaos(name, services+leaves)
	}
	return t
}

func (c choose) load() world.Load {
	l := world.Load{PerSecond: pick(c, 20, 60, 150), Peers: 1}
	if c.one(3) {
		l.Sheddable, l.SheddablePlus, l.CriticalPlus = pick(c, 0, 0.5), pick(c, 0, 0.2), pick(c, 0, 0.1)
	}
	return l
}

func (c choose) dependency() world.Dependency {
	d := engine.Healthy(pick(c, ms, 10*ms, 20*ms), 20*ms)
	if c.one(2) {
		d.P99 = 100 * ms
	}
	d.Failing = pick(c, 0, 0, 0.1, 0.5)
	d.Capacity = pick(c, 0, 0, 3)
	if c.one(3) {
		d = d.Brownout(pick(c, 0, 300*ms, 999*ms), pick(c, 1, 2.5, 20), pick(c, 100*ms, second))
	}
	if c.one(4) {
		d = d.Outage(pick(c, 0, 100*ms, 500*ms), pick(c, 1, 300*ms))
	}
	return d
}

func (c choose) pool() world.Pool {
	p := world.Pool{Healthy: pick(c, 1, ms, 5*ms)}
	if c.one(2) {
		p = p.Stall(pick(c, 0, 250*ms, 600*ms), pick(c, 10*ms, 50*ms), pick(c, 100*ms, second))
	}
	return p
}

func (c choose) limiter() *world.Limiter {
	if c.one(2) {
		a := world.DefaultAdaptive()
		a.Initial, a.Minimum, a.Maximum = 4, 1+c(4), 4+c(30)
		return &world.Limiter{Adaptive: &a}
	}
	return &world.Limiter{Concurrency: 1 + c(8)}
}

func (c choose) policy(shared *policy.BudgetSettings) policy.Settings {
	p := pick(c, policy.Default, policy.HTTP, policy.None, policy.Instant)()
	p.Attempts = 1 + c(4)
	p.Deadline = pick(c, ticks.Infinite, 30*ms, 100*ms, 505*ms, 2*second)
	p.AttemptTimeout = pick(c, ticks.Infinite, 10*ms, 20*ms, 55*ms+9999, 300*ms)
	b := policy.ExponentialBackoff()
	b.TransientBase, b.ThrottledBase = pick(c, 0, ms-1, 10*ms, 100*ms), pick(c, 0, 20*ms, second)
	p.Backoff = pick(c, b, policy.NoBackoff(), policy.ConstantBackoff(5*ms))
	p.Backoff.Jitter = pick(c, policy.FullJitter, policy.EqualJitter, policy.NoJitter)
	switch c(4) {
	case 0:
		p.Budget.Kind = policy.NoBudget
	case 1:
		p.Budget = policy.BudgetChoice{Kind: policy.BucketBudget, Bucket: shared}
	case 2:
		p.Budget = budget(pick(c, 0.01, 0.2, 1), c(3))
	}
	if c.one(3) {
		p.Breaker = c.breaker(p.Adaptive)
	}
	if p.Adaptive {
		c.measured(&p)
	}
	p.UseAmbientCriticality = (p.Hedge != nil || p.Attempts > 1 && p.Budget.Kind != policy.NoBudget) && c.one(2)
	return p
}

// measured adds what a policy that measures may have.
func (c choose) measured(p *policy.Settings) {
	switch c(4) {
	case 0:
		p.AttemptCeiling = policy.Disable[policy.CeilingSettings]()
	case 1:
		g := policy.Ceiling(pick(c, 1.5, 3))
		g.MinimumSamples, g.Floor, g.Window = 1+c(5), pick(c, 1, 5*ms), pick(c, 200*ms, second)
		p.AttemptCeiling = policy.Give(g)
	}
	if c.one(4) && p.Backoff.Kind == policy.Exponential {
		m := policy.MeasuredBase(pick(c, 0.5, 1, 3))
		m.MinimumSamples, m.Window = 1+c(5), pick(c, 200*ms, second)
		p.Backoff.Measured = &m
	}
	if p.Attempts > 1 && c.one(2) {
		h := policy.Hedge(pick(c, 0.5, 0.9))
		h.MinimumSamples, h.MinimumDelay, h.MaximumConcurrent = 1+c(5), pick(c, 0, ms-1, 5*ms), 2+c(2)
		h.Window, h.SuppressAt = pick(c, 200*ms, second), pick(c, 0.2, 0.5)
		if c.one(2) {
			w := policy.WinRate(pick(c, 0.2, 0.7))
			w.MinimumSamples, w.Window = 1+c(4), pick(c, 200*ms, second)
			h.WinRate = &w
		}
		p.Hedge = &h
	}
	if _, on := p.EffectiveCeiling(); (on || p.Backoff.Measured != nil || p.Hedge != nil) && c.one(4) {
		s := policy.Saturation(pick(c, 1.5, 5))
		s.Floor, s.MinimumSamples = pick(c, 1, 8*ms), 1+c(3)
		p.Saturation = &s
	}
}

func (c choose) breaker(adaptive bool) *policy.BreakerSettings {
	b := policy.Breaker()
	b.ConsecutiveFailures, b.MinimumCalls = 1+c(4), 1+c(10)
	b.TripWindow = pick(c, 200*ms, 2*second)
	b.BreakDuration, b.MaximumBreakDuration = pick(c, 50*ms, 200*ms), pick(c, 200*ms, second)
	b.BreakJitter = pick(c, policy.FullJitter, policy.EqualJitter, policy.NoJitter)
	b.HalfOpenProbes, b.ProbeSuccesses = 1+c(2), 1+c(2)
	if c.one(2) {
		r := policy.Recovery(pick(c, 0.25, 2))
		r.MinimumLength, r.MaximumLength = 50*ms, 300*ms
		b.Recovery = &r
	}
	if adaptive {
		switch c(3) {
		case 0:
			s := policy.SlowCalls(pick(c, 1.5, 4))
			s.MinimumSamples, s.Window = 1+c(5), pick[ticks.Ticks](c, 2, 5)*b.TripWindow
			b.SlowCalls = policy.Give(s)
		case 1:
			b.FailureRatio, b.HasFailureRatio = pick(c, 0.3, 0.9), true
		}
	}
	b.Adaptive = adaptive
	return &b
}

func (c choose) chaos(name func(int) string, names int) *world.Chaos {
	out := &world.Chaos{}
	for i := range 1 + c(3) {
		r := world.ChaosRule{ID: fmt.Sprintf("r%d", i), Percent: pick(c, 100.0, 30, 0), MaxLatency: pick(c, 30*second, 15*ms), Sticky: c.one(4)}
		if c.one(2) {
			r.Scope.To = name(c(names))
		}
		if c.one(2) {
			r.StartAfter, r.Duration, r.HasDuration = pick(c, 0, 300*ms), pick(c, 100*ms, second), true
		}
		for range 1 + c(2) {
			e := world.ChaosEffect{Kind: world.EffectKind(c(int(world.EffectNoResponse) + 1))}
			switch e.Kind {
			case world.EffectLatency:
				e.LatencyFactor = pick(c, 0.0, 1, 2.5)
				e.LatencyLow = pick(c, 0, 5*ms)
				e.LatencyHigh = e.LatencyLow + pick(c, 0, 40*ms)
			case world.EffectStatus:
				e.Status = pick(c, 200, 404, 408, 429, 503)
			}
			if c.one(3) {
				e.HasPercent, e.Percent = true, pick(c, 0.0, 50, 100)
			}
			r.Effects = append(r.Effects, e)
		}
		out.Rules = append(out.Rules, r)
	}
	return out
}
