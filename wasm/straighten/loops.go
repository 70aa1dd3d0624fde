package main

import (
	"cmp"
	"slices"
)

// loops is every block in an order in which what jumps backward without calling anything in between
// is a loop. A loop with a call in it stays with the table: one can come back into its middle.
func (f *function) loops() []element {
	var spans []span
	last := map[int]int{}
	for i := range f.blocks {
		f.blocks[i].jumps(func(to int) {
			if to <= i {
				last[to] = i
			}
		})
	}
	for from, to := range last {
		spans = append(spans, span{from: from, to: to})
	}
	slices.SortFunc(spans, func(a, b span) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	return f.nest(0, len(f.blocks)-1, spans)
}

// span is a loop: the blocks from..to, come in at entry.
type span struct{ from, to, entry int }

// nest is the blocks from..to with the loops among spans, sorted outermost first.
func (f *function) nest(from, to int, spans []span) []element {
	var all []element
	for i := from; i <= to; i++ {
		for len(spans) > 0 && spans[0].from < i {
			spans = spans[1:]
		}
		e := element{block: i}
		for k, s := range spans {
			if s.from != i {
				break
			}
			if s.to > to || !f.simple(&s) {
				continue
			}
			inner := spans[k+1:]
			if s.entry == i {
				e.loop = append([]element{{block: i}}, f.nest(i+1, s.to, inner)...)
			} else {
				// The compiler puts the condition of a loop behind its body, and comes in there.
				e.block = s.entry
				e.loop = append(f.nest(s.entry, s.to, inner), f.nest(i, s.entry-1, inner)...)
			}
			i = s.to
			break
		}
		all = append(all, e)
	}
	return all
}

// simple says whether a span can be a loop: nothing in it calls, and one block is come in at.
func (f *function) simple(s *span) bool {
	in := func(i int) bool { return i >= s.from && i <= s.to }
	s.entry = -1
	ok := true
	enter := func(at int) {
		if s.entry >= 0 && s.entry != at {
			ok = false
		}
		s.entry = at
	}
	if s.from == 0 || f.blocks[s.from-1].falls {
		enter(s.from)
	}
	for i := range f.blocks {
		b := &f.blocks[i]
		if in(i) {
			ok = ok && !b.calls
			continue
		}
		b.jumps(func(to int) {
			if in(to) {
				enter(to)
			}
		})
	}
	return ok && s.entry >= 0
}
