package policy

import (
	"strings"
	"testing"

	"squall/engine/ticks"
)

const customCurve = Constant + 1 // a curve that nobody can foresee; no scenario can write one

func custom(s *Settings) {
	s.Backoff = BackoffSettings{Kind: customCurve, Factor: 2, MaximumDelay: ticks.Infinite}
}

// rows are the walk as text, a row a line.
func rows(w *Walk) string {
	var b strings.Builder
	for i := range w.Rows {
		cells := w.Rows[i].cells()
		b.WriteString(strings.Join(cells[:min(len(cells), 2)], " | ") + "\n")
	}
	return b.String()
}

func TestExplainWalk(t *testing.T) {
	warm := func(ceiling, base ticks.Ticks) Readings {
		return Readings{Ceiling: Reading{ceiling, ceiling > 0}, Base: Reading{base, base > 0}}
	}
	const ms = ticks.Millisecond
	for _, tt := range []struct {
		id       string
		policy   Settings
		readings Readings
		rows     string
		bound    Bound
		worst    ticks.Ticks
		says     []string // in the sentence about the bound
	}{
		{"S1-S2", Default(), Readings{}, `attempt 1 | 0.00s -> 10.00s
backoff | +0ms -> 100ms
attempt 2 | 10.10s -> 20.10s
backoff | +0ms -> 200ms
attempt 3 | 20.30s -> 30.00s
deadline | 30.00s
`, BoundDeadline, 30 * ticks.Second, []string{"attempt 3", "9.70s", "97%"}},
		{"S3", with(Default(), deadline(5*ticks.Second)), Readings{}, `attempt 1 | 0.00s -> 5.00s
deadline | 5.00s
`, BoundDeadline, 5 * ticks.Second, []string{"attempt 1", "5.00s", "50%", "attempts 2-3 never start"}},
		{"one never starts", with(Default(), attempts(2), deadline(5*ticks.Second)), Readings{}, `attempt 1 | 0.00s -> 5.00s
deadline | 5.00s
`, BoundDeadline, 5 * ticks.Second, []string{"attempt 2 never starts"}},
		{"S4", with(Default(), attempts(2), timeout(ticks.Second)), Readings{}, `attempt 1 | 0.00s -> 1.00s
backoff | +0ms -> 100ms
attempt 2 | 1.10s -> 2.10s
exhausted | 2.10s
`, BoundTimeout, 2100 * ms, []string{"attempt timeout", "2.10s", "27.9s", "unused"}},
		{"S5", with(Default(), attempts(2), timeout(ticks.Second), func(s *Settings) {
			s.Backoff.Jitter, s.Backoff.TransientBase = EqualJitter, 400*ms
		}), Readings{}, `attempt 1 | 0.00s -> 1.00s
backoff | +200ms -> 400ms
attempt 2 | 1.40s -> 2.40s
exhausted | 2.40s
`, BoundTimeout, 2400 * ms, nil},
		{"no jitter", with(Default(), attempts(2), timeout(ticks.Second), func(s *Settings) { s.Backoff.Jitter = NoJitter }), Readings{}, `attempt 1 | 0.00s -> 1.00s
backoff | +100ms -> 100ms
attempt 2 | 1.10s -> 2.10s
exhausted | 2.10s
`, BoundTimeout, 2100 * ms, nil},
		{"S6", with(Default(), custom), Readings{}, `attempt 1 | 0.00s -> 10.00s
unknown | 10.00s
`, BoundDeadline, 30 * ticks.Second, []string{"custom curve"}},
		{"S7", with(Default(), custom, deadline(ticks.Infinite)), Readings{}, `attempt 1 | 0.00s -> 10.00s
unknown | 10.00s
`, BoundNothing, ticks.Infinite, []string{"custom curve"}},
		{"S8", Instant(), Readings{}, "attempt 1 | 0.00s -> open\n", BoundNothing, ticks.Infinite, []string{"neither"}},
		{"S8 one attempt", None(), Readings{}, "attempt 1 | 0.00s -> open\n", BoundNothing, ticks.Infinite, []string{"the one attempt"}},
		{"S9", with(Default(), attempts(100000), timeout(ticks.Second), deadline(ticks.Infinite)), Readings{}, `attempt 1 | 0.00s -> 1.00s
backoff | +0ms -> 100ms
attempt 2 | 1.10s -> 2.10s
backoff | +0ms -> 200ms
attempt 3 | 2.30s -> 3.30s
backoff | +0ms -> 400ms
attempt 4 | 3.70s -> 4.70s
backoff | +0ms -> 800ms
attempt 5 | 5.50s -> 6.50s
backoff | +0ms -> 1.6s
attempt 6 | 8.10s -> 9.10s
... attempts 7-1000 left out
and so on | 512.52m
`, BoundAttempts,
			// 1000 attempts of 1 s, 100 ms doubled 9 times, then 990 delays at the cap.
			(1000+990*30)*ticks.Second + 511*100*ms, []string{"first 1000 of 100000", "512.52m"}},
		{"S10", with(Default(), attempts(0), timeout(ticks.Minute)), Readings{}, `attempt 1 | 0.00s -> 30.00s
deadline | 30.00s
`, BoundDeadline, 30 * ticks.Second, []string{"50% of the 1m attempt timeout"}},
		{"S11", with(Default(), attempts(1)), Readings{}, `attempt 1 | 0.00s -> 10.00s
exhausted | 10.00s
`, BoundTimeout, 10 * ticks.Second, []string{"the attempt timeout"}},
		{"S12", with(Default(), attempts(1)), warm(100*ms, 0), `attempt 1 | 0.00s -> 0.10s
exhausted | 0.10s
`, BoundCeiling, 100 * ms, []string{"the measured attempt ceiling", "100ms", "29.9s"}},
		{"a ceiling at the timeout", with(Default(), attempts(1)), warm(10*ticks.Second, 0), `attempt 1 | 0.00s -> 10.00s
exhausted | 10.00s
`, BoundTimeout, 10 * ticks.Second, nil},
		{"a ceiling without a timeout", with(Instant(), attempts(1), ceiling(Ceiling(3))), warm(100*ms, 0), `attempt 1 | 0.00s -> 0.10s
exhausted | 0.10s
`, BoundCeiling, 100 * ms, []string{"no attempt timeout"}},
		{"a ceiling that is off", with(Default(), attempts(1), noCeiling), warm(100*ms, 0), `attempt 1 | 0.00s -> 10.00s
exhausted | 10.00s
`, BoundTimeout, 10 * ticks.Second, nil},
		{"a base beside a warm ceiling", with(Default(), base(MeasuredBase(2)), attempts(2)), warm(100*ms, 40*ms), `attempt 1 | 0.00s -> 0.10s
backoff | +0ms -> 80ms
attempt 2 | 0.18s -> 0.28s
exhausted | 0.28s
`, BoundCeiling, 280 * ms, nil}, // multiplied again
		{"a base held in its band again", with(Default(), base(MeasuredBase(2)), attempts(2)), warm(100*ms, 900*ms), `attempt 1 | 0.00s -> 0.10s
backoff | +0ms -> 1s
attempt 2 | 1.10s -> 1.20s
exhausted | 1.20s
`, BoundCeiling, 1200 * ms, nil},
		{"a base beside a cold ceiling", with(Default(), base(MeasuredBase(2)), attempts(2)), warm(0, 40*ms), `attempt 1 | 0.00s -> 10.00s
backoff | +0ms -> 100ms
attempt 2 | 10.10s -> 20.10s
exhausted | 20.10s
`, BoundTimeout, 20100 * ms, nil},
		{"too little left", with(Default(), deadline(11*ticks.Second), func(s *Settings) { s.Backoff.TransientBase = ticks.Second }), Readings{}, `attempt 1 | 0.00s -> 10.00s
deadline | 10.00s
`, BoundDeadline, 10 * ticks.Second, []string{"1.00s", "a backoff of up to 1s", "attempts 2-3 never start"}},
		{"just enough left", with(Default(), attempts(2), deadline(11*ticks.Second+1), func(s *Settings) { s.Backoff.TransientBase = ticks.Second }), Readings{}, `attempt 1 | 0.00s -> 10.00s
backoff | +0ms -> 1s
attempt 2 | 11.00s -> 11.00s
deadline | 11.00s
`, BoundDeadline, 11*ticks.Second + 1, nil},
		{"exactly the deadline", with(Default(), attempts(1), deadline(10*ticks.Second)), Readings{}, `attempt 1 | 0.00s -> 10.00s
deadline | 10.00s
`, BoundDeadline, 10 * ticks.Second, []string{"exactly"}},
		{"deadline only", with(Instant(), deadline(ticks.Second)), Readings{}, `attempt 1 | 0.00s -> 1.00s
deadline | 1.00s
`, BoundDeadline, ticks.Second, []string{"no attempt timeout"}},
		{"no deadline to start with", with(Default(), deadline(0)), Readings{}, "deadline | 0.00s\n", BoundDeadline, 0, []string{"no time"}},
		{"six attempts", with(Default(), attempts(6), timeout(ticks.Second), backoff(NoBackoff())), Readings{}, `attempt 1 | 0.00s -> 1.00s
backoff | +0ms -> 0ms
attempt 2 | 1.00s -> 2.00s
backoff | +0ms -> 0ms
attempt 3 | 2.00s -> 3.00s
backoff | +0ms -> 0ms
attempt 4 | 3.00s -> 4.00s
backoff | +0ms -> 0ms
attempt 5 | 4.00s -> 5.00s
backoff | +0ms -> 0ms
attempt 6 | 5.00s -> 6.00s
exhausted | 6.00s
`, BoundTimeout, 6 * ticks.Second, nil},
	} {
		t.Run(tt.id, func(t *testing.T) {
			e := Explain(&tt.policy, tt.readings)
			if got := rows(&e.Walk); got != tt.rows {
				t.Errorf("walk:\n%swant\n%s", got, tt.rows)
			}
			if e.Bound != tt.bound || e.Walk.Stop != tt.bound || e.Walk.Worst != tt.worst {
				t.Errorf("bound %v, walk stopped by %v at %d, want %v at %d", e.Bound, e.Walk.Stop, e.Walk.Worst, tt.bound, tt.worst)
			}
			for _, part := range tt.says {
				if !strings.Contains(e.BoundText, part) {
					t.Errorf("%q does not say %q", e.BoundText, part)
				}
			}
			checkExplanation(t, &tt.policy, &e)
		})
	}
}

func TestExplainNotes(t *testing.T) {
	s := with(Default(), attempts(0), timeout(ticks.Minute)) // S10
	if note := Explain(&s, Readings{}).Walk.Rows[0].Note; !strings.Contains(note, "1m") || !strings.Contains(note, "30.00s left") {
		t.Errorf("the note of a clamped attempt is %q", note)
	}
	s = Default()
	e := Explain(&s, Readings{})
	for _, part := range []string{"exponential", "2x", "100ms", "full jitter", "30s cap"} {
		if note := e.Walk.Rows[1].Note; !strings.Contains(note, part) {
			t.Errorf("the first backoff %q does not say %q", note, part)
		}
	}
	if note := e.Walk.Rows[3].Note; note != "" {
		t.Errorf("the second backoff says %q", note)
	}
	for _, tt := range []struct {
		id     string
		policy Settings
		notes  string // words of each, in order
	}{
		{"default", Default(), "1s"},
		{"one base", with(Default(), backoff(ConstantBackoff(ticks.Second))), ""},
		{"one row", with(Default(), deadline(ticks.Infinite), timeout(ticks.Infinite)), ""},
		{"custom", with(Default(), custom), ""},
		{"hedge", with(Default(), hedged(Hedge(0.95))), "1s overlap"},
		{"hedge without bounds", with(Instant(), hedged(Hedge(0.95))), "no bound"},
	} {
		got := strings.Join(Explain(&tt.policy, Readings{}).Walk.Notes, "\n")
		if (got == "") != (tt.notes == "") {
			t.Errorf("%s: notes %q", tt.id, got)
		}
		for _, word := range strings.Fields(tt.notes) {
			if !strings.Contains(got, word) {
				t.Errorf("%s: notes %q do not say %q", tt.id, got, word)
			}
		}
	}
}
