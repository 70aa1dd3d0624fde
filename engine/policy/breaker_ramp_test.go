package policy

import (
	"math"
	"testing"

	"squall/engine/ticks"
	"squall/engine/virtual"
)

// breaker.md 14 F.
func TestCircuitRamp(t *testing.T) {
	cliff := settings(breaks("10s"), noJitter)
	over := settings(cliff, recovers(Recovery(0.25)))
	const up = "T:5 +10s Ok:2 "
	tell(t, []story{
		{"F1", cliff, up + "Closed offer:100=100"},
		{"F2", over, up + "Recovering opened offer:100=5"},
		{"F3", over, up + "offer:200=10 +1.25s offer:200=105 +1.25s Closed offer:200=200"},
		{"F4", over, up + "offer:40:T=1 Open +20s Ok:2 Recovering +2.6s Recovering +2.5s Closed"},
		{"F6", settings(over, slowerThan("1s")), up + "10x{ offer:100:Ok:3s=0..100 +1s } Recovering offer:200:Ok:3s=5..20 5x{ offer:100=0..100 } Closed"},
		{"F7", over, up + "offer:40:T=1 Open +15s Open +5s HalfOpen"},
		{"F8", over, up + "offer:40:T=1 +20s Ok:2 +5s offer:200=200 Closed T:5 +10s HalfOpen"},
		{"F9", over, up + "reset Closed offer:100=100"},
		{"F10", over, up + "isolate offer:100=0 reset " + up + "offer:100=5"},
		{"F11", over, "T:5 +10s enter>half-opened rec:Ok>none enter>none rec:Ok>closed Recovering +5s enter>none Closed"},
		{"F12", settings(over, consecutive(1), probes(1, 1)), "T:1 +10s Ok:1 Recovering"},
		{"X13", over, up + "5x{ offer:19=0 offer:1=1 }"},
	})
}

func TestCircuitWithoutBreakServed(t *testing.T) { // X20
	s := Breaker()
	s.BreakJitter, s.Recovery = FullJitter, ptr(Recovery(0.25))
	teller{t: t, circuit: NewCircuit(s, 0), draw: func() float64 { return 0 }}.tell([]string{"T:5", "HalfOpen", "hint=0s", "Ok:2", "Closed", "unopened"})
}

func TestRampLength(t *testing.T) { // F5
	r := Recovery(0.25)
	r.MinimumLength, r.MaximumLength = 2*ticks.Second, 20*ticks.Second
	for _, tt := range []struct{ served, want ticks.Ticks }{
		{ticks.Second, 2 * ticks.Second},
		{40 * ticks.Second, 10 * ticks.Second},
		{2 * ticks.Minute, 20 * ticks.Second},
		{100_000_003, 25_000_000},
		{ticks.Max, 20 * ticks.Second},
	} {
		if got := r.length(tt.served); got != tt.want {
			t.Errorf("a break of %d gives a ramp of %d, want %d", tt.served, got, tt.want)
		}
	}
	if got := (&RecoverySettings{Length: math.NaN(), MaximumLength: 7}).length(1); got != 7 {
		t.Errorf("a length that is not a number gives a ramp of %d", got)
	}
}

func TestRampPace(t *testing.T) { // X14
	r := ramp{first: 0.05, cap: 1, length: 25 * ticks.Second / 10}
	const now = 125 * ticks.Second / 100
	if got := r.admission(now); got != 0.525 {
		t.Errorf("half way the ramp admits %v", got)
	}
	for i, tt := range []struct {
		slow bool
		want float64
	}{{true, 0.2625}, {false, 0.2625}, {false, 0.3125}, {false, 0.3125}, {true, 0.15625}} {
		if r.pace(now, tt.slow, 2); r.cap != tt.want {
			t.Errorf("step %d: cap %v, want %v", i, r.cap, tt.want)
		}
	}
	if got := (&ramp{cap: 1}).admission(0); got != 1 {
		t.Errorf("a ramp without length admits %v", got)
	}
}

func TestRampEndsAtOne(t *testing.T) { // 9
	for i := 1; i < 1000; i++ {
		r := ramp{first: float64(i) / 1000, cap: 1, start: 123, length: 25_000_001}
		if got := r.admission(123 + 25_000_001); got != 1 {
			t.Errorf("from %v the clock ends at %v", r.first, got)
		}
	}
}

// A dependency that has to warm up again is brought down by a cliff and served by a ramp.
func TestCircuitWarming(t *testing.T) { // F13
	for _, tt := range []struct {
		recovery *RecoverySettings
		want     int
	}{{nil, 3002}, {ptr(Recovery(0.25)), 8250}} {
		s := Breaker()
		s.BreakDuration, s.BreakJitter, s.Recovery = 5*ticks.Second, NoJitter, tt.recovery
		if got := warm(NewCircuit(s, 0)); got != tt.want {
			t.Errorf("recovery %v: %d served, want %d", tt.recovery, got, tt.want)
		}
	}
}

func warm(c Circuit) (served int) {
	const step = 100 * ticks.Millisecond
	jitter := virtual.NewJitter(1)
	now := ticks.Ticks(0)
	offer := func(outcome func() (Kind, ticks.Ticks)) {
		if admitted, _, _ := c.TryEnter(now); admitted {
			k, d := outcome()
			c.Record(now, k, d, jitter.Next)
		}
	}
	for range 30 {
		for range 2 {
			offer(func() (Kind, ticks.Ticks) { return Ok, 10 * ticks.Millisecond })
		}
		now += step
	}
	capacity := 20.0
	for i := range 600 {
		outage := i >= 100 && i < 150
		if outage {
			capacity = 0
		} else if i == 150 {
			capacity = 1
		}
		room, admitted := int(capacity), 0
		most := max(capacity, 1)
		cold := math.RoundToEven(100_000 * (20 / most))
		for range 20 {
			offer(func() (Kind, ticks.Ticks) {
				admitted++
				n := float64(admitted)
				switch {
				case n <= most:
					if i >= 150 {
						served++
					}
					return Ok, ticks.Ticks(cold)
				case n <= 3*most:
					if i >= 150 {
						served++
					}
					return Ok, ticks.Ticks(math.RoundToEven(cold * (n / most)))
				}
				return Transient, 10 * ticks.Millisecond
			})
		}
		switch {
		case outage:
		case admitted > 2*max(room, 1):
			capacity = max(1, capacity-1)
		case admitted == 0:
			capacity = min(20, capacity+0.05)
		default:
			capacity = min(20, capacity+0.2)
		}
		now += step
	}
	return served
}
