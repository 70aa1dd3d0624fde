package engine_test

import (
	"context"
	"os"
	"testing"

	"squall/engine"
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/world"
)

// page is the run of the simulation page (simulator.md 17.1 D1).
func page() *engine.Topology {
	p := policy.HTTP()
	p.Name, p.Deadline = "api", 10*ticks.Second
	return &engine.Topology{
		Single: true, Duration: 5 * ticks.Minute,
		Calls: []engine.Call{{From: engine.Client, To: engine.DependedOn, Policy: p}},
		Leaves: []engine.Leaf{{Name: engine.DependedOn, Dependency: world.Dependency{
			P50: 20 * ticks.Millisecond, P99: 200 * ticks.Millisecond,
			Impairments: []world.Impairment{{After: 30 * ticks.Second, Slower: 8, Lasting: ticks.Minute}},
		}}},
		Loads: []engine.Entry{{At: engine.Client, Load: world.Load{PerSecond: 500, Peers: 1}}},
	}
}

func TestPublishedBlock(t *testing.T) {
	want, err := os.ReadFile("testdata/golden/brownout-seed42.txt")
	if err != nil {
		t.Fatal(err)
	}
	r, err := engine.Run(context.Background(), page(), 42, engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if got := r.Text(); got != string(want) {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
