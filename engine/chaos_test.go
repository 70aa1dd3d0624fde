package engine_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/virtual"
	"squall/engine/world"
)

func rule(id string, effects ...world.ChaosEffect) world.ChaosRule {
	return world.ChaosRule{ID: id, Percent: 100, MaxLatency: 30 * second, Effects: effects}
}

func effect(k world.EffectKind) world.ChaosEffect { return world.ChaosEffect{Kind: k} }

func answering(status int) world.ChaosEffect {
	return world.ChaosEffect{Kind: world.EffectStatus, Status: status}
}

func delaying(d ticks.Ticks) world.ChaosEffect {
	return world.ChaosEffect{Kind: world.EffectLatency, LatencyLow: d, LatencyHigh: d}
}

// recordCalls runs a topology with every request and attempt kept.
func recordCalls(t *testing.T, topology *engine.Topology, rules ...world.ChaosRule) *measure.Report {
	t.Helper()
	loud := *topology
	loud.RecordCalls = true
	if len(rules) > 0 {
		loud.Chaos = &world.Chaos{Rules: rules}
	}
	if problems := loud.Validate(); len(problems) > 0 {
		t.Fatal(problems)
	}
	r, err := engine.Run(context.Background(), &loud, 42, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lone is a policy of one attempt and no bounds, judged as HTTP is.
func lone() policy.Settings {
	p := policy.HTTP()
	p.Attempts, p.Deadline, p.AttemptTimeout, p.Budget.Kind, p.Adaptive = 1, ticks.Infinite, ticks.Infinite, policy.NoBudget, false
	return p
}

// pair is checkout, which calls payments and then a catalog, one attempt each.
func pairOf(t *testing.T) *engine.Topology {
	t.Helper()
	topology, err := engine.Graph().Calls("checkout", "payments", lone()).Calls("checkout", "catalog", lone()).
		Leaf("payments", fast).Leaf("catalog", fast).Under(engine.Constant(100), "checkout").For(5 * second).Topology()
	if err != nil {
		t.Fatal(err)
	}
	return topology
}

// TestChaosMovesNothingElse: a rule that adds to what some calls take moves no arrival, no draw and
// no roll of the calls it leaves alone.
func TestChaosMovesNothingElse(t *testing.T) {
	topology, err := engine.Simulate(lone()).Against(fast.WithFailing(0.1)).Under(engine.Constant(100)).For(5 * second).Topology()
	if err != nil {
		t.Fatal(err)
	}
	calm := recordCalls(t, topology)
	some := rule("some", delaying(300*ms))
	some.Percent = 20
	hit := recordCalls(t, topology, some)
	other := rule("other", effect(world.EffectReset))
	other.StartAfter = 2 * second
	both := recordCalls(t, topology, some, other) // never claims: the first rule matches everything
	if !slices.EqualFunc(hit.Recording.Services[0].Outbound, both.Recording.Services[0].Outbound, sameCall) {
		t.Error("a shadowed rule changes the run")
	}
	a, b := &calm.Recording.Services[0], &hit.Recording.Services[0]
	touched := 0
	for i := range a.Inbound {
		if a.Inbound[i].At != b.Inbound[i].At {
			t.Fatalf("request %d comes at %v, and at %v with the rule", i, a.Inbound[i].At, b.Inbound[i].At)
		}
		was, is := &a.Outbound[i], &b.Outbound[i]
		want := *was
		if is.Rule >= 0 {
			touched++
			want.Rule, want.Effects, want.Delay, want.Duration = 0, []int{0}, 300*ms, was.Duration+300*ms
		}
		if !sameCall(*is, want) {
			t.Fatalf("attempt %d is %+v, want %+v", i, *is, want)
		}
	}
	if touched < 70 || touched > 130 || hit.Recording.Matched[0] != len(a.Outbound) || hit.Recording.Fired[0] != touched {
		t.Errorf("%d of %d attempts were touched; matched %v, fired %v", touched, len(a.Outbound), hit.Recording.Matched, hit.Recording.Fired)
	}
	// A rule of percent 0 claims and does nothing at all, and a recording has no chaos without rules.
	none := rule("none", effect(world.EffectReset))
	none.Percent = 0
	if r := recordCalls(t, topology, none); r.Digest != calm.Digest || r.Recording.Matched[0] != len(a.Outbound) || r.Recording.Fired[0] != 0 {
		t.Errorf("a rule that never fires: matched %v, fired %v, %s beside %s", r.Recording.Matched, r.Recording.Fired, r.Digest, calm.Digest)
	}
}

func sameCall(a, b measure.OutboundCall) bool {
	effects := slices.Equal(a.Effects, b.Effects)
	a.Effects, b.Effects = nil, nil
	return effects && fmt.Sprint(a) == fmt.Sprint(b)
}

// TestChaosKeepsJitter: the rolls take nothing from the jitter stream either. All attempts fail, so
// what a rule adds is all that can move the backoff of another call.
func TestChaosKeepsJitter(t *testing.T) {
	p := changed(lone(), func(p *policy.Settings) { p.Attempts = 2 })
	topology, err := engine.Simulate(p).Against(engine.Healthy(10*ms, 10*ms).WithFailing(1)).Under(engine.Constant(1)).For(20 * second).Topology()
	if err != nil {
		t.Fatal(err)
	}
	topology.Record = true
	delays := func(r *measure.Report) (out []ticks.Ticks) {
		for _, e := range r.Calls[0].Measured.Timeline {
			if e.Kind == policy.EventRetrying {
				out = append(out, e.Delay)
			}
		}
		return out
	}
	some := rule("some", delaying(ms))
	some.Percent = 50
	if a, b := delays(recordCalls(t, topology)), delays(recordCalls(t, topology, some)); len(a) == 0 || !slices.Equal(a, b) {
		t.Errorf("backoffs are %v, and %v with the rule", a, b)
	}
}

// TestChaosAtALeaf: what each effect makes of an attempt at a dependency that answers in 10 ms.
func TestChaosAtALeaf(t *testing.T) {
	topology, err := engine.Simulate(lone()).Against(engine.Healthy(10*ms, 10*ms)).Under(engine.Constant(50)).For(second).Topology()
	if err != nil {
		t.Fatal(err)
	}
	bounded := func(timeout ticks.Ticks) *engine.Topology {
		b := *topology
		b.Calls = slices.Clone(b.Calls)
		b.Calls[0].Policy.AttemptTimeout = timeout
		return &b
	}
	brief := func(effects ...world.ChaosEffect) world.ChaosRule {
		r := rule("r", effects...)
		r.MaxLatency = 200 * ms
		return r
	}
	for _, c := range []struct {
		name     string
		topology *engine.Topology
		rule     world.ChaosRule
		status   int // of the attempt, 0 for none
		takes    ticks.Ticks
		delay    ticks.Ticks
		stop     policy.EventKind
		answer   int // of the service
	}{
		{"nothing", topology, world.ChaosRule{ID: "r", MaxLatency: ms, Effects: []world.ChaosEffect{effect(world.EffectReset)}}, 200, 10 * ms, 0, policy.EventSucceeded, 200},
		{"latency", topology, rule("r", delaying(15*ms)), 200, 25 * ms, 15 * ms, policy.EventSucceeded, 200},
		{"latency above the ceiling", topology, brief(delaying(second)), 200, 210 * ms, 200 * ms, policy.EventSucceeded, 200},
		{"latency, not waited for", bounded(20 * ms), rule("r", delaying(second)), 0, 20 * ms, second, policy.EventExhausted, 504},
		{"200", topology, rule("r", answering(200)), 200, 10 * ms, 0, policy.EventSucceeded, 200},
		{"302", topology, rule("r", answering(302)), 302, 10 * ms, 0, policy.EventSucceeded, 200},
		{"404", topology, rule("r", answering(404)), 404, 10 * ms, 0, policy.EventNotRetried, 503},
		{"408", topology, rule("r", answering(408)), 408, 10 * ms, 0, policy.EventExhausted, 503},
		{"429", topology, rule("r", answering(429)), 429, 10 * ms, 0, policy.EventExhausted, 503},
		{"503", topology, rule("r", answering(503)), 503, 10 * ms, 0, policy.EventExhausted, 503},
		{"refuse", topology, rule("r", effect(world.EffectRefuse)), 0, 0, 0, policy.EventExhausted, 503},
		{"reset", topology, rule("r", effect(world.EffectReset)), 0, 10 * ms, 0, policy.EventExhausted, 503},
		{"drop", topology, rule("r", effect(world.EffectDrop)), 0, 10 * ms, 0, policy.EventExhausted, 503},
		{"corrupt", topology, rule("r", effect(world.EffectCorrupt)), 0, 10 * ms, 0, policy.EventExhausted, 503},
		{"truncate", topology, rule("r", effect(world.EffectTruncate)), 0, 10 * ms, 0, policy.EventExhausted, 503},
		{"no response", topology, rule("r", effect(world.EffectNoResponse)), 0, 10 * ms, 0, policy.EventExhausted, 503},
		{"stall", topology, brief(effect(world.EffectStall)), 0, 200 * ms, 200 * ms, policy.EventExhausted, 503},
		{"stall, cut", bounded(20 * ms), brief(effect(world.EffectStall)), 0, 20 * ms, 200 * ms, policy.EventExhausted, 504},
	} {
		r := recordCalls(t, c.topology, c.rule)
		m := &r.Calls[0].Measured
		s := &r.Recording.Services[0]
		if m.Calls == 0 || m.Reached != m.Calls || m.Events[c.stop] != m.Calls || r.At(engine.DependedOn).Calls != m.Calls {
			t.Errorf("%s: %d calls, %d reached, events %s", c.name, m.Calls, m.Reached, kinds(m))
		}
		for i, o := range s.Outbound {
			if o.Status != c.status || o.Duration != c.takes || o.Delay != c.delay || s.Inbound[i].Status != c.answer {
				t.Errorf("%s: %+v, answered %d", c.name, o, s.Inbound[i].Status)
				break
			}
		}
	}
}

// TestChaosAtAService: an attempt that is refused or held reaches the service by the count, and the
// service never sees it. Everything else comes behind the service's own answer.
func TestChaosAtAService(t *testing.T) {
	topology, err := engine.Graph().Calls("checkout", "payments", lone()).Calls("payments", "bank", lone()).
		Leaf("bank", engine.Healthy(10*ms, 10*ms)).Under(engine.Constant(50), "checkout").For(second).Topology()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name   string
		effect world.ChaosEffect
		status int
		takes  ticks.Ticks
		seen   bool // by payments
		ok     bool
	}{
		{"latency", delaying(5 * ms), 200, 15 * ms, true, true},
		{"twice as long", world.ChaosEffect{Kind: world.EffectLatency, LatencyFactor: 2}, 200, 20 * ms, true, true},
		{"503", answering(503), 503, 10 * ms, true, false},
		{"reset", effect(world.EffectReset), 0, 10 * ms, true, false},
		{"refuse", effect(world.EffectRefuse), 0, 0, false, false},
		{"stall", effect(world.EffectStall), 0, 100 * ms, false, false},
	} {
		struck := rule("r", c.effect)
		struck.Scope.To, struck.MaxLatency = "payments", 100*ms
		r := recordCalls(t, topology, struck)
		upper, lower := r.On("checkout", "payments"), r.On("payments", "bank")
		switch {
		case upper.Reached != upper.Calls:
			t.Errorf("%s: %d of %d reached payments", c.name, upper.Reached, upper.Calls)
		case c.seen && lower.Calls != upper.Calls || !c.seen && lower.Calls != 0:
			t.Errorf("%s: payments saw %d of %d", c.name, lower.Calls, upper.Calls)
		case c.ok != (upper.Succeeded == upper.Calls):
			t.Errorf("%s: %d of %d succeeded", c.name, upper.Succeeded, upper.Calls)
		}
		for _, o := range r.Recording.Services[0].Outbound {
			if o.Status != c.status || o.Duration != c.takes || o.Rule != 0 {
				t.Errorf("%s: %+v", c.name, o)
				break
			}
		}
		if lower.Calls > 0 && r.Recording.Services[1].Outbound[0].Rule != -1 {
			t.Errorf("%s: the rule strikes outside of its scope", c.name)
		}
	}
}

// TestOptionalCalls: a failed optional call degrades the request and does not fail it (grading.md 4).
func TestOptionalCalls(t *testing.T) {
	topology := pairOf(t)
	down := rule("down", answering(503))
	down.Scope.To = "payments"
	strict := recordCalls(t, topology, down)
	if m := strict.At("checkout"); m.Succeeded != 0 || strict.On("checkout", "catalog").Calls != 0 || strict.Services[0].HasOptional {
		t.Errorf("a call that matters failed, and %d requests succeeded", m.Succeeded)
	}
	topology.Calls[0].Optional = true
	lenient := recordCalls(t, topology, down)
	s := &lenient.Services[0]
	if m := lenient.At("checkout"); m.Succeeded != m.Calls || s.Degraded != m.Calls || !s.HasOptional || lenient.On("checkout", "catalog").Calls != m.Calls {
		t.Errorf("%d of %d requests succeeded, %d degraded", m.Succeeded, m.Calls, s.Degraded)
	}
	if m := lenient.On("checkout", "payments"); m.Succeeded != 0 {
		t.Errorf("%d of %d optional calls succeeded under a rule that fails all", m.Succeeded, m.Calls)
	}
	for _, in := range lenient.Recording.Services[0].Inbound {
		if in.Status != 200 {
			t.Fatalf("a degraded request answers %d", in.Status)
		}
	}
	// The last call of a request may be optional too; the request does not fail behind it.
	topology.Calls[0].Optional, topology.Calls[1].Optional = false, true
	down.Scope.To = "catalog"
	last := recordCalls(t, topology, down)
	if m := last.At("checkout"); m.Succeeded != m.Calls || last.Services[0].Degraded != m.Calls {
		t.Errorf("%d of %d requests succeeded, %d degraded", m.Succeeded, m.Calls, last.Services[0].Degraded)
	}
	calm := recordCalls(t, topology)
	if calm.Services[0].Degraded != 0 {
		t.Errorf("%d degraded without a fault", calm.Services[0].Degraded)
	}
}

// TestRecordingOfRetries: the attempts of a request are its own, in the order they were sent.
func TestRecordingOfRetries(t *testing.T) {
	topology := pairOf(t)
	for i := range topology.Calls {
		topology.Calls[i].Policy.Attempts, topology.Calls[i].Policy.Backoff = 3, policy.NoBackoff()
	}
	down := rule("down", answering(503))
	down.Scope.To = "catalog"
	r := recordCalls(t, topology, down)
	s := &r.Recording.Services[0]
	attempts := make([]int, len(s.Inbound))
	for _, o := range s.Outbound {
		if o.To == "catalog" {
			attempts[o.Parent]++
		}
	}
	for i, n := range attempts {
		if n != 3 {
			t.Fatalf("request %d tried the catalog %d times", i, n)
		}
	}
	if s.Matched[0] != 3*len(s.Inbound) || r.Recording.Matched[0] != s.Matched[0] || r.Recording.Fired[0] != s.Matched[0] {
		t.Errorf("matched %v, %v, fired %v of %d requests", s.Matched, r.Recording.Matched, r.Recording.Fired, len(s.Inbound))
	}
}

// TestChecksOfChaos is simulator.md 17.7, X1 and X2: the injector of section 15 draws from dice of its
// own, one draw a call at a fault rate. No run uses it, so only the stream is checked; X3 has no
// settings to refuse.
func TestChecksOfChaos(t *testing.T) {
	injected := func(seed int32, calls int) (indices []int) {
		dice := virtual.NewDice(seed)
		for call := range calls {
			if dice.Next() < 0.5 {
				indices = append(indices, call)
			}
		}
		return indices
	}
	if n := len(injected(42, 2000)); n != 986 {
		t.Errorf("X1: %d of 2000 injected, want 986", n)
	}
	want := []int{2, 3, 6, 7, 8, 10, 11, 18, 20, 21, 22, 23, 24, 28, 29, 30, 31, 32, 36}
	if got := injected(1234, 40); !slices.Equal(got, want) || slices.Equal(got, injected(9876, 40)) {
		t.Errorf("X2: injected %v, want %v", got, want)
	}
}
