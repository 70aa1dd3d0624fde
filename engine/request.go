package engine

import (
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
)

// request is one request at a service, and the call that it is making right now: a service makes
// its calls one after another (simulator.md 14.5).
type request struct {
	call    policy.Call
	service *service
	edge    *edge // of the call being made
	level   policy.Level
	begun   ticks.Ticks
	// parent is the attempt that waits for this request, none for one from outside.
	parent   uint32
	position int // of the call being made in service.calls
	armed    uint32
	watch    int // of the edge's meter for this call
	callID   int // how many calls of the edge came before this one
	degraded bool
	recorded int // index in the service's recorded requests
}

const none = ^uint32(0)

// arrive offers a request from outside: its level, its synchronous part, then the next gap.
func (r *run) arrive(l *load) {
	level := policy.Critical
	if l.arrivals.Mixed() {
		level = l.arrivals.Level(r.dice.Next())
	}
	r.begin(l.at, level, none)
	l.next = ticks.Add(l.next, l.arrivals.Gap(r.dice.Next()))
}

// begin begins a request. It may be over when begin returns.
func (r *run) begin(s *service, level policy.Level, parent uint32) {
	place := r.requests.take()
	q := r.requests.at(place)
	q.service, q.level, q.begun, q.parent = s, level, r.now, parent
	q.position, q.degraded = 0, false
	if s.meter != nil {
		s.meter.Begin(r.now, level)
	}
	if s.recorded != nil {
		q.recorded = len(s.recorded.Inbound)
		s.recorded.Inbound = append(s.recorded.Inbound, measure.InboundCall{At: r.now})
	}
	r.step(place, q, r.beginCall(q))
}

// beginCall begins the call that is next in the request's service.
func (r *run) beginCall(q *request) policy.Action {
	e := q.service.calls[q.position]
	q.edge = e
	q.callID = e.meter.Calls()
	q.watch = e.meter.Begin(r.now, q.level)
	if e.timeline != nil {
		e.traces = append(e.traces, r.trace(q))
	}
	return e.live.Begin(&q.call, r.now, q.level, q.callID)
}

// trace says where a recorded call comes from.
func (r *run) trace(q *request) measure.Trace {
	t := measure.Trace{Begun: r.now, Parent: -1}
	if q.parent != none {
		a := r.attempts.at(q.parent)
		for i := range r.edges {
			if &r.edges[i] == a.edge {
				t.Parent = i
			}
		}
		t.ParentCall, t.ParentAttempt = a.callID, a.leg.Number
	}
	return t
}

// step does what a call asks for until it has to wait.
func (r *run) step(place uint32, q *request, act policy.Action) {
	for r.err == nil {
		live := q.edge.live
		if act != policy.Returned {
			q.armed++ // whatever comes next, a hedge timer armed before is dropped
		}
		switch act {
		case policy.Start:
			i := r.attempts.take()
			a := r.attempts.at(i)
			over := r.launch(i, a, place, q)
			if q.edge.hedges {
				act = live.Started(&q.call, &a.leg, over, r.now)
				if act != policy.Returned {
					continue
				}
			} else if !over {
				return
			}
			act = live.Ended(&q.call, &a.leg, a.outcome, r.now)
			r.attempts.give(i)
		case policy.Wait:
			r.queue.Push(ticks.Add(r.now, q.call.Delay), timerDelay|place, 0)
			return
		case policy.Arm:
			r.queue.Push(ticks.Add(r.now, q.call.Delay), timerHedge|place, q.armed)
			return
		case policy.Race:
			return
		case policy.Done:
			for g := q.call.Discarded(); g != nil; {
				next := g.Next()
				a := r.attempts.at(uint32(g.ID))
				if a.sleeping && !a.cancelled {
					r.cancel(uint32(g.ID), a)
				}
				g = next
			}
			if !r.endCall(q) {
				r.finish(place, q)
				return
			}
			act = r.beginCall(q)
		}
	}
}

// endCall counts the end of a call and says whether the request makes another one.
func (r *run) endCall(q *request) (more bool) {
	c := &q.call
	q.edge.meter.End(q.watch, q.level, r.now-c.Begun(), c.Stop)
	if c.Surfaced != policy.NoFailure {
		if !q.edge.call.Optional {
			return false
		}
		q.degraded = true
	}
	q.position++
	return q.position < len(q.service.calls)
}

// finish ends a request and hands its result to whoever waits for it.
func (r *run) finish(place uint32, q *request) {
	s := q.service
	failure := q.call.Surfaced
	if q.edge.call.Optional {
		failure = policy.NoFailure // the request ended behind an optional call, so nothing failed it
	}
	why := policy.StopSucceeded
	switch {
	case failure != policy.NoFailure:
		why = q.call.Stop
	case q.degraded:
		s.degraded++
	}
	if s.meter != nil {
		s.meter.End(-1, q.level, r.now-q.begun, why)
	}
	if s.recorded != nil {
		in := &s.recorded.Inbound[q.recorded]
		in.Duration, in.Status = r.now-q.begun, statusOf(failure)
	}
	parent := q.parent
	r.requests.give(place)
	if parent != none {
		r.answered(parent, policy.Outcome{Failure: failure})
	}
}

// statusOf is what a service answers with (grading.md 4).
func statusOf(f policy.Failure) int {
	switch f {
	case policy.NoFailure:
		return 200
	case policy.AttemptTimeoutException, policy.DeadlineExceededException:
		return 504
	}
	return 503
}
