package engine

import (
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
)

// request is one request at a service, and the call that it is making right now: a service makes
// its calls one after another (simulator.md 14.5).
type request struct {
	call policy.Call
	// attempt is the call's only one when its policy does not hedge.
	attempt attempt
	service *service
	edge    *edge // of the call being made
	level   policy.Level
	begun   ticks.Ticks
	// parent is the attempt that waits for this request, none for one from outside.
	parent   uint32
	position int // of the call being made in service.calls
	armed    uint32
	watch    int // of the edge's meter for this call
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
	place := r.requests.take()
	q := r.requests.at(place)
	act := r.enter(q, l.at, level, none)
	if act == policy.Start && q.edge.direct {
		// The way of most calls, without the detours of proceed: there and, in comeBack, back.
		act = policy.Race
		if r.launch(place|alone, &q.attempt, place, q) != waits {
			act = r.conclude(place|alone, &q.attempt, q)
		}
	}
	if act != policy.Race {
		r.proceed(place, act)
	}
	l.next = ticks.Add(l.next, l.arrivals.Gap(r.dice.Next()))
}

// enter begins a request and its first call.
func (r *run) enter(q *request, s *service, level policy.Level, parent uint32) policy.Action {
	if q.service != s {
		q.service = s // a place mostly serves one service: a pointer that does not change costs the collector nothing
	}
	q.level, q.begun, q.parent = level, r.now, parent
	q.position, q.degraded = 0, false
	if s.meter != nil {
		s.meter.Begin(r.now, level)
	}
	if s.recorded != nil {
		q.recorded = len(s.recorded.Inbound)
		s.recorded.Inbound = append(s.recorded.Inbound, measure.InboundCall{At: r.now})
	}
	return r.beginCall(q)
}

// beginCall begins the call that is next in the request's service.
func (r *run) beginCall(q *request) policy.Action {
	e := q.service.calls[q.position]
	if q.edge != e {
		q.edge = e
	}
	id := 0
	if !e.plain { // only events and faults ask which call it was
		id = e.meter.Calls()
		if e.timeline != nil {
			e.traces = append(e.traces, r.trace(q))
		}
	}
	q.watch = e.meter.Begin(r.now, q.level)
	return e.live.Begin(&q.call, r.now, q.level, id)
}

// trace says where a recorded call comes from.
func (r *run) trace(q *request) measure.Trace {
	t := measure.Trace{Begun: r.now, Parent: -1}
	if q.parent != none {
		a := r.attempt(q.parent)
		for i := range r.edges {
			if &r.edges[i] == a.edge {
				t.Parent = i
			}
		}
		t.ParentCall, t.ParentAttempt = a.callID, a.number
	}
	return t
}

// proceed does what a call asks for, and what follows from it up and down the graph, until
// everybody waits. It is a loop and not a recursion along the graph: an attempt on a service
// whose request has not come to its first wait yet stands in r.starting meanwhile.
func (r *run) proceed(place uint32, act policy.Action) {
	for r.err == nil {
		q := r.requests.at(place)
		e := q.edge
		if e.hedges {
			q.armed++ // whatever comes next, a hedge timer armed before is dropped
		}
		switch act {
		case policy.Start:
			i, a := place|alone, &q.attempt
			if e.hedges {
				i, a = r.beside(q)
			}
			switch r.launch(i, a, place, q) {
			case waits:
				if e.hedges {
					act = e.live.Started(&q.call, &a.own, false, r.now)
					continue
				}
			case ended:
				if e.hedges {
					e.live.Started(&q.call, &a.own, true, r.now)
				}
				act = r.conclude(i, a, q)
				continue
			case descends:
				a.starting = true
				r.starting = append(r.starting, i)
				place = r.requests.take()
				act = r.enter(r.requests.at(place), e.service, a.level, i)
				continue
			}
		case policy.Wait:
			r.queue.Push(ticks.Add(r.now, q.call.Delay), timerDelay|place, 0)
		case policy.Arm:
			r.queue.Push(ticks.Add(r.now, q.call.Delay), timerHedge|place, q.armed)
		case policy.Done:
			for g := q.call.Discarded(); g != nil; {
				next := g.Next()
				if a := r.attempt(uint32(g.ID)); a.sleeping && !a.cancelled {
					r.cancel(uint32(g.ID), a)
				}
				g = next
			}
			if r.endCall(q) {
				act = r.beginCall(q)
				continue
			}
			parent, failure := q.parent, r.finish(place, q)
			if parent == none {
				return
			}
			a := r.attempt(parent)
			if !r.answered(parent, a, failure) {
				break // the answer is held back by an injected delay
			}
			started := a.starting
			if started {
				a.starting = false
				r.starting = r.starting[:len(r.starting)-1]
			}
			if r.gone(parent, a) {
				return
			}
			place = a.request
			q = r.requests.at(place)
			if started && q.edge.hedges {
				q.edge.live.Started(&q.call, &a.own, true, r.now)
			}
			act = r.conclude(parent, a, q)
			continue
		}
		// This call waits; so does every attempt above that had just begun.
		act = policy.Race
		for act == policy.Race {
			last := len(r.starting) - 1
			if last < 0 {
				return
			}
			a := r.attempt(r.starting[last])
			r.starting = r.starting[:last]
			a.starting = false
			place = a.request
			if q = r.requests.at(place); q.edge.hedges {
				q.armed++
				act = q.edge.live.Started(&q.call, &a.own, false, r.now)
			}
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

// finish ends a request and says what it failed with.
func (r *run) finish(place uint32, q *request) (failure policy.Failure) {
	s := q.service
	failure = q.call.Surfaced
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
	r.requests.give(place)
	return failure
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
