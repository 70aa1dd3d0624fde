package measure

import (
	"math"
	"math/bits"
	"slices"

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

// sorted returns all values in ascending order, and the p50 and p99 of each second.
func (l *latencies) sorted() (all, p50, p99 []ticks.Ticks) {
	all, bySecond := sortTwice(l.all, l.ends)
	p50, p99 = make([]ticks.Ticks, len(l.ends)), make([]ticks.Ticks, len(l.ends))
	begin := 0
	for i, end := range l.ends {
		p50[i], p99[i] = Quantile(bySecond[begin:end], 0.5), Quantile(bySecond[begin:end], 0.99)
		begin = end
	}
	return all, p50, p99
}

// radixLeast is from how many values on counting passes beat comparing them.
const radixLeast = 512

// sortTwice sorts values as a whole, and within the segments that ends marks. Values and segment
// numbers that fit one word together are sorted by counting passes, three for usual latencies:
// comparing 150,000 values would cost a third of the run they come from.
func sortTwice(values []ticks.Ticks, ends []int) (all, bySegment []ticks.Ticks) {
	all, bySegment = slices.Clone(values), slices.Clone(values)
	most := ticks.Ticks(0)
	for _, v := range values {
		most = max(most, v)
	}
	width := bits.Len64(uint64(most))
	shift := bits.Len(uint(len(ends)))
	if len(values) < radixLeast || width+shift > 64 {
		slices.Sort(all)
		begin := 0
		for _, end := range ends {
			slices.Sort(bySegment[begin:end])
			begin = end
		}
		return all, bySegment
	}
	keys := make([]uint64, len(values))
	segment := 0
	for i, v := range values {
		for segment < len(ends) && i >= ends[segment] {
			segment++
		}
		keys[i] = uint64(v)<<shift | uint64(segment)
	}
	keys = radixSort(keys, shift, width)
	next := make([]int, len(ends)+1)
	copy(next[1:], ends)
	mask := uint64(1)<<shift - 1
	for i, k := range keys {
		v := ticks.Ticks(k >> shift)
		all[i] = v
		s := k & mask
		bySegment[next[s]] = v
		next[s]++
	}
	return all, bySegment
}

// radixSort orders keys by the width bits from bit shift on; what is below keeps its order.
func radixSort(keys []uint64, shift, width int) []uint64 {
	const digit = 11
	other := make([]uint64, len(keys))
	for low := shift; low < shift+width; low += digit {
		var count [1 << digit]int
		for _, k := range keys {
			count[k>>low&(1<<digit-1)]++
		}
		at := 0
		for i, n := range count {
			count[i] = at
			at += n
		}
		for _, k := range keys {
			d := k >> low & (1<<digit - 1)
			other[count[d]] = k
			count[d]++
		}
		keys, other = other, keys
	}
	return keys
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
