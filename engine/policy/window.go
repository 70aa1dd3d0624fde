package policy

import (
	"math"
	"math/bits"

	"squall/engine/ticks"
)

const (
	// rings is how many stretches a window keeps; the oldest is dropped as a whole (executor.md 11.3).
	rings = 4
	// latencyBuckets is how many sizes of duration a window tells apart (11.1).
	latencyBuckets = 208
	// neverStamped marks a ring that nothing was recorded into; it is too old for every epoch.
	neverStamped = -5
)

// Window estimates one quantile of the durations of the last span, to within an eighth of the
// answer (executor.md 11). It is a value and keeps everything inside itself, 3.4 KB of it; nothing
// is allocated after NewWindow. Read a window with one minimum throughout. The zero value can be
// used and takes each tick for a ring; only NewWindow makes a useful one.
type Window struct {
	quantile float64
	clock    epochs

	counts [rings][latencyBuckets]uint32
	totals [rings]int
	stamps [rings]int64

	// The memo: the answer that holds for the rest of memoEpoch (11.4). Recording leaves it alone.
	memo      ticks.Ticks
	memoCount int
	memoEpoch int64
}

// NewWindow is an empty window for a quantile in (0, 1) over span, counting its epochs from anchor.
func NewWindow(quantile float64, span, anchor ticks.Ticks) Window {
	return Window{
		quantile:  quantile,
		clock:     newEpochs(span, rings, anchor),
		stamps:    [rings]int64{neverStamped, neverStamped, neverStamped, neverStamped},
		memoEpoch: neverStamped,
	}
}

// Record adds a duration. A negative one is ignored.
func (w *Window) Record(now, d ticks.Ticks) {
	if d < 0 {
		return
	}
	epoch := w.clock.at(now)
	ring := epoch & (rings - 1)
	if w.stamps[ring] != epoch {
		w.stamps[ring] = epoch
		w.counts[ring] = [latencyBuckets]uint32{}
		w.totals[ring] = 0
	}
	w.counts[ring][bucketOf(d)]++
	w.totals[ring]++
}

// Threshold is the estimated quantile, or false with fewer than minimum samples. The first answer
// of an epoch holds for the whole epoch, so reading is a change: who asks first decides (11.4).
func (w *Window) Threshold(now ticks.Ticks, minimum int) (ticks.Ticks, bool) {
	epoch := w.clock.at(now)
	if w.memoEpoch == epoch && w.memoCount > 0 && w.memoCount >= minimum {
		return w.memo, true
	}
	// A read that stays below the minimum is computed anew next time, so it need not leave a memo.
	count := w.live(epoch)
	if count == 0 || count < minimum {
		return 0, false
	}
	w.memo, w.memoCount, w.memoEpoch = w.compute(epoch, count), count, epoch
	return w.memo, true
}

// Samples is how many samples count at now. It changes nothing.
func (w *Window) Samples(now ticks.Ticks) int {
	clock := w.clock
	return w.live(clock.at(now))
}

// Peek is the last answer that Threshold computed, however old; false before the first. It
// changes nothing.
func (w *Window) Peek() (ticks.Ticks, bool) { return w.memo, w.memoCount > 0 }

func (w *Window) counted(ring int, epoch int64) bool {
	age := epoch - w.stamps[ring]
	return age >= 0 && age < rings
}

func (w *Window) live(epoch int64) int {
	n := 0
	for ring := range w.totals {
		if w.counted(ring, epoch) {
			n += w.totals[ring]
		}
	}
	return n
}

// compute is 11.5; total is at least 1.
func (w *Window) compute(epoch int64, total int) ticks.Ticks {
	rank := max(int(ticks.FromFloat(math.Ceil(w.quantile*float64(total)))), 1)
	var merged [latencyBuckets]uint32
	for ring := range w.counts {
		if w.counted(ring, epoch) && w.totals[ring] > 0 {
			for i, n := range &w.counts[ring] {
				merged[i] += n
			}
		}
	}
	seen := 0
	for i, n := range &merged {
		if seen += int(n); seen >= rank {
			return bucketBound(i)
		}
	}
	return bucketBound(latencyBuckets - 1)
}

// bucketOf is the index of the bucket of a duration, which is not negative (11.1): one bucket a
// microsecond below 8 us, then eight buckets for each doubling.
func bucketOf(d ticks.Ticks) int {
	us := uint64(d / ticks.Microsecond)
	if us < 8 {
		return int(us)
	}
	octave := bits.Len64(us) - 1
	if octave > 27 {
		return latencyBuckets - 1
	}
	return (octave-2)<<3 + int(us>>(octave-3)&7)
}

// bucketBound is the exclusive upper bound of a bucket (11.2).
func bucketBound(i int) ticks.Ticks {
	if i < 8 {
		return ticks.Ticks(i+1) * ticks.Microsecond
	}
	return ticks.Ticks(8+i&7+1) << (i>>3 - 1) * ticks.Microsecond
}
