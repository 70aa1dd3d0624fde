package measure

import "squall/engine/ticks"

// recovery finds the TimeToRecover of simulator.md 10: the first call from the end of the last
// impairment on that opens a full second of calls which all succeed. It keeps calls only until
// that second is found.
type recovery struct {
	// from is when it begins to watch, ticks.Max for never or no more; watched is from as it was set.
	from, watched ticks.Ticks
	starts        []ticks.Ticks
	fates         []fate
	candidate     int // the first call that can still open the second
	checked       int // calls before this one, from candidate on, succeeded
	found         bool
	at            ticks.Ticks
}

// fate is how a call ended, as far as it has.
type fate uint8

const (
	open fate = iota
	served
	failed
)

// begin notes a call and returns its number.
func (r *recovery) begin(now ticks.Ticks) int {
	r.starts = append(r.starts, now)
	r.fates = append(r.fates, open)
	// The look-out is due when a whole second has begun behind the candidate.
	for r.candidate < len(r.starts) && r.starts[r.candidate] <= now-ticks.Second {
		if !r.advance() {
			break
		}
	}
	return len(r.starts) - 1
}

// end notes how a call ended.
func (r *recovery) end(call int, ok bool) {
	if ok {
		r.fates[call] = served
	} else {
		r.fates[call] = failed
	}
}

// advance looks at the calls in the candidate's second, which must have passed. It moves the
// candidate behind a call that failed, or finds the answer; false means that nothing can be said
// yet, or no more.
func (r *recovery) advance() bool {
	if r.found {
		return false
	}
	closes := ticks.Add(r.starts[r.candidate], ticks.Second)
	r.checked = max(r.checked, r.candidate)
	for r.checked < len(r.starts) && r.starts[r.checked] < closes {
		switch r.fates[r.checked] {
		case open:
			return false
		case failed:
			r.checked++
			r.candidate = r.checked
			return true
		}
		r.checked++
	}
	r.found, r.at, r.from = true, r.starts[r.candidate]-r.watched, ticks.Max
	return false
}

// judge answers when every call has ended: the time to recover, if there is one within duration.
func (r *recovery) judge(duration ticks.Ticks) (ticks.Ticks, bool) {
	for !r.found && r.candidate < len(r.starts) && ticks.Add(r.starts[r.candidate], ticks.Second) <= duration {
		if !r.advance() {
			break
		}
	}
	// Calls of a graph can begin after the duration, and so can the second that was found.
	if !r.found || ticks.Add(r.watched+r.at, ticks.Second) > duration {
		return 0, false
	}
	return r.at, true
}
