package world

import (
	"testing"

	"squall/engine/ticks"
)

const ms = ticks.Millisecond

// adaptive is a gate with the given settings beside the defaults, and its clock.
type adaptive struct {
	*Gate
	now ticks.Ticks
}

func newAdaptive(change func(*Adaptive)) *adaptive {
	a := DefaultAdaptive()
	if change != nil {
		change(&a)
	}
	return &adaptive{Gate: NewGate(&Limiter{Adaptive: &a}, 0)}
}

// together lets n calls through at once, all of the same duration, and returns the limits that the
// gate moved to.
func (g *adaptive) together(t *testing.T, n int, takes ticks.Ticks) (moves []int) {
	t.Helper()
	began := g.now
	for range n {
		if !g.Acquire() {
			t.Fatalf("refused at %d of %d permits", g.Held(), g.Limit())
		}
	}
	g.now += takes
	for range n {
		if g.Release(g.now, began) {
			moves = append(moves, g.Limit())
		}
	}
	return moves
}

// TestAdaptive is simulator.md 17.4, A: rounds of 20 calls or as many as the limit, each judged by
// its fastest call.
func TestAdaptive(t *testing.T) {
	type step struct{ times, at, takes int } // takes in ms
	for _, c := range []struct {
		id     string
		change func(*Adaptive)
		steps  []step
		limit  int
		known  bool // the baseline
	}{
		{"A1", nil, []step{{19, 1, 100}}, 20, false},
		{"A2", nil, []step{{20, 1, 10}, {80, 1, 100}}, 13, true},
		{"A4", nil, []step{{20, 1, 10}, {1, 1, 100}, {19, 1, 10}, {1, 1, 100}, {19, 1, 10}, {1, 1, 100}, {19, 1, 10}, {1, 1, 100}, {19, 1, 10}, {1, 1, 100}, {19, 1, 10}}, 20, true},
		{"A5", nil, []step{{20, 1, 10}, {2, 16, 10}}, 21, true},
		{"A6", nil, []step{{20, 1, 10}, {20, 2, 10}}, 20, true},
		{"A7", func(a *Adaptive) { a.Initial = 8 }, []step{{20, 1, 10}, {400, 1, 100}}, 4, true},
		{"A8", func(a *Adaptive) { a.Initial, a.Maximum = 5, 6 }, []step{{20, 1, 10}, {20, 5, 10}, {20, 6, 10}}, 6, true},
	} {
		g := newAdaptive(c.change)
		for _, s := range c.steps {
			for range s.times {
				g.together(t, min(s.at, g.Limit()), ticks.Ticks(s.takes)*ms)
			}
		}
		if g.Limit() != c.limit {
			t.Errorf("%s: the limit is %d, want %d", c.id, g.Limit(), c.limit)
		}
		if _, known := g.baseline.Threshold(g.now, 20); known != c.known {
			t.Errorf("%s: the baseline is known: %v", c.id, known)
		}
		if g.Held() != 0 {
			t.Errorf("%s: %d permits are out", c.id, g.Held())
		}
	}
	g := newAdaptive(nil)
	var moves []int
	for range 20 {
		moves = append(moves, g.together(t, 1, 10*ms)...)
	}
	for range 40 {
		moves = append(moves, g.together(t, 1, 100*ms)...)
	}
	if len(moves) != 2 || moves[0] != 18 || moves[1] != 16 {
		t.Errorf("A3: the limit moved to %v, want 18, 16", moves)
	}
	g = newAdaptive(nil)
	for range 20 {
		g.together(t, 1, 10*ms)
	}
	for range 80 {
		g.together(t, 1, 100*ms)
	}
	if g.limit < 13.12195 || g.limit > 13.12205 {
		t.Errorf("A2: the limit is %v, want 13.1220", g.limit)
	}
}

// TestAdaptiveFollows is A9: a dependency that serves ten, then five, at once.
func TestAdaptiveFollows(t *testing.T) {
	g := newAdaptive(func(a *Adaptive) { a.Initial = 200 })
	for range 20 {
		g.together(t, 1, 10*ms)
	}
	rounds := func(capacity int) int {
		for range 40 {
			n := g.Limit()
			slower := max(1, float64(n)/float64(capacity))
			g.together(t, n, ticks.FromFloat(float64(slower*float64(10*ms))))
		}
		return g.Limit()
	}
	ten, five := rounds(10), rounds(5)
	if ten != 20 || five != 11 {
		t.Errorf("A9: limits %d and %d, want 20 and 11", ten, five)
	}
}

// TestPermitGivenBack is A11: a permit that was taken and given back at once is a sample of length
// 0, in the round and in the baseline.
func TestPermitGivenBack(t *testing.T) {
	g := newAdaptive(nil)
	for range 20 {
		g.together(t, 1, 10*ms)
	}
	g.together(t, 1, 0)
	for range 19 {
		g.together(t, 1, 100*ms)
	}
	if g.Limit() != 20 {
		t.Errorf("the fastest of the round was 0, and yet the limit went to %d", g.Limit())
	}
	for range 3 {
		g.together(t, 1, 0)
	}
	if b, _ := g.baseline.Threshold(g.now+6*ticks.Minute, 20); b >= 10*ms {
		t.Errorf("the baseline is %v", b)
	}
}

func TestConcurrency(t *testing.T) {
	g := NewGate(&Limiter{Concurrency: 2}, 0)
	for i, want := range []bool{true, true, false} {
		if got := g.Acquire(); got != want {
			t.Errorf("permit %d: %v", i+1, got)
		}
	}
	if g.Release(5, 0) || !g.Acquire() || g.Limit() != 2 || g.Held() != 2 {
		t.Errorf("%d of %d permits are out", g.Held(), g.Limit())
	}
}
