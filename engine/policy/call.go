package policy

import "squall/engine/ticks"

const (
	// guardPause is what a refused call waits before it says so (2.10).
	guardPause = 100 * ticks.Millisecond
	// orphanGrace is how late an attempt may end before it counts as orphaned work (2.10).
	orphanGrace = ticks.Second
)

// Action is what a step asks of the driver.
type Action uint8

// The actions. After Start the driver runs the attempt described by Call.Launch up to its first
// wait or its end; for a hedged policy it then calls Started.
const (
	// Start an attempt: Call.Launch.
	Start Action = iota
	// Wait for Call.Delay, at least a millisecond and whole, then call Elapsed.
	Wait
	// Arm a timer of Call.Delay (whole milliseconds) that HedgeDue follows. It replaces the one
	// armed before; Race and every later action drop it.
	Arm
	// Race means that nothing is to be done until an attempt comes back.
	Race
	// Done means that the call is over: Call.Stop, Call.Surfaced. Attempts listed by
	// Call.Discarded are still running and are to be cancelled now, in list order.
	Done
	// Returned answers Started when the attempt is over already: report it with Ended.
	Returned
)

// Outcome is how an attempt ended.
type Outcome struct {
	// Failure is what the callee failed with, NoFailure for an answer.
	Failure Failure
	// Cut says that the attempt ended because its own ceiling cancelled it.
	Cut bool
	// Status is an injected HTTP status, 0 for an ordinary answer (grading.md 3).
	Status int
}

// Leg is one attempt of a call.
type Leg struct {
	// ID is the driver's name for the attempt; a policy never looks at it.
	ID int
	// Number counts the attempts of the call from 1, in the order they started.
	Number int
	// Begun is when the attempt started.
	Begun ticks.Ticks
	// Bound is how long it may take, not truncated; ticks.Infinite for no bound. Timer is what the
	// timer that enforces it is armed for, Bound in whole milliseconds.
	Bound, Timer ticks.Ticks
	// Hedged is true for an attempt that runs beside another.
	Hedged bool
	// Probe is true while the attempt owes the breaker an outcome or its slot back.
	Probe bool
	// Discarded is true for an attempt that lost the race; its end is not reported to the call.
	Discarded bool

	byDeadline bool
	next       *Leg
}

// Next is the attempt behind this one in Call.Discarded.
func (g *Leg) Next() *Leg { return g.next }

// Call is one call under a policy. The zero value is ready for Begin; a Call is reused by
// beginning it again. It is stepped through the Live that it was begun with.
type Call struct {
	// ID is the driver's name for the call; events carry it.
	ID int
	// Launch is the attempt that a Start asks for.
	Launch Leg
	// Delay is how long a Wait or an Arm takes.
	Delay ticks.Ticks
	// Stop is why the call ended, Surfaced what its caller sees (18.3), both after Done.
	Stop     Stop
	Surfaced Failure

	begun     ticks.Ticks
	entries   int // attempts in the log
	verdict   Verdict
	err       Failure
	level     Level
	sheddable bool
	finishing bool // the wait is a guard pause, and the call is over after it

	// What follows is of a hedged call.
	hedged    bool
	refused   bool        // no further hedge in this round (13.5)
	started   int         // legs started
	threshold ticks.Ticks // of the hedge that was armed last, not truncated
	running   *Leg        // legs in flight in start order
	discarded *Leg
}

// Begun is when the call began.
func (c *Call) Begun() ticks.Ticks { return c.begun }

// Level is the criticality that the call was begun with.
func (c *Call) Level() Level { return c.level }

// Discarded are the attempts that a Done leaves running, linked by Leg.Next; nil without hedging.
func (c *Call) Discarded() *Leg {
	if !c.hedged {
		return nil
	}
	return c.discarded
}

// Begin begins a call (section 5).
func (l *Live) Begin(c *Call, now ticks.Ticks, level Level, id int) Action {
	if !l.created {
		l.create(now)
	}
	// Field by field: what the call before left in Launch and the results need not be cleared.
	c.ID, c.begun, c.level = id, now, level
	c.entries, c.verdict, c.err = 0, Verdict{}, NoFailure
	c.sheddable = l.settings.UseAmbientCriticality && level == Sheddable
	c.finishing, c.hedged = false, false
	if l.Hedges() {
		c.hedged, c.started, c.refused, c.running, c.discarded = true, 0, false, nil, nil
	}
	return l.turn(c, now)
}

// Elapsed goes on after a Wait.
func (l *Live) Elapsed(c *Call, now ticks.Ticks) Action {
	if c.finishing {
		return l.finish(c, now)
	}
	return l.turn(c, now)
}

// Hedges says whether calls of this policy may run several attempts at once.
func (l *Live) Hedges() bool { return l.settings.Hedge != nil }

// turn starts the next sequential attempt, or the next round of a hedged call (13.2).
func (l *Live) turn(c *Call, now ticks.Ticks) Action {
	left := l.remaining(c, now)
	if l.guarded || left == 0 {
		return l.guardedTurn(c, now, left)
	}
	l.describe(c, now, left, c.entries+1)
	return Start
}

// guardedTurn is a turn that something may forbid. What few calls need is kept out of line, so that
// the way of all the others can be inlined as a whole.
//
//go:noinline
func (l *Live) guardedTurn(c *Call, now, left ticks.Ticks) Action {
	number := c.entries + 1
	if l.Hedges() {
		c.refused = false
		if left == 0 {
			return l.stop(c, now, EventDeadlineExceeded, number, StopDeadlineExceeded)
		}
	}
	probe := false
	if l.HasCircuit {
		var admitted bool
		var t Transition
		admitted, t, probe = l.Circuit.TryEnter(now)
		l.raiseTransition(c, now, t, number)
		if !admitted {
			return l.refuse(c, now, left, EventRejectedByBreaker, number, StopDependencyUnavailable)
		}
	}
	if left == 0 {
		if probe {
			l.Circuit.ReleaseProbe()
		}
		return l.stop(c, now, EventDeadlineExceeded, number, StopDeadlineExceeded)
	}
	return l.launch(c, now, left, false, probe)
}

// launch starts an attempt that may run beside others or be a probe.
func (l *Live) launch(c *Call, now, left ticks.Ticks, hedged, probe bool) Action {
	number := c.entries + 1
	if l.Hedges() {
		c.started++
		number = c.started
	}
	l.describe(c, now, left, number)
	g := &c.Launch
	g.Hedged, g.Probe, g.next = hedged, probe, nil
	if l.Hedges() && l.settings.Deadline == ticks.Infinite && l.settings.AttemptTimeout == ticks.Infinite {
		g.Bound = ticks.Infinite // a measured ceiling alone does not bound a hedged leg (13.3)
	}
	return Start
}

// describe puts an attempt into c.Launch (5.4, 13.3).
func (l *Live) describe(c *Call, now, left ticks.Ticks, number int) {
	if uint64(now-l.held.from) >= uint64(l.held.length) {
		l.measureCeiling(c, now, number)
	}
	ceiling := l.held.ceiling
	g := &c.Launch
	g.Number, g.Begun, g.Bound, g.Timer, g.byDeadline = number, now, ceiling, l.held.timer, false
	if bound := effective(ceiling, left); bound != ceiling {
		g.Bound, g.Timer, g.byDeadline = bound, bound.WholeMilliseconds(), true
	}
	g.Hedged, g.Probe, g.Discarded = false, false, false
}

// Ended reports that an attempt which was not discarded is over.
func (l *Live) Ended(c *Call, g *Leg, o Outcome, now ticks.Ticks) Action {
	if l.Hedges() {
		return l.legEnded(c, g, o, now)
	}
	if o == (Outcome{}) {
		c.verdict, c.err = Verdict{}, NoFailure
	} else {
		c.verdict, c.err = l.classify(o)
	}
	l.record(c, g, now)
	if c.verdict.Kind == Ok {
		return l.succeed(c, now, c.entries)
	}
	return l.decide(c, now, c.entries, o.Cut && g.byDeadline)
}

// EndedDiscarded reports that a discarded attempt has come to its end (13.7).
func (l *Live) EndedDiscarded(g *Leg) {
	if g.Probe {
		g.Probe = false
		l.Circuit.ReleaseProbe()
	}
}

// record is section 6 for an attempt that was waited for; verdict and error are the call's.
func (l *Live) record(c *Call, g *Leg, now ticks.Ticks) {
	c.entries++
	d := now - g.Begun
	if c.verdict.Kind == Ok && !l.contaminated(c, now, c.entries) {
		if l.hasCeiling {
			l.ceilingWindow.Record(now, d)
		}
		if l.settings.Backoff.Measured != nil {
			l.recordForBase(now, d)
		}
	}
	if l.counts(EventAttempt) {
		l.Listen(Event{At: now, Kind: EventAttempt, Number: c.entries, Verdict: c.verdict.Kind, Error: c.err, Duration: d, Call: c.ID})
	}
	if g.Bound != ticks.Infinite && d >= ticks.Add(g.Bound, orphanGrace) {
		l.raise(Event{At: now, Kind: EventOrphanedWork, Number: c.entries, Verdict: c.verdict.Kind, Error: c.err, Duration: d, Call: c.ID})
	}
	if l.HasCircuit {
		l.recordInCircuit(c, g, now, d)
	}
}

//go:noinline
func (l *Live) recordForBase(now, d ticks.Ticks) { l.baseWindow.Record(now, d) }

//go:noinline
func (l *Live) recordInCircuit(c *Call, g *Leg, now, d ticks.Ticks) {
	t := l.Circuit.Record(now, c.verdict.Kind, d, l.draw)
	g.Probe = false
	l.raiseTransition(c, now, t, c.entries)
}

// succeed is section 7 for an answer that counts.
func (l *Live) succeed(c *Call, now ticks.Ticks, position int) Action {
	if l.bucket != nil {
		l.bucket.Deposit(now)
	}
	if l.counts(EventSucceeded) {
		l.Listen(Event{At: now, Kind: EventSucceeded, Number: position, Duration: now - c.begun, Call: c.ID})
	}
	c.Stop, c.Surfaced = StopSucceeded, NoFailure
	return Done
}

// decide is section 7 for every other end, at the instant an attempt came back.
//
//go:noinline
func (l *Live) decide(c *Call, now ticks.Ticks, position int, deadlineSpent bool) Action {
	s := &l.settings
	switch {
	case c.verdict.Kind == Permanent:
		return l.stop(c, now, EventNotRetried, position, StopPermanent)
	case position >= s.Attempts:
		return l.stop(c, now, EventExhausted, position, StopAttemptsExhausted)
	}
	left := l.remaining(c, now)
	if left == 0 || deadlineSpent {
		return l.stop(c, now, EventDeadlineExceeded, position, StopDeadlineExceeded)
	}
	if l.bucket != nil && !c.verdict.SelfImposed && !l.bucket.TrySpend(now, c.sheddable) {
		return l.refuse(c, now, left, EventRejectedByBudget, position, StopBudgetExhausted)
	}
	normal, known := l.measuredNormal(c, now, position+1)
	delay := l.curve.Delay(position+1, c.verdict.Kind, normal, known, l.draw)
	if left != ticks.Infinite {
		// The normal latency is read only here: reading can fix the answer for a while (11.4).
		viable := ticks.Ticks(0)
		if l.HasCircuit {
			viable, _ = l.Circuit.NormalLatency(now)
		}
		if ticks.Add(delay, viable) >= left {
			return l.stop(c, now, EventDeadlineExceeded, position, StopDeadlineExceeded)
		}
	}
	l.raise(Event{
		At: now, Kind: EventRetrying, Number: position + 1, Verdict: c.verdict.Kind, Error: c.err,
		Duration: now - c.begun, Delay: delay, HasDelay: true, Call: c.ID,
	})
	if c.Delay = delay.WholeMilliseconds(); c.Delay > 0 {
		return Wait
	}
	return l.turn(c, now)
}

// measuredNormal is 9.4: the unclamped reading of the backoff window, with its announcement.
func (l *Live) measuredNormal(c *Call, now ticks.Ticks, number int) (ticks.Ticks, bool) {
	m := l.settings.Backoff.Measured
	if m == nil || c.verdict.Kind == Throttled {
		return 0, false
	}
	normal, ok := l.baseWindow.Threshold(now, m.MinimumSamples)
	if !ok {
		return 0, false
	}
	if applied := l.curve.Base(normal); applied != l.lastBase {
		l.lastBase = applied
		l.raise(Event{At: now, Kind: EventBackoffBaseAdapted, Number: number, Delay: applied, HasDelay: true, Call: c.ID})
	}
	return normal, true
}

// stop ends the call with a terminal event.
func (l *Live) stop(c *Call, now ticks.Ticks, kind EventKind, number int, why Stop) Action {
	l.raise(Event{At: now, Kind: kind, Number: number, Verdict: c.verdict.Kind, Error: c.err, Duration: now - c.begun, Call: c.ID})
	c.Stop = why
	return l.finish(c, now)
}

// refuse ends the call after a guard pause.
func (l *Live) refuse(c *Call, now, left ticks.Ticks, kind EventKind, number int, why Stop) Action {
	pause := guardPause
	if left != ticks.Infinite && left < pause {
		pause = left
	}
	l.raise(Event{
		At: now, Kind: kind, Number: number, Verdict: c.verdict.Kind, Error: c.err,
		Duration: now - c.begun, Delay: pause, HasDelay: true, Call: c.ID,
	})
	c.Stop, c.finishing = why, true
	if c.Delay = pause.WholeMilliseconds(); c.Delay > 0 {
		return Wait
	}
	return l.finish(c, now)
}

// finish says what the caller sees (18.2, 18.3).
func (l *Live) finish(c *Call, now ticks.Ticks) Action {
	switch c.Stop {
	case StopDeadlineExceeded:
		c.Surfaced = DeadlineExceededException
	case StopBudgetExhausted:
		l.bucket.Hint(now) // reading the hint refills the bucket, which shows in later sums (10.4)
		c.Surfaced = CallRejectedException
	case StopDependencyUnavailable:
		c.Surfaced = CallRejectedException
	default:
		if c.Surfaced = c.err; c.err == NoFailure {
			c.Surfaced = CallRejectedException
		}
	}
	return Done
}

func (l *Live) raiseTransition(c *Call, now ticks.Ticks, t Transition, number int) {
	kind := EventBreakerOpened
	switch t {
	case NoTransition:
		return
	case Closed:
		kind = EventBreakerClosed
	case HalfOpened:
		kind = EventBreakerHalfOpened
	}
	l.raise(Event{At: now, Kind: kind, Number: number, Duration: now - c.begun, Call: c.ID})
}

// remaining is 8.1.
func (l *Live) remaining(c *Call, now ticks.Ticks) ticks.Ticks {
	if l.settings.Deadline == ticks.Infinite {
		return ticks.Infinite
	}
	return max(l.settings.Deadline-(now-c.begun), 0)
}

// effective is 8.2: equality does not count as "the deadline supplied it".
func effective(ceiling, left ticks.Ticks) ticks.Ticks {
	switch {
	case ceiling == ticks.Infinite:
		return left
	case left == ticks.Infinite || ceiling < left:
		return ceiling
	}
	return left
}
