package engine_test

import (
	"fmt"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/world"
)

// must is what an example does with a run that cannot fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A run describes a policy, what it calls, and the load: here a dependency that is eight times
// slower for a minute.
func ExampleSimulate() {
	api := policy.HTTP()
	api.Name, api.Deadline = "api", 10*ticks.Second

	report := must(engine.Simulate(api).
		Against(engine.Healthy(20*ticks.Millisecond, 200*ticks.Millisecond).
			Brownout(30*ticks.Second, 8, ticks.Minute)).
		Under(engine.Constant(500)).
		For(5 * ticks.Minute).
		Run(42))

	m := report.On(engine.Client, engine.DependedOn)
	fmt.Print(report.Text())
	fmt.Println("what the dependency's owner asks for:", m.LoadMultiplier() <= 1.2)
	fmt.Println("what the caller feels:", m.LatencyAt(0.99) < ticks.Second)
	// Output:
	// Simulation seed 42 over 00:05:00
	//   Calls            149742
	//   Succeeded        135155
	//   Failed           14587
	//   Availability     0.9026
	//   LoadMultiplier   1.016
	//   Amplification    1.104
	//   Latency p50      00:00:00.0255265
	//   Latency p99      00:00:00.4341090
	//   BreakerOpens     0
	//   TimeToRecover    00:00:00.0006885
	// what the dependency's owner asks for: true
	// what the caller feels: true
}

// Fifty processes share a dependency that serves 400 calls at once before it queues. The average
// hides the second that tips it over.
func ExampleSimulate_peers() {
	api := policy.HTTP()
	api.Name, api.Deadline = "api", 10*ticks.Second

	load := engine.Constant(500)
	load.Peers = 50
	report := must(engine.Simulate(api).
		Against(engine.Healthy(20*ticks.Millisecond, 200*ticks.Millisecond).
			Brownout(30*ticks.Second, 8, ticks.Minute).
			WithCapacity(400)).
		Under(load).
		For(5 * ticks.Minute).
		Run(42))

	m := report.On(engine.Client, engine.DependedOn)
	fmt.Printf("average %.3f, worst second %.3f\n", m.LoadMultiplier(), m.Amplification)
	fmt.Println(m.Amplification > m.LoadMultiplier())
	// Output:
	// average 1.050, worst second 1.107
	// true
}

// Seven calls in ten are a backfill that nobody waits for, and the policy holds half of its retry
// budget back from them. Read the availability of each level: the aggregate hides the trade.
func ExampleSimulate_criticality() {
	api := policy.HTTP()
	api.Name, api.Deadline, api.UseAmbientCriticality = "api", 10*ticks.Second, true

	load := engine.Constant(500)
	load.Sheddable = 0.7
	report := must(engine.Simulate(api).
		Against(engine.Healthy(20*ticks.Millisecond, 200*ticks.Millisecond).
			Brownout(30*ticks.Second, 8, ticks.Minute)).
		Under(load).
		For(5 * ticks.Minute).
		Run(42))

	m := report.On(engine.Client, engine.DependedOn)
	for _, level := range []policy.Level{policy.Sheddable, policy.Critical} {
		fmt.Printf("%v: %d calls, %.4f available\n", level, m.Levels[level].Calls, m.AvailabilityAt(level))
	}
	// Output:
	// Sheddable: 104941 calls, 0.8900 available
	// Critical: 45300 calls, 0.9053 available
}

// The process's own thread pool stalls for twenty seconds, which looks exactly like a dependency
// that got 400 ms slower. A policy with Saturation can tell, and says so once an episode.
func ExampleSimulation_WithPool() {
	api := policy.HTTP()
	api.Name, api.Deadline = "api", 10*ticks.Second
	api.AttemptCeiling = policy.Give(policy.Ceiling(3))
	api.Saturation = new(policy.Saturation(5))

	pool := world.Pool{Healthy: 80 * ticks.Microsecond}.
		Stall(30*ticks.Second, 400*ticks.Millisecond, 20*ticks.Second)
	report := must(engine.Simulate(api).
		Against(engine.Healthy(20*ticks.Millisecond, 200*ticks.Millisecond)).
		Under(engine.Constant(200)).
		WithPool(pool).
		For(2 * ticks.Minute).
		Run(42))

	fmt.Println(report.On(engine.Client, engine.DependedOn).Events[policy.EventSaturationDetected])
	// Output: 1
}

// Sixty permits cost nothing while the dependency is well, and are a wall once calls pile up.
func ExampleSimulation_WithLimiter() {
	api := policy.HTTP()
	api.Name, api.Deadline = "api", 10*ticks.Second
	well := engine.Healthy(50*ticks.Millisecond, 300*ticks.Millisecond)
	bulkhead := func(d world.Dependency) *measure.Measured {
		report := must(engine.Simulate(api).
			Against(d).
			Under(engine.Constant(400)).
			For(20 * ticks.Second).
			WithLimiter(world.Limiter{Concurrency: 60}).
			Run(7))
		return report.On(engine.Client, engine.DependedOn)
	}

	healthy := bulkhead(well)
	brownout := bulkhead(well.Brownout(5*ticks.Second, 8, 10*ticks.Second))
	fmt.Println("healthy:", healthy.RefusedByLimiter, "refused,", healthy.Reached, "reached")
	fmt.Println("brownout:", brownout.RefusedByLimiter, "refused,", brownout.Reached, "reached")
	// Output:
	// healthy: 0 refused, 8209 reached
	// brownout: 3547 refused, 7645 reached
}

// One seed is one sample. Two bands that do not overlap are a difference on every seed.
func ExampleSimulation_RunAll() {
	api := policy.HTTP()
	api.Name, api.Deadline = "api", 10*ticks.Second
	unbounded := api
	unbounded.Budget.Kind = policy.NoBudget
	band := func(p policy.Settings) measure.Range {
		b := must(engine.Simulate(p).
			Against(engine.Healthy(20*ticks.Millisecond, 200*ticks.Millisecond).
				Brownout(30*ticks.Second, 8, ticks.Minute)).
			Under(engine.Constant(500)).
			For(5*ticks.Minute).
			RunAll(1, 2, 3, 4, 5))
		return b.On(engine.Client, engine.DependedOn).LoadMultiplier
	}

	budgeted, unbudgeted := band(api), band(unbounded)
	fmt.Println("with a budget:", budgeted)
	fmt.Println("without:", unbudgeted)
	fmt.Println(budgeted.Separates(unbudgeted), budgeted.Maximum < unbudgeted.Minimum)
	// Output:
	// with a budget: 1.016 (1.016-1.017)
	// without: 1.187 (1.168-1.211)
	// true true
}

// A recorded run is the same run with every event kept.
func ExampleSimulation_Recording() {
	api := policy.HTTP()
	api.Name, api.Deadline = "api", 10*ticks.Second

	report := must(engine.Simulate(api).
		Against(engine.Healthy(20*ticks.Millisecond, 200*ticks.Millisecond).WithFailing(0.2)).
		Under(engine.Constant(50)).
		For(10 * ticks.Second).
		Recording().
		Run(42))

	call := &report.Calls[0]
	for i := range call.Measured.Timeline {
		moment := &call.Measured.Timeline[i]
		if moment.Kind == policy.EventRetrying {
			fmt.Println(string(moment.AppendText(nil, call.Policy)))
			break
		}
	}
	// Output: 00:00:00.2369622  [api] Retrying #2 Transient IOException (21.3ms) +74.3ms
}

// Each policy of a graph retries about as much as it was told to; what is at the bottom feels the
// product of them.
func ExampleGraph() {
	named := func(name string) policy.Settings {
		p := policy.HTTP()
		p.Name, p.Deadline = name, 10*ticks.Second
		return p
	}
	report := must(engine.Graph().
		Calls("checkout", "payments", named("payments")).
		Calls("payments", "bank", named("bank")).
		Leaf("bank", engine.Healthy(20*ticks.Millisecond, 100*ticks.Millisecond).
			Brownout(10*ticks.Second, 10, 15*ticks.Second)).
		Under(engine.Constant(200), "checkout").
		For(40 * ticks.Second).
		Run(42))

	upper, lower := report.On("checkout", "payments"), report.On("payments", "bank")
	fmt.Printf("%.3f > %.3f\n", lower.Amplification, upper.Amplification)
	fmt.Println(upper.Reached == lower.Calls)
	// Output:
	// 1.182 > 1.005
	// true
}
