package measure

import (
	"math"
	"math/bits"
	"slices"
	"sync"

	"squall/engine/ticks"
)

// latencies collects one value a finished call, in the order they finished, and where each second
// ends in that order.
type latencies struct {
	all  []ticks.Ticks
	ends []int
}

// closeSecond ends the given second; seconds without a value in between are filled in.
func (l *latencies) closeSecond(second int) {
	if n := len(l.all); n > l.closed() {
		for len(l.ends) < second {
			l.ends = append(l.ends, l.closed())
		}
		l.ends = append(l.ends, n)
	}
}

func (l *latencies) closed() int {
	if len(l.ends) == 0 {
		return 0
	}
	return l.ends[len(l.ends)-1]
}

// sorted sorts the values in place and returns them, with the p50 and p99 of each second.
func (l *latencies) sorted() (all, p50, p99 []ticks.Ticks) {
	p50, p99 = make([]ticks.Ticks, len(l.ends)), make([]ticks.Ticks, len(l.ends))
	s := scratches.Get().(*scratch)
	defer scratches.Put(s)
	bySecond := s.sortTwice(l.all, l.ends)
	begin := 0
	for i, end := range l.ends {
		p50[i], p99[i] = Quantile(bySecond[begin:end], 0.5), Quantile(bySecond[begin:end], 0.99)
		begin = end
	}
	return l.all, p50, p99
}

// scratch is memory for sorting: as large as what it sorts, so runs pass it on.
type scratch struct{ keys, spare []ticks.Ticks }

var scratches = sync.Pool{New: func() any { return new(scratch) }}

// radixLeast is from how many values on counting passes beat comparing them.
const radixLeast = 512

// sortTwice sorts values in place, and returns a copy that is sorted within the segments that ends
// marks; it lives in the scratch. Values and segment numbers that fit one word together are sorted by counting passes, two
// for usual latencies: comparing 150,000 values would cost a third of the run they come from.
func (s *scratch) sortTwice(values []ticks.Ticks, ends []int) (bySegment []ticks.Ticks) {
	most := ticks.Ticks(0)
	for _, v := range values {
		most = max(most, v)
	}
	width := bits.Len64(uint64(most))
	shift := bits.Len(uint(len(ends)))
	if len(values) < radixLeast || width+shift > 64 {
		bySegment = append(s.spare[:0], values...)
		s.spare = bySegment
		slices.Sort(values)
		begin := 0
		for _, end := range ends {
			slices.Sort(bySegment[begin:end])
			begin = end
		}
		return bySegment
	}
	s.keys, s.spare = slices.Grow(s.keys[:0], len(values)), slices.Grow(s.spare[:0], len(values))
	keys, spare := s.keys[:len(values)], s.spare[:len(values)]
	begin := 0
	for segment, end := range ends {
		for i := begin; i < end; i++ {
			keys[i] = values[i]<<shift | ticks.Ticks(segment)
		}
		begin = end
	}
	keys, spare = radixSort(keys, spare, shift, width)
	next := append(make([]int, 1, len(ends)+1), ends...)
	mask := uint64(1)<<shift - 1
	for i, k := range keys {
		v := ticks.Ticks(uint64(k) >> shift)
		values[i] = v
		segment := uint64(k) & mask
		spare[next[segment]] = v
		next[segment]++
	}
	return spare
}

// radixDigit is the most bits that one pass sorts by: its counters stay in the nearest cache.
const radixDigit = 12

// radixSort orders keys by the width bits from bit shift on; what is below keeps its order. It
// returns the sorted keys and the other slice.
func radixSort(keys, spare []ticks.Ticks, shift, width int) (sorted, other []ticks.Ticks) {
	if width == 0 {
		return keys, spare
	}
	passes := (width + radixDigit - 1) / radixDigit
	digit := (width + passes - 1) / passes
	mask := uint64(1)<<digit - 1
	var count [1 << radixDigit]uint32
	for low := shift; low < shift+width; low += digit {
		clear(count[:])
		for _, k := range keys {
			count[uint64(k)>>low&mask&(1<<radixDigit-1)]++
		}
		at := uint32(0)
		for i, n := range count {
			count[i] = at
			at += n
		}
		for _, k := range keys {
			d := uint64(k) >> low & mask & (1<<radixDigit - 1)
			spare[count[d]] = k
			count[d]++
		}
		keys, spare = spare, keys
	}
	return keys, spare
}

// Quantile is the nearest-rank quantile of sorted values, 0 when there are none (simulator.md 10).
// q outside 0..1 is clamped.
func Quantile(sorted []ticks.Ticks, q float64) ticks.Ticks {
	n := len(sorted)
	if n == 0 {
		return 0
	}
	rank := math.Ceil(float64(q * float64(n)))
	switch {
	case !(rank >= 1):
		return sorted[0]
	case rank >= float64(n):
		return sorted[n-1]
	}
	return sorted[int(rank)-1]
}
