package policy_test

import (
	"fmt"

	"squall/engine/policy"
	"squall/engine/ticks"
)

// audit holds every event of a call to the columns of executor.md 17, and the call to what is true
// of all calls: one terminal event, which is the last; a log without gaps; no more attempts than
// allowed; no more hedges won than started.
type audit struct {
	terminal  int
	why       policy.Stop
	delay     ticks.Ticks // the guard pause, if there was one
	at        ticks.Ticks // of the last event
	positions int         // log entries so far
	hedges    int
	wins      int
	discarded int
}

// column is what section 17 says about one kind of event.
type column struct {
	possible bool // in a run
	terminal bool
	why      policy.Stop
	duration span
	delay    bool
	mustBeOk bool // the verdict
	error    bool // may carry one
}

type span uint8

const (
	elapsed span = iota // since the call began
	attempts
	zero
)

var columns = [policy.EventKinds]column{
	policy.EventAttempt:               {possible: true, duration: attempts, error: true},
	policy.EventRetrying:              {possible: true, delay: true, error: true},
	policy.EventSucceeded:             {possible: true, terminal: true, why: policy.StopSucceeded, mustBeOk: true},
	policy.EventNotRetried:            {possible: true, terminal: true, why: policy.StopPermanent, error: true},
	policy.EventRejectedByBreaker:     {possible: true, terminal: true, why: policy.StopDependencyUnavailable, delay: true, error: true},
	policy.EventRejectedByBudget:      {possible: true, terminal: true, why: policy.StopBudgetExhausted, delay: true, error: true},
	policy.EventDeadlineExceeded:      {possible: true, terminal: true, why: policy.StopDeadlineExceeded, error: true},
	policy.EventOrphanedWork:          {possible: true, duration: attempts, error: true},
	policy.EventBreakerOpened:         {possible: true, mustBeOk: true},
	policy.EventBreakerClosed:         {possible: true, mustBeOk: true},
	policy.EventBreakerHalfOpened:     {possible: true, mustBeOk: true},
	policy.EventExhausted:             {possible: true, terminal: true, why: policy.StopAttemptsExhausted, error: true},
	policy.EventHedgeStarted:          {possible: true, delay: true},
	policy.EventHedgeWon:              {possible: true, mustBeOk: true},
	policy.EventHedgeDiscarded:        {possible: true, duration: attempts, mustBeOk: true},
	policy.EventAttemptCeilingAdapted: {possible: true, duration: zero, delay: true, mustBeOk: true},
	policy.EventBackoffBaseAdapted:    {possible: true, duration: zero, delay: true, mustBeOk: true},
	policy.EventHedgeSuppressed:       {possible: true, delay: true},
	policy.EventSaturationDetected:    {possible: true, duration: zero, delay: true, mustBeOk: true},
}

// hear checks an event and says what is wrong with it.
func (a *audit) hear(c *call, e policy.Event, now ticks.Ticks) string {
	k := columns[e.Kind]
	switch {
	case !k.possible:
		return "is never raised in a run"
	case a.terminal > 0:
		return "follows the terminal event"
	case e.At != now || e.At < a.at:
		return fmt.Sprintf("raised at %s, at %s behind one at %s", now, e.At, a.at)
	case e.Number < 1:
		return "has no number"
	case k.duration == elapsed && e.Duration != now-c.Begun():
		return "should carry the time since the call began"
	case k.duration == zero && e.Duration != 0 || e.Duration < 0:
		return "has a wrong duration"
	case e.HasDelay != k.delay || e.Delay < 0:
		return "has a wrong delay"
	case k.mustBeOk && e.Verdict != policy.Ok:
		return "should carry Ok"
	case !k.error && e.Error != policy.NoFailure:
		return "carries an error"
	}
	a.at = e.At
	if k.terminal {
		a.terminal, a.why = a.terminal+1, k.why
		if e.Kind == policy.EventRejectedByBreaker || e.Kind == policy.EventRejectedByBudget {
			a.delay = e.Delay
		}
	}
	switch e.Kind {
	case policy.EventAttempt, policy.EventHedgeDiscarded:
		if a.positions++; e.Number != a.positions {
			return fmt.Sprintf("is entry %d of the log", a.positions)
		}
		if e.Kind == policy.EventHedgeDiscarded {
			a.discarded++
		}
	case policy.EventHedgeStarted:
		a.hedges++
	case policy.EventHedgeWon:
		a.wins++
	}
	return ""
}

// end checks a call at Done and says what is wrong with it.
func (a *audit) end(c *call) string {
	running := 0
	for g := c.Discarded(); g != nil; g = g.Next() {
		running++
		if !g.Discarded {
			return "an attempt in the discarded list is not marked"
		}
	}
	switch {
	case a.terminal != 1:
		return fmt.Sprintf("%d terminal events", a.terminal)
	case a.why != c.Stop:
		return "the terminal event gives another reason than the call"
	case (c.Stop == policy.StopSucceeded) != (c.Surfaced == policy.NoFailure):
		return "its caller sees the opposite of its end"
	case c.started > c.live.Settings().Attempts:
		return fmt.Sprintf("%d attempts of %d", c.started, c.live.Settings().Attempts)
	case a.positions != c.started:
		return fmt.Sprintf("%d attempts started, %d in the log", c.started, a.positions)
	case a.discarded != running:
		return fmt.Sprintf("%d attempts discarded, %d to cancel", a.discarded, running)
	case a.wins > a.hedges || a.wins > 1:
		return fmt.Sprintf("%d of %d hedges won", a.wins, a.hedges)
	}
	return ""
}
