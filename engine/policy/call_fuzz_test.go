package policy_test

import (
	"strings"
	"testing"

	"squall/engine/policy"
	"squall/engine/ticks"
)

// FuzzCall runs calls beside each other under settings and with callbacks that the input chooses. The
// driver holds every event and every end to what is true of all calls; here the sums are held too.
func FuzzCall(f *testing.F) {
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	f.Add([]byte(strings.Repeat("\x03\x05\x01\x02", 12)))
	f.Add([]byte("\x12\x34\x56\x78\x9a\xbc\xde\xf0\x0f\xed\xcb\xa9\x87\x65\x43\x21\x11\x22\x33\x44\x55\x66\x77\x88\x99"))
	f.Fuzz(func(t *testing.T, input []byte) {
		in := choices(input)
		s := in.settings()
		if problems := s.Validate(); problems != nil {
			t.Skip(problems)
		}
		var shared *policy.Bucket
		d := newDriver(t.Errorf)
		if b := s.Budget.Bucket; b != nil {
			bucket := policy.NewBucket(*b, 0)
			shared = &bucket
		}
		l := d.live(&s, shared)
		for range 4 + in.below(40) {
			switch in.below(12) {
			case 0:
				l.Queue = policy.QueueReading{Delay: in.time(), Normal: in.time(), Known: in.below(2) == 0}
			case 1:
				d.draws = append(d.draws, float64(in.below(16))/16)
			}
			var does []callback
			for range 1 + in.below(4) {
				does = append(does, in.callback())
			}
			d.begin(l, "", policy.Level(in.below(policy.Levels)), does)
			d.run(d.now + in.time())
		}
		d.run(ticks.Max)
		settle(t, d, l)
	})
}

// settle holds the sums when everything has come to its end.
func settle(t *testing.T, d *driver, l *policy.Live) {
	terminal := 0
	for k, c := range columns {
		if c.terminal {
			terminal += l.Counts[k]
		}
	}
	reached := l.Counts[policy.EventAttempt] + l.Counts[policy.EventHedgeDiscarded]
	switch {
	case terminal != len(d.calls):
		t.Errorf("%d calls, %d terminal events", len(d.calls), terminal)
	case reached != len(d.legs):
		t.Errorf("%d attempts, %d in the logs", len(d.legs), reached)
	case l.Counts[policy.EventHedgeWon] > l.Counts[policy.EventHedgeStarted]:
		t.Errorf("%d of %d hedges won", l.Counts[policy.EventHedgeWon], l.Counts[policy.EventHedgeStarted])
	case l.HasCircuit && l.Circuit.Probes() != 0:
		t.Errorf("%d probe slots are still taken", l.Circuit.Probes())
	}
	for i, c := range d.calls {
		if !c.done {
			t.Errorf("call %d never ends", i)
		}
	}
	for i, g := range d.legs {
		if !g.over {
			t.Errorf("attempt %d never ends", i)
		}
	}
}

// choices makes small decisions out of bytes; out of none it decides 0.
type choices []byte

func (in *choices) below(n int) int {
	if len(*in) == 0 {
		return 0
	}
	b := (*in)[0]
	*in = (*in)[1:]
	return int(b) % n
}

// time is a short span, often in the neighbourhood of the others, sometimes less than a millisecond.
func (in *choices) time() ticks.Ticks {
	return [...]ticks.Ticks{
		ticks.Millisecond, 0, 1, 9999, 5 * ticks.Millisecond, 10 * ticks.Millisecond, 10*ticks.Millisecond + 1, 50 * ticks.Millisecond,
		99 * ticks.Millisecond, 100 * ticks.Millisecond, ticks.Second, 1100 * ticks.Millisecond, 20 * ticks.Second,
	}[in.below(13)]
}

func (in *choices) bound() ticks.Ticks {
	if in.below(3) == 0 {
		return ticks.Infinite
	}
	return in.time()
}

func (in *choices) settings() policy.Settings {
	s := policy.Default()
	if in.below(2) == 0 {
		s = policy.HTTP()
	}
	s.Attempts, s.Deadline, s.AttemptTimeout = 1+in.below(6), in.bound(), in.bound()
	s.UseAmbientCriticality = in.below(4) == 1
	switch in.below(4) {
	case 0:
		s.Backoff = policy.ConstantBackoff(in.time())
	case 1:
		m := policy.MeasuredBase(1)
		m.MinimumSamples = 2
		s.Backoff.Measured = &m
	}
	s.Backoff.Jitter = policy.Jitter(in.below(3))
	if in.below(2) == 1 {
		c := policy.Ceiling(1.5)
		c.MinimumSamples, c.Floor = 2, ticks.Millisecond
		s.AttemptCeiling = policy.Give(c)
	}
	switch in.below(3) {
	case 0:
		s.Budget = policy.BudgetChoice{Kind: policy.BucketBudget, Bucket: &policy.BudgetSettings{Fraction: 0.5, MinimumPerSecond: in.below(2)}}
	case 1:
		s.Budget.Kind = policy.NoBudget
	}
	if in.below(2) == 1 {
		b := policy.Breaker()
		b.ConsecutiveFailures, b.MinimumCalls = 1+in.below(4), 2
		b.BreakDuration, b.HalfOpenProbes, b.ProbeSuccesses = 1+in.time(), 1+in.below(2), 1+in.below(2)
		b.BreakJitter = policy.Jitter(in.below(3))
		if in.below(2) == 1 {
			r := policy.Recovery(0.25)
			b.Recovery = &r
		}
		s.Breaker = &b
	}
	if in.below(2) == 1 {
		h := policy.Hedge(0.5)
		h.MinimumSamples, h.MinimumDelay, h.MaximumConcurrent = 1, in.time(), 2+in.below(3)
		if in.below(2) == 1 {
			w := policy.WinRate(0.5)
			w.MinimumSamples = 1
			h.WinRate = &w
		}
		s.Hedge = &h
	}
	if in.below(3) == 1 {
		x := policy.Saturation(2)
		s.Saturation = &x
	}
	return s
}

func (in *choices) callback() callback {
	b := callback{takes: in.time()}
	switch in.below(8) {
	case 1, 2:
		b.outcome.Failure = policy.IOException
	case 3:
		b.outcome.Failure = policy.RateLimitedException
	case 4:
		b.outcome.Failure = policy.CallRejectedException
	case 5:
		b.outcome.Status = [...]int{200, 404, 429, 503}[in.below(4)]
	case 6:
		b.takes = ticks.Hour // hangs, but not for ever: there may be nobody to cancel it
	}
	if b.takes > 0 {
		b.deaf = in.below(4) == 1
		b.notices = b.deaf && in.below(2) == 1
	}
	return b
}
