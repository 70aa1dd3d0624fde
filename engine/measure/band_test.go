package measure

import (
	"strings"
	"testing"

	"squall/engine/ticks"
)

// TestRangeOf is simulator.md 17.3, B11: the median of an even number of values is the lower middle.
func TestRangeOf(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   Range
	}{
		{[]float64{4, 1, 3, 2}, Range{2, 1, 4}}, {[]float64{5, 1, 3}, Range{3, 1, 5}}, {[]float64{7}, Range{7, 7, 7}}, {[]float64{2, 1}, Range{1, 1, 2}},
	} {
		first := c.values[0]
		if got := RangeOf(c.values); got != c.want {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
		if c.values[0] != first {
			t.Error("the values were moved")
		}
	}
	if got := TimeRangeOf([]ticks.Ticks{40, 10, 30, 20}); got != (TimeRange{20, 10, 40}) || got.Spread() != 30 {
		t.Errorf("times: %v", got)
	}
}

// TestSeparates: touching bands do not separate, and none separates from itself.
func TestSeparates(t *testing.T) {
	for _, c := range []struct {
		a, b Range
		want bool
	}{
		{Range{1, 0, 2}, Range{4, 3, 5}, true}, {Range{1, 0, 2}, Range{3, 2, 4}, false}, {Range{1, 0, 3}, Range{3, 2, 4}, false},
		{Range{2, 0, 9}, Range{3, 2, 4}, false}, {Range{1, 1, 1}, Range{1, 1, 1}, false}, {Range{1, 1, 1}, Range{1.0000000000000002, 1.0000000000000002, 2}, true},
	} {
		ta := TimeRange{ticks.Ticks(c.a.Median * 10), ticks.Ticks(c.a.Minimum * 10), ticks.Ticks(c.a.Maximum * 10)}
		tb := TimeRange{ticks.Ticks(c.b.Median * 10), ticks.Ticks(c.b.Minimum * 10), ticks.Ticks(c.b.Maximum * 10)}
		if c.a.Separates(c.b) != c.want || c.b.Separates(c.a) != c.want {
			t.Errorf("%v and %v separate: %v", c.a, c.b, !c.want)
		}
		if whole := c.b.Minimum == float64(int(c.b.Minimum)); whole && (ta.Separates(tb) != c.want || tb.Separates(ta) != c.want) {
			t.Errorf("times %v and %v separate: %v", ta, tb, !c.want)
		}
	}
}

// TestBandOfRecoveries: the time to recover is over the runs that did.
func TestBandOfRecoveries(t *testing.T) {
	b := bandOf(measured(1, 1, 0), measured(1, 1, 3*ticks.Second), measured(1, 1, ticks.Second), measured(1, 1, 0))
	s := b.On("client", "dependency")
	if s.Recovered != 2 || s.Runs != 4 || s.TimeToRecover != (TimeRange{ticks.Second, ticks.Second, 3 * ticks.Second}) {
		t.Errorf("%d of %d recovered in %v", s.Recovered, s.Runs, s.TimeToRecover)
	}
	b.Reports[0].Single = true
	text := b.Text()
	for _, want := range []string{"Simulation over 00:01:00, 4 seeds from 1\n", "  Calls            1.000 (1.000-1.000)\n", "  TimeToRecover    00:00:01 (00:00:01-00:00:03)\n  Recovered        2 of 4\n"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	if b.On("client", "nobody") != nil || b.At("nobody") != nil {
		t.Error("there is a band of what is not there")
	}
	if x, ok := b.Median(func(r *Report) (float64, bool) { return float64(r.Seed), r.Seed > 2 }); x != 3 || !ok {
		t.Errorf("median %v, %v", x, ok)
	}
	if _, ok := b.Median(func(r *Report) (float64, bool) { return 0, false }); ok {
		t.Error("a median of nothing")
	}
}

// TestTextOfAGraphBand is the ruling of simulator.md 12.
func TestTextOfAGraphBand(t *testing.T) {
	r := func(seed int32) *Report {
		return &Report{Seed: seed, Duration: ticks.Minute, Entries: []string{"a", "a"}, Calls: []CallReport{{From: "a", To: "b", Measured: measured(4, 6, 0)}},
			Services: []ServiceReport{{Name: "a", Entry: true, Measured: measured(4, 6, 0)}, {Name: "b", Leaf: true, Measured: measured(6, 6, 0)}}}
	}
	const entry = `  a
    Requests       4.000 (4.000-4.000)
    Availability   1.000 (1.000-1.000)
    Latency p50    00:00:00 (00:00:00-00:00:00)
    Latency p99    00:00:00 (00:00:00-00:00:00)
`
	const want = "Topology over 00:01:00, 2 seeds from 8\n" + entry + entry + `  a -> b
    Calls          4.000 (4.000-4.000)
    Availability   1.000 (1.000-1.000)
    LoadMultiplier 1.500 (1.500-1.500)
    Amplification  0.000 (0.000-0.000)
    BreakerOpens   0.000 (0.000-0.000)
    TimeToRecover  never
    Recovered      0 of 2
`
	if got := NewBand([]*Report{r(8), r(5)}).Text(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
