package policy

import (
	"strconv"

	"squall/engine/problem"
	"squall/engine/ticks"
)

// title names a policy.
func title(s *Settings) string {
	if s.Name == "" {
		return "policy"
	}
	return "policy " + strconv.Quote(s.Name)
}

// headline names a policy and its bounds.
func headline(s *Settings) string {
	deadline, timeout := "no deadline", "no attempt timeout"
	if s.Deadline != ticks.Infinite {
		deadline = compact(s.Deadline) + " deadline"
	}
	if s.AttemptTimeout != ticks.Infinite {
		timeout = compact(s.AttemptTimeout) + " attempt timeout"
	}
	return problem.Sprintf("%s: %s, %s, %s", title(s), count(s.Attempts, "attempt"), deadline, timeout)
}

// firstBound is 19.4: a guard that is shut comes first, then what the walk ran into.
func firstBound(s *Settings, r Readings, w *Walk) (Bound, string) {
	switch {
	case r.Breaker != CircuitClosed:
		return BoundBreaker, "the breaker: it is " + r.Breaker.String() + ", so " + admission(r.Breaker)
	case r.Utilization >= 1 && s.Attempts > 1:
		return BoundBudget, "the retry budget: all of it is spent, so a call gets its first attempt and nothing more"
	}
	switch w.Stop {
	case BoundAttempts:
		later := "there is no deadline"
		if s.Deadline != ticks.Infinite {
			later = "the " + compact(s.Deadline) + " deadline is later"
		}
		return w.Stop, problem.Sprintf("the number of attempts: the first %d of %d take up to %s, and %s", w.Attempts, s.Attempts, since(w.Worst), later)
	case BoundNothing:
		return w.Stop, "nothing: " + w.unbounded(s)
	case BoundDeadline:
		return w.Stop, "the deadline: " + w.cutOff(s)
	case BoundCeiling:
		of := "there is no attempt timeout"
		if s.AttemptTimeout != ticks.Infinite {
			of = "lower than the " + compact(s.AttemptTimeout) + " attempt timeout"
		}
		return w.Stop, problem.Sprintf("the measured attempt ceiling: %s, %s; %s", compact(w.Limit), of, w.unused(s))
	}
	return BoundTimeout, problem.Sprintf("the attempt timeout: %s for each attempt; %s", compact(w.Limit), w.unused(s))
}

// admission is what a breaker that is not closed does to the next call.
func admission(state CircuitState) string {
	switch state {
	case CircuitHalfOpen:
		return "only its probes are let through"
	case CircuitRecovering:
		return "only a growing share of attempts is let through"
	}
	return "no attempt is made"
}

// unbounded says why nothing ends a call.
func (w *Walk) unbounded(s *Settings) string {
	switch {
	case w.endsIn(RowUnknown):
		return "the delays of a custom curve are not known, and there is no deadline"
	case s.Attempts <= 1:
		return "the one attempt takes as long as it takes"
	}
	return "there is neither a deadline nor an attempt timeout, so the first attempt may never end"
}

// cutOff says how the deadline ends a call.
func (w *Walk) cutOff(s *Settings) string {
	rest := ""
	switch missed := w.Attempts + 1; {
	case missed == s.Attempts:
		rest = problem.Sprintf(", so attempt %d never starts", missed)
	case missed < s.Attempts:
		rest = problem.Sprintf(", so attempts %d-%d never start", missed, s.Attempts)
	}
	switch {
	case w.endsIn(RowUnknown):
		return "the delays of a custom curve are not known, and nothing else is sure to end the call"
	case w.Attempts == 0:
		return "it leaves no time for an attempt" + rest
	case w.IsClamped && w.Limit == ticks.Infinite:
		return problem.Sprintf("there is no attempt timeout, and attempt %d may take all of %s%s", w.Attempts, since(w.Clamped), rest)
	case w.IsClamped:
		of := "attempt timeout"
		if w.Limit != s.AttemptTimeout {
			of = "measured ceiling"
		}
		return problem.Sprintf("attempt %d is clamped to %s, %s of the %s %s%s",
			w.Attempts, since(w.Clamped), percent(float64(w.Clamped)/float64(w.Limit)), compact(w.Limit), of, rest)
	case w.IsTooLong:
		return problem.Sprintf("what is left of it after attempt %d is %s, too little for a backoff of up to %s%s",
			w.Attempts, since(w.Left), compact(w.Wait), rest)
	}
	return problem.Sprintf("attempt %d takes exactly what is left of it%s", w.Attempts, rest)
}

// unused says how long a call can take that its attempts bound, and what is over.
func (w *Walk) unused(s *Settings) string {
	taken := problem.Sprintf("with the backoffs %s take up to %s", count(w.Attempts, "attempt"), since(w.Worst))
	if w.Attempts == 1 {
		taken = "the one attempt takes up to " + since(w.Worst)
	}
	if s.Deadline == ticks.Infinite {
		return taken
	}
	return problem.Sprintf("%s, which leaves %s of the %s deadline unused", taken, compact(s.Deadline-w.Worst), compact(s.Deadline))
}

func (w *Walk) endsIn(k RowKind) bool { return len(w.Rows) > 0 && w.Rows[len(w.Rows)-1].Kind == k }
