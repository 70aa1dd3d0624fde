package engine

import (
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/world"
)

// attempt is one attempt on its way: the caller's pool, the permits, the callee (simulator.md 14.5).
type attempt struct {
	edge    *edge
	request uint32
	level   policy.Level
	outcome policy.Outcome
	// starting is true while the request that the attempt made has not come to its first wait.
	starting bool
	// sleeping is true while the attempt waits in the pool or at a leaf; sleep tells the timers of
	// one sleep from those of others.
	sleeping  bool
	sleep     uint32
	stage     stage
	cancelled bool
	fails     bool
	// ceilingAt is when the attempt's ceiling cancels it, ceilingOrder its timer's place in the order
	// of creation when that timer was put off.
	ceilingAt     ticks.Ticks
	ceilingOrder  uint64
	begunAtCallee ticks.Ticks
	own           policy.Leg // of an attempt that runs beside others; a lone one is its call's Launch

	// What follows is not used on a plain edge.
	callID, number int
	permitAt       ticks.Ticks
	outer, inner   bool // which permits are held
	fault          *world.Fault
	added          ticks.Ticks // by the fault
	parent         int         // the request's index in the service's recording
	sent           int         // the attempt's index there, -1 for none
}

// stage is what a sleeping attempt sleeps in.
type stage uint8

const (
	inPool stage = iota
	atLeaf
	inFault // an injected delay behind a service's answer
)

// stand is where an attempt stands after a step.
type stand uint8

const (
	waits    stand = iota // it sleeps
	ended                 // it is over: attempt.outcome
	descends              // it is a request at the callee now, which is to be begun
)

// attempt is the attempt in a place.
func (r *run) attempt(i uint32) *attempt {
	if i&alone != 0 {
		return &r.requests.at(i &^ alone).attempt
	}
	return r.attempts.at(i)
}

// beside is a place for one of several attempts of a call.
func (r *run) beside(q *request) (i uint32, a *attempt) {
	i = r.attempts.take()
	a = r.attempts.at(i)
	a.own = q.call.Launch
	a.own.ID = int(i)
	return i, a
}

// launch runs a new attempt up to its first wait.
func (r *run) launch(i uint32, a *attempt, place uint32, q *request) stand {
	if r.attemptsLeft--; r.attemptsLeft < 0 {
		r.err = ErrTooManyAttempts
	}
	e := q.edge
	if a.edge != e {
		a.edge = e
	}
	a.request, a.level = place, q.level
	a.starting, a.sleeping, a.cancelled = false, false, false
	a.outcome = policy.Outcome{}
	a.ceilingAt, a.ceilingOrder = ticks.Max, 0
	if g := &q.call.Launch; g.Bound != ticks.Infinite {
		a.ceilingAt = ticks.Add(r.now, g.Timer)
	}
	if e.plain {
		return r.reach(i, a)
	}
	a.callID, a.number, a.parent = q.call.ID, q.call.Launch.Number, q.recorded
	a.outer, a.inner = false, false
	a.fault, a.sent = nil, -1
	if pool := e.from.pool; pool != nil {
		if a.ceilingAt != ticks.Max {
			a.ceilingOrder = r.queue.Order()
		}
		r.rest(i, a, inPool, pool.Delay(r.now))
		return waits
	}
	return r.leave(i, a)
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
	switch {
	case a.stage == atLeaf:
		r.quitLeaf(a, full)
	case !full:
		a.outcome = policy.Outcome{Cut: true}
	case a.stage == inPool:
		switch r.leave(i, a) {
		case waits:
			return
		case descends:
			place := r.requests.take()
			r.proceed(place, r.enter(r.requests.at(place), a.edge.service, a.level, i))
			return
		}
	}
	if r.gone(i, a) {
		return
	}
	place := a.request
	r.proceed(place, r.conclude(i, a, r.requests.at(place)))
}

// comeBack is the end of a lone attempt at a leaf, and mostly that of its call and its request.
func (r *run) comeBack(place uint32, q *request) {
	a := &q.attempt
	a.sleeping = false
	a.sleep++
	r.quitLeaf(a, true)
	act := r.conclude(place|alone, a, q)
	if act != policy.Done || q.parent != none {
		r.proceed(place, act)
		return
	}
	if r.endCall(q) {
		r.proceed(place, r.beginCall(q))
		return
	}
	r.finish(place, q)
}

// gone ends an attempt that lost its race, and says whether it did.
func (r *run) gone(i uint32, a *attempt) bool {
	e := a.edge
	if !e.hedges || !a.own.Discarded {
		return false
	}
	r.release(a)
	e.live.EndedDiscarded(&a.own)
	r.attempts.give(i)
	return true
}

// conclude ends an attempt and tells its call.
func (r *run) conclude(i uint32, a *attempt, q *request) policy.Action {
	e := a.edge
	r.release(a)
	if !e.hedges {
		return e.live.Ended(&q.call, &q.call.Launch, a.outcome, r.now)
	}
	act := e.live.Ended(&q.call, &a.own, a.outcome, r.now)
	r.attempts.give(i)
	return act
}

// leave asks the limiters and goes out to the callee.
func (r *run) leave(i uint32, a *attempt) stand {
	e := a.edge
	if e.gate != nil || e.from.gate != nil {
		if !r.permit(a) {
			return ended
		}
	}
	if m := e.from.meter; m != nil {
		m.Reach()
	}
	if r.injector != nil {
		a.fault = r.injector.Roll(&e.site, r.now, a.callID, a.number)
	}
	if e.from.recorded != nil {
		r.recordSent(a)
	}
	return r.reach(i, a)
}

// reach is the arrival of an attempt at its callee.
func (r *run) reach(i uint32, a *attempt) stand {
	e := a.edge
	a.begunAtCallee = r.now
	e.meter.Reach()
	if e.leaf != nil {
		return r.serve(i, a)
	}
	if f := a.fault; f != nil && !f.Reaches {
		a.outcome = faulted(f)
		a.added = f.Delay(0)
		return r.holdBack(i, a)
	}
	return descends
}

// permit takes the service's permit and then the call's, or ends the attempt.
func (r *run) permit(a *attempt) bool {
	if a.cancelled {
		a.outcome = policy.Outcome{Cut: true}
		return false
	}
	e := a.edge
	a.permitAt = r.now
	if outer := e.from.gate; outer != nil {
		if a.outer = outer.Acquire(); !a.outer {
			return r.refuse(a)
		}
	}
	if inner := e.gate; inner != nil {
		if a.inner = inner.Acquire(); !a.inner {
			return r.refuse(a)
		}
	}
	return true
}

func (r *run) refuse(a *attempt) bool {
	a.edge.meter.Refuse()
	a.outcome = policy.Outcome{Failure: policy.RateLimitedException}
	return false
}

// serve is an attempt's arrival at a leaf: two draws, whatever follows (simulator.md 6).
func (r *run) serve(i uint32, a *attempt) stand {
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
		return waits
	}
	r.quitLeaf(a, true)
	return ended
}

// quitLeaf ends an attempt's stay at a leaf.
func (r *run) quitLeaf(a *attempt, full bool) {
	l := a.edge.leaf
	l.inflight--
	why := policy.StopSucceeded
	if !full || a.fails || a.fault != nil {
		a.outcome = policy.Outcome{Cut: !full}
		if full {
			if a.fault != nil {
				a.outcome = faulted(a.fault)
			}
			if a.fails && a.outcome.Status == 0 {
				a.outcome.Failure = policy.IOException
			}
		}
		if o := &a.outcome; o.Cut || o.Failure != policy.NoFailure || o.Status >= 400 {
			why = policy.StopPermanent
		}
	}
	l.meter.End(-1, a.level, r.now-a.begunAtCallee, why)
}

// faulted is how an attempt with a fault ends when nothing cuts it short.
func faulted(f *world.Fault) policy.Outcome {
	o := policy.Outcome{Status: f.Status}
	if f.Failure {
		o.Failure = policy.IOException
	}
	return o
}

// answered takes a service's answer to an attempt, and says whether the attempt is over with it.
func (r *run) answered(i uint32, a *attempt, failure policy.Failure) bool {
	a.outcome = policy.Outcome{Failure: failure}
	f := a.fault
	if f == nil {
		return true
	}
	if own := faulted(f); own != (policy.Outcome{}) {
		a.outcome = own
	}
	a.added = f.Delay(r.now - a.begunAtCallee)
	return r.holdBack(i, a) == ended
}

// holdBack holds an attempt whose outcome is known for an injected delay.
func (r *run) holdBack(i uint32, a *attempt) stand {
	if a.added == 0 {
		return ended
	}
	a.cancelled = a.cancelled || r.now >= a.ceilingAt
	r.rest(i, a, inFault, a.added)
	return waits
}

// release gives back what an attempt holds that has ended, before its call is told.
func (r *run) release(a *attempt) {
	if e := a.edge; !e.plain {
		r.giveBack(a, e)
	}
}

func (r *run) giveBack(a *attempt, e *edge) {
	if a.inner && e.gate.Release(r.now, a.permitAt) {
		e.limits = append(e.limits, measure.LimitChange{At: r.now, Limit: e.gate.Limit()})
	}
	if a.outer {
		if s := e.from; s.gate.Release(r.now, a.permitAt) {
			s.limits = append(s.limits, measure.LimitChange{At: r.now, Limit: s.gate.Limit()})
		}
	}
	if a.sent >= 0 {
		r.recordEnded(a)
	}
	if e.watchful {
		e.live.Queue = e.from.pool.Reading(r.now, e.call.Policy.Saturation.MinimumSamples)
	}
}
