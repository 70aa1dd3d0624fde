package engine_test

import (
	"strings"
	"testing"

	"squall/engine"
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/world"
)

// TestChecksOfLimiters is simulator.md 17.4, L. L9 and L10 have nothing to refuse: a limiter here is
// a number of permits or an adaptive one, so none refills by a clock or queues (scenario.md 4).
func TestChecksOfLimiters(t *testing.T) {
	run := engine.Simulate(retrying(50 * ms)).Against(engine.Healthy(50*ms, 300*ms)).Under(engine.Constant(400)).For(20 * second)
	slow := run.Against(engine.Healthy(50*ms, 300*ms).Brownout(5*second, 8, 10*second))
	breaker := policy.Breaker()
	breaker.ConsecutiveFailures = 5
	broken := engine.Simulate(changed(retrying(50*ms), func(p *policy.Settings) { p.Breaker = &breaker })).
		Against(engine.Healthy(50*ms, 300*ms)).Under(engine.Constant(400)).For(20 * second)
	adaptive := world.DefaultAdaptive()
	for _, c := range []struct {
		id   string
		run  engine.Simulation
		want string
	}{
		{"L1", run, "refused 0"},
		{"L2, U6", run.WithLimiter(concurrency(40)), "refused 0"},
		{"L3, U6", slow.WithLimiter(concurrency(40)), "refused > 0; refused 9350; reached 6723; Amp 1.5063"},
		{"L4", slow, "reached > 6723; Amp >= 1.5063; reached 14768; Amp 2.7388"},
		{"L5, U7", run.WithLimiter(concurrency(5)), "refused > 0; LM < 1; refused 20493; LM 0.2197"},
		{"L6", run.WithLimiter(world.Limiter{Adaptive: &adaptive}).For(30 * second), "availability > 0.99; limit 52; refused 55; availability 1.0"},
		{"L12", broken.WithLimiter(concurrency(5)), "refused > 0; opens 0; RejectedByBreaker 0; refused 20493; succeeded 1764"},
	} {
		holds(t, c.id, single(t, c.run, 7), c.want)
	}
	const line = "LimiterRefusals"
	if text := simulate(t, run, 7).Text(); strings.Contains(text, line) {
		t.Errorf("L1: got\n%s", text)
	}
	if text := simulate(t, run.WithLimiter(concurrency(5)), 7).Text(); !strings.Contains(text, "  LimiterRefusals  20493\n") {
		t.Errorf("L5: got\n%s", text)
	}
	twenty := run.WithLimiter(concurrency(20))
	if a, b := simulate(t, twenty, 7), simulate(t, twenty, 7); jsonOf(a) != jsonOf(b) {
		t.Error("L7: two runs differ")
	}
	band := simulateAll(t, run.WithLimiter(world.Limiter{Adaptive: &adaptive}), 1, 2, 3)
	for i, r := range band.Reports {
		if lone := simulate(t, run.WithLimiter(world.Limiter{Adaptive: &adaptive}), int32(i)+1); jsonOf(lone) != jsonOf(r) {
			t.Errorf("L8: the limiter of seed %d is not its own", i+1)
		}
	}
}

// watchful is the policy of simulator.md 17.5.
func watchful() policy.Settings {
	p := policy.Instant()
	p.Deadline = 10 * second
	p.AttemptCeiling, p.Saturation = policy.Give(policy.Ceiling(3)), new(policy.Saturation(5))
	return p
}

var wellPool = world.Pool{Healthy: 80 * ticks.Microsecond}

// TestChecksOfPools is simulator.md 17.5, P. P5 and P11 are elsewhere: the probe's test in package
// world and TestRefusals.
func TestChecksOfPools(t *testing.T) {
	run := engine.Simulate(watchful()).Against(fast).Under(engine.Constant(200)).For(minute)
	stalled := wellPool.Stall(20*second, 400*ms, 10*second)
	blind := changed(watchful(), func(p *policy.Settings) { p.Saturation = nil })
	for _, c := range []struct {
		id   string
		run  engine.Simulation
		want string
	}{
		{"P1", run.WithPool(stalled), "calls > 1000; calls 11947; SaturationDetected 1"},
		{"P2", run.WithPool(wellPool), "SaturationDetected 0"},
		{"P3", run.WithPool(world.Pool{Healthy: 400 * ms}), "SaturationDetected 0"},
		{"P4", run.WithPool(wellPool.Stall(second, 400*ms, 3*second)).For(20 * second), "SaturationDetected 0"},
		{"P6", run.WithPool(wellPool.Stall(10*second, 400*ms, 5*second).Stall(40*second, 400*ms, 5*second)).For(2 * minute), "SaturationDetected 2"},
		{"P7", run.WithPool(world.Pool{Healthy: 200 * ms}), "SaturationDetected 0"},
		{"P8", run, "SaturationDetected 0"},
	} {
		holds(t, c.id, single(t, c.run, 42), c.want)
	}
	deep, well := single(t, run.WithPool(world.Pool{Healthy: 200 * ms}), 42), single(t, run.WithPool(wellPool), 42)
	if d := deep.Latency.P50 - well.Latency.P50; d != 1999211 {
		t.Errorf("P7: the median is %v higher, want 199.9211ms", d)
	}
	off := single(t, engine.Simulate(blind).Against(fast).Under(engine.Constant(200)).WithPool(world.Pool{Healthy: 200 * ms}).For(minute), 42)
	if off.Latency.P50 != deep.Latency.P50 {
		t.Errorf("P9: %v without Saturation, %v with", off.Latency.P50, deep.Latency.P50)
	}
	if a, b := simulate(t, run.WithPool(stalled), 42), simulate(t, run.WithPool(stalled), 42); jsonOf(a) != jsonOf(b) {
		t.Error("P10: two runs differ")
	}
}

// answer steps one call of a live policy that takes so long and succeeds.
func answer(l *policy.Live, now *ticks.Ticks, takes ticks.Ticks, reading policy.QueueReading) {
	var c policy.Call
	l.Begin(&c, *now, policy.Critical, 0)
	*now += takes
	l.Queue = reading
	leg := c.Launch
	l.Ended(&c, &leg, policy.Outcome{}, *now)
}

// TestChecksOfSaturation is simulator.md 17.5, Z1 to Z4, on a policy that is stepped by hand.
func TestChecksOfSaturation(t *testing.T) {
	p := watchful()
	live := func(listen func(policy.Event)) *policy.Live {
		l := policy.NewLive(&p, nil, 0, func() float64 { return 0 })
		l.Listen = listen
		return l
	}
	normal := func(delay, normal ticks.Ticks) policy.QueueReading {
		return policy.QueueReading{Delay: delay, Normal: normal, Known: true}
	}
	const us = ticks.Microsecond
	for _, c := range []struct {
		reading   policy.QueueReading
		saturated bool
	}{
		{normal(50*us, us), false},
		{normal(400*ms, ms), true},
		{normal(30*ms, 25*ms), false},
		{normal(200*ms, 25*ms), true},
		{policy.QueueReading{Delay: 10 * second}, false},
	} {
		l := live(nil)
		now := ticks.Ticks(0)
		answer(l, &now, ms, c.reading)
		if got := l.Counts[policy.EventSaturationDetected] == 1; got != c.saturated {
			t.Errorf("Z1: a queue of %v with a normal of %v: saturated %v", c.reading.Delay, c.reading.Normal, got)
		}
	}
	l := live(nil)
	now := ticks.Ticks(0)
	for range 20 {
		answer(l, &now, 100*ms, policy.QueueReading{})
	}
	for range 20 {
		answer(l, &now, 5*second, normal(400*ms, ms))
	}
	if r := l.Readings(now).Ceiling; !r.Known || r.Value != 3194880 {
		t.Errorf("Z2: the ceiling is %v, want 319.488ms", r)
	}
	var raised []policy.Event
	l = live(func(e policy.Event) {
		if e.Kind == policy.EventSaturationDetected {
			raised = append(raised, e)
		}
	})
	for range 20 {
		answer(l, &now, ms, normal(400*ms, ms))
	}
	if len(raised) != 1 || raised[0].Delay != 400*ms || !raised[0].HasDelay || raised[0].Verdict != policy.Ok || raised[0].Duration != 0 {
		t.Errorf("Z3: %+v", raised)
	}
	answer(l, &now, ms, normal(us, ms))
	answer(l, &now, ms, normal(400*ms, ms))
	if len(raised) != 2 {
		t.Errorf("Z3: starved, healthy, starved raised %d", len(raised))
	}
	if s := policy.Saturation(5); s != (policy.SaturationSettings{Multiple: 5, Floor: 20 * ms, MinimumSamples: 20}) {
		t.Errorf("Z4: %+v", s)
	}
}
