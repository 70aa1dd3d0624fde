package engine_test

import (
	"errors"
	"strings"
	"testing"

	"squall/engine"
	"squall/engine/policy"
	"squall/engine/problem"
)

// TestChecksOfBands is simulator.md 17.3, B.
func TestChecksOfBands(t *testing.T) {
	few := steady(fast.WithFailing(0.1))
	one := simulateAll(t, few, 42)
	if amp := one.Calls[0].Band.Amplification; amp.Spread() != 0 || amp.Median != one.Reports[0].Calls[0].Measured.Amplification || amp.String() != "1.182 (1.182-1.182)" {
		t.Errorf("B1: %v", amp)
	}
	eight := simulateAll(t, few, upTo(8)...)
	availability := eight.Calls[0].Band.Availability
	seen := map[float64]bool{}
	for _, r := range eight.Reports {
		seen[r.Calls[0].Measured.Availability()] = true
	}
	if !seen[availability.Median] || !seen[availability.Minimum] || !seen[availability.Maximum] || availability.String() != "0.998 (0.997-0.999)" {
		t.Errorf("B2: %v of %v", availability, seen)
	}
	if amp := simulateAll(t, steady(fast.WithFailing(0.2)), upTo(8)...).Calls[0].Band.Amplification; !(amp.Spread() > 0) || amp.String() != "1.327 (1.299-1.343)" {
		t.Errorf("B3: %v", amp)
	}
	half := fast.WithFailing(0.5)
	guarded := engine.Simulate(changed(retrying(50*ms), budgeted)).Against(half).Under(engine.Constant(200)).For(30 * second)
	with, without := simulateAll(t, guarded, upTo(8)...).Calls[0].Band.LoadMultiplier, simulateAll(t, steady(half), upTo(8)...).Calls[0].Band.LoadMultiplier
	if !with.Separates(without) || !without.Separates(with) || with.Separates(with) {
		t.Error("B4: separation is wrong")
	}
	if got := with.String() + " vs " + without.String(); got != "1.072 (1.070-1.074) vs 1.778 (1.735-1.800)" {
		t.Errorf("B4: %s", got)
	}
	down := simulateAll(t, steady(fast.Outage(10*second, 5*second)).For(minute), upTo(8)...).Calls[0].Band
	if r := down.TimeToRecover; down.Recovered != 8 || r.Minimum != 1076 || r.Maximum != 83638 || r.Maximum < r.Median {
		t.Errorf("B5: %d recovered in %v", down.Recovered, r)
	}
	calm := simulateAll(t, steady(fast), upTo(8)...)
	if b := calm.Calls[0].Band; b.Recovered != 0 || !strings.Contains(string(calm.AppendJSON(nil)), `"timeToRecoverNs":null,"recovered":0`) {
		t.Errorf("B6: %d recovered", b.Recovered)
	}
	three := simulateAll(t, few, 1, 2, 3)
	for _, want := range []string{"Simulation over 00:00:30, 3 seeds from 1\n", "\n  Recovered        0 of 3\n", "\n  TimeToRecover    never\n",
		"\n  Availability     0.998 (0.997-0.998)\n", "\n  LoadMultiplier   1.145 (1.133-1.153)\n"} {
		if !strings.Contains(three.Text(), want) {
			t.Errorf("B7: %q is not in\n%s", want, three.Text())
		}
	}
	for _, c := range []struct {
		seeds []int32
		word  string
	}{{nil, "at least one seed"}, {[]int32{1, 2, 1}, "same seed twice"}} {
		_, err := few.RunAll(c.seeds...)
		var list problem.List
		if !errors.As(err, &list) || !strings.Contains(err.Error(), c.word) {
			t.Errorf("B8: %v", err)
		}
	}
	order := simulateAll(t, few, 9, 4, 6)
	for i, seed := range []int32{9, 4, 6} {
		if order.Seeds[i] != seed || order.Reports[i].Seed != seed {
			t.Errorf("B9: %v", order.Seeds)
		}
	}
	bucketed := engine.Simulate(changed(retrying(50*ms), func(p *policy.Settings) { p.Budget = budget(0.1, 3) })).Against(half).Under(engine.Constant(200)).For(30 * second)
	for _, run := range []engine.Simulation{few, bucketed, steady(half).WithLimiter(concurrency(8))} {
		band := simulateAll(t, run, upTo(8)...)
		for i, r := range band.Reports {
			if lone := simulate(t, run, int32(i)+1); jsonOf(lone) != jsonOf(r) {
				t.Errorf("B10: the run of seed %d is another one in a band", i+1)
			}
		}
	}
}

// TestChecksOfBudgets is simulator.md 17.3, U.
func TestChecksOfBudgets(t *testing.T) {
	run := func(b policy.BudgetChoice) engine.Simulation {
		return engine.Simulate(changed(retrying(50*ms), func(p *policy.Settings) { p.Budget = b })).
			Against(fast.Brownout(5*second, 20, 20*second)).Under(engine.Constant(300)).For(40 * second)
	}
	for _, c := range []struct {
		id     string
		budget policy.BudgetChoice
		want   string
	}{
		{"automatic", policy.BudgetChoice{}, "reached 12285; availability 0.5812"},
		{"none", policy.BudgetChoice{Kind: policy.NoBudget}, "reached 21389; availability 0.7035"},
		{"a bucket", budget(0.1, 3), "reached 12285; availability 0.5812"},
	} {
		a, b := simulate(t, run(c.budget), 7), simulate(t, run(c.budget), 7)
		holds(t, "U1, "+c.id, &a.Calls[0].Measured, c.want)
		if jsonOf(a) != jsonOf(b) {
			t.Errorf("U1, %s: two runs differ", c.id)
		}
		for i, r := range simulateAll(t, run(c.budget), 7, 8).Reports {
			if lone := simulate(t, run(c.budget), 7+int32(i)); jsonOf(lone) != jsonOf(r) {
				t.Errorf("U1, %s: the run of seed %d is another one in a band", c.id, r.Seed)
			}
		}
	}
}

// TestSharedBudget is U2: two policies that hold one bucket draw on the same tokens within a run,
// and every run gets a full one; two buckets with the same numbers are two.
func TestSharedBudget(t *testing.T) {
	graph := func(a, b policy.BudgetChoice) engine.CallGraph {
		holding := func(b policy.BudgetChoice) policy.Settings {
			return changed(retrying(50*ms), func(p *policy.Settings) { p.Budget = b })
		}
		return engine.Graph().Calls("checkout", "bank", holding(a)).Calls("payments", "bank", holding(b)).
			Leaf("bank", fast.WithFailing(0.5)).Under(engine.Constant(100), "checkout").Under(engine.Constant(100), "payments").For(20 * second)
	}
	one := budget(0.1, 3)
	shared, apart := runGraph(t, graph(one, one), 3), runGraph(t, graph(budget(0.1, 3), budget(0.1, 3)), 3)
	rejected := func(of int, text string) int {
		r := shared
		if text == "apart" {
			r = apart
		}
		return r.Calls[of].Measured.Events[policy.EventRejectedByBudget]
	}
	if s, a := rejected(0, "shared")+rejected(1, "shared"), rejected(0, "apart")+rejected(1, "apart"); s <= a {
		t.Errorf("one bucket refuses %d retries, two refuse %d", s, a)
	}
	if again := runGraph(t, graph(one, one), 3); jsonOf(again) != jsonOf(shared) {
		t.Error("a bucket remembers the run before")
	}
	automatic := runGraph(t, graph(policy.BudgetChoice{}, policy.BudgetChoice{}), 3)
	if jsonOf(automatic) != jsonOf(apart) {
		t.Error("automatic budgets are not buckets of the default size, one a call")
	}
}
