package realtime

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"squall/engine/policy"
	"squall/engine/ticks"
)

// script is what attempts do, one after another; the last goes on for ever.
type script struct {
	takes   time.Duration
	outcome policy.Outcome
	hangs   bool
}

var (
	failure = policy.Outcome{Failure: policy.IOException}
	fails   = script{10 * time.Millisecond, failure, false}
	works   = script{10 * time.Millisecond, policy.Outcome{}, false}
	hangs   = script{hangs: true}
)

// calls makes one call and notes when its attempts begin and end, from the call's beginning.
type calls struct {
	d          *Driver
	mutex      sync.Mutex
	begun, end []time.Duration
}

func newCalls(t *testing.T, s policy.Settings) *calls {
	t.Helper()
	d, err := New(s, 1)
	if err != nil {
		t.Fatal(err)
	}
	return &calls{d: d}
}

func (c *calls) do(ctx context.Context, scripts ...script) (int, Result, error) {
	c.begun, c.end = nil, nil
	start, n := time.Now(), 0
	return Do(ctx, c.d, func(ctx context.Context) (int, policy.Outcome) {
		c.mutex.Lock()
		s := scripts[min(n, len(scripts)-1)]
		n++
		me := n
		c.begun = append(c.begun, time.Since(start))
		c.mutex.Unlock()
		defer func() {
			c.mutex.Lock()
			c.end = append(c.end, time.Since(start))
			c.mutex.Unlock()
		}()
		if s.hangs {
			<-ctx.Done()
			return me, failure
		}
		select {
		case <-time.After(s.takes):
			return me, s.outcome
		case <-ctx.Done():
			return me, failure
		}
	})
}

// TestRetries holds real time to what the machine asked for: every retry begins exactly its delay,
// in whole milliseconds, after the attempt before it came back.
func TestRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCalls(t, policy.Default())
		var delays []time.Duration
		c.d.Listen(func(e policy.Event) {
			if e.Kind == policy.EventRetrying {
				delays = append(delays, wait(e.Delay.WholeMilliseconds()))
			}
		})
		value, r, err := c.do(t.Context(), fails, fails, works)
		if err != nil || !r.OK() || value != 3 || r.Attempts != 3 {
			t.Fatalf("value %d, %+v, %v", value, r, err)
		}
		want := []time.Duration{0, 10*time.Millisecond + delays[0], 20*time.Millisecond + delays[0] + delays[1]}
		if !slices.Equal(c.begun, want) {
			t.Errorf("attempts began at %v, want %v", c.begun, want)
		}
	})
}

func TestEnds(t *testing.T) {
	quick := policy.Default()
	quick.Backoff = policy.NoBackoff()
	for name, tt := range map[string]struct {
		change   func(s *policy.Settings)
		scripts  []script
		stop     policy.Stop
		surfaced policy.Failure
		attempts int
		took     time.Duration
	}{
		"exhausted": {nil, []script{fails}, policy.StopAttemptsExhausted, policy.IOException, 3, 30 * time.Millisecond},
		"permanent": {nil, []script{{0, policy.Outcome{Failure: policy.CallRejectedException}, false}}, policy.StopPermanent, policy.CallRejectedException, 1, 0},
		"the attempt's ceiling": {func(s *policy.Settings) { s.AttemptTimeout = ticks.Second }, []script{hangs, works},
			policy.StopSucceeded, policy.NoFailure, 2, 1010 * time.Millisecond},
		"the deadline": {func(s *policy.Settings) { s.Deadline = 2 * ticks.Second }, []script{hangs},
			policy.StopDeadlineExceeded, policy.DeadlineExceededException, 1, 2 * time.Second},
		"a bad status": {func(s *policy.Settings) { s.Preset = policy.PresetHTTP }, []script{{0, policy.Outcome{Status: 400}, false}},
			policy.StopPermanent, policy.CallRejectedException, 1, 0},
		"a status that may pass": {func(s *policy.Settings) { s.Preset = policy.PresetHTTP }, []script{{0, policy.Outcome{Status: 503}, false}, works},
			policy.StopSucceeded, policy.NoFailure, 2, 10 * time.Millisecond},
		"no bounds": {func(s *policy.Settings) { s.Deadline, s.AttemptTimeout = ticks.Infinite, ticks.Infinite },
			[]script{{time.Hour, policy.Outcome{}, false}}, policy.StopSucceeded, policy.NoFailure, 1, time.Hour},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := quick
				if tt.change != nil {
					tt.change(&s)
				}
				start := time.Now()
				_, r, err := newCalls(t, s).do(t.Context(), tt.scripts...)
				took := time.Since(start)
				if err != nil || r.Stop != tt.stop || r.Surfaced != tt.surfaced || r.Attempts != tt.attempts || took != tt.took {
					t.Errorf("%+v after %v, %v; want stop %d, %s, %d attempts, %v", r, took, err, tt.stop, tt.surfaced, tt.attempts, tt.took)
				}
			})
		})
	}
}

func TestBreakerAndBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := policy.Default()
		s.Attempts, s.Backoff = 1, policy.NoBackoff()
		b := policy.Breaker()
		s.Breaker = &b
		c := newCalls(t, s)
		for range b.ConsecutiveFailures {
			c.do(t.Context(), fails)
		}
		if got := c.d.Readings().Breaker; got != policy.CircuitOpen {
			t.Fatalf("the breaker is in state %d", got)
		}
		start := time.Now()
		_, r, _ := c.do(t.Context(), works)
		if r.Stop != policy.StopDependencyUnavailable || r.Attempts != 0 || time.Since(start) != 100*time.Millisecond {
			t.Errorf("an open breaker gave %+v after %v", r, time.Since(start))
		}
		time.Sleep(wait(b.MaximumBreakDuration))
		// A probe whose caller goes away gives its slot back: the next call still gets through.
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, _, err := c.do(ctx, hangs); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("a call whose context ended: %v", err)
		}
		synctest.Wait()
		for range b.ProbeSuccesses {
			if _, r, err := c.do(t.Context(), works); err != nil || !r.OK() {
				t.Errorf("a probe: %+v, %v", r, err)
			}
		}
		if got := c.d.Readings().Breaker; got != policy.CircuitClosed {
			t.Errorf("after good probes the breaker is in state %d", got)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := policy.Default()
		s.Backoff, s.Budget = policy.NoBackoff(), policy.BudgetChoice{Kind: policy.BucketBudget, Bucket: &policy.BudgetSettings{Fraction: 0.01}}
		c := newCalls(t, s)
		if _, r, _ := c.do(t.Context(), fails); r.Stop != policy.StopBudgetExhausted || r.Attempts != 2 {
			t.Errorf("one token paid for %+v", r)
		}
	})
}

// TestHedges lets a slow attempt be overtaken; the loser is cancelled and the winner's value counts.
func TestHedges(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := policy.Default()
		s.Backoff = policy.NoBackoff()
		h := policy.Hedge(0.95)
		s.Hedge = &h
		c := newCalls(t, s)
		swift := script{takes: 5 * time.Millisecond} // answers before any hedge may start
		for range 3 * h.MinimumSamples {
			c.do(t.Context(), swift)
			time.Sleep(time.Second)
		}
		value, r, err := c.do(t.Context(), hangs, swift)
		if err != nil || !r.OK() || r.Attempts != 2 || value != 2 {
			t.Fatalf("value %d, %+v, %v", value, r, err)
		}
		synctest.Wait()
		if len(c.end) != 2 || c.end[1] != c.end[0] || c.end[0] > 50*time.Millisecond {
			t.Errorf("attempts ended at %v; the loser must be cancelled when the winner is back", c.end)
		}
	})
}

func TestCancelled(t *testing.T) {
	for name, scripts := range map[string][]script{"in an attempt": {hangs}, "in a delay": {fails}} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s := policy.Default()
				s.Backoff = policy.ConstantBackoff(20 * ticks.Second)
				s.Backoff.Jitter = policy.NoJitter
				gone := errors.New("gone")
				ctx, cancel := context.WithCancelCause(t.Context())
				time.AfterFunc(time.Second, func() { cancel(gone) })
				start := time.Now()
				_, _, err := newCalls(t, s).do(ctx, scripts...)
				if !errors.Is(err, gone) || time.Since(start) != time.Second {
					t.Errorf("%v after %v", err, time.Since(start))
				}
			})
		})
	}
}

func TestNew(t *testing.T) {
	s := policy.Default()
	s.Attempts = 0
	if _, err := New(s, 1); err == nil {
		t.Error("no attempts at all are no policy")
	}
	s = policy.Default()
	saturation := policy.Saturation(5)
	s.Saturation = &saturation
	if _, err := New(s, 1); !errors.Is(err, ErrSaturation) {
		t.Errorf("saturation: %v", err)
	}
}

// TestMany makes calls of one policy at once, for the race detector.
func TestMany(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := policy.HTTP()
		h := policy.Hedge(0.9)
		b := policy.Breaker()
		s.Hedge, s.Breaker = &h, &b
		s.AttemptCeiling = policy.Disable[policy.CeilingSettings]()
		d, err := New(s, 1)
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan bool)
		for i := range 200 {
			go func() {
				time.Sleep(time.Duration(i%7) * time.Millisecond)
				_, r, err := Do(t.Context(), d, func(ctx context.Context) (int, policy.Outcome) {
					select {
					case <-time.After(time.Duration(i%13) * 5 * time.Millisecond):
						return i, policy.Outcome{}
					case <-ctx.Done():
						return i, failure
					}
				})
				done <- err == nil && r.OK()
			}()
		}
		for range 200 {
			if !<-done {
				t.Error("a call without failures failed")
			}
		}
	})
}
