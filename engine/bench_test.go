package engine_test

import (
	"context"
	"math"
	"testing"

	"squall/engine"
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/virtual"
	"squall/engine/world"
)

// The runs that speed is measured on: `make bench` prints them natively and under WebAssembly.

func BenchmarkBrownout(b *testing.B) { benchmarkRun(b, page()) }

// BenchmarkBreakerHedge is the same load under a default breaker and a hedge at p95.
func BenchmarkBreakerHedge(b *testing.B) {
	t := page()
	breaker, hedge := policy.Breaker(), policy.Hedge(0.95)
	t.Calls[0].Policy.Breaker, t.Calls[0].Policy.Hedge = &breaker, &hedge
	benchmarkRun(b, t)
}

// BenchmarkGraph is three services in a chain above a sick bank, 200 requests a second for 40 s.
func BenchmarkGraph(b *testing.B) { benchmarkRun(b, chain()) }

// BenchmarkReference has nothing to do with the engine: 150,000 times, a timer out of a heap of a
// thousand and back in, with a draw and a square root. Times of two machines, or of one machine at
// two hours, compare by it.
func BenchmarkReference(b *testing.B) {
	type timer struct {
		due   int64
		order uint64
	}
	var heap []timer
	before := func(x, y timer) bool { return x.due < y.due || x.due == y.due && x.order < y.order }
	push := func(t timer) {
		heap = append(heap, t)
		i := len(heap) - 1
		for i > 0 && before(t, heap[(i-1)/4]) {
			heap[i] = heap[(i-1)/4]
			i = (i - 1) / 4
		}
		heap[i] = t
	}
	pop := func() timer {
		head, last := heap[0], len(heap)-1
		t := heap[last]
		heap = heap[:last]
		i := 0
		for child := 1; child < last; child = 4*i + 1 {
			least := child
			for k := child + 1; k < min(child+4, last); k++ {
				if before(heap[k], heap[least]) {
					least = k
				}
			}
			if !before(heap[least], t) {
				break
			}
			heap[i] = heap[least]
			i = least
		}
		heap[i] = t
		return head
	}
	dice := virtual.NewDice(42)
	order := uint64(0)
	for range 1000 {
		order++
		push(timer{int64(dice.Next() * 1e6), order})
	}
	for b.Loop() {
		for range 150_000 {
			t := pop()
			order++
			push(timer{t.due + int64(math.Sqrt(dice.Next())*1e6), order})
		}
	}
}

func benchmarkRun(b *testing.B, t *engine.Topology) {
	b.ReportAllocs()
	run := func() {
		if _, err := engine.Run(context.Background(), t, 42, engine.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	// A WebAssembly engine compiles again what turns out to be busy. The first runs of a page wait for
	// that, and those behind a slider do not.
	for range 20 {
		run()
	}
	for b.Loop() {
		run()
	}
}

// BenchmarkBand is twenty seeds of the brownout, on every core and on one.
func BenchmarkBand(b *testing.B) {
	seeds := make([]int32, 20)
	for i := range seeds {
		seeds[i] = int32(i + 1)
	}
	for _, c := range []struct {
		name string
		jobs int
	}{{"all cores", 0}, {"one core", 1}} {
		b.Run(c.name, func(b *testing.B) {
			t := page()
			for b.Loop() {
				if _, err := engine.RunBand(context.Background(), t, seeds, engine.BandOptions{Jobs: c.jobs}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func chain() *engine.Topology {
	p := policy.HTTP()
	p.Deadline = 10 * ticks.Second
	return &engine.Topology{
		Duration: 40 * ticks.Second,
		Calls: []engine.Call{
			{From: "edge", To: "checkout", Policy: p}, {From: "checkout", To: "payments", Policy: p}, {From: "payments", To: "bank", Policy: p},
		},
		Leaves: []engine.Leaf{{Name: "bank", Dependency: world.Dependency{
			P50: 20 * ticks.Millisecond, P99: 100 * ticks.Millisecond,
			Impairments: []world.Impairment{{After: 10 * ticks.Second, Slower: 10, Lasting: 15 * ticks.Second}},
		}}},
		Loads: []engine.Entry{{At: "edge", Load: world.Load{PerSecond: 200, Peers: 1}}},
	}
}

// Allocations do not follow events: twice the attempts of a run that keeps the same number of calls
// may only cost what its slices grow by.
func TestNoAllocationForAnEvent(t *testing.T) {
	if testing.Short() {
		t.Skip("runs a minute of load twice")
	}
	allocations := func(attempts int) (float64, int) {
		top := page()
		top.Duration = ticks.Minute
		top.Calls[0].Policy.Budget.Kind = policy.NoBudget
		top.Calls[0].Policy.Attempts = attempts
		top.Leaves[0].Dependency.Failing = 0.6
		reached := 0
		n := testing.AllocsPerRun(1, func() {
			r, err := engine.Run(context.Background(), top, 42, engine.Options{})
			if err != nil {
				t.Fatal(err)
			}
			reached = r.Calls[0].Measured.Reached
		})
		return n, reached
	}
	once, few := allocations(1)
	thrice, many := allocations(3)
	if many < few*19/10 {
		t.Fatalf("%d and %d attempts: the runs do not differ enough to compare", few, many)
	}
	if extra := thrice - once; extra > 60 {
		t.Errorf("%.0f more allocations for %d more attempts", extra, many-few)
	}
}
