package policy_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"squall/engine/policy"
	"squall/engine/ticks"
)

// do makes a call under a policy on real time: the same machine, driven by timers and goroutines.
// It shows that nothing in the machine is made for a simulation only. One goroutine, this one, steps
// the machine; attempts report to it. A driver that is shipped would guard the Live with a mutex.
func do(ctx context.Context, l *policy.Live, began time.Time, attempt func(context.Context) error) error {
	now := func() ticks.Ticks { return ticks.Ticks(time.Since(began) / 100) }
	type end struct {
		g   *policy.Leg
		err error
		cut bool
	}
	var (
		c     policy.Call
		last  error
		back  = make(chan end, l.Settings().Attempts)
		stops = map[*policy.Leg]context.CancelFunc{}
		timer = time.NewTimer(time.Hour)
		armed <-chan time.Time
	)
	defer timer.Stop()
	wait := func(d ticks.Ticks) {
		timer.Reset(time.Duration(d) * 100)
		armed = timer.C
	}
	start := func() *policy.Leg {
		g := new(c.Launch)
		legCtx, cancel := context.WithCancel(context.WithValue(ctx, numberOf{}, g.Number))
		if g.Bound != ticks.Infinite {
			inner, stop := context.WithTimeout(legCtx, time.Duration(g.Bound.WholeMilliseconds())*100)
			outer := cancel
			legCtx, cancel = inner, func() { stop(); outer() }
		}
		stops[g] = cancel
		go func() {
			err := attempt(legCtx)
			back <- end{g, err, err != nil && legCtx.Err() != nil}
		}()
		return g
	}
	// next is the next thing that happens: an attempt that is back, or else the timer.
	next := func() (policy.Action, bool) {
		select {
		case e := <-back:
			stops[e.g]()
			delete(stops, e.g)
			o := policy.Outcome{Cut: e.cut}
			if last = e.err; last != nil && !e.cut {
				o.Failure = policy.IOException
			}
			return l.Ended(&c, e.g, o, now()), true
		case <-armed:
			return 0, false
		}
	}
	act := l.Begin(&c, now(), policy.Critical, 0)
	for act != policy.Done {
		switch act {
		case policy.Start:
			armed = nil
			g := start()
			act = policy.Race
			if l.Hedges() {
				act = l.Started(&c, g, false, now())
			}
		case policy.Wait:
			wait(c.Delay)
			<-armed
			armed = nil
			act = l.Elapsed(&c, now())
		case policy.Arm:
			wait(c.Delay)
			if then, ok := next(); ok {
				act = then
			} else {
				act = l.HedgeDue(&c, now())
			}
		case policy.Race:
			armed = nil
			act, _ = next()
		}
	}
	for g := c.Discarded(); g != nil; g = g.Next() {
		stops[g]()
	}
	for g := c.Discarded(); g != nil; {
		rest := g.Next()
		e := <-back
		l.EndedDiscarded(e.g)
		g = rest
	}
	switch {
	case c.Surfaced == policy.NoFailure:
		return nil
	case c.Surfaced == policy.DeadlineExceededException:
		return errors.Join(context.DeadlineExceeded, last)
	case c.Surfaced == policy.CallRejectedException:
		return errors.Join(errRejected, last)
	}
	return last
}

// numberOf is the key of an attempt's number in its context.
type numberOf struct{}

var (
	errRejected = errors.New("rejected")
	errBroken   = errors.New("broken")
)

// The outcomes and the order of events on real time are those of the stories; the times are not
// looked at.
func TestCallOnRealTime(t *testing.T) {
	answer := func(context.Context) error { return nil }
	breaks := func(context.Context) error { return errBroken }
	hangs := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	inTurn := func(all ...func(context.Context) error) func(context.Context) error {
		return func(ctx context.Context) error { return all[ctx.Value(numberOf{}).(int)-1](ctx) }
	}

	for _, c := range []struct {
		name    string
		change  func(*policy.Settings)
		prepare func(*policy.Live)
		attempt func(context.Context) error
		want    error
		events  []policy.EventKind
	}{
		{
			name: "success", attempt: answer,
			events: []policy.EventKind{policy.EventAttempt, policy.EventSucceeded},
		}, {
			name: "a retry", attempt: inTurn(breaks, answer),
			change: func(s *policy.Settings) { s.Backoff = policy.ConstantBackoff(ticks.Millisecond) },
			events: []policy.EventKind{policy.EventAttempt, policy.EventRetrying, policy.EventAttempt, policy.EventSucceeded},
		}, {
			name: "an attempt timeout", attempt: inTurn(hangs, breaks), want: errBroken,
			change: func(s *policy.Settings) { s.Attempts, s.AttemptTimeout = 2, 2*ticks.Millisecond },
			events: []policy.EventKind{policy.EventAttempt, policy.EventRetrying, policy.EventAttempt, policy.EventExhausted},
		}, {
			name: "a deadline", attempt: hangs, want: context.DeadlineExceeded,
			change: func(s *policy.Settings) { s.Deadline = 2 * ticks.Millisecond },
			events: []policy.EventKind{policy.EventAttempt, policy.EventDeadlineExceeded},
		}, {
			name: "an empty bucket", attempt: breaks, want: errRejected,
			change: func(s *policy.Settings) {
				s.Budget = policy.BudgetChoice{Kind: policy.BucketBudget, Bucket: &policy.BudgetSettings{Fraction: 0.1}}
			},
			events: []policy.EventKind{policy.EventAttempt, policy.EventRetrying, policy.EventAttempt, policy.EventRejectedByBudget},
		}, {
			name: "an open breaker", attempt: answer, want: errRejected,
			change: func(s *policy.Settings) {
				b := policy.Breaker()
				s.Breaker = &b
			},
			prepare: func(l *policy.Live) { l.Circuit.Isolate(0) },
			events:  []policy.EventKind{policy.EventRejectedByBreaker},
		}, {
			name: "a hedge that wins", attempt: inTurn(hangs, answer),
			change: func(s *policy.Settings) {
				h := policy.Hedge(0.95)
				h.MinimumSamples, h.MinimumDelay = 1, 2*ticks.Millisecond
				s.Hedge = &h
			},
			// One call to learn from; what the machine says about it is not part of the proof.
			prepare: func(l *policy.Live) {
				c := policy.Call{}
				l.Begin(&c, 0, policy.Critical, 0)
				g := c.Launch
				l.Started(&c, &g, false, 0)
				l.Ended(&c, &g, policy.Outcome{}, 1)
			},
			events: []policy.EventKind{
				policy.EventHedgeStarted, policy.EventAttempt, policy.EventHedgeWon, policy.EventHedgeDiscarded, policy.EventSucceeded,
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := policy.Instant()
			if c.change != nil {
				c.change(&s)
			}
			var shared *policy.Bucket
			if b := s.Budget.Bucket; b != nil {
				bucket := policy.NewBucket(*b, 0)
				shared = &bucket
			}
			l := policy.NewLive(&s, shared, 0, func() float64 { return 0.5 })
			if c.prepare != nil {
				c.prepare(l)
			}
			var events []policy.EventKind
			l.Listen = func(e policy.Event) { events = append(events, e.Kind) }
			if err := do(t.Context(), l, time.Now(), c.attempt); !errors.Is(err, c.want) {
				t.Errorf("ended with %v, want %v", err, c.want)
			}
			if !slices.Equal(events, c.events) {
				t.Errorf("events %v, want %v", events, c.events)
			}
		})
	}
}
