package policy

import (
	"testing"

	"squall/engine/ticks"
)

// FuzzCircuit steps a breaker of any settings through anything, and looks after every step
// whether what must always hold does. The first bytes choose the settings, the others the steps.
func FuzzCircuit(f *testing.F) {
	f.Add([]byte("\x05\x00\x03\x01\x00\x02\x01 TTTTT"))
	f.Add([]byte("\x01\x40\x00\x02\x05\x01\x03\x10\x81\x92\xa3\xb4\xc5\xd6\xe7\xf8"))
	f.Add([]byte{2, 255, 1, 1, 1, 1, 1, 0x21, 0x21, 0xf5, 0x10, 0x20, 0xf6, 0x10, 0x20, 0x30, 0x41, 0x52})
	f.Fuzz(func(t *testing.T, data []byte) {
		at := 0
		next := func() int {
			if at >= len(data) {
				return 0
			}
			at++
			return int(data[at-1])
		}
		s := fuzzedBreaker(next)
		c := NewCircuit(s, 0)
		most := max(s.HalfOpenProbes, 1) // the probe that ends a break is not refused
		now := ticks.Ticks(0)
		for at < len(data) {
			step := next()
			before := c.Stored()
			switch step >> 4 & 7 {
			case 0, 1:
				admitted, tr, probe := c.TryEnter(now)
				if probe && (!admitted || c.Stored() != CircuitHalfOpen) || tr == HalfOpened && before != CircuitOpen {
					t.Fatalf("admitted %v, %v, probe %v in %v", admitted, tr, probe, c.Stored())
				}
			case 2, 3, 4:
				draw := func() float64 { return float64(step) / 256 }
				tr := c.Record(now, Kind(step&3), ticks.Ticks(next())<<(step&15), draw)
				if tr == Opened != (c.Stored() == CircuitOpen && before != CircuitOpen) {
					t.Fatalf("%v from %v to %v", tr, before, c.Stored())
				}
			case 5:
				now += ticks.Ticks(1+step&15) << (next() & 31)
			case 6:
				c.ReleaseProbe()
			case 7:
				if step&1 == 0 {
					c.Isolate(now)
				} else {
					c.Reset()
				}
			}
			checkCircuit(t, &c, now, most)
		}
	})
}

func fuzzedBreaker(next func() int) BreakerSettings {
	s := Breaker()
	s.ConsecutiveFailures = next() % 8
	if share := next(); share > 0 {
		s.FailureRatio, s.HasFailureRatio = float64(share)/255, true
	}
	s.HalfOpenProbes, s.ProbeSuccesses = next()%4, next()%4
	s.BreakJitter = Jitter(next() % 4)
	if length := next(); length > 0 {
		s.Recovery = ptr(Recovery(float64(length) / 64))
		s.Recovery.MinimumLength = ticks.Ticks(length)
	}
	shape := next()
	s.MinimumCalls = shape & 15
	s.TripWindow = ticks.Ticks(shape&1) << (shape & 31)
	if shape&64 != 0 {
		s.SlowCallThreshold, s.HasSlowCallThreshold = ticks.Ticks(shape), true
	}
	s.BreakDuration = ticks.Second << (shape & 48)
	return s
}

func checkCircuit(t *testing.T, c *Circuit, now ticks.Ticks, most int) {
	t.Helper()
	if c.probes < 0 || c.probes > most || c.probes > 0 && c.state != CircuitHalfOpen {
		t.Fatalf("%d probes of %d in flight in %v", c.probes, most, c.state)
	}
	if c.probeSuccesses > 0 && c.state != CircuitHalfOpen {
		t.Fatalf("%d probe successes in %v", c.probeSuccesses, c.state)
	}
	if r := &c.ramp; r.credit < 0 || r.credit >= 1 || r.cap < 0 || r.cap > 1 || *r != (ramp{}) && c.state != CircuitRecovering {
		t.Fatalf("ramp %+v in %v", *r, c.state)
	}
	if c.opens < 0 || c.opens > growthMax || c.served < 0 {
		t.Fatalf("%d breaks in a row, the last of %d", c.opens, c.served)
	}
	for _, s := range []*slots{&c.evidence.recent, &c.evidence.rate} {
		var sum tally
		for _, slot := range s.slot {
			if slot.failures > slot.calls || slot.slow > slot.calls || slot.failures+slot.slow < 0 {
				t.Fatalf("slot %+v", slot)
			}
			sum.calls += slot.calls
			sum.failures += slot.failures
			sum.slow += slot.slow
		}
		if sum != s.sum {
			t.Fatalf("sum %+v of %+v", s.sum, s.slot)
		}
	}
	before := *c
	state := c.State(now)
	if _, ok := c.RetryAfter(now); ok != (c.state == CircuitOpen) {
		t.Fatalf("a hint in %v", c.state)
	}
	c.OpenedAt()
	c.Elevated(0.5)
	if rate, ok := c.NormalFailureRate(); ok && !(rate >= 0 && rate <= 1) {
		t.Fatalf("normal failure rate %v", rate)
	}
	if *c != before {
		t.Fatal("looking changed the breaker")
	}
	// What the state says is what the next call meets.
	admitted, _, _ := before.TryEnter(now)
	if state == CircuitClosed && !admitted || state == CircuitIsolated && admitted || state == CircuitOpen && admitted {
		t.Fatalf("%v, but admitted %v", state, admitted)
	}
}
