package measure

import (
	"math/bits"
	"slices"

	"squall/engine/ticks"
)

const (
	// ranksMost is how many ranks are looked for at once.
	ranksMost = 8
	// selectBits is how many bits of the values are told apart in one step when there are many of
	// them, fewBits when there are few: counters cost, too.
	selectBits = 12
	fewBits    = 10
	many       = 1 << selectBits
	// so few values are sorted.
	few = 32
)

// selection finds values by rank without sorting all of them: it counts by the highest bits, and
// goes on with those few that lie where the ranks do. Sorting 150,000 latencies, and those of each
// second, took a quarter of the run that they came from.
type selection struct {
	count [1 << selectBits]uint32
	part  [1 << selectBits]uint8 // 1 + the part that a bucket's values go into, 0 for none
	held  []ticks.Ticks
}

// part is a bucket that ranks lie in.
type part struct {
	bucket      int
	before      int // values in the buckets before it
	first, last int // the ranks, last excluded
	start, end  int // of its values in held
}

// pick puts the values of ranks into out. Values are not negative and there is at least one; ranks
// count from 1 and ascend.
func (s *selection) pick(values []ticks.Ticks, ranks []int, out []ticks.Ticks) {
	var used ticks.Ticks
	for _, v := range values {
		used |= v
	}
	s.among(values, 0, bits.Len64(uint64(used)), ranks, out)
}

// among picks from values that are at least base and differ from it in the lowest width bits only.
func (s *selection) among(values []ticks.Ticks, base ticks.Ticks, width int, ranks []int, out []ticks.Ticks) {
	switch {
	case width == 0:
		for i := range ranks {
			out[i] = base
		}
		return
	case len(values) <= few:
		var sorted [few]ticks.Ticks
		n := copy(sorted[:], values)
		slices.Sort(sorted[:n])
		for i, rank := range ranks {
			out[i] = sorted[rank-1]
		}
		return
	}
	digits := fewBits
	if len(values) >= many {
		digits = selectBits
	}
	shift := max(width-digits, 0)
	clear(s.count[:1<<digits])
	for _, v := range values {
		s.count[uint64(v-base)>>shift&(many-1)]++
	}

	var parts [ranksMost]part
	n, room, bucket, before := 0, 0, 0, 0
	held := len(s.held)
	for i, rank := range ranks {
		for before+int(s.count[bucket]) < rank {
			before += int(s.count[bucket])
			bucket++
		}
		if n == 0 || parts[n-1].bucket != bucket {
			at := held + room
			parts[n] = part{bucket: bucket, before: before, first: i, start: at, end: at}
			n++
			room += int(s.count[bucket])
			s.part[bucket] = uint8(n)
		}
		parts[n-1].last = i + 1
	}
	s.held = slices.Grow(s.held, room)[:held+room]
	for _, v := range values {
		if k := s.part[uint64(v-base)>>shift&(many-1)]; k != 0 {
			p := &parts[(k-1)%ranksMost]
			s.held[p.end] = v
			p.end++
		}
	}
	for i := range parts[:n] {
		s.part[parts[i].bucket] = 0
	}
	for i := range parts[:n] {
		p := &parts[i]
		var within [ranksMost]int
		for k, rank := range ranks[p.first:p.last] {
			within[k] = rank - p.before
		}
		s.among(s.held[p.start:p.end], base+ticks.Ticks(p.bucket)<<shift, shift, within[:p.last-p.first], out[p.first:p.last])
	}
	s.held = s.held[:held]
}
