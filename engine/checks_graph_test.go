package engine_test

import (
	"errors"
	"strings"
	"testing"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/problem"
	"squall/engine/ticks"
	"squall/engine/world"
)

// chainFor is Chain(d): checkout calls payments, which calls a sick bank.
func chainFor(d ticks.Ticks) engine.CallGraph { return chainUnder(retrying(20*ms), retrying(20*ms), d) }

func chainUnder(upper, lower policy.Settings, d ticks.Ticks) engine.CallGraph {
	return engine.Graph().Calls("checkout", "payments", upper).Calls("payments", "bank", lower).
		Leaf("bank", sick).Under(engine.Constant(200), "checkout").For(d)
}

// once is A(20) with one attempt.
func once() policy.Settings {
	return changed(retrying(20*ms), func(p *policy.Settings) { p.Attempts = 1 })
}

// TestChecksOfGraphs is simulator.md 17.6, T4 to T17; T1, T2, T3 and T18 are below.
func TestChecksOfGraphs(t *testing.T) {
	t6 := runGraph(t, chainFor(40*second), 42)
	upper, lower := t6.On("checkout", "payments"), t6.On("payments", "bank")
	holds(t, "T6", upper, "LM > 1; LM 1.544; Amp 2.608; reached 12316")
	holds(t, "T6", lower, "LM > 1; LM 2.156; Amp > 2.608; Amp 2.877; calls 12316")

	t7 := runGraph(t, chainUnder(retrying(20*ms), changed(retrying(20*ms), budgeted), 40*second), 42)
	holds(t, "T7", t7.On("payments", "bank"), "Amp < 2.877; RejectedByBudget > 0; Amp 1.2321; RejectedByBudget 3426")

	t8 := runGraph(t, chainUnder(once(), once(), 40*second), 42)
	for _, c := range t8.Calls {
		if c.Measured.LoadMultiplier() != 1 {
			t.Errorf("T8: %s -> %s: %v", c.From, c.To, c.Measured.LoadMultiplier())
		}
	}

	p := retrying(20 * ms)
	t9 := runGraph(t, engine.Graph().Calls("edge", "checkout", p).Calls("checkout", "payments", p).Calls("payments", "ledger", p).Calls("ledger", "bank", p).
		Leaf("bank", sick).Under(engine.Constant(100), "edge").For(40*second), 42)
	for i := range 3 {
		if a, b := t9.Calls[i].Measured.Reached, t9.Calls[i+1].Measured.Calls; a != b {
			t.Errorf("T9: %d attempts reach hop %d, which makes %d calls", a, i+1, b)
		}
	}
	holds(t, "T9", &t9.Calls[0].Measured, "Amp 1.0291")
	holds(t, "T9", &t9.Calls[3].Measured, "Amp > 1.0291; Amp 2.5619")

	t10 := runGraph(t, engine.Graph().Calls("checkout", "payments", p).Calls("checkout", "catalog", p).Calls("payments", "shared", p).Calls("catalog", "shared", p).
		Leaf("shared", sick).Under(engine.Constant(100), "checkout").For(30*second), 42)
	if a, b := t10.On("payments", "shared").Reached+t10.On("catalog", "shared").Reached, t10.At("shared").Calls; a != b || b != 18757 {
		t.Errorf("T10: %d attempts reach shared, which saw %d, want 18757", a, b)
	}

	t11 := runGraph(t, engine.Graph().Calls("checkout", "payments", once()).Calls("checkout", "catalog", once()).
		Leaf("payments", sick).Leaf("catalog", engine.Healthy(5*ms, 30*ms)).Under(engine.Constant(100), "checkout").For(30*second), 42)
	holds(t, "T11", t11.On("checkout", "payments"), "calls 2952; succeeded 1402")
	holds(t, "T11", t11.On("checkout", "catalog"), "calls 1402")

	if a := t6.At("payments"); a.Calls != upper.Reached || a.Reached != lower.Reached {
		t.Errorf("T12: payments served %d and sent %d", a.Calls, a.Reached)
	}
	holds(t, "T12", t6.At("bank"), "LM 1.0; Amp 1.0")

	t13 := runGraph(t, engine.Graph().Calls("mobile", "bank", p).Calls("web", "bank", p).Leaf("bank", sick).
		Under(engine.Constant(100), "mobile").Under(engine.Constant(300), "web").For(30*second), 42)
	if got := strings.Join(t13.Entries, " "); got != "mobile web" {
		t.Errorf("T13: entries %s", got)
	}
	if ratio := float64(t13.At("web").Calls) / float64(t13.At("mobile").Calls); ratio < 3.00935 || ratio > 3.00945 {
		t.Errorf("T13: the loads are as 1 to %v, want 3.0094", ratio)
	}

	half := engine.Constant(200)
	half.Sheddable = 0.5
	t14 := runGraph(t, engine.Graph().Calls("checkout", "payments", p).Calls("payments", "bank", p).Leaf("bank", sick).Under(half, "checkout").For(30*second), 42)
	for i := range t14.Calls {
		holds(t, "T14", &t14.Calls[i].Measured, "Sheddable > 0; Critical > 0")
	}

	t15 := runGraph(t, chainFor(20*second).Recording(), 42)
	if a, b := len(t15.Calls[0].Measured.Timeline), len(t15.Calls[1].Measured.Timeline); a != 13909 || b != 32689 {
		t.Errorf("T15: timelines of %d and %d events, want 13909 and 32689", a, b)
	}
}

func runGraphs(t *testing.T, g engine.CallGraph, seeds ...int32) *measure.Band {
	t.Helper()
	b, err := g.RunAll(seeds...)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestChecksOfGraphBands is T1 and T16.
func TestChecksOfGraphBands(t *testing.T) {
	if a, b := runGraph(t, chainFor(40*second), 42), runGraph(t, chainFor(40*second), 42); jsonOf(a) != jsonOf(b) {
		t.Error("T1: two runs of one seed differ")
	}
	if runGraph(t, chainFor(40*second), 1).Text() == runGraph(t, chainFor(40*second), 2).Text() {
		t.Error("T1: two seeds give the same")
	}
	band := runGraphs(t, chainFor(20*second), 1, 2, 3)
	if amp := band.On("payments", "bank").Amplification; !(amp.Spread() > 0) || amp.String() != "3.723 (3.637-3.770)" {
		t.Errorf("T16: %v", amp)
	}
	if !(band.At("checkout").Availability.Median > 0) {
		t.Error("T16: checkout answers nothing")
	}
	for _, c := range []struct {
		graph engine.CallGraph
		seeds int32
	}{{chainFor(20 * second), 20}, {chainFor(20*second).WithServiceLimiter("payments", concurrency(8)), 4}} {
		for i, r := range runGraphs(t, c.graph, upTo(c.seeds)...).Reports {
			if lone := runGraph(t, c.graph, int32(i)+1); jsonOf(lone) != jsonOf(r) {
				t.Errorf("T16: the run of seed %d is another one in a band", i+1)
			}
		}
	}
}

// TestOneCallGraphIsASingleRun is T2 to T5 and T18: the same description in both shapes.
func TestOneCallGraphIsASingleRun(t *testing.T) {
	loaded := func(perSecond, peers int) world.Load { return world.Load{PerSecond: perSecond, Peers: peers} }
	stalled := wellPool.Stall(30*second, 400*ms, 20*second)
	guarded := changed(retrying(20*ms), func(p *policy.Settings) {
		p.Breaker, p.Hedge = new(policy.Breaker()), new(policy.Hedge(0.9))
	})
	lookingUp := changed(retrying(20*ms), func(p *policy.Settings) { p.Saturation = new(policy.Saturation(5)) })
	full := engine.Healthy(20*ms, 100*ms).WithCapacity(40)
	permits := concurrency(30)
	for _, c := range []struct {
		id       string
		policy   policy.Settings
		leaf     world.Dependency
		load     world.Load
		duration ticks.Ticks
		pool     *world.Pool
		limiter  *world.Limiter
		record   bool
		want     string
	}{
		{"T2", retrying(20 * ms), sick, loaded(200, 1), 40 * second, nil, nil, false,
			"calls 8031; succeeded 5583; LM 1.825; Amp 2.868; p50 0.0429682; p99 0.3450000; TTR 0.0012286"},
		{"T3", lookingUp, sick, loaded(200, 1), minute, &stalled, nil, false, "SaturationDetected 1; availability 0.4759"},
		{"T4, T5", once(), full, loaded(100, 1), 30 * second, nil, nil, false, "availability > 0.95; availability 0.9907"},
		{"T4", once(), full, loaded(100, 8), 30 * second, nil, nil, false, "availability 0.9903"},
		{"T4, T5", once(), full, loaded(100, 50), 30 * second, nil, nil, false, "availability < 0.5; availability 0.3033"},
		{"T18", guarded, sick, loaded(200, 1), 40 * second, nil, &permits, true, "calls > 0; HedgeStarted > 0; refused > 0"},
	} {
		alone := engine.Simulate(c.policy).Against(c.leaf).Under(c.load).For(c.duration)
		graph := engine.Graph().Calls(engine.Client, engine.DependedOn, c.policy).Leaf(engine.DependedOn, c.leaf).Under(c.load, engine.Client).For(c.duration)
		if c.pool != nil {
			alone, graph = alone.WithPool(*c.pool), graph.WithPool(engine.Client, *c.pool)
		}
		if c.limiter != nil {
			alone, graph = alone.WithLimiter(*c.limiter), graph.WithLimiter(engine.Client, engine.DependedOn, *c.limiter)
		}
		if c.record {
			alone, graph = alone.Recording(), graph.Recording()
		}
		a, b := simulate(t, alone, 42), runGraph(t, graph, 42)
		if jsonOf(a) != jsonOf(b) {
			t.Errorf("%s: the graph of one call is another run", c.id)
		}
		holds(t, c.id, b.On(engine.Client, engine.DependedOn), c.want)
	}
}

// TestChecksOfGraphGuards is simulator.md 17.6, G1 to G10, and D12, D14 of the page.
func TestChecksOfGraphGuards(t *testing.T) {
	ceiling := changed(retrying(20*ms), func(p *policy.Settings) { p.AttemptCeiling = policy.Give(policy.Ceiling(3)) })
	looking := changed(ceiling, func(p *policy.Settings) { p.Saturation = new(policy.Saturation(5)) })
	stalled := wellPool.Stall(30*second, 400*ms, 20*second)
	chain := func(p policy.Settings) engine.CallGraph {
		return engine.Graph().Calls("checkout", "payments", p).Calls("payments", "bank", p).
			Leaf("bank", engine.Healthy(20*ms, 100*ms)).Under(engine.Constant(200), "checkout").For(2 * minute)
	}
	well, stuck := runGraph(t, chain(ceiling), 42), runGraph(t, chain(ceiling).WithPool("payments", stalled), 42)
	holds(t, "G1, D12", well.At("checkout"), "p99 97.9166ms")
	holds(t, "G1, D12", stuck.At("checkout"), "p99 > 0.4895830; p99 1146.0ms")
	holds(t, "G1, D12", stuck.At("bank"), "p99 < 200ms; p99 97.9166ms")

	g2 := runGraph(t, chain(looking).WithPool("payments", stalled), 42)
	holds(t, "G2, D12", g2.On("payments", "bank"), "SaturationDetected 1")
	holds(t, "G2, D12", g2.On("checkout", "payments"), "SaturationDetected 0")

	g3 := runGraph(t, chain(looking), 42)
	for i := range g3.Calls {
		holds(t, "G3", &g3.Calls[i].Measured, "SaturationDetected 0")
	}
	if jsonOf(g3) != jsonOf(runGraph(t, chain(looking), 42)) {
		t.Error("G3: two runs differ")
	}

	fan := func(p policy.Settings) engine.CallGraph {
		leaf := engine.Healthy(20*ms, 100*ms)
		return engine.Graph().Calls("checkout", "payments", p).Calls("checkout", "catalog", p).Leaf("payments", leaf).Leaf("catalog", leaf).
			Under(engine.Constant(100), "checkout").For(2 * minute)
	}
	unbounded := changed(retrying(20*ms), func(p *policy.Settings) { p.AttemptCeiling = policy.Disable[policy.CeilingSettings]() })
	calm, hard := runGraph(t, fan(unbounded), 42), runGraph(t, fan(unbounded).WithPool("checkout", stalled), 42)
	bounded := runGraph(t, fan(ceiling).WithPool("checkout", stalled), 42)
	holds(t, "G4", calm.On("checkout", "payments"), "p99 99.5ms")
	holds(t, "G4", hard.On("checkout", "payments"), "p99 > 298.5ms; p99 445.3ms")
	holds(t, "G4", calm.On("checkout", "catalog"), "p99 97.6ms")
	holds(t, "G4", hard.On("checkout", "catalog"), "p99 > 292.8ms; p99 446.3ms")
	holds(t, "G5", bounded.On("checkout", "catalog"), "calls 10025")
	holds(t, "G5", hard.On("checkout", "catalog"), "calls 12053")
	holds(t, "G5", bounded.On("checkout", "payments"), "availability 0.8357")
	holds(t, "G5", hard.On("checkout", "payments"), "availability 1.0")

	two := func(d world.Dependency, for_ ticks.Ticks) engine.CallGraph {
		return engine.Graph().Calls("checkout", "payments", retrying(20*ms)).Calls("payments", "bank", retrying(20*ms)).
			Leaf("bank", d).Under(engine.Constant(200), "checkout").For(for_)
	}
	good := engine.Healthy(50*ms, 200*ms)
	sixty := func(d world.Dependency) *measure.Report {
		return runGraph(t, two(d, 40*second).WithLimiter("payments", "bank", concurrency(60)), 42)
	}
	holds(t, "G6", sixty(good).On("payments", "bank"), "refused 0")
	holds(t, "G6", sixty(good.Brownout(10*second, 8, 15*second)).On("payments", "bank"), "refused > 0; refused 17476")
	g7 := runGraph(t, two(engine.Healthy(20*ms, 100*ms), 30*second).WithLimiter("payments", "bank", concurrency(3)), 42)
	holds(t, "G7", g7.On("payments", "bank"), "refused > 0; LM < 1; refused 29371; LM 0.3333")
	holds(t, "G7", g7.On("checkout", "payments"), "refused 0")

	pair := engine.Graph().Calls("checkout", "slow", retrying(20*ms)).Calls("checkout", "fast", retrying(20*ms)).
		Leaf("slow", good).Leaf("fast", good).Under(engine.Constant(300), "checkout").For(40 * second)
	each := runGraph(t, pair.WithLimiter("checkout", "slow", concurrency(20)).WithLimiter("checkout", "fast", concurrency(20)), 42)
	shared := runGraph(t, pair.WithServiceLimiter("checkout", concurrency(20)), 42)
	refused := func(r *measure.Report) int {
		return r.On("checkout", "slow").RefusedByLimiter + r.On("checkout", "fast").RefusedByLimiter
	}
	if a, b := refused(shared), refused(each); a != 19364 || b != 2250 {
		t.Errorf("G8, D14: %d refused by 20 shared permits, %d by 20 each, want 19364 and 2250", a, b)
	}
	holds(t, "G8", each.On("checkout", "fast"), "availability > 0.99; availability 0.9986")
	both := runGraph(t, pair.WithServiceLimiter("checkout", concurrency(200)).WithLimiter("checkout", "slow", concurrency(3)), 42)
	holds(t, "G9", both.On("checkout", "slow"), "refused > 0; refused 31115")
	holds(t, "G9", both.On("checkout", "fast"), "refused 0")
	five := runGraph(t, pair.WithServiceLimiter("checkout", concurrency(5)), 42)
	holds(t, "G10", five.On("checkout", "slow"), "refused > 0; refused 31837")
	holds(t, "G10", five.On("checkout", "fast"), "refused > 0; refused 26")
	for i := range five.Calls {
		if m := &five.Calls[i].Measured; m.Reached+m.RefusedByLimiter < m.Calls {
			t.Errorf("G10: %d reached and %d refused of %d calls", m.Reached, m.RefusedByLimiter, m.Calls)
		}
	}
}

// TestRefusedGraphs is T17 and G11: each bad graph is refused in the words of its row of 14.2. G12
// has nothing to refuse: no limiter here queues or refills by a clock.
func TestRefusedGraphs(t *testing.T) {
	p := retrying(20 * ms)
	good := chainFor(second)
	for _, c := range []struct {
		row   string
		graph engine.CallGraph
		words string
	}{
		{"19", good.Calls("bank2", "checkout", p).Calls("payments", "bank2", p), "form a cycle: checkout -> payments -> bank2 -> checkout"},
		{"5", good.Calls("payments", "payments", p), "calls itself"},
		{"8", good.Calls("payments", "nobody", p), "called but never declared"},
		{"7", good.Calls("bank", "payments", p), "is declared as a leaf and also makes calls"},
		{"6", good.Calls("payments", "bank", p), "more than once"},
		{"9", good.Under(engine.Constant(1), "bank"), "which makes no calls"},
		{"10", good.Under(world.Load{PerSecond: 1, Peers: 2}, "checkout"), "Peers approximate processes that have no policies"},
		{"1", engine.Graph().Leaf("bank", sick).Under(engine.Constant(1), "bank").For(second), "has no calls"},
		{"2", engine.Graph().Calls("checkout", "bank", p).Leaf("bank", sick).For(second), "has no load"},
		{"3", good.For(0), "has no duration"},
		{"4", good.Leaf("bank", sick), "declared as a leaf more than once"},
		{"16", good.WithPool("bank", wellPool), "is a leaf and cannot have a pool"},
		{"17", good.WithPool("nobody", wellPool), "which makes no calls"},
		{"18", good.WithPool("payments", wellPool).WithPool("payments", wellPool), "One service, one process, one pool"},
		{"11", good.WithLimiter("checkout", "bank", concurrency(1)), "not a call this topology makes"},
		{"12", good.WithLimiter("payments", "bank", concurrency(1)).WithLimiter("payments", "bank", concurrency(2)), "One call, one limiter"},
		{"13", good.WithServiceLimiter("bank", concurrency(1)), "is a leaf and cannot have a limiter"},
		{"14", good.WithServiceLimiter("nobody", concurrency(1)), "which makes no calls"},
		{"15", good.WithServiceLimiter("payments", concurrency(1)).WithServiceLimiter("payments", concurrency(1)), "One service, one process-wide limiter"},
	} {
		_, err := c.graph.Run(1)
		var list problem.List
		if !errors.As(err, &list) || !strings.Contains(err.Error(), c.words) {
			t.Errorf("row %s: %v, want %q", c.row, err, c.words)
		}
		if _, band := c.graph.RunAll(1, 2); band == nil {
			t.Errorf("row %s: a band is not refused", c.row)
		}
	}
	// What the parts are made of is looked at when the graph is sound only.
	broken := changed(p, func(p *policy.Settings) { p.Attempts = 0 })
	if _, err := good.Calls("checkout", "bank", broken).Run(1); err == nil || !strings.Contains(err.Error(), "attempts") {
		t.Errorf("a bad policy: %v", err)
	}
	if _, err := good.Calls("checkout", "nobody", broken).Run(1); err == nil || strings.Contains(err.Error(), "attempts") {
		t.Errorf("a bad policy in a bad graph: %v", err)
	}
}

// TestDescriptionsAreValues: what is added to one description does not show in another that shares
// its beginning.
func TestDescriptionsAreValues(t *testing.T) {
	p := retrying(20 * ms)
	base := engine.Graph().Calls("checkout", "payments", p).Calls("payments", "bank", p).Calls("payments", "ledger", p).
		Leaf("bank", sick).Leaf("ledger", sick).Under(engine.Constant(50), "checkout").For(second)
	before := jsonOf(runGraph(t, base, 1))
	one := base.Calls("ledger2", "bank", p).WithLimiter("payments", "bank", concurrency(1)).WithPool("payments", wellPool)
	two := base.Calls("ledger3", "bank", p)
	a, b := runGraph(t, one, 1), runGraph(t, two, 1)
	if a.Calls[3].From != "ledger2" || b.Calls[3].From != "ledger3" || jsonOf(runGraph(t, base, 1)) != before {
		t.Error("descriptions share what was added to one of them")
	}
	d := engine.Healthy(ms, ms).Brownout(0, 2, second).Outage(second, second)
	x, y := d.Brownout(0, 3, second), d.Brownout(0, 4, second)
	if x.Impairments[2].Slower != 3 || y.Impairments[2].Slower != 4 {
		t.Error("dependencies share what was added to one of them")
	}
	u, v := wellPool.Stall(0, 1, 1).Stall(0, 2, 1), wellPool.Stall(0, 1, 1).Stall(0, 3, 1)
	if u.Stalls[1].Delay != 2 || v.Stalls[1].Delay != 3 || len(wellPool.Stalls) != 0 {
		t.Error("pools share what was added to one of them")
	}
}
