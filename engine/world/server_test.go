package world

import (
	"math"
	"testing"

	"squall/engine/ticks"

	"pgregory.net/rapid"
)

// TestServe is simulator.md 6: what one attempt meets.
func TestServe(t *testing.T) {
	flat := Dependency{P50: 20 * ms, P99: 20 * ms}
	wide := Dependency{P50: 20 * ms, P99: 200 * ms}
	troubled := flat.Brownout(second, 2, 2*second).Brownout(2*second, 10, 2*second).Outage(5*second, second)
	busy := flat.WithCapacity(4)
	for _, c := range []struct {
		name    string
		of      Dependency
		at      ticks.Ticks
		offered int64
		u, roll float64
		latency ticks.Ticks
		fails   bool
	}{
		{"the median", wide, 0, 1, 0.5, 1, 20 * ms, false},
		{"the 99th percentile, a tick short: 0.99 / (1 - 0.99) is a little below 99", wide, 0, 1, 0.99, 1, 1999999, false},
		{"the first percentile lies as far below", wide, 0, 1, 0.01, 1, 20000, false},
		{"a draw of 0 takes no time", wide, 0, 1, 0, 1, 0, false},
		{"a draw of 0 of a flat one", flat, 0, 1, 0, 1, 20 * ms, false},
		{"the tail ends at 0.9999", wide, 0, 1, 0.99999999, 1, NewServer(&wide).mustServe(0.9999), false},
		{"a failure comes after the latency", flat.WithFailing(0.25), 0, 1, 0.5, 0.2499999, 20 * ms, true},
		{"the share itself does not fail", flat.WithFailing(0.25), 0, 1, 0.5, 0.25, 20 * ms, false},
		{"before the brownout", troubled, second - 1, 1, 0.5, 1, 20 * ms, false},
		{"its first tick", troubled, second, 1, 0.5, 1, 40 * ms, false},
		{"brownouts multiply", troubled, 2 * second, 1, 0.5, 1, 400 * ms, false},
		{"the first is over", troubled, 3 * second, 1, 0.5, 1, 200 * ms, false},
		{"the second is over", troubled, 4 * second, 1, 0.5, 1, 20 * ms, false},
		{"an outage", troubled, 5 * second, 1, 0.5, 1, 0, true},
		{"the outage is over", troubled, 6 * second, 1, 0.5, 1, 20 * ms, false},
		{"at its capacity", busy, 0, 4, 0.5, 1, 20 * ms, false},
		{"above it", busy, 0, 5, 0.5, 1, 25 * ms, false},
		{"at three times", busy, 0, 12, 0.5, 1, 60 * ms, false},
		{"above three times", busy, 0, 13, 0.5, 1, 0, true},
		{"nothing goes beyond the end of time", flat.Brownout(0, math.MaxFloat64, second), 0, 1, 0.5, 1, 9223372036854774784, false},
	} {
		s := NewServer(&c.of)
		if latency, fails := s.Serve(c.at, c.offered, c.u, c.roll); latency != c.latency || fails != c.fails {
			t.Errorf("%s: %v, %v, want %v, %v", c.name, latency, fails, c.latency, c.fails)
		}
	}
	both := flat.Brownout(0, 2, second).Outage(0, second)
	if latency, fails := NewServer(&both).Serve(0, 1, 0.5, 1); latency != 0 || !fails {
		t.Error("an outage does not win over a brownout")
	}
}

// mustServe is the latency of a draw while nothing is wrong.
func (s *Server) mustServe(u float64) ticks.Ticks {
	latency, _ := s.Serve(0, 1, u, 1)
	return latency
}

// TestLatencyRises: a higher draw never takes less.
func TestLatencyRises(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p50 := ticks.Ticks(rapid.Int64Range(1, int64(ticks.Minute)).Draw(t, "p50"))
		d := Dependency{P50: p50, P99: p50 + ticks.Ticks(rapid.Int64Range(0, int64(ticks.Hour)).Draw(t, "more"))}
		s := NewServer(&d)
		a, b := rapid.Float64Range(0, 0.999999).Draw(t, "a"), rapid.Float64Range(0, 0.999999).Draw(t, "b")
		if low, high := s.mustServe(min(a, b)), s.mustServe(max(a, b)); low > high || low < 0 {
			t.Fatalf("%v takes %v, %v takes %v", min(a, b), low, max(a, b), high)
		}
	})
}

func TestImpairedUntil(t *testing.T) {
	d := Dependency{P50: 1, P99: 1}
	if _, ok := NewServer(&d).ImpairedUntil(); ok {
		t.Error("impaired by nothing")
	}
	d = d.Outage(second, 5*second).Brownout(2*second, 2, second)
	if at, ok := NewServer(&d).ImpairedUntil(); !ok || at != 6*second {
		t.Errorf("impaired until %v, want the latest end", at)
	}
}

// TestArrivals is simulator.md 5: gaps up to twice the mean, and levels in the order of the shares.
func TestArrivals(t *testing.T) {
	l := Load{PerSecond: 500, Peers: 1, Sheddable: 0.25, SheddablePlus: 0.25, CriticalPlus: 0.125}
	a := NewArrivals(&l)
	for draw, want := range map[float64]ticks.Ticks{0: 0, 0.5: 2 * ms, 0.25: ms, 0.999999: 39999} {
		if got := a.Gap(draw); got != want {
			t.Errorf("a draw of %v is a gap of %d ticks, want %d", draw, got, want)
		}
	}
	for draw, want := range map[float64]string{0: "Sheddable", 0.2499: "Sheddable", 0.25: "SheddablePlus", 0.4999: "SheddablePlus", 0.5: "Critical", 0.8749: "Critical", 0.875: "CriticalPlus", 0.9999: "CriticalPlus"} {
		if got := a.Level(draw).String(); got != want {
			t.Errorf("a draw of %v is %s, want %s", draw, got, want)
		}
	}
	if !a.Mixed() || l.CriticalShare() != 0.375 {
		t.Errorf("mixed %v, %v critical", a.Mixed(), l.CriticalShare())
	}
	plain := Load{PerSecond: 3, Peers: 1}
	if b := NewArrivals(&plain); b.Mixed() || b.Gap(0.5) != 3333333 {
		t.Errorf("a mean gap of %d ticks, want a third of a second", b.Gap(0.5))
	}
}
