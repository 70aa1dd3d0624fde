package engine_test

import (
	"fmt"
	"strings"
	"testing"

	"squall/engine"
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/world"
)

// pageRun is the run of the simulation page, without its seed.
func pageRun(p policy.Settings) engine.Simulation {
	return engine.Simulate(p).Against(slowing).Under(engine.Constant(500)).For(5 * minute)
}

// TestChecksOfThePage is simulator.md 17.1, the rows of one policy. What a row publishes stands
// before what was derived.
func TestChecksOfThePage(t *testing.T) {
	many, mixed := engine.Constant(500), engine.Constant(500)
	many.Peers = 50
	mixed.Sheddable = 0.7
	aware := changed(pagePolicy(), func(p *policy.Settings) { p.UseAmbientCriticality = true })
	watchful := changed(pagePolicy(), func(p *policy.Settings) {
		p.AttemptCeiling, p.Saturation = policy.Give(policy.Ceiling(3)), new(policy.Saturation(5))
	})
	pool := world.Pool{Healthy: 80 * ticks.Microsecond}.Stall(30*second, 400*ms, 20*second)
	well := engine.Healthy(50*ms, 300*ms)
	bulkhead := engine.Simulate(pagePolicy()).Under(engine.Constant(400)).For(20 * second).WithLimiter(concurrency(60))
	for _, c := range []struct {
		id   string
		run  engine.Simulation
		seed int32
		want string
	}{
		{"D1", pageRun(pagePolicy()), 42, "calls 149742; succeeded 135155; failed 14587; availability 0.9026; LM 1.016; Amp 1.104; p50 0.0255265; p99 0.4341090;" +
			"opens 0; TTR 0.0006885; reached 152210"},
		{"D2", pageRun(pagePolicy()), 42, "LM <= 1.2; p99 < 1; LM 1.016482"},
		{"D3", engine.Simulate(pagePolicy()).Against(slowing.WithCapacity(400)).Under(many).For(5 * minute), 42,
			"LM 1.050; Amp 1.107; availability 0.4425; calls 150251; reached 157824; p50 0.1000000; p99 0.4440000; TTR never"},
		{"D4", engine.Simulate(aware).Against(slowing).Under(mixed).For(5 * minute), 42,
			"calls 150241; Sheddable 104941; Critical 45300; availability@Critical 0.9053; availability@Sheddable 0.8900; LM 1.016; Amp 1.106"},
		{"D5", engine.Simulate(watchful).Against(fast).Under(engine.Constant(200)).WithPool(pool).For(2 * minute), 42,
			"SaturationDetected 1; calls 24073; succeeded 20116; LM 0.845; Amp 1.034; p99 0.2590000"},
		{"D6", bulkhead.Against(well), 7, "refused 0; reached 8209; calls 7990"},
		{"D7", bulkhead.Against(well.Brownout(5*second, 8, 10*second)), 7, "refused > 0; reached < 8209; refused 3547; reached 7645; availability 0.5648"},
		{"17.1, seed -1", pageRun(pagePolicy()), -1, "calls 150346; succeeded 134419; TTR 0.0014771"},
	} {
		holds(t, c.id, single(t, c.run, c.seed), c.want)
	}
	d3 := single(t, engine.Simulate(pagePolicy()).Against(slowing.WithCapacity(400)).Under(many).For(5*minute), 42)
	if d3.Amplification <= d3.LoadMultiplier() {
		t.Errorf("D3: the worst second %v is no worse than the average %v", d3.Amplification, d3.LoadMultiplier())
	}
	d5 := single(t, engine.Simulate(watchful).Against(fast).Under(engine.Constant(200)).WithPool(pool).For(2*minute).Recording(), 42)
	if e := first(d5, policy.EventSaturationDetected); e == nil || e.At != 300005034 {
		t.Errorf("D5: the episode begins at %v, want 00:00:30.0005034", e)
	}
}

func TestChecksOfThePageBand(t *testing.T) {
	budgeted := simulateAll(t, pageRun(pagePolicy()), upTo(5)...).Calls[0].Band.LoadMultiplier
	free := simulateAll(t, pageRun(changed(pagePolicy(), func(p *policy.Settings) { p.Budget.Kind = policy.NoBudget })), upTo(5)...).Calls[0].Band.LoadMultiplier
	if !budgeted.Separates(free) || budgeted.Maximum >= free.Minimum {
		t.Errorf("D8: %v and %v do not separate", budgeted, free)
	}
	if got := budgeted.String() + " vs " + free.String(); got != "1.016 (1.016-1.017) vs 1.187 (1.168-1.211)" {
		t.Errorf("D8: %s", got)
	}
}

func TestChecksOfThePageTimeline(t *testing.T) {
	r := simulate(t, engine.Simulate(pagePolicy()).Against(fast.WithFailing(0.2)).Under(engine.Constant(50)).For(10*second).Recording(), 42)
	e := first(&r.Calls[0].Measured, policy.EventRetrying)
	if !e.HasDelay || e.At <= 0 {
		t.Errorf("D9: %+v", e)
	}
	if got, want := string(e.AppendText(nil, r.Calls[0].Policy)), "00:00:00.2369622  [api] Retrying #2 Transient IOException (21.3ms) +74.3ms"; got != want {
		t.Errorf("D9: %s, want %s", got, want)
	}
}

func TestChecksOfThePageGraph(t *testing.T) {
	named := func(name string) policy.Settings {
		return changed(pagePolicy(), func(p *policy.Settings) { p.Name = name })
	}
	r := runGraph(t, engine.Graph().Calls("checkout", "payments", named("payments")).Calls("payments", "bank", named("bank")).
		Leaf("bank", engine.Healthy(20*ms, 100*ms).Brownout(10*second, 10, 15*second)).
		Under(engine.Constant(200), "checkout").For(40*second), 42)
	upper, lower := r.On("checkout", "payments"), r.On("payments", "bank")
	if lower.Amplification <= upper.Amplification {
		t.Error("D10: the bank feels no more than payments does")
	}
	if upper.Reached != lower.Calls {
		t.Errorf("D11: %d attempts reached payments, which made %d calls", upper.Reached, lower.Calls)
	}
	holds(t, "D10", upper, "Amp 1.005; reached 8031")
	holds(t, "D10", lower, "Amp 1.182; calls 8031")
}

// TestDerivedRuns is executor.md 24 and the derived rows of breaker.md 14 R.
func TestDerivedRuns(t *testing.T) {
	breaking := func(b policy.BreakerSettings) policy.Settings {
		return changed(pagePolicy(), func(p *policy.Settings) { p.Breaker = &b })
	}
	ramped := policy.Breaker()
	ramped.Recovery = new(policy.Recovery(0.25))
	consecutive := policy.Breaker()
	consecutive.ConsecutiveFailures = 5
	hedged := func(h policy.HedgeSettings) policy.Settings {
		return changed(pagePolicy(), func(p *policy.Settings) { p.Hedge = &h })
	}
	three := policy.Hedge(0.9)
	three.MaximumConcurrent = 3
	measured := changed(pagePolicy(), func(p *policy.Settings) { p.Backoff.Measured = new(policy.MeasuredBase(1)) })
	against := func(p policy.Settings, d world.Dependency) engine.Simulation { return pageRun(p).Against(d) }
	outage := changed(retrying(50*ms), func(p *policy.Settings) { p.Breaker = &consecutive })
	for _, c := range []struct {
		id    string
		run   engine.Simulation
		seed  int32
		want  string
		kinds string // by number, exactly; empty is not checked
		moves string // of the breaker; "..." behind it leaves the rest open
	}{
		{"Z1", pageRun(pagePolicy()), 42, "calls 149742; succeeded 135155; reached 152210; p50 0.0255265; p99 0.4341090",
			"0:152210 1:2468 2:135155 5:14556 12:31 16:4", ""},
		{"Z2", pageRun(hedged(policy.Hedge(0.95))), 42, "calls 150047; succeeded 148274; reached 163010; p50 0.0255738; p99 0.5692177",
			"0:150306 1:176 2:148274 5:1770 12:3 13:12787 14:7176 15:12704 16:13", ""},
		{"Z3", against(measured, slowing.WithFailing(0.1)), 42, "calls 149793; succeeded 132429; reached 163931; p50 0.0291610; p99 0.4248507",
			"0:163931 1:14138 2:132429 5:17236 12:128 16:4 17:5", ""},
		{"Z4", against(hedged(three), slowing.WithFailing(0.05).WithCapacity(60)), 42, "calls 149901; succeeded 132257; reached 163520; p50 0.0278568; p99 1.2488897",
			"0:154957 1:4403 2:132257 5:17619 12:25 13:9216 14:4829 15:8563 16:10", ""},
		{"R1", pageRun(breaking(policy.Breaker())), 42, "calls 149903; succeeded 115135; reached 116316; opens 3; RejectedByBreaker 34750", "",
			"opened 301350856, half 391825339, opened 392577359, half 546178655, opened 546760491, half 992516547, closed 992881444"},
		{"R2", pageRun(breaking(ramped)), 42, "calls 150444; succeeded 15228; reached 15707; opens 5; RejectedByBreaker 135198", "",
			"opened 301350856, half 391825339, closed 393062445, opened 395115163, half 548697226, opened 549917226, half 1107568575, closed 1108898324, opened 1118307961, ..."},
		{"R3", engine.Simulate(outage).Against(fast.Outage(10*second, 5*second)).Under(engine.Constant(200)).For(minute), 13,
			"opens > 0; RejectedByBreaker > 0; availability < 1; TTR recovers; calls 11955; succeeded 9566; reached 9777; opens 1; RejectedByBreaker 2389", "",
			"opened 100505200, half 219809976, closed 220170764"},
	} {
		run := c.run
		if c.moves != "" {
			run = run.Recording()
		}
		m := single(t, run, c.seed)
		holds(t, c.id, m, c.want)
		if got := kinds(m); c.kinds != "" && got != c.kinds {
			t.Errorf("%s: events %s, want %s", c.id, got, c.kinds)
		}
		var moves []string
		for i := range m.Timeline {
			e := &m.Timeline[i]
			if word := map[policy.EventKind]string{policy.EventBreakerOpened: "opened", policy.EventBreakerHalfOpened: "half", policy.EventBreakerClosed: "closed"}[e.Kind]; word != "" {
				moves = append(moves, fmt.Sprintf("%s %d", word, e.At))
			}
		}
		got := strings.Join(moves, ", ")
		if want, open := strings.CutSuffix(c.moves, "..."); got != want && !(open && strings.HasPrefix(got, want)) {
			t.Errorf("%s: the breaker %s, want %s", c.id, got, c.moves)
		}
	}
}
