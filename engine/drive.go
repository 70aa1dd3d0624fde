package engine

import (
	"context"

	"squall/engine/measure"
	"squall/engine/ticks"
)

// What a timer is for; the rest of its payload is the place of a request or an attempt.
const (
	timerDelay   uint32 = iota << timerShift // an executor delay of a request's call is over
	timerHedge                               // a request's call may hedge
	timerSleep                               // an attempt has slept in full
	timerWake                                // an attempt's sleep was cut short
	timerCeiling                             // an attempt's ceiling cancels it
)

const (
	timerShift = 29
	timerPlace = 1<<timerShift - 1
)

// alone marks the place of a request as that of its own attempt.
const alone uint32 = 1 << (timerShift - 1)

// checkEvery is how many steps of the loop pass between two looks at the context.
const checkEvery = 1 << 12

// drive is the loop of simulator.md 9 and 14.4: timers of an instant come before the arrival at it,
// equal arrivals in the order of their loads.
func (r *run) drive(ctx context.Context) error {
	for i := range r.loads {
		l := &r.loads[i]
		l.next = l.arrivals.Gap(r.dice.Next())
	}
	end := r.topology.Duration
	cancelled := ctx.Done()
	next := r.nextArrival(end)
	for steps := 0; r.err == nil; steps-- {
		if steps == 0 {
			steps = checkEvery
			select {
			case <-cancelled:
				return ctx.Err()
			default:
			}
			if r.options.Progress != nil {
				r.options.Progress(min(1, float64(r.now)/float64(end)))
			}
		}
		due, queued := r.queue.NextDue()
		switch {
		case next != nil && (!queued || next.next < due):
			if next.next >= r.secondEnd {
				r.closeSeconds(next.next)
			}
			r.now = next.next
			r.arrive(next)
			if len(r.loads) > 1 || next.next > end {
				next = r.nextArrival(end)
			}
		case queued:
			if due >= r.secondEnd {
				r.closeSeconds(due)
			}
			r.now = due
			r.fire()
		default:
			r.closeSecond()
			return r.err
		}
	}
	return r.err
}

// nextArrival is the load that offers the next call, nil when none does before the end.
func (r *run) nextArrival(end ticks.Ticks) *load {
	var next *load
	for i := range r.loads {
		if l := &r.loads[i]; l.next <= end && (next == nil || l.next < next.next) {
			next = l
		}
	}
	return next
}

// closeSeconds puts away the seconds that the clock leaves behind on its way to an instant.
func (r *run) closeSeconds(to ticks.Ticks) {
	for to >= r.secondEnd {
		if r.secondsLeft--; r.secondsLeft <= 0 {
			r.err = ErrTooLong
			return
		}
		r.closeSecond()
		r.secondEnd += ticks.Second
	}
}

// closeSecond lets every meter put its second away. Gauges are read without touching what they
// show: a look at a bucket must not refill it.
func (r *run) closeSecond() {
	last := r.secondEnd - 1
	for i := range r.edges {
		e := &r.edges[i]
		g := measure.Gauges{HasBreaker: e.live.HasCircuit, HasCeiling: true, Ceiling: e.live.LastCeiling()}
		g.Budget, g.HasBudget = e.live.BudgetLevel(last)
		if g.HasBreaker {
			g.Breaker = int(e.live.Circuit.Stored())
		}
		if gate := e.gate; gate != nil {
			g.HasPermits, g.Permits = true, gate.Held()
		}
		if pool := e.from.pool; pool != nil {
			g.HasQueue, g.QueueFor = true, pool.Delay(last)
		}
		e.meter.CloseSecond(&g)
	}
	for i := range r.services {
		s := &r.services[i]
		if s.meter == nil {
			continue
		}
		g := measure.Gauges{}
		if s.gate != nil {
			g.HasPermits, g.Permits = true, s.gate.Held()
		}
		s.meter.CloseSecond(&g)
	}
	for i := range r.leaves {
		r.leaves[i].meter.CloseSecond(nil)
	}
}

// fire takes the head of the queue, due now, and does what it is for unless it was cancelled.
func (r *run) fire() {
	t := r.queue.Pop()
	place := t.Payload & timerPlace
	switch t.Payload &^ timerPlace {
	case timerDelay:
		q := r.requests.at(place)
		r.proceed(place, q.edge.live.Elapsed(&q.call, r.now))
	case timerHedge:
		if q := r.requests.at(place); q.armed == t.Stamp {
			q.armed++
			r.proceed(place, q.edge.live.HedgeDue(&q.call, r.now))
		}
	case timerSleep:
		switch a := r.attempt(place); {
		case a.sleep != t.Stamp:
		case a.edge.direct: // and so alone
			r.comeBack(place&^alone, r.requests.at(place&^alone))
		default:
			r.slept(place, a, true)
		}
	case timerWake:
		if a := r.attempt(place); a.sleep == t.Stamp {
			r.slept(place, a, false)
		}
	case timerCeiling:
		if a := r.attempt(place); a.sleep == t.Stamp && !a.cancelled {
			r.cancel(place, a)
		}
	}
}
