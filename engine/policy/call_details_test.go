package policy_test

import (
	"testing"

	"squall/engine/policy"
	"squall/engine/ticks"
)

// A discarded attempt gives a probe's slot back when it ends, once, and a discarded attempt without
// one gives nothing back (executor.md 13.7).
func TestDiscardedProbe(t *testing.T) {
	b := policy.Breaker()
	b.ConsecutiveFailures, b.HalfOpenProbes, b.BreakJitter = 1, 3, policy.NoJitter
	s := policy.Instant()
	s.Breaker = &b
	l := policy.NewLive(&s, nil, 0, nil)
	l.Circuit.TryEnter(0)
	l.Circuit.Record(0, policy.Transient, 0, nil)
	now := b.BreakDuration
	for range 2 {
		if admitted, _, probe := l.Circuit.TryEnter(now); !admitted || !probe {
			t.Fatal("no probe")
		}
	}
	g := policy.Leg{Discarded: true, Probe: true}
	l.EndedDiscarded(&g)
	if n := l.Circuit.Probes(); n != 1 {
		t.Fatalf("%d probes, want 1", n)
	}
	l.EndedDiscarded(&g)
	l.EndedDiscarded(&policy.Leg{Discarded: true})
	if n := l.Circuit.Probes(); n != 1 {
		t.Errorf("%d probes after attempts that held none, want 1", n)
	}
}

// A call that the bucket refused looks at it once more, at its very end, and a look refills: the
// sums that follow round differently (executor.md 10.4, check D9).
func TestRefusedCallRefillsTheBucket(t *testing.T) {
	for _, hedged := range []bool{false, true} {
		d := newDriver(t.Errorf)
		s := policy.Instant()
		s.Budget = policy.BudgetChoice{Kind: policy.BucketBudget, Bucket: &policy.BudgetSettings{Fraction: 0.1, MinimumPerSecond: 2}}
		if hedged {
			h := policy.Hedge(0.95)
			s.Hedge = &h
		}
		bucket := policy.NewBucket(*s.Budget.Bucket, 0)
		for bucket.TrySpend(0, false) {
		}
		c := d.begin(d.live(&s, &bucket), "", policy.Critical, []callback{{outcome: policy.Outcome{Failure: policy.IOException}}})
		d.run(ticks.Max)
		if c.Stop != policy.StopBudgetExhausted || d.now != 100*ticks.Millisecond {
			t.Fatalf("hedged %v: stop %d at %s", hedged, c.Stop, d.now)
		}
		before := bucket
		hint, _ := bucket.Hint(d.now)
		if bucket != before {
			t.Errorf("hedged %v: the bucket was not refilled when the call ended", hedged)
		}
		if hint != 400*ticks.Millisecond {
			t.Errorf("hedged %v: hint %s, want 400ms", hedged, hint)
		}
	}
}

// The state of a copy counts from its first call, and from time 0 under Wake (executor.md 4): the
// rings of its windows turn at other instants.
func TestAnchor(t *testing.T) {
	for _, c := range []struct {
		wake bool
		want ticks.Ticks
	}{
		{false, 20480}, // all of the samples are in the ring that began with the first call
		{true, 102400}, // the ring turned between the samples, so the slow ones are looked at too
	} {
		d := newDriver(t.Errorf)
		s := policy.Instant()
		h := policy.Hedge(0.5)
		h.Window, h.MinimumSamples, h.MinimumDelay = 4*ticks.Second, 1, 0
		s.Hedge = &h
		l := d.live(&s, nil)
		if c.wake {
			l.Wake(0)
		}
		serve := func(takes ticks.Ticks, n int) {
			for range n {
				d.begin(l, "", policy.Sheddable, []callback{{takes: takes}})
				d.run(d.now + takes)
			}
		}
		d.run(900 * ticks.Millisecond)
		serve(2*ticks.Millisecond, 1)
		l.Readings(d.now) // fixes the answer for the rest of the ring
		serve(10*ticks.Millisecond, 20)
		if r := l.Readings(d.now); r.HedgeThreshold.Value != c.want {
			t.Errorf("wake %v: threshold %s at %s, want %s", c.wake, r.HedgeThreshold.Value, d.now, c.want)
		}
	}
}

// J17: what a hedge is by default. O19: the kinds of events are part of the contract.
func TestContract(t *testing.T) {
	want := policy.HedgeSettings{
		Quantile: 0.95, MaximumConcurrent: 2, MinimumSamples: 20,
		MinimumDelay: 10 * ticks.Millisecond, Window: 30 * ticks.Second, SuppressAt: 0.5,
	}
	if h := policy.Hedge(0.95); h != want {
		t.Errorf("Hedge(0.95) = %+v", h)
	}
	names := map[string]bool{}
	for k := range policy.EventKind(policy.EventKinds) {
		names[k.String()] = true
	}
	if len(names) != 24 {
		t.Errorf("%d kinds of events, want 24", len(names))
	}
	terminal, reasons := 0, map[policy.Stop]bool{}
	for _, c := range columns {
		if c.terminal {
			terminal++
			reasons[c.why] = true
		}
	}
	// Draining, the seventh, is not raised in a run.
	if terminal != policy.Stops-1 || len(reasons) != terminal {
		t.Errorf("%d terminal kinds for %d reasons", terminal, len(reasons))
	}
}

// A Call can be used again as it is: nothing of the call before shows in the next.
func TestCallIsReused(t *testing.T) {
	s := policy.Instant()
	s.Attempts = 2
	s.Backoff.Jitter = policy.NoJitter
	l := policy.NewLive(&s, nil, 0, nil)
	var c policy.Call
	fail := policy.Outcome{Failure: policy.IOException}
	for range 3 {
		if act := l.Begin(&c, 5, policy.Critical, 7); act != policy.Start || c.Launch.Number != 1 || c.Begun() != 5 {
			t.Fatalf("begin: %d, %+v", act, c.Launch)
		}
		if act := l.Ended(&c, &c.Launch, fail, 6); act != policy.Start || c.Launch.Number != 2 {
			t.Fatalf("first attempt: %d, %+v", act, c.Launch)
		}
		if act := l.Ended(&c, &c.Launch, policy.Outcome{}, 7); act != policy.Done || c.Stop != policy.StopSucceeded || c.Surfaced != policy.NoFailure {
			t.Fatalf("second attempt: %d, %d, %s", act, c.Stop, c.Surfaced)
		}
	}
}

// Stepping calls allocates nothing: a simulated second steps a thousand of them.
func TestCallAllocatesNothing(t *testing.T) {
	b := policy.Breaker()
	b.ConsecutiveFailures = 1000
	w := policy.WinRate(0.2)
	h := policy.Hedge(0.95)
	h.WinRate = &w
	m := policy.MeasuredBase(1)
	sequential := policy.Default()
	sequential.Breaker, sequential.Backoff.Measured = &b, &m
	hedged := sequential
	hedged.Hedge = &h

	for name, s := range map[string]policy.Settings{"sequential": sequential, "hedged": hedged} {
		t.Run(name, func(t *testing.T) {
			l := policy.NewLive(&s, nil, 0, func() float64 { return 0.5 })
			l.Listen = func(policy.Event) {}
			var c policy.Call
			var legs [8]policy.Leg
			now := ticks.Ticks(0)
			// call fails once, and when it hedges its first attempt loses to the second.
			call := func() {
				flying, n := 0, 0
				for act := l.Begin(&c, now, policy.Critical, 1); act != policy.Done; {
					switch act {
					case policy.Start:
						legs[n] = c.Launch
						n++
						if flying++; l.Hedges() {
							act = l.Started(&c, &legs[n-1], false, now)
							continue
						}
						act = policy.Race
					case policy.Wait:
						now += c.Delay
						act = l.Elapsed(&c, now)
					case policy.Arm:
						now += c.Delay
						act = l.HedgeDue(&c, now)
					case policy.Race:
						now += 10 * ticks.Millisecond
						o := policy.Outcome{}
						if n == 1 {
							o.Failure = policy.IOException
						}
						act = l.Ended(&c, &legs[n-1], o, now)
					}
				}
				for g := c.Discarded(); g != nil; g = g.Next() {
					l.EndedDiscarded(g)
				}
			}
			for range 100 {
				call()
			}
			if hedges := l.Counts[policy.EventHedgeStarted]; (hedges > 0) != l.Hedges() {
				t.Fatalf("%d hedges", hedges)
			}
			if n := testing.AllocsPerRun(100, call); n != 0 {
				t.Errorf("%v allocations a call", n)
			}
		})
	}
}
