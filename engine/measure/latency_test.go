package measure

import (
	"math"
	"slices"
	"testing"

	"squall/engine/ticks"

	"pgregory.net/rapid"
)

// TestQuantile is the nearest rank of simulator.md 10, clamped at both ends.
func TestQuantile(t *testing.T) {
	four := []ticks.Ticks{10, 20, 30, 40}
	for _, c := range []struct {
		of   []ticks.Ticks
		q    float64
		want ticks.Ticks
	}{
		{nil, 0.5, 0}, {four, 0, 10}, {four, 0.25, 10}, {four, 0.2500001, 20}, {four, 0.5, 20}, {four, 0.51, 30}, {four, 0.75, 30}, {four, 0.99, 40}, {four, 1, 40},
		{four, 1.5, 40}, {four, -1, 10}, {four, math.NaN(), 10}, {four, math.Inf(1), 40}, {[]ticks.Ticks{7}, 0.5, 7},
		// 0.7 * 10 is 7 exactly only if the product is rounded by itself
		{[]ticks.Ticks{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0.7, 7},
	} {
		if got := Quantile(c.of, c.q); got != c.want {
			t.Errorf("%v of %v: %v, want %v", c.q, c.of, got, c.want)
		}
	}
}

// TestSortTwiceIsASort: counting passes give what comparing gives, for any widths of values and any
// number of segments, empty ones included.
func TestSortTwiceIsASort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 5, radixLeast - 1, radixLeast, radixLeast + 1, 2000}).Draw(t, "n")
		bits := rapid.IntRange(0, 63).Draw(t, "bits")
		state := rapid.Uint64().Draw(t, "state")
		values := make([]ticks.Ticks, n)
		for i := range values {
			state = state*6364136223846793005 + 1442695040888963407
			values[i] = ticks.Ticks(state >> (64 - max(bits, 1)) &^ (1 << 63))
			if bits == 0 {
				values[i] = 0
			}
		}
		ends := []int{}
		for range rapid.IntRange(0, 40).Draw(t, "cuts") {
			ends = append(ends, rapid.IntRange(0, n).Draw(t, "cut"))
		}
		slices.Sort(ends)
		ends = append(ends, n)
		all, bySegment := slices.Clone(values), slices.Clone(values)
		slices.Sort(all)
		begin := 0
		for _, end := range ends {
			slices.Sort(bySegment[begin:end])
			begin = end
		}
		var s scratch
		for range 2 { // the second time in used memory
			in := slices.Clone(values)
			got := s.sortTwice(in, ends)
			if !slices.Equal(in, all) {
				t.Fatalf("%d values of %d bits are not sorted", n, bits)
			}
			if !slices.Equal(got, bySegment) {
				t.Fatalf("%d values of %d bits are not sorted in the segments %v", n, bits, ends)
			}
		}
	})
}

// TestSecondsOfLatencies: each value counts in the second in which it was put away.
func TestSecondsOfLatencies(t *testing.T) {
	m := NewMeter(0)
	for second, finished := range [][]ticks.Ticks{{30, 10, 20}, {}, {}, {5}, {}} {
		for _, latency := range finished {
			m.Begin(ticks.Ticks(second)*ticks.Second, 2)
			m.End(-1, 2, latency, 0)
		}
		m.CloseSecond(nil)
	}
	got := m.Measured(5 * ticks.Second)
	if want := []ticks.Ticks{20, 0, 0, 5}; !slices.Equal(got.Seconds.P50, want) {
		t.Errorf("p50 by second %v, want %v", got.Seconds.P50, want)
	}
	if want := []ticks.Ticks{30, 0, 0, 5}; !slices.Equal(got.Seconds.P99, want) {
		t.Errorf("p99 by second %v, want %v", got.Seconds.P99, want)
	}
	if got.Latency.P50 != 10 || got.Latency.Max != 30 || !slices.Equal(got.Seconds.Calls, []int{3, 0, 0, 1}) {
		t.Errorf("%+v", got)
	}
}
