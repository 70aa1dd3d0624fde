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

// steady is A(50) against a dependency at 200 calls a second for 30 seconds.
func steady(d world.Dependency) engine.Simulation {
	return engine.Simulate(retrying(50 * ms)).Against(d).Under(engine.Constant(200)).For(30 * second)
}

func budgeted(p *policy.Settings) { p.Budget.Kind = policy.AutomaticBudget }

// TestChecksOfSingleRuns is simulator.md 17.2. S12 has nothing to refuse: quantiles outside 0..1 are
// clamped here (measure.Quantile) and cannot be written in a scenario.
func TestChecksOfSingleRuns(t *testing.T) {
	automatic := engine.Simulate(changed(retrying(50*ms), budgeted)).Against(fast.WithFailing(0.5)).Under(engine.Constant(200)).For(30 * second)
	peers := engine.Constant(200)
	peers.Peers = 4
	for _, c := range []struct {
		id   string
		run  engine.Simulation
		seed int32
		want string
	}{
		{"S3", steady(fast), 7, "availability 1.0000; opens 0; LM 1.0..1.1; calls 6008; LM 1.0141"},
		{"S4", steady(fast).Under(engine.Constant(500)).For(minute), 3, "calls 29000..31000; calls 30072"},
		{"S5", steady(fast.WithFailing(0.2)), 11, "Retrying > 0; LM 1.2491; Amp 1.3500; Retrying 1513"},
		{"S5", steady(fast), 11, "LM < 1.2491; LM 1.0090"},
		{"S6", automatic, 5, "RejectedByBudget > 0; LM 1.0730; RejectedByBudget 2785"},
		{"S6", steady(fast.WithFailing(0.5)), 5, "LM > 1.0731; LM 1.7349"},
		{"S7", steady(fast.Brownout(20*second, 8, 20*second)).For(minute), 21, "p99 > 0.1709531; p99 0.4470000; p50 0.0328209"},
		{"S7", steady(fast).For(minute), 21, "p99 0.1709531"},
		{"S8", engine.Simulate(changed(policy.Instant(), func(p *policy.Settings) { p.Attempts = 1 })).Against(fast).Under(engine.Constant(500)).For(minute), 9,
			"p50 18ms..22ms; p99 170ms..240ms; p50 20.1082ms; p99 199.5130ms"},
		{"S9", steady(fast.WithCapacity(12)).Under(peers), 17, "availability 0.5192"},
		{"S9", steady(fast.WithCapacity(12)), 17, "availability 1.0000"},
		{"S11", steady(slowing).Under(engine.Constant(500)).For(5 * minute), 42, "calls > 100000; calls 149794"},
	} {
		holds(t, c.id, single(t, c.run, c.seed), c.want)
	}
	if m := single(t, steady(fast.WithFailing(0.2)), 11); m.Amplification < m.LoadMultiplier() {
		t.Error("S5: the worst second is better than the average")
	}
	if r := simulate(t, steady(fast).Under(engine.Constant(500)).For(minute), 3); r.Duration != minute || r.Seed != 3 {
		t.Errorf("S4: %v with seed %d", r.Duration, r.Seed)
	}
	text := simulate(t, steady(fast), 42).Text()
	for _, want := range []string{"Simulation seed 42 over 00:00:30\n", "  Availability     1.0000\n", "  TimeToRecover    never\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("S10: %q is not in\n%s", want, text)
		}
	}
}

func TestChecksOfSameness(t *testing.T) {
	run := steady(fast.Brownout(10*second, 8, 10*second).WithFailing(0.05))
	a, b := simulate(t, run, 42), simulate(t, run, 42)
	if a.Text() != b.Text() || jsonOf(a) != jsonOf(b) {
		t.Error("S1: two runs of one seed differ")
	}
	failing := steady(fast.WithFailing(0.05))
	if simulate(t, failing, 1).Text() == simulate(t, failing, 2).Text() {
		t.Error("S2: two seeds give the same text")
	}
	recorded := simulate(t, run.Recording(), 42)
	if recorded.Text() != a.Text() || len(recorded.Calls[0].Measured.Timeline) != 16559 {
		t.Errorf("R1: %d events recorded, want 16559, in\n%s", len(recorded.Calls[0].Measured.Timeline), recorded.Text())
	}
	if a.Calls[0].Measured.Timeline != nil {
		t.Error("R1: a timeline that nobody asked for")
	}
	if strings.Contains(engine.Version, "+") || strings.Contains(a.Text(), engine.Version) {
		t.Errorf("R4: version %q, text\n%s", engine.Version, a.Text())
	}
}

func TestChecksOfTimelines(t *testing.T) {
	m := single(t, steady(fast.WithFailing(0.2)).Recording(), 11)
	var counts [policy.EventKinds]int
	before := ticks.Ticks(0)
	for i := range m.Timeline {
		counts[m.Timeline[i].Kind]++
		if m.Timeline[i].At < before {
			t.Fatalf("R2: %v comes after %v", m.Timeline[i].At, before)
		}
		before = m.Timeline[i].At
	}
	if counts != m.Events {
		t.Errorf("R2: the timeline holds %v, counted were %v", counts, m.Events)
	}
	if before != 300858769 {
		t.Errorf("R2: the last event is at %d, want 300858769", before)
	}
	r := simulate(t, steady(fast.WithFailing(0.5)).Recording(), 5)
	got := string(first(&r.Calls[0].Measured, policy.EventRetrying).AppendText(nil, r.Calls[0].Policy))
	if want := "00:00:00.0144552  Retrying #2 Transient IOException (9.6ms) +10.4ms"; got != want {
		t.Errorf("R3: %s, want %s", got, want)
	}
}

// TestRefusals is S12 to S15, C9 and P11, L11: what is wrong is said all at once, before anything runs.
func TestRefusals(t *testing.T) {
	mixed := func(sheddable, plus float64) world.Load {
		l := engine.Constant(1)
		l.Sheddable, l.SheddablePlus = sheddable, plus
		return l
	}
	p := retrying(50 * ms)
	for _, c := range []struct {
		id       string
		run      engine.Simulation
		problems int
		words    []string
	}{
		{"S13", steady(engine.Healthy(200*ms, 20*ms).WithFailing(2).Brownout(second, 0.5, 0)), 4, []string{"leaves[0].p99", "leaves[0].failing", "slower", "lasting"}},
		{"S14", steady(fast).Under(world.Load{}), 2, []string{"loads[0].perSecond", "loads[0].peers"}},
		{"S15", engine.Simulate(p), 3, []string{"Against()", "Under()", "For()"}},
		{"S15", engine.Simulate(p).Under(engine.Constant(1)).For(second), 1, []string{"Against()"}},
		{"S15", engine.Simulate(p).Against(fast).For(second), 1, []string{"Under()"}},
		{"S15", engine.Simulate(p).Against(fast).Under(engine.Constant(1)), 1, []string{"For()"}},
		{"C9", steady(fast).Under(mixed(0.8, 0.4)), 1, []string{"1.2", "remainder"}},
		{"C9", steady(fast).Under(mixed(1.5, 0)), 2, []string{"sheddable", "remainder"}},
		{"P11", steady(fast).WithPool(world.Pool{}.Stall(-second, 0, 0)), 4, []string{"pools[0].healthy", "after", "delay", "lasting"}},
		{"L11", steady(fast).WithLimiter(world.Limiter{}), 1, []string{"calls[0].limiter"}},
		{"A10", steady(fast).WithLimiter(world.Limiter{Adaptive: &world.Adaptive{Maximum: 5, Initial: 50, Multiple: 1, Decrease: 1}}), 4,
			[]string{"minimum", "initial", "multiple", "decrease"}},
	} {
		_, err := c.run.Run(1)
		var list problem.List
		if !errors.As(err, &list) || len(list) != c.problems {
			t.Errorf("%s: %d problems, want %d: %v", c.id, len(list), c.problems, err)
			continue
		}
		for _, word := range c.words {
			if !strings.Contains(err.Error(), word) {
				t.Errorf("%s: %q is not in %v", c.id, word, err)
			}
		}
		if _, again := c.run.RunAll(1, 2); again == nil || again.Error() != err.Error() {
			t.Errorf("%s: a band is refused differently: %v", c.id, again)
		}
	}
	if d := world.DefaultAdaptive(); d != (world.Adaptive{Minimum: 4, Maximum: 200, Initial: 20, Multiple: 2, Decrease: 0.9}) {
		t.Errorf("A10: the defaults are %+v", d)
	}
}

// TestChecksOfCriticality is simulator.md 17.3, C.
func TestChecksOfCriticality(t *testing.T) {
	mixed := func(sheddable, plus float64) world.Load {
		l := engine.Constant(200)
		l.Sheddable, l.SheddablePlus = sheddable, plus
		return l
	}
	run := engine.Simulate(changed(retrying(50*ms), budgeted)).Against(fast.WithFailing(0.5)).Under(engine.Constant(200)).For(30 * second)
	plain := simulate(t, run, 7)
	m := &plain.Calls[0].Measured
	holds(t, "C1", m, "Critical 6048; calls 6048; Sheddable 0; CriticalPlus 0")
	if l := mixed(0, 0); l.CriticalShare() != 1 {
		t.Error("C1: not everything of an unmixed load is critical")
	}
	if got := simulate(t, run.Under(mixed(0, 0)), 7).Text(); got != plain.Text() {
		t.Errorf("C2: got\n%s", got)
	}
	c3 := single(t, run.Under(mixed(0.5, 0.2)), 7)
	holds(t, "C3", c3, "CriticalPlus 0; calls 6021")
	for level, want := range map[policy.Level]float64{policy.Sheddable: 0.5069, policy.SheddablePlus: 0.1961, policy.Critical: 0.2970} {
		if got := float64(c3.Levels[level].Calls) / float64(c3.Calls); got < want-0.00005 || got > want+0.00005 {
			t.Errorf("C3: %v is %.4f of the calls, want %.4f", level, got, want)
		}
	}
	c4 := simulate(t, run.Under(mixed(0.5, 0)), 7)
	holds(t, "C4", &c4.Calls[0].Measured, "availability@Sheddable 0.5275; availability@Critical 0.5268")
	if text := c4.Text(); !strings.Contains(text, "\n  Sheddable        ") || !strings.Contains(text, "\n  Critical         ") || strings.Contains(text, "CriticalPlus") {
		t.Errorf("C5: got\n%s", text)
	}
	if strings.Contains(plain.Text(), "available") {
		t.Errorf("C5: got\n%s", plain.Text())
	}
	aware := changed(retrying(50*ms), func(p *policy.Settings) { budgeted(p); p.UseAmbientCriticality = true })
	long := run.Under(mixed(0.5, 0)).For(3 * minute)
	knows := simulateAll(t, engine.Simulate(aware).Against(fast.WithFailing(0.5)).Under(mixed(0.5, 0)).For(3*minute), upTo(5)...)
	blind := simulateAll(t, long, upTo(5)...)
	at := func(b *measure.Band, level policy.Level) measure.Range {
		var v []float64
		for _, r := range b.Reports {
			v = append(v, r.Calls[0].Measured.AvailabilityAt(level))
		}
		return measure.RangeOf(v)
	}
	for _, c := range []struct {
		id           string
		knows, blind measure.Range
		want         string
		apart        bool
	}{
		{"C6", at(knows, policy.Sheddable), at(blind, policy.Sheddable), "0.493 (0.488-0.500) vs 0.527 (0.521-0.534)", true},
		{"C7", at(knows, policy.Critical), at(blind, policy.Critical), "0.564 (0.558-0.565) vs 0.532 (0.527-0.536)", true},
		{"C8", knows.Calls[0].Band.Availability, blind.Calls[0].Band.Availability, "0.528 (0.525-0.533) vs 0.527 (0.527-0.535)", false},
	} {
		if got := c.knows.String() + " vs " + c.blind.String(); got != c.want || c.knows.Separates(c.blind) != c.apart {
			t.Errorf("%s: %s, want %s; separates: %v", c.id, got, c.want, !c.apart)
		}
	}
	hedged := changed(retrying(50*ms), func(p *policy.Settings) {
		budgeted(p)
		p.UseAmbientCriticality = true
		p.Hedge = new(policy.Hedge(0.9))
	})
	c10 := engine.Simulate(hedged).Against(engine.Healthy(20*ms, 400*ms)).For(30 * second)
	holds(t, "C10, U1", single(t, c10.Under(mixed(0.5, 0)), 7), "HedgeStarted 481")
	holds(t, "C10, U1", single(t, c10.Under(engine.Constant(200)), 7), "HedgeStarted 694")
}
