package policy

import "squall/engine/ticks"

// evidence is what a breaker knows about its dependency: what happened lately, and what is normal.
type evidence struct {
	failureRatio    float64
	hasFailureRatio bool
	minimumCalls    int
	slowThreshold   ticks.Ticks
	hasThreshold    bool
	slowRatio       float64

	// recent is the trip window; it is forgotten with every change of state but half-opening.
	recent    slots
	hasRecent bool
	// rate and latency are the baselines of failures and slowCalls; they are never forgotten.
	failures    FailuresSettings
	rate        slots
	hasFailures bool
	slowCalls   SlowCallsSettings
	latency     Window
	hasSlow     bool
}

func newEvidence(s *BreakerSettings, now ticks.Ticks) evidence {
	e := evidence{
		failureRatio: s.FailureRatio, hasFailureRatio: s.HasFailureRatio, minimumCalls: s.MinimumCalls,
		slowThreshold: s.SlowCallThreshold, hasThreshold: s.HasSlowCallThreshold, slowRatio: s.SlowCallRatio,
	}
	e.failures, e.hasFailures = s.EffectiveFailures()
	e.slowCalls, e.hasSlow = s.EffectiveSlowCalls()
	if e.hasRecent = e.hasFailureRatio || e.hasThreshold || e.hasFailures || e.hasSlow; e.hasRecent {
		e.recent = newSlots(s.TripWindow, now)
	}
	if e.hasFailures {
		e.rate = newSlots(e.failures.Window, now)
	}
	if e.hasSlow {
		e.latency = NewWindow(e.slowCalls.Quantile, e.slowCalls.Window, now)
	}
	return e
}

// slow judges the duration of a success, after taking it into the baseline (breaker.md 7.1).
func (e *evidence) slow(now, d ticks.Ticks) bool {
	limit, limited := e.slowThreshold, e.hasThreshold
	if e.hasSlow {
		e.latency.Record(now, d)
		if normal, ok := e.normalLatency(now); ok {
			relative := ticks.FromFloat(float64(normal) * e.slowCalls.Multiple)
			if !limited || relative < limit {
				limit, limited = relative, true
			}
		}
	}
	return limited && d >= limit
}

func (e *evidence) normalLatency(now ticks.Ticks) (ticks.Ticks, bool) {
	if !e.hasSlow {
		return 0, false
	}
	return e.latency.Threshold(now, e.slowCalls.MinimumSamples)
}

// count adds an outcome to what happened lately and to what is normal (7.2).
func (e *evidence) count(now ticks.Ticks, failure, slow bool) {
	if e.hasFailures {
		e.rate.write(now, failure, false)
	}
	if e.hasRecent {
		e.recent.write(now, failure, slow)
	}
}

// trips is 7.3 but for the failures in a row.
func (e *evidence) trips() bool {
	if !e.hasRecent || e.recent.sum.calls < e.minimumCalls {
		return false
	}
	calls, failures := float64(e.recent.sum.calls), float64(e.recent.sum.failures)
	if e.hasFailureRatio && failures >= float64(e.failureRatio*calls) {
		return true
	}
	if e.hasFailures && e.recent.sum.failures >= 2 {
		if ratio, ok := e.tripRatio(); ok && failures >= float64(ratio*calls) {
			return true
		}
	}
	return (e.hasThreshold || e.hasSlow) && float64(e.recent.sum.slow) >= float64(e.slowRatio*calls)
}

// elevated is 7.4.
func (e *evidence) elevated(fraction float64) bool {
	if !e.hasRecent || e.recent.sum.calls < e.minimumCalls || e.recent.sum.failures < 2 {
		return false
	}
	ratio, ok := e.tripRatio()
	return ok && float64(e.recent.sum.failures) >= float64(float64(fraction*ratio)*float64(e.recent.sum.calls))
}

// tripRatio is the share of failures that opens: the constant one or the measured one, whichever
// is lower (7.3.4).
func (e *evidence) tripRatio() (float64, bool) {
	rate, ok := e.normalFailureRate()
	if !ok {
		return e.failureRatio, e.hasFailureRatio
	}
	relative := min(1, max(e.failures.Floor, float64(rate*e.failures.Multiple)))
	if e.hasFailureRatio {
		relative = min(e.failureRatio, relative)
	}
	return relative, true
}

func (e *evidence) normalFailureRate() (float64, bool) {
	calls := e.rate.sum.calls
	if !e.hasFailures || calls == 0 || calls < e.failures.MinimumSamples {
		return 0, false
	}
	return float64(e.rate.sum.failures) / float64(calls), true
}

// slotCount is how many stretches a count is kept in; the oldest is dropped as a whole.
const slotCount = 10

// slots counts the outcomes of a span, in ten stretches (breaker.md 4). Only writing drops old
// stretches: what was true at the last write stays true until the next.
type slots struct {
	clock epochs
	last  int64 // stretch of the last write, -1 for none
	slot  [slotCount]tally
	sum   tally // of all slots
}

type tally struct{ calls, failures, slow int }

func newSlots(span, anchor ticks.Ticks) slots {
	return slots{clock: newEpochs(span, slotCount, anchor), last: -1}
}

func (s *slots) write(now ticks.Ticks, failure, slow bool) {
	epoch := s.clock.at(now)
	if epoch != s.last {
		s.rotate(epoch)
	}
	slot := &s.slot[slotOf(epoch)]
	slot.calls++
	s.sum.calls++
	if failure {
		slot.failures++
		s.sum.failures++
	}
	if slow {
		slot.slow++
		s.sum.slow++
	}
}

// rotate empties the slots that are new since the last write.
func (s *slots) rotate(epoch int64) {
	stale := int64(slotCount)
	if s.last >= 0 {
		stale = min(epoch-s.last, slotCount)
	}
	for i := range stale {
		slot := &s.slot[slotOf(epoch-i)]
		s.sum.calls -= slot.calls
		s.sum.failures -= slot.failures
		s.sum.slow -= slot.slow
		*slot = tally{}
	}
	s.last = epoch
}

func (s *slots) clear() {
	s.last, s.slot, s.sum = -1, [slotCount]tally{}, tally{}
}

// slotOf is unsigned so that no instant, however odd, falls outside.
func slotOf(epoch int64) int { return int(uint64(epoch) % slotCount) }
