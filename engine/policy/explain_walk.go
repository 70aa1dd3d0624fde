package policy

import "squall/engine/ticks"

const (
	// walkedMax is how many attempts a walk follows; the rest is known to take longer.
	walkedMax = 1000
	// shownMax is how many attempts get a row of their own, and shownMax-1 how many backoffs.
	shownMax = 6
)

// Walk is the longest that a call can take under a policy, attempt by attempt (executor.md 19.3).
type Walk struct {
	Rows []WalkRow
	// Notes are what the rows leave out.
	Notes []string
	// Deadline is that of the policy.
	Deadline ticks.Ticks
	// Stop is what ends the call, and Worst when, counted from its start. Worst is ticks.Infinite
	// when nothing ends it, and the least that is known when LowerBound is true.
	Stop       Bound
	Worst      ticks.Ticks
	LowerBound bool
	// Attempts is how many attempts start.
	Attempts int
	// Clamped is what the deadline leaves to the last attempt when that is less than Limit, what
	// the policy would let it have; it counts only when IsClamped is true.
	Clamped   ticks.Ticks
	IsClamped bool
	// Limit is the bound of an attempt by itself: the measured ceiling or AttemptTimeout.
	Limit ticks.Ticks
	// Left and Wait are what is left of the deadline and the backoff that does not fit into it;
	// they count only when IsTooLong is true.
	Left, Wait ticks.Ticks
	IsTooLong  bool
}

// RowKind is what a row of a walk shows.
type RowKind uint8

// The rows. Deadline and exhausted end a walk at an instant; after unknown nothing can be said;
// elided stands for attempts that have no row, or that were not walked.
const (
	RowAttempt RowKind = iota
	RowBackoff
	RowDeadline
	RowExhausted
	RowUnknown
	RowElided
)

func (k RowKind) String() string {
	return [...]string{"attempt", "backoff", "deadline", "exhausted", "unknown", "elided"}[k]
}

// WalkRow is one stretch of a walk. From and To count from the start of the call; To is
// ticks.Infinite when nothing is known to end the stretch.
type WalkRow struct {
	Kind RowKind
	// Number is the attempt, for a backoff the one that follows, else the last one that started.
	Number   int
	From, To ticks.Ticks
	// Shortest is the least that a backoff can take, by the luck of its jitter.
	Shortest ticks.Ticks
	Note     string
}

// walk follows a call whose every attempt and every backoff takes as long as it may.
func walk(s *Settings, r Readings) Walk {
	w := Walk{Limit: s.AttemptTimeout, Deadline: s.Deadline}
	measured := r.Ceiling.Known && (s.AttemptTimeout == ticks.Infinite || r.Ceiling.Value < s.AttemptTimeout)
	if measured {
		w.Limit = r.Ceiling.Value
	}
	curve := NewCurve(s.Backoff)
	finite := s.Deadline != ticks.Infinite
	var offset ticks.Ticks
	for number := 1; ; number++ {
		left := s.Deadline
		if finite {
			if left -= offset; left <= 0 {
				return w.deadline(number-1, max(s.Deadline, 0))
			}
		}
		w.Attempts = number
		attempt := effective(w.Limit, left)
		if attempt != w.Limit {
			w.IsClamped, w.Clamped = true, attempt
		}
		if attempt == ticks.Infinite {
			w.show(WalkRow{Kind: RowAttempt, Number: number, From: offset, To: ticks.Infinite, Note: attemptNote(w.Limit, left, measured)})
			return w.stop(BoundNothing, ticks.Infinite)
		}
		end := ticks.Add(offset, max(attempt, 0)) // an invalid policy can say less than nothing
		if number <= shownMax {
			w.show(WalkRow{Kind: RowAttempt, Number: number, From: offset, To: end, Note: attemptNote(w.Limit, left, measured)})
		}
		switch {
		case finite && end >= s.Deadline:
			return w.deadline(number, end)
		case number >= max(s.Attempts, 1):
			w.show(WalkRow{Kind: RowExhausted, Number: number, From: end, To: end, Note: exhaustedNote(number)})
			if measured {
				return w.stop(BoundCeiling, end)
			}
			return w.stop(BoundTimeout, end)
		case number >= walkedMax:
			w.show(WalkRow{Kind: RowElided, Number: number, From: end, To: ticks.Infinite, Note: abandonedNote(number, s.Attempts)})
			w.LowerBound = true
			return w.stop(BoundAttempts, end)
		case s.Backoff.Kind > Constant:
			w.show(WalkRow{Kind: RowUnknown, Number: number, From: end, To: ticks.Infinite, Note: "a custom curve cannot be foreseen"})
			if finite {
				return w.stop(BoundDeadline, s.Deadline)
			}
			return w.stop(BoundNothing, ticks.Infinite)
		}
		longest := delayOf(curve.shape(number+1, Transient, r.Base.Value, r.Base.Known && r.Ceiling.Known))
		if finite && longest >= s.Deadline-end {
			w.IsTooLong, w.Left, w.Wait = true, s.Deadline-end, longest
			return w.deadline(number, end)
		}
		next := ticks.Add(end, longest)
		switch {
		case number < shownMax:
			row := WalkRow{Kind: RowBackoff, Number: number + 1, From: end, To: next, Shortest: min(shortest(longest, s.Backoff.Jitter), next-end)}
			if number == 1 {
				row.Note = curveNote(&s.Backoff, r.Base, r.Ceiling.Known)
			}
			w.show(row)
		case number == shownMax:
			w.show(WalkRow{Kind: RowElided, Number: number, From: end})
		}
		offset = next
	}
}

// deadline ends a walk at the deadline, or where it lets nothing more begin.
func (w *Walk) deadline(number int, at ticks.Ticks) Walk {
	w.show(WalkRow{Kind: RowDeadline, Number: number, From: at, To: at, Note: DeadlineExceededException.String()})
	return w.stop(BoundDeadline, at)
}

func (w *Walk) stop(b Bound, worst ticks.Ticks) Walk {
	w.Stop, w.Worst = b, worst
	return *w
}

// show appends a row. A row of elided attempts reaches to the row behind it.
func (w *Walk) show(row WalkRow) {
	if n := len(w.Rows); n > 0 && w.Rows[n-1].Kind == RowElided {
		elided := &w.Rows[n-1]
		elided.To = row.From
		elided.Note = elidedNote(elided.Number+1, row.Number)
	}
	w.Rows = append(w.Rows, row)
}

// shortest is the least that jitter leaves of a delay (9.1).
func shortest(longest ticks.Ticks, j Jitter) ticks.Ticks {
	switch j {
	case FullJitter:
		return 0
	case EqualJitter:
		return longest / 2
	}
	return longest
}
