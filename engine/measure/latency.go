package measure

import (
	"math"
	"sync"

	"squall/engine/ticks"
)

// latencies collects one value a finished call, in the order they finished, and the quantiles of
// each second.
type latencies struct {
	all      []ticks.Ticks
	from     int           // where the second that counts begins
	p50, p99 []ticks.Ticks // by second
}

// closeSecond ends the given second; seconds without a value in between are filled in.
func (l *latencies) closeSecond(second int) {
	if l.from == len(l.all) {
		return
	}
	for len(l.p50) < second {
		l.p50, l.p99 = append(l.p50, 0), append(l.p99, 0)
	}
	var of [2]ticks.Ticks
	quantiles(l.all[l.from:], []float64{0.5, 0.99}, of[:])
	l.p50, l.p99 = append(l.p50, of[0]), append(l.p99, of[1])
	l.from = len(l.all)
}

// Quantile is the nearest-rank quantile of values in any order, 0 when there are none
// (simulator.md 10). q outside 0..1 is clamped.
func Quantile(values []ticks.Ticks, q float64) ticks.Ticks {
	var of [1]ticks.Ticks
	quantiles(values, []float64{q}, of[:])
	return of[0]
}

// quantiles puts the quantiles at, ascending and at most ranksMost of them, into out.
func quantiles(values []ticks.Ticks, at []float64, out []ticks.Ticks) {
	n := len(values)
	if n == 0 {
		clear(out)
		return
	}
	var ranks [ranksMost]int
	for i, q := range at {
		rank := math.Ceil(float64(q * float64(n)))
		switch {
		case !(rank >= 1):
			ranks[i] = 1
		case rank >= float64(n):
			ranks[i] = n
		default:
			ranks[i] = int(rank)
		}
	}
	s := selections.Get().(*selection)
	s.pick(values, ranks[:len(at)], out)
	selections.Put(s)
}

// selections are passed on from run to run: they hold memory for counting.
var selections = sync.Pool{New: func() any { return new(selection) }}
