package measure

import (
	"squall/engine/policy"
	"squall/engine/ticks"
)

// Meter measures one declared call, one service or one leaf while a run goes. Counting is one sum
// each; when the clock leaves a second, what that second had is the difference to the one before.
type Meter struct {
	reached  int
	refused  int
	failed   [policy.Stops]int
	second   int    // the second that is counted
	before   totals // when it began
	levels   [policy.Levels]LevelCount
	seconds  Seconds
	finished latencies
	recovery recovery
}

type totals struct {
	calls, succeeded, reached int
	failed                    [policy.Stops]int
}

// NewMeter is a meter at time 0. About how many calls are to come is a hint: memory for them, within
// reason, is made at once instead of step by step.
func NewMeter(expected int64) *Meter {
	const most = 1 << 18
	m := &Meter{recovery: recovery{from: ticks.Max}}
	m.finished.all = make([]ticks.Ticks, 0, min(expected+expected/16, most))
	return m
}

// WatchRecovery makes the meter judge the time to recover from this instant on (simulator.md 10).
func (m *Meter) WatchRecovery(impairedUntil ticks.Ticks) {
	m.recovery.from, m.recovery.watched = impairedUntil, impairedUntil
}

// Begin counts a call that begins now and returns what End wants to know of it.
func (m *Meter) Begin(now ticks.Ticks, level policy.Level) (watch int) {
	m.levels[level].Calls++
	if now < m.recovery.from {
		return -1
	}
	return m.recovery.begin(now)
}

// End counts the end of a call.
func (m *Meter) End(watch int, level policy.Level, latency ticks.Ticks, why policy.Stop) {
	m.finished.all = append(m.finished.all, latency)
	if watch >= 0 {
		m.recovery.end(watch, why == policy.StopSucceeded)
	}
	if why != policy.StopSucceeded {
		m.failed[why]++
		return
	}
	m.levels[level].Succeeded++
}

// Reach counts an attempt that got through.
func (m *Meter) Reach() { m.reached++ }

// Refuse counts an attempt that a limiter refused.
func (m *Meter) Refuse() { m.refused++ }

// InFlight is how many calls have begun and not ended.
func (m *Meter) InFlight() int { return m.Calls() - len(m.finished.all) }

// Calls is how many calls have begun.
func (m *Meter) Calls() int {
	n := 0
	for i := range m.levels {
		n += m.levels[i].Calls
	}
	return n
}

func (m *Meter) totals() totals {
	t := totals{calls: m.Calls(), reached: m.reached, failed: m.failed}
	for i := range m.levels {
		t.succeeded += m.levels[i].Succeeded
	}
	return t
}

// Gauges are what a meter shows at the end of a second; a nil series is not kept.
type Gauges struct {
	HasBudget, HasBreaker, HasCeiling, HasPermits, HasQueue bool

	Budget            float64
	Breaker, Permits  int
	Ceiling, QueueFor ticks.Ticks
}

// CloseSecond puts the current second away and begins the next.
func (m *Meter) CloseSecond(g *Gauges) {
	s, t, before := &m.seconds, m.totals(), &m.before
	s.Calls = append(s.Calls, t.calls-before.calls)
	s.Reached = append(s.Reached, t.reached-before.reached)
	s.Succeeded = append(s.Succeeded, t.succeeded-before.succeeded)
	for why, sum := range t.failed {
		failed := sum - before.failed[why]
		if failed > 0 || s.Failed[why] != nil {
			for len(s.Failed[why]) < m.second {
				s.Failed[why] = append(s.Failed[why], 0)
			}
			s.Failed[why] = append(s.Failed[why], failed)
		}
	}
	s.InFlight = append(s.InFlight, m.InFlight())
	if g != nil {
		if g.HasBudget {
			s.Budget = append(s.Budget, g.Budget)
		}
		if g.HasBreaker {
			s.Breaker = append(s.Breaker, g.Breaker)
		}
		if g.HasCeiling {
			s.Ceiling = append(s.Ceiling, g.Ceiling)
		}
		if g.HasPermits {
			s.Permits = append(s.Permits, g.Permits)
		}
		if g.HasQueue {
			s.QueueDelay = append(s.QueueDelay, g.QueueFor)
		}
	}
	m.finished.closeSecond(m.second)
	m.before = t
	m.second++
}

// Measured is the result; the last second must have been closed.
func (m *Meter) Measured(duration ticks.Ticks) Measured {
	t := m.totals()
	r := Measured{
		Calls: t.calls, Succeeded: t.succeeded, Reached: t.reached,
		RefusedByLimiter: m.refused, Levels: m.levels, Seconds: m.seconds,
	}
	r.latencies, r.Seconds.P50, r.Seconds.P99 = m.finished.all, m.finished.p50, m.finished.p99
	var of [6]ticks.Ticks
	quantiles(r.latencies, []float64{0.5, 0.9, 0.95, 0.99, 0.999, 1}, of[:])
	r.Latency = Quantiles{P50: of[0], P90: of[1], P95: of[2], P99: of[3], P999: of[4], Max: of[5]}
	r.Seconds.trim()
	r.Amplification = worstSecond(r.Seconds.Calls, r.Seconds.Reached)
	r.TimeToRecover, r.Recovered = m.recovery.judge(duration)
	return r
}

// trim cuts calls and reached to the last second in which either counted, and every other count to
// its own last one; gauges stay as long as the run went on.
func (s *Seconds) trim() {
	n := max(lastCount(s.Calls), lastCount(s.Reached))
	s.Calls, s.Reached = s.Calls[:n], s.Reached[:n]
	s.Succeeded = s.Succeeded[:lastCount(s.Succeeded)]
	for why := range s.Failed {
		s.Failed[why] = s.Failed[why][:lastCount(s.Failed[why])]
	}
	s.InFlight = s.InFlight[:lastCount(s.InFlight)]
}

func lastCount(series []int) int {
	n := len(series)
	for n > 0 && series[n-1] == 0 {
		n--
	}
	return n
}

// worstSecond is the amplification of simulator.md 10.
func worstSecond(calls, reached []int) float64 {
	worst := 0.0
	for i, n := range calls {
		if n > 0 {
			worst = max(worst, float64(reached[i])/float64(n))
		}
	}
	return worst
}

// Availability is the share of calls that succeeded, 0 without calls.
func (m *Measured) Availability() float64 { return ratio(m.Succeeded, m.Calls) }

// LoadMultiplier is how many attempts got through for each call, 0 without calls.
func (m *Measured) LoadMultiplier() float64 { return ratio(m.Reached, m.Calls) }

// Failed is how many calls did not succeed.
func (m *Measured) Failed() int { return m.Calls - m.Succeeded }

// BreakerOpens is how often a breaker opened, first trips and re-opens.
func (m *Measured) BreakerOpens() int { return m.Events[policy.EventBreakerOpened] }

// AvailabilityAt is the share of a level's calls that succeeded, 0 without such calls.
func (m *Measured) AvailabilityAt(level policy.Level) float64 {
	return ratio(m.Levels[level].Succeeded, m.Levels[level].Calls)
}

// LatencyAt is the nearest-rank quantile of the latencies of finished calls, 0 without any.
func (m *Measured) LatencyAt(q float64) ticks.Ticks { return Quantile(m.latencies, q) }

func ratio(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
