package engine

import (
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/world"
)

// attempt is one attempt on its way: the caller's pool, the permits, the callee (simulator.md 14.5).
type attempt struct {
	leg     policy.Leg
	edge    *edge
	request uint32
	callID  int
	level   policy.Level
	outcome policy.Outcome
	// starting is true while launch is on the stack; an attempt that ends then is over at once.
	starting, over bool
	// sleeping is true while the attempt waits in the pool or at a leaf; sleep tells the timers of
	// one sleep from those of others.
	sleeping  bool
	sleep     uint32
	stage     stage
	cancelled bool
	// ceilingAt is when the attempt's ceiling cancels it, ceilingOrder its timer's place in the order
	// of creation when that timer was put off.
	ceilingAt     ticks.Ticks
	ceilingOrder  uint64
	permitAt      ticks.Ticks
	outer, inner  bool // which permits are held
	begunAtCallee ticks.Ticks
	fails         bool
	fault         *world.Fault
	added         ticks.Ticks // by the fault
	parent        int         // the request's index in the service's recording
	sent          int         // the attempt's index there, -1 for none
}

// stage is what a sleeping attempt sleeps in.
type stage uint8

const (
	inPool stage = iota
	atLeaf
	inFault // an injected delay behind a service's answer
)

// launch runs a new attempt up to its first wait and says whether it is over already.
func (r *run) launch(i uint32, a *attempt, place uint32, q *request) (over bool) {
	if r.attemptsLeft--; r.attemptsLeft < 0 {
		r.err = ErrTooManyAttempts
	}
	e := q.edge
	a.leg = q.call.Launch
	a.leg.ID = int(i)
	a.edge, a.request, a.callID, a.level, a.parent = e, place, q.callID, q.level, q.recorded
	a.starting, a.over, a.sleeping, a.cancelled = true, false, false, false
	a.outer, a.inner = false, false
	a.fault, a.sent = nil, -1
	a.ceilingAt, a.ceilingOrder = ticks.Max, 0
	if b := a.leg.Bound; b != ticks.Infinite {
		a.ceilingAt = ticks.Add(r.now, b.WholeMilliseconds())
	}
	if pool := e.from.pool; pool != nil {
		if a.ceilingAt != ticks.Max {
			a.ceilingOrder = r.queue.Order()
		}
		r.rest(i, a, inPool, pool.Delay(r.now))
	} else {
		r.leave(i, a)
	}
	a.starting = false
	return a.over
}

// rest puts an attempt to sleep. Its end is known now, so only the timer that comes first is
// queued: its own, or its ceiling's, which wakes it. When both are due together its own decides
// (simulator.md 1), so the ceiling's is not needed.
func (r *run) rest(i uint32, a *attempt, where stage, d ticks.Ticks) {
	a.sleeping, a.stage = true, where
	a.sleep++
	end := ticks.Add(r.now, d)
	switch {
	case a.cancelled:
		r.queue.Push(r.now, timerWake|i, a.sleep)
	case end <= a.ceilingAt:
		r.queue.Push(end, timerSleep|i, a.sleep)
	case a.ceilingOrder != 0:
		r.queue.PushOrdered(a.ceilingAt, a.ceilingOrder, timerCeiling|i, a.sleep)
	default:
		r.queue.Push(a.ceilingAt, timerCeiling|i, a.sleep)
	}
}

// cancel cancels an attempt's token while it sleeps: the sleep ends by a wake that is due now,
// unless it ends by itself before that comes up.
func (r *run) cancel(i uint32, a *attempt) {
	a.cancelled = true
	r.queue.Push(r.now, timerWake|i, a.sleep)
}

// slept goes on after a sleep, which was had in full or cut short.
func (r *run) slept(i uint32, a *attempt, full bool) {
	a.sleeping = false
	a.sleep++
	// A ceiling that is due by now has fired: it was armed before the sleep began.
	a.cancelled = a.cancelled || r.now >= a.ceilingAt
	switch a.stage {
	case inPool:
		if !full {
			r.end(i, a, policy.Outcome{Cut: true})
			return
		}
		r.leave(i, a)
	case atLeaf:
		r.endAtLeaf(i, a, full)
	case inFault:
		if !full {
			r.end(i, a, policy.Outcome{Cut: true})
			return
		}
		r.end(i, a, a.outcome)
	}
}

// leave asks the limiters and goes out to the callee.
func (r *run) leave(i uint32, a *attempt) {
	e := a.edge
	if outer, inner := e.from.gate, e.gate; outer != nil || inner != nil {
		if a.cancelled {
			r.end(i, a, policy.Outcome{Cut: true})
			return
		}
		a.permitAt = r.now
		if outer != nil && !outer.Acquire() {
			e.meter.Refuse()
			r.end(i, a, policy.Outcome{Failure: policy.RateLimitedException})
			return
		}
		a.outer = outer != nil
		if inner != nil && !inner.Acquire() {
			e.meter.Refuse()
			r.end(i, a, policy.Outcome{Failure: policy.RateLimitedException})
			return
		}
		a.inner = inner != nil
	}
	a.begunAtCallee = r.now
	e.meter.Reach()
	if m := e.from.meter; m != nil {
		m.Reach()
	}
	if r.injector != nil {
		a.fault = r.injector.Roll(&e.site, r.now, a.callID, a.leg.Number)
	}
	if e.from.recorded != nil {
		r.recordSent(a)
	}
	if e.leaf != nil {
		r.serve(i, a)
		return
	}
	if f := a.fault; f != nil && !f.Reaches {
		a.outcome = faulted(f)
		a.added = f.Delay(0)
		r.delayOrEnd(i, a)
		return
	}
	r.begin(e.service, a.level, i)
}

// serve is an attempt's arrival at a leaf: two draws, whatever follows (simulator.md 6).
func (r *run) serve(i uint32, a *attempt) {
	l := a.edge.leaf
	l.meter.Begin(r.now, a.level)
	l.meter.Reach()
	l.inflight++
	u := r.dice.Next()
	roll := r.dice.Next()
	latency, fails := l.server.Serve(r.now, l.inflight*l.peers, u, roll)
	a.fails = fails
	if f := a.fault; f != nil {
		a.added = f.Delay(latency)
		if f.Skip {
			latency = 0
		}
		latency = ticks.Add(latency, a.added)
	}
	if latency > 0 {
		r.rest(i, a, atLeaf, latency)
		return
	}
	r.endAtLeaf(i, a, true)
}

func (r *run) endAtLeaf(i uint32, a *attempt, full bool) {
	l := a.edge.leaf
	l.inflight--
	var o policy.Outcome
	switch {
	case !full:
		o.Cut = true
	case a.fault != nil:
		if o = faulted(a.fault); a.fails && o.Status == 0 {
			o.Failure = policy.IOException
		}
	case a.fails:
		o.Failure = policy.IOException
	}
	why := policy.StopSucceeded
	if o.Cut || o.Failure != policy.NoFailure || o.Status >= 400 {
		why = policy.StopPermanent
	}
	l.meter.End(-1, a.level, r.now-a.begunAtCallee, why)
	r.end(i, a, o)
}

// faulted is how an attempt with a fault ends when nothing cuts it short.
func faulted(f *world.Fault) policy.Outcome {
	o := policy.Outcome{Status: f.Status}
	if f.Failure {
		o.Failure = policy.IOException
	}
	return o
}

// answered is a service's answer to an attempt.
func (r *run) answered(i uint32, o policy.Outcome) {
	a := r.attempts.at(i)
	if f := a.fault; f != nil {
		if own := faulted(f); own != (policy.Outcome{}) {
			o = own
		}
		a.outcome = o
		a.added = f.Delay(r.now - a.begunAtCallee)
		r.delayOrEnd(i, a)
		return
	}
	r.end(i, a, o)
}

// delayOrEnd holds an attempt whose outcome is known for an injected delay.
func (r *run) delayOrEnd(i uint32, a *attempt) {
	if a.added == 0 {
		r.end(i, a, a.outcome)
		return
	}
	a.cancelled = a.cancelled || r.now >= a.ceilingAt
	r.rest(i, a, inFault, a.added)
}

// end gives back what the attempt holds and reports it to its call, unless it lost a race.
func (r *run) end(i uint32, a *attempt, o policy.Outcome) {
	e := a.edge
	if a.inner {
		if e.gate.Release(r.now, a.permitAt) {
			e.limits = append(e.limits, measure.LimitChange{At: r.now, Limit: e.gate.Limit()})
		}
	}
	if a.outer {
		if g := e.from.gate; g.Release(r.now, a.permitAt) {
			e.from.limits = append(e.from.limits, measure.LimitChange{At: r.now, Limit: g.Limit()})
		}
	}
	if a.sent >= 0 {
		r.recordEnded(a, o)
	}
	if a.leg.Discarded {
		e.live.EndedDiscarded(&a.leg)
		r.attempts.give(i)
		return
	}
	if e.watchful {
		e.live.Queue = e.from.pool.Reading(r.now, e.call.Policy.Saturation.MinimumSamples)
	}
	a.outcome = o
	if a.starting {
		a.over = true
		return
	}
	place := a.request
	q := r.requests.at(place)
	act := e.live.Ended(&q.call, &a.leg, o, r.now)
	r.attempts.give(i)
	r.step(place, q, act)
}
