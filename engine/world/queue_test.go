package world

import (
	"testing"

	"squall/engine/policy"
	"squall/engine/ticks"
)

const second = ticks.Second

var wellPool = Pool{Healthy: 80 * ticks.Microsecond}

// TestDelay is the edges of a stall: in from its start, out at its end, the longest of those that
// overlap (simulator.md 7.1).
func TestDelay(t *testing.T) {
	p := wellPool.Stall(second, 10*ms, 2*second).Stall(2*second, 50*ms, 2*second).Stall(3*second, ms, 10*second)
	q := NewWaitQueue(&p)
	for _, c := range []struct{ at, want ticks.Ticks }{
		{0, 80 * ticks.Microsecond}, {second - 1, 80 * ticks.Microsecond}, {second, 10 * ms}, {2*second - 1, 10 * ms},
		{2 * second, 50 * ms}, {4*second - 1, 50 * ms}, {4 * second, ms}, {13*second - 1, ms}, {13 * second, 80 * ticks.Microsecond},
	} {
		if got := q.Delay(c.at); got != c.want {
			t.Errorf("at %v: %v, want %v", c.at, got, c.want)
		}
	}
}

// TestReading is simulator.md 17.5, P5 and Z5 to Z7.
func TestReading(t *testing.T) {
	const us = ticks.Microsecond
	known := func(delay, normal ticks.Ticks) policy.QueueReading {
		return policy.QueueReading{Delay: delay, Normal: normal, Known: true}
	}
	cold := func(delay ticks.Ticks) policy.QueueReading { return policy.QueueReading{Delay: delay} }
	long := wellPool.Stall(10*second, 400*ms, 50*second)
	brief := wellPool.Stall(10*second+100*ms, 400*ms, second)
	for _, c := range []struct {
		id      string
		pool    Pool
		at      ticks.Ticks
		samples int
		want    policy.QueueReading
	}{
		{"P5", long, 15 * second, 20, known(400*ms, 80*us)},
		{"P5", long, 45 * second, 20, known(400*ms, 400*ms)},
		{"Z5", wellPool, 0, 20, cold(80 * us)},
		{"Z5", wellPool, 5*second - 1, 20, cold(80 * us)},
		{"Z5", wellPool, 5 * second, 20, known(80*us, 80*us)},
		{"Z6", brief, 10*second + 249*ms, 20, known(80*us, 80*us)},
		{"Z6", brief, 10*second + 250*ms, 20, known(400*ms, 80*us)},
		{"Z6", brief, 11*second + 200*ms, 20, known(400*ms, 80*us)},
		{"Z6", brief, 11*second + 250*ms, 20, known(80*us, 80*us)},
		{"Z7", wellPool, 59 * second, 240, cold(80 * us)},
		{"Z7", wellPool, 60 * second, 240, known(80*us, 80*us)},
		{"Z7", wellPool, ticks.Hour, 241, cold(80 * us)},
		// exactly half of the window: the lower median is still the healthy delay; one step on it is not
		{"half", long, 20 * second, 20, known(400*ms, 80*us)},
		{"more than half", long, 20*second + 250*ms, 20, known(400*ms, 400*ms)},
		{"less than half again", long, 91 * second, 20, known(80*us, 80*us)},
	} {
		q := NewWaitQueue(&c.pool)
		if got := q.Reading(c.at, c.samples); got != c.want {
			t.Errorf("%s at %v: %+v, want %+v", c.id, c.at, got, c.want)
		}
	}
}
