package recording

import (
	"cmp"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// plainParent walks up from one call without remembering anything.
func plainParent(s *spanSet, call *span) int32 {
	visited := map[uint64]bool{}
	for id := call.parent; id != 0 && !visited[id]; {
		visited[id] = true
		next, nextOfService := uint64(0), uint64(0)
		for i := range s.spans {
			sp := &s.spans[i]
			if sp.id != id || sp.trace != call.trace {
				continue
			}
			own := sp.kind == spanServer && sp.service == call.service
			if own && sp.kept {
				return int32(i)
			}
			if next == 0 {
				next = sp.parent
			}
			if own && nextOfService == 0 {
				nextOfService = sp.parent
			}
		}
		if id = nextOfService; id == 0 {
			id = next
		}
	}
	return -1
}

// TestParents compares with the plain walk on traces that are no trees: halves, circles, holes.
func TestParents(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newSpanSet(0)
		s.trace(traceID{low: 1})
		for _, name := range []string{"a", "b", "c"} {
			s.service([]byte(name))
		}
		// One span of each id, kind and service, so that the plain walk need not know duplicates.
		seen := map[span]bool{}
		for range rapid.IntRange(1, 40).Draw(t, "spans") {
			sp := span{
				id:      rapid.Uint64Range(1, 12).Draw(t, "id"),
				kind:    spanKind(rapid.IntRange(0, 2).Draw(t, "kind")),
				service: rapid.Int32Range(0, 2).Draw(t, "service"),
			}
			if seen[sp] {
				continue
			}
			seen[sp] = true
			sp.parent = rapid.Uint64Range(0, 12).Draw(t, "parent")
			sp.start = rapid.Int64Range(0, 3).Draw(t, "start")
			if rapid.Bool().Draw(t, "http") {
				s.attrs.set(attrPath, scalar{text, []byte("/")})
			}
			s.add(sp)
		}
		s.link()
		for i, got := range s.parents() {
			want := int32(-1)
			if sp := &s.spans[i]; sp.kept && sp.kind == spanClient {
				want = plainParent(s, sp)
			}
			if got != want {
				t.Fatalf("span %d has parent %d, want %d", i, got, want)
			}
		}
	})
}

func TestSortByTime(t *testing.T) {
	type call struct{ at, number int64 }
	rapid.Check(t, func(t *rapid.T) {
		var calls []call
		for i, at := range rapid.SliceOf(rapid.Int64Range(0, 9)).Draw(t, "times") {
			calls = append(calls, call{at, int64(i)})
		}
		want := slices.Clone(calls)
		slices.SortStableFunc(want, func(a, b call) int { return cmp.Compare(a.at, b.at) })
		sortByTime(calls, func(c *call) int64 { return c.at })
		if !slices.Equal(calls, want) {
			t.Fatalf("got %v, want %v", calls, want)
		}
	})
}
