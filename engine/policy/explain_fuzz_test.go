package policy

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"squall/engine/ticks"
)

// checkExplanation holds what is true of every explanation.
func checkExplanation(t *testing.T, s *Settings, e *Explanation) {
	t.Helper()
	w := &e.Walk
	if n := len(w.Rows); n == 0 || n > 2*shownMax+1 {
		t.Errorf("the walk has %d rows", n)
	}
	var at ticks.Ticks
	for i, r := range w.Rows {
		if r.From != at && !(r.Kind == RowDeadline && r.From <= max(s.Deadline, 0)) {
			t.Errorf("row %d starts at %d, the one before it ended at %d", i, r.From, at)
		}
		if r.To == ticks.Infinite && i < len(w.Rows)-1 || r.To != ticks.Infinite && r.To < r.From || r.Shortest < 0 || r.Kind == RowBackoff && r.Shortest > r.To-r.From {
			t.Errorf("row %d is %+v", i, r)
		}
		at = r.To
	}
	if w.Attempts < 0 || w.Attempts > max(s.Attempts, 1) || w.Attempts > walkedMax {
		t.Errorf("%d attempts start of %d", w.Attempts, s.Attempts)
	}
	if s.Deadline != ticks.Infinite && (w.Worst == ticks.Infinite || w.Worst > max(s.Deadline, 0)) {
		t.Errorf("the worst is %d under a deadline of %d", w.Worst, s.Deadline)
	}
	text := e.String()
	if strings.HasSuffix(text, "\n") || strings.Contains(text, "\n\n\n") || strings.Contains(text, "  \n\n") {
		t.Errorf("the layout of %q", text)
	}
	if j := e.AppendJSON(nil); !json.Valid(j) {
		t.Errorf("not JSON: %s", j)
	}
}

// FuzzExplain holds for settings that nobody has checked: nothing panics, and every walk ends.
func FuzzExplain(f *testing.F) {
	f.Add("api", 3, int64(300_000_000), int64(100_000_000), int64(1_000_000), int64(300_000_000), 2.0, 3.0, 0.95, uint64(0), int64(1_000_000), 0.5)
	f.Add("", 0, int64(-10_000), int64(-10_000), int64(-1), int64(-10_000), math.NaN(), math.Inf(1), -1.0, uint64(math.MaxUint64), int64(-1), 2.0)
	f.Add("\n", math.MaxInt, int64(-10_000), int64(1), int64(math.MaxInt64), int64(-10_000), 1.7, 1.0, 1.0, uint64(0x5a5a), int64(math.MinInt64), math.NaN())
	f.Fuzz(func(t *testing.T, name string, attempts int, deadline, timeout, base, limit int64, factor, multiple, share float64, flags uint64, reading int64, spent float64) {
		bits := func(n int) uint8 {
			v := uint8(flags & (1<<n - 1))
			flags >>= n
			return v
		}
		d := ticks.Ticks(base)
		s := Settings{
			Preset: Preset(bits(2)), Name: name, Attempts: attempts, Deadline: ticks.Ticks(deadline), AttemptTimeout: ticks.Ticks(timeout),
			AttemptCeiling: Optional[CeilingSettings]{Mention(bits(2)), CeilingSettings{multiple, share, d, attempts, d}},
			Backoff:        BackoffSettings{Kind: BackoffKind(bits(2)), TransientBase: d, ThrottledBase: d / 2, Factor: factor, MaximumDelay: ticks.Ticks(limit), Jitter: Jitter(bits(2))},
			Budget:         BudgetChoice{Kind: BudgetKind(bits(2))}, UseAmbientCriticality: bits(1) == 0, Adaptive: bits(1) == 0,
		}
		if bits(1) == 0 {
			s.Backoff.Measured = &MeasuredBaseSettings{multiple, share, d, attempts, factor}
		}
		if bits(1) == 0 {
			s.Budget.Bucket = &BudgetSettings{name, share, attempts}
		}
		if bits(1) == 0 {
			s.Hedge = &HedgeSettings{share, attempts, attempts, d, d, share, &WinRateSettings{share, d, attempts, share}}
		}
		if bits(1) == 0 {
			s.Saturation = &SaturationSettings{multiple, d, attempts}
		}
		if bits(1) == 0 {
			s.Breaker = &BreakerSettings{ConsecutiveFailures: attempts, FailureRatio: share, HasFailureRatio: true, TripWindow: d, SlowCallRatio: share,
				BreakDuration: d, MaximumBreakDuration: ticks.Ticks(limit), Recovery: &RecoverySettings{share, d, d, share}, Adaptive: true}
		}
		known := bits(1) == 0
		r := Reading{ticks.Ticks(reading), known}
		e := Explain(&s, Readings{Ceiling: r, Base: r, HedgeThreshold: r, QueueDelay: r, Breaker: CircuitState(bits(3)), Utilization: spent})
		checkExplanation(t, &s, &e)
		Describe(e.Problems, &s)
	})
}
