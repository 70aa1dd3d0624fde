package realtime

import (
	"context"
	"errors"
	"time"

	"squall/engine/policy"
	"squall/engine/ticks"
)

// errCeiling ends the context of an attempt that took as long as it may.
var errCeiling = errors.New("the attempt took as long as it may")

// Do makes one call: it runs attempt as often, as long and as many at once as the policy says. An
// attempt gives its value and how it ended; it must return soon after its context ends, and is waited
// for until it does. The value is the winner's, else that of the attempt that came back last. The
// error is ctx's, when that ended first: the policy then learns nothing of the call, and attempts that
// still run are cancelled and not waited for.
func Do[T any](ctx context.Context, d *Driver, attempt func(context.Context) (T, policy.Outcome)) (T, Result, error) {
	c := &call[T]{driver: d, attempt: attempt, ends: make(chan end[T]), gone: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancel(ctx)
	defer c.cancel()
	defer close(c.gone)
	err := c.run()
	return c.value, Result{Stop: c.machine.Stop, Surfaced: c.machine.Surfaced, Attempts: c.started}, err
}

// call is one call while it goes on. Its goroutine alone steps the machine; attempts have goroutines
// of their own.
type call[T any] struct {
	driver  *Driver
	attempt func(context.Context) (T, policy.Outcome)
	machine policy.Call
	ctx     context.Context
	cancel  context.CancelFunc
	ends    chan end[T]
	gone    chan struct{} // closed when nobody receives from ends any more
	legs    []*leg
	started int
	value   T
}

type leg struct {
	policy.Leg
	cancel context.CancelFunc
}

type end[T any] struct {
	leg     *leg
	value   T
	outcome policy.Outcome
}

// step takes the driver's lock for one step of the machine.
func (c *call[T]) step(f func(l *policy.Live, now ticks.Ticks) policy.Action) policy.Action {
	c.driver.mutex.Lock()
	defer c.driver.mutex.Unlock()
	return f(c.driver.live, c.driver.now())
}

func (c *call[T]) run() error {
	d := c.driver
	act := c.step(func(l *policy.Live, now ticks.Ticks) policy.Action {
		d.calls++
		return l.Begin(&c.machine, now, policy.Critical, d.calls)
	})
	for {
		switch act {
		case policy.Start:
			g := c.start()
			if !d.live.Hedges() {
				act = policy.Race
				continue
			}
			act = c.step(func(l *policy.Live, now ticks.Ticks) policy.Action {
				return l.Started(&c.machine, &g.Leg, false, now)
			})
		case policy.Wait:
			if err := c.sleep(wait(c.machine.Delay)); err != nil {
				return err
			}
			act = c.step(func(l *policy.Live, now ticks.Ticks) policy.Action { return l.Elapsed(&c.machine, now) })
		case policy.Done:
			for g := c.machine.Discarded(); g != nil; g = g.Next() {
				c.legs[g.ID].cancel()
			}
			return nil
		default: // Arm or Race
			var err error
			if act, err = c.race(act == policy.Arm); err != nil {
				return err
			}
		}
	}
}

// start starts the attempt that the machine asks for.
func (c *call[T]) start() *leg {
	g := &leg{Leg: c.machine.Launch}
	g.ID = len(c.legs)
	c.legs = append(c.legs, g)
	c.started++
	var ctx context.Context
	if g.Bound == ticks.Infinite {
		ctx, g.cancel = context.WithCancel(c.ctx)
	} else {
		ctx, g.cancel = context.WithTimeoutCause(c.ctx, wait(g.Bound.WholeMilliseconds()), errCeiling)
	}
	go func() {
		defer g.cancel()
		value, outcome := c.attempt(ctx)
		if outcome.Failure != policy.NoFailure && context.Cause(ctx) == errCeiling {
			outcome = policy.Outcome{Cut: true}
		}
		select {
		case c.ends <- end[T]{g, value, outcome}:
		case <-c.gone:
			c.discard(g)
		}
	}()
	return g
}

// discard ends an attempt that nobody waits for: a slot of the breaker that it holds goes back.
func (c *call[T]) discard(g *leg) {
	c.driver.mutex.Lock()
	defer c.driver.mutex.Unlock()
	c.driver.live.EndedDiscarded(&g.Leg)
}

// race waits for the first attempt to come back, or until a hedge is due.
func (c *call[T]) race(armed bool) (policy.Action, error) {
	var due <-chan time.Time
	if armed {
		timer := time.NewTimer(wait(c.machine.Delay))
		defer timer.Stop()
		due = timer.C
	}
	select {
	case e := <-c.ends:
		c.value = e.value
		return c.step(func(l *policy.Live, now ticks.Ticks) policy.Action {
			return l.Ended(&c.machine, &e.leg.Leg, e.outcome, now)
		}), nil
	case <-due:
		return c.step(func(l *policy.Live, now ticks.Ticks) policy.Action { return l.HedgeDue(&c.machine, now) }), nil
	case <-c.ctx.Done():
		return 0, context.Cause(c.ctx)
	}
}

func (c *call[T]) sleep(span time.Duration) error {
	timer := time.NewTimer(span)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
}
