package docs_test

import (
	"fmt"
	"testing"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/squalltest"
)

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func Example_simulate() {
	api := policy.HTTP()
	api.Name, api.Deadline = "api", 10*ticks.Second

	report, err := engine.Simulate(api).
		Against(engine.Healthy(20*ticks.Millisecond, 200*ticks.Millisecond).
			Brownout(30*ticks.Second, 8, ticks.Minute)).
		Under(engine.Constant(500)).
		For(5 * ticks.Minute).
		Run(42)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Print(report.Text())

	m := report.On(engine.Client, engine.DependedOn)
	fmt.Printf("worst second %.3f, p99 below a second: %v\n", m.Amplification, m.LatencyAt(0.99) < ticks.Second)
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
	// worst second 1.104, p99 below a second: true
}

func Example_graph() {
	retrying := policy.HTTP()
	retrying.Budget.Kind = policy.NoBudget

	report := must(engine.Graph().
		Calls("shop", "payments", retrying).
		Calls("payments", "bank", retrying).
		Leaf("bank", engine.Healthy(20*ticks.Millisecond, 100*ticks.Millisecond).
			Outage(10*ticks.Second, 5*ticks.Second)).
		Under(engine.Constant(100), "shop").
		For(30 * ticks.Second).
		Run(1))

	for _, call := range report.Calls {
		fmt.Printf("%s -> %s: worst second %.2f\n", call.From, call.To, call.Measured.Amplification)
	}
	// Output:
	// shop -> payments: worst second 3.08
	// payments -> bank: worst second 3.03
}

func Example_band() {
	careful := policy.HTTP()
	careless := policy.HTTP()
	careless.Budget.Kind = policy.NoBudget
	band := func(p policy.Settings) measure.Range {
		b := must(engine.Simulate(p).
			Against(engine.Healthy(20*ticks.Millisecond, 200*ticks.Millisecond).
				Outage(10*ticks.Second, 10*ticks.Second)).
			Under(engine.Constant(100)).
			For(40*ticks.Second).
			RunAll(1, 2, 3, 4, 5))
		return b.On(engine.Client, engine.DependedOn).LoadMultiplier
	}
	fmt.Println("with a budget:", band(careful))
	fmt.Println("without:", band(careless))
	fmt.Println("separates:", band(careful).Separates(band(careless)))
	// Output:
	// with a budget: 1.028 (1.022-1.041)
	// without: 1.515 (1.503-1.524)
	// separates: true
}

func TestBrownout(t *testing.T) {
	api := policy.HTTP()
	api.Deadline = 10 * ticks.Second

	report := squalltest.Run(t, engine.Simulate(api).
		Against(engine.Healthy(20*ticks.Millisecond, 200*ticks.Millisecond).
			Brownout(10*ticks.Second, 8, 20*ticks.Second)).
		Under(engine.Constant(500)).
		For(ticks.Minute), 42)
	squalltest.LoadMultiplierAtMost(t, report, 1.2)
	squalltest.Expect(t, report, "p99 < 1s", "availability >= 75%")
}

func TestScenarioFile(t *testing.T) {
	squalltest.Scenario(t, "../examples/brownout.json")
}
