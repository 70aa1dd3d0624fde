package policy

import (
	"testing"

	"squall/engine/ticks"
	"squall/engine/virtual"
)

// breaker.md 14 A.
func TestCircuitTrips(t *testing.T) {
	ratio := settings(consecutive(100), failureRatio(0.5), minimumCalls(4))
	tell(t, []story{
		{"A1", nil, "T:4 Closed T:1 Open refused opened"},
		{"A2", nil, "T:4 Ok:1 T:4 Closed"},
		{"A3", nil, "Throttled:50 Closed"},
		{"A4", nil, "Permanent:50 Closed"},
		{"A5", ratio, "Ok:2 T:1 Closed T:1 Open"},
		{"A6", settings(ratio, minimumCalls(20)), "T:3 Closed"},
		{"A7", settings(slowerThan("1s"), minimumCalls(4)), "Ok:2:10ms Ok:1:5s Closed Ok:1:5s Open"},
		{"A8", ratio, "T:3 +31s Ok:4 Closed"},
		{"X2", ratio, "T:3 Ok:1 Closed T:1 Open"},
		{"X3", settings(ratio, slowerThan("1s"), func(s *BreakerSettings) { s.SlowCallRatio = 1 }), "T:3 Closed Ok:1:1s Open"},
		{"X4", settings(slowerThan("1s"), minimumCalls(1)), "Ok:1:9999999t Closed Ok:1:1s Open"},
		{"X24 in the window", settings(failureRatio(1), minimumCalls(4)), "+29999999t T:3 +27s Closed T:1 Open"},
		{"X24 outside", settings(failureRatio(1), minimumCalls(4)), "+29999999t T:3 +270000001t T:1 Closed"},
	})
}

// breaker.md 14 B.
func TestCircuitBreaks(t *testing.T) {
	nj := func(d string) func(*BreakerSettings) { return settings(breaks(d), noJitter) }
	tell(t, []story{
		{"B1", nj("15s"), "T:5 +14s Open +1s HalfOpen HalfOpen enter"},
		{"B2", breaks("1s"), "T:5 +1s enter refused"},
		{"B3", breaks("1s"), "T:5 +1s Ok:1 HalfOpen Ok:1 Closed unopened"},
		{"B4", settings(breaks("1s"), slowerThan("1s")), "T:5 +1s enter rec:Ok:30s>opened Open"},
		{"B5", settings(nj("10s"), breaksAtMost("2m")), "T:5 +10s enter rec:T +10s Open +10s HalfOpen"},
		{"B6", settings(nj("10s"), breaksAtMost("20s")), "T:5 5x{ +20s enter rec:T } +20s HalfOpen"},
		{"B7", nj("10s"), "T:5 +10s enter rec:T +20s Ok:2 Closed T:5 +10s HalfOpen"},
		{"B9", nj("15s"), "T:5 hint=15s +14s Open +1s HalfOpen hint=0s"},
		{"B10", settings(consecutive(1), breaks("10s"), breaksAtMost("20s")), "T:1 +10s enter rec:T hint=10s..20s"},
		{"B11", nil, "isolate +24h Isolated refused opened hint=none"},
		{"B12", nil, "isolate reset Closed unopened enter"},
		{"X1", nj("10s"), "enter enter T:5 Open +5s rec:T>none Open +5s enter>half-opened refused rec:Ok>none HalfOpen enter>none rec:Ok>closed Closed"},
		{"X5", noJitter, "T:5 hint=15s +15s enter rec:T hint=30s +30s enter rec:T hint=60s +60s enter rec:T hint=2m +2m enter rec:T hint=2m"},
		{"X6", settings(nj("10s"), probes(2, 2)), "T:5 +10s enter>half-opened enter>none refused rec:T>opened rec:Ok>none hint=20s"},
		{"X7", nj("10s"), "T:5 +10s Throttled:3 HalfOpen Permanent:3 HalfOpen Ok:2 Closed"},
		{"X12", nj("10s"), "T:5 release Open +10s enter refused release release enter refused"},
		{"X21", consecutive(1), "enter enter isolate rec:T>none Isolated reset Closed rec:T>opened Open"},
		{"X22", settings(nj("10s"), probes(1, 3)), "T:5 +10s Ok:2 enter release HalfOpen Ok:1 Closed"},
	})
}

func TestCircuitJittersBreaks(t *testing.T) { // B8
	jitter := virtual.NewJitter(1)
	seen := map[ticks.Ticks]bool{}
	for range 50 {
		c := NewCircuit(Breaker(), 0)
		for range 5 {
			c.Record(0, Transient, 0, jitter.Next)
		}
		hint, ok := c.RetryAfter(0)
		if !ok || hint < 75*ticks.Second/10 || hint > 15*ticks.Second {
			t.Fatalf("hint %d, %v", hint, ok)
		}
		seen[hint] = true
	}
	if len(seen) <= 25 {
		t.Errorf("%d distinct breaks of 50", len(seen))
	}
}

func TestCircuitBreakLengths(t *testing.T) { // X10
	tests := []struct {
		seed    int32
		draw    float64 // times 2^24
		equal15 ticks.Ticks
		equal30 ticks.Ticks
		equal2m ticks.Ticks
		full15  ticks.Ticks
	}{
		{0, 4337308, 94389277, 188778555, 755114221, 38778555},
		{1, 3625646, 91207900, 182415801, 729663205, 32415801},
		{7, 2587350, 86566355, 173132711, 692530846, 23132711},
		{13, 12317335, 130062778, 260125556, 1040502226, 110125556},
		{42, 12457255, 130688269, 261376538, 1045506155, 111376538},
	}
	for _, tt := range tests {
		jitter := virtual.NewJitter(tt.seed)
		if r := jitter.Next(); r != tt.draw/(1<<24) {
			t.Errorf("seed %d draws %v", tt.seed, r*(1<<24))
		}
		for _, c := range []struct {
			length ticks.Ticks
			jitter Jitter
			want   ticks.Ticks
		}{
			{15 * ticks.Second, EqualJitter, tt.equal15},
			{30 * ticks.Second, EqualJitter, tt.equal30},
			{2 * ticks.Minute, EqualJitter, tt.equal2m},
			{15 * ticks.Second, FullJitter, tt.full15},
		} {
			s := Breaker()
			s.ConsecutiveFailures, s.BreakDuration, s.BreakJitter = 1, c.length, c.jitter
			b := NewCircuit(s, 0)
			b.Record(0, Transient, 0, func() float64 { return tt.draw / (1 << 24) })
			if got, _ := b.RetryAfter(0); got != c.want {
				t.Errorf("seed %d, jitter %d: a break of %d is %d, want %d", tt.seed, c.jitter, c.length, got, c.want)
			}
		}
	}
}

func TestCircuitBreaksNeverShrink(t *testing.T) { // X26
	for _, ms := range []ticks.Ticks{1, 10, 100, 250, 500, 1000, 2000, 5000, 10_000, 15_000, 20_000, 30_000, 45_000, 60_000, 120_000} {
		s := Breaker()
		s.ConsecutiveFailures, s.BreakDuration, s.BreakJitter = 1, ms*ticks.Millisecond, NoJitter
		c := NewCircuit(s, 0)
		c.Record(0, Transient, 0, nil)
		now, last := ticks.Ticks(0), ticks.Ticks(0)
		for i := range 43 {
			hint, ok := c.RetryAfter(now)
			if !ok || hint < last || hint <= 0 {
				t.Fatalf("%d ms: break %d lasts %d after %d", ms, i, hint, last)
			}
			last = hint
			now += hint
			if admitted, _, _ := c.TryEnter(now); !admitted {
				t.Fatalf("%d ms: probe %d is refused", ms, i)
			}
			c.Record(now, Transient, 0, nil)
		}
	}
}

func TestCircuitDrawsOnlyForBreaks(t *testing.T) {
	s := Breaker()
	s.Recovery = ptr(Recovery(0.25))
	draws := 0
	draw := func() float64 { draws++; return 0.5 }
	c := NewCircuit(s, 0)
	for range 5 {
		c.TryEnter(0)
		c.Record(0, Transient, 0, draw)
	}
	if draws != 1 {
		t.Fatalf("the trip drew %d numbers", draws)
	}
	now := 15 * ticks.Second
	for range 2 {
		c.TryEnter(now)
		c.Record(now, Ok, 0, draw)
	}
	for range 100 {
		if admitted, _, _ := c.TryEnter(now); admitted {
			c.Record(now, Ok, 0, draw)
		}
	}
	if draws != 1 || c.Stored() != CircuitRecovering || c.Stored() == CircuitClosed {
		t.Errorf("%d draws, %v", draws, c.Stored())
	}
}

func ptr[T any](v T) *T { return &v }

func BenchmarkCircuit(b *testing.B) {
	c := NewCircuit(Breaker(), 0)
	now := ticks.Ticks(0)
	for i := range b.N {
		now += 20_000
		c.TryEnter(now)
		c.Record(now, Ok, 200_000+ticks.Ticks(i&0xffff), nil)
	}
}
