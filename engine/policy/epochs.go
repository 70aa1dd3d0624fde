package policy

import "squall/engine/ticks"

// epochs cuts time into stretches of equal length and numbers them from an anchor. Asking again
// within the stretch that was asked for last costs no division.
type epochs struct {
	anchor ticks.Ticks
	length ticks.Ticks
	start  ticks.Ticks // of the stretch that was asked for last
	number int64       // of that stretch
}

// newEpochs cuts a span into parts; a stretch is never shorter than a tick.
func newEpochs(span ticks.Ticks, parts int, anchor ticks.Ticks) epochs {
	return epochs{anchor: anchor, length: max(span/ticks.Ticks(parts), 1), start: anchor}
}

// at is the number of the stretch that now lies in.
func (e *epochs) at(now ticks.Ticks) int64 {
	// Unsigned, one comparison also finds an instant before the stretch.
	if uint64(now-e.start) >= uint64(e.length) {
		e.move(now)
	}
	return e.number
}

// left is how much of the stretch that now lies in is to come. It was asked for last.
func (e *epochs) left(now ticks.Ticks) ticks.Ticks { return e.start + e.length - now }

func (e *epochs) move(now ticks.Ticks) {
	e.length = max(e.length, 1)
	e.number = int64((now - e.anchor) / e.length)
	e.start = e.anchor + ticks.Ticks(e.number)*e.length
}
