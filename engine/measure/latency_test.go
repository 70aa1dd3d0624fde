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
	four := []ticks.Ticks{30, 10, 40, 20}
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

// TestPickIsASort: counting finds the values that a sort puts at the ranks, for any spread of values.
func TestPickIsASort(t *testing.T) {
	var used selection // memory that was used before must not show
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 5, few, few + 1, 500, many - 1, many, 3 * many}).Draw(t, "n")
		bits := rapid.IntRange(0, 63).Draw(t, "bits")
		state := rapid.Uint64().Draw(t, "state")
		outlier := rapid.Bool().Draw(t, "outlier")
		base := ticks.Ticks(rapid.SampledFrom([]int{0, 1, 1 << 20}).Draw(t, "base"))
		values := make([]ticks.Ticks, n)
		for i := range values {
			state = state*6364136223846793005 + 1442695040888963407
			values[i] = ticks.Ticks(state >> 1 >> (63 - bits) &^ 3)
			if values[i] < 1<<62 {
				values[i] += base
			}
		}
		if outlier {
			values[n/2] = ticks.Max
		}
		sorted := slices.Clone(values)
		slices.Sort(sorted)
		ranks := make([]int, rapid.IntRange(1, ranksMost).Draw(t, "ranks"))
		want, got := make([]ticks.Ticks, len(ranks)), make([]ticks.Ticks, len(ranks))
		for i := range ranks {
			ranks[i] = rapid.IntRange(1, n).Draw(t, "rank")
		}
		slices.Sort(ranks)
		for i, rank := range ranks {
			want[i] = sorted[rank-1]
		}
		before := slices.Clone(values)
		used.pick(values, ranks, got)
		if !slices.Equal(got, want) {
			t.Fatalf("ranks %v of %d values of %d bits: %v, want %v", ranks, n, bits, got, want)
		}
		if !slices.Equal(values, before) || len(used.held) != 0 {
			t.Fatal("the values were moved, or some are still held")
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
