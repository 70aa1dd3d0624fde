package policy

import (
	"strconv"
	"strings"

	"squall/engine/problem"
	"squall/engine/ticks"
)

// attemptNote says what bounds an attempt.
func attemptNote(limit, left ticks.Ticks, measured bool) string {
	own := compact(limit) + " attempt timeout"
	if measured {
		own = compact(limit) + " measured ceiling"
	}
	switch {
	case limit == ticks.Infinite && left == ticks.Infinite:
		return "unbounded"
	case limit == ticks.Infinite:
		return since(left) + " left"
	case left == ticks.Infinite:
		return own
	}
	return problem.Sprintf("min of %s and %s left", own, since(left))
}

// curveNote names a curve: shape, base, jitter and cap.
func curveNote(b *BackoffSettings, base Reading, ceilingKnown bool) string {
	from := compact(b.TransientBase)
	if b.Measured != nil && base.Known && ceilingKnown {
		from = compact(base.Value) + " measured"
	}
	shape := "constant " + from
	if b.Kind == Exponential {
		shape = problem.Sprintf("exponential, %s from %s", times(b.Factor), from)
	}
	jitter := "no jitter"
	switch b.Jitter {
	case FullJitter:
		jitter = "full jitter"
	case EqualJitter:
		jitter = "equal jitter"
	}
	limit := "no cap"
	if b.MaximumDelay != ticks.Infinite {
		limit = compact(b.MaximumDelay) + " cap"
	}
	return problem.Sprintf("%s, %s, %s", shape, jitter, limit)
}

func exhaustedNote(attempts int) string {
	if attempts == 1 {
		return "the only attempt was made"
	}
	return "all " + count(attempts, "attempt") + " were made"
}

func abandonedNote(walked, attempts int) string {
	return problem.Sprintf("%d of %d attempts walked, so this is a lower bound only", walked, attempts)
}

func elidedNote(from, to int) string { return ordinals("attempt", from, to) + " left out" }

// walkNotes are what the rows of a walk do not show.
func walkNotes(s *Settings, rows int) []string {
	var notes []string
	if b := &s.Backoff; b.ThrottledBase != b.TransientBase && rows > 1 && b.Kind <= Constant {
		notes = append(notes, problem.Sprintf("a throttled attempt backs off from %s instead; a server's retry-after wins", compact(b.ThrottledBase)))
	}
	switch {
	case s.Hedge == nil:
	case s.Deadline == ticks.Infinite && s.AttemptTimeout == ticks.Infinite: // 13.3
		notes = append(notes, "hedged legs have no bound without a deadline or an attempt timeout")
	default:
		notes = append(notes, "hedged legs count as attempts and overlap, so they make no call longer")
	}
	return notes
}

// text says what a call can cost.
func (l *Load) text(s *Settings) string {
	most := decimals(float64(l.AttemptsMax), 1, 2) + "x"
	if l.AttemptsMax == 1 {
		return most + " per call, because there are no retries to pay for"
	}
	from := "automatic budget, private to the call"
	b, on := s.bucket()
	switch {
	case !on:
		return problem.Sprintf("up to %s per call for as long as the dependency fails, because there is no retry budget", most)
	case s.Budget.Kind == BucketBudget && b.Name != "":
		from = "shared budget " + strconv.Quote(b.Name)
	case s.Budget.Kind == BucketBudget:
		from = "budget of the policy"
	}
	return problem.Sprintf("up to %s per call (%s), sustained %s: retries are paid for by %s of successes and a floor of %d/s; %s spent",
		most, from, decimals(l.Sustained, 1, 2)+"x", percent(l.Fraction), l.FloorPerSecond, percent(l.Spent))
}

// measurements are the four readings in words.
func measurements(s *Settings, r Readings) ([]Measurement, string) {
	const unset = "not configured"
	all := []Measurement{
		{Name: "attempt ceiling", Reading: r.Ceiling, Note: unset},
		{Name: "backoff base", Reading: r.Base, Note: unset},
		{Name: "hedge threshold", Reading: r.HedgeThreshold, Note: unset},
		{Name: "pool queue delay", Reading: r.QueueDelay, Note: unset},
	}
	how := func(m *Measurement, samples int, text string) {
		if m.Note = text; !m.Known {
			m.Note = problem.Sprintf("cold, %s, %s minimum", text, count(samples, "sample"))
		}
	}
	if c, on := s.EffectiveCeiling(); on {
		text := problem.Sprintf("%s %s over %s", times(c.Multiple), percentile(c.Quantile), compact(c.Window))
		if r.Ceiling.Known && s.AttemptTimeout != ticks.Infinite && r.Ceiling.Value >= s.AttemptTimeout {
			text += ", not below the attempt timeout"
		}
		how(&all[0], c.MinimumSamples, text)
	}
	if m := s.Backoff.Measured; m != nil {
		how(&all[1], m.MinimumSamples, problem.Sprintf("%s %s over %s, within %s of %s",
			times(m.Multiple), percentile(m.Quantile), compact(m.Window), times(m.Spread), compact(s.Backoff.TransientBase)))
	}
	if h := s.Hedge; h != nil {
		how(&all[2], h.MinimumSamples, problem.Sprintf("%s over %s, at least %s", percentile(h.Quantile), compact(h.Window), compact(h.MinimumDelay)))
	}
	if q := s.Saturation; q != nil {
		how(&all[3], q.MinimumSamples, "queue of the caller's own pool")
		return all, problem.Sprintf("nothing is learned while the pool's queue is at %s or more and %s normal", compact(q.Floor), times(q.Multiple))
	}
	return all, ""
}

// describeBreaker is a breaker in a sentence: its state, what opens it, how it closes again.
func describeBreaker(s *BreakerSettings, state CircuitState) string {
	if s == nil {
		return "not configured"
	}
	opens := []string{"after " + count(s.ConsecutiveFailures, "failure") + " in a row"}
	if s.HasFailureRatio {
		opens = append(opens, problem.Sprintf("when %s of at least %s in %s fail", percent(s.FailureRatio), count(s.MinimumCalls, "call"), compact(s.TripWindow)))
	}
	if f, on := s.EffectiveFailures(); on {
		opens = append(opens, problem.Sprintf("when failures reach %s their rate over %s and %s", times(f.Multiple), compact(f.Window), percent(f.Floor)))
	}
	slow := percent(s.SlowCallRatio) + " of calls take "
	if s.HasSlowCallThreshold {
		opens = append(opens, "when "+slow+compact(s.SlowCallThreshold))
	}
	if c, on := s.EffectiveSlowCalls(); on {
		opens = append(opens, problem.Sprintf("when %s%s %s over %s", slow, times(c.Multiple), percentile(c.Quantile), compact(c.Window)))
	}
	text := problem.Sprintf("%s; opens %s; a break lasts %s and doubles up to %s", state, strings.Join(opens, ", "), compact(s.BreakDuration), compact(s.MaximumBreakDuration))
	text += problem.Sprintf("; closes after %s, %d at a time", count(s.ProbeSuccesses, "probe success"), s.HalfOpenProbes)
	if v := s.Recovery; v != nil {
		text += problem.Sprintf(", over a ramp from %s that lasts %s the break", percent(v.InitialFraction), times(v.Length))
	}
	return text
}

// classifierOf is the classifier of a preset (3.3) as rules.
func classifierOf(p Preset) (string, []Rule) {
	name, rules := "Default", []Rule{}
	if p == PresetHTTP {
		name, rules = "Http", append(rules, Rule{"HttpRequestException", "Transient"})
	}
	rules = append(rules, Rule{"TimeoutException", "Transient"}, Rule{"IOException", "Transient"}, Rule{"SocketException", "Transient"})
	if p == PresetHTTP {
		rules = append(rules, Rule{"HttpResponseMessage", "by predicate"})
	}
	return name, append(rules, Rule{"any other exception", "Permanent"}, Rule{"any other result", "Ok"})
}
