package policy

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
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

func TestExplainGuards(t *testing.T) { // 19.4
	breaker := Breaker()
	guarded := func(s *Settings) { s.Breaker = &breaker }
	for _, tt := range []struct {
		id       string
		policy   Settings
		readings Readings
		want     Bound
	}{
		{"open", with(Default(), guarded), Readings{Breaker: CircuitOpen, Utilization: 1}, BoundBreaker},
		{"half open", with(Default(), guarded), Readings{Breaker: CircuitHalfOpen}, BoundBreaker},
		{"recovering", with(Default(), guarded), Readings{Breaker: CircuitRecovering}, BoundBreaker},
		{"isolated", with(Default(), guarded), Readings{Breaker: CircuitIsolated}, BoundBreaker},
		{"closed", with(Default(), guarded), Readings{}, BoundDeadline},
		{"no such state", with(Default(), guarded), Readings{Breaker: 99}, BoundDeadline},
		{"no breaker", Default(), Readings{Breaker: CircuitOpen}, BoundDeadline},
		{"spent", Default(), Readings{Utilization: 1}, BoundBudget},
		{"nearly spent", Default(), Readings{Utilization: math.Nextafter(1, 0)}, BoundDeadline},
		{"nothing to spend on", with(Default(), attempts(1)), Readings{Utilization: 1}, BoundTimeout},
		{"no budget", with(Default(), noBudget), Readings{Utilization: 1}, BoundDeadline},
	} {
		e := Explain(&tt.policy, tt.readings)
		if e.Bound != tt.want {
			t.Errorf("%s: %v first, want %v (%s)", tt.id, e.Bound, tt.want, e.BoundText)
		}
		checkExplanation(t, &tt.policy, &e)
	}
}

func TestExplainLoad(t *testing.T) {
	for _, tt := range []struct {
		id     string
		policy Settings
		want   Load
		says   string
	}{
		{"automatic", Default(), Load{3, AutomaticBudget, 1.1, 0.1, 3, 0.25, ""}, "3.0x automatic private 1.1x 10% 3/s 25%"},
		{"none", with(Default(), noBudget), Load{3, NoBudget, 3, 0, 0, 0, ""}, "3.0x no budget"},
		{"inline", with(Default(), bucket(BudgetSettings{"", 0.25, 0})), Load{3, BucketBudget, 1.25, 0.25, 0, 0.25, ""}, "1.25x 25% 0/s"},
		{"shared", with(Default(), bucket(BudgetSettings{"all", 1, 5})), Load{3, BucketBudget, 2, 1, 5, 0.25, ""}, `2.0x "all" 100% 5/s`},
		{"no retries", with(Default(), attempts(0)), Load{1, AutomaticBudget, 1, 0, 0, 0, ""}, "1.0x"},
	} {
		got := Explain(&tt.policy, Readings{Utilization: 0.25}).Load
		tt.want.Text = got.Text
		if got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.id, got, tt.want)
		}
		for _, word := range strings.Fields(tt.says) {
			if !strings.Contains(got.Text, word) {
				t.Errorf("%s: %q does not say %q", tt.id, got.Text, word)
			}
		}
	}
}

func TestExplainMeasured(t *testing.T) {
	breaker := with(Default(), func(s *Settings) {
		b := Breaker()
		b.Recovery, b.HasFailureRatio, b.FailureRatio = new(Recovery(0.25)), true, 0.4
		s.Breaker = &b
	})
	all := with(Default(), base(MeasuredBase(1)), hedged(Hedge(0.9)), guarded(Saturation(5)))
	const ms = ticks.Millisecond
	e := Explain(&all, Readings{Ceiling: Reading{300 * ms, true}, Base: Reading{40 * ms, true}, HedgeThreshold: Reading{55 * ms, true}, QueueDelay: Reading{7 * ms, true}})
	for i, want := range []string{"attempt ceiling|300ms|3x p95 over 5m", "backoff base|40ms|1x p50 over 5m", "hedge threshold|55ms|p90 over 30s", "pool queue delay|7ms|"} {
		m := e.Measured[i]
		if got := m.Name + "|" + compact(m.Value) + "|" + m.Note; !strings.HasPrefix(got, want) || !m.Known {
			t.Errorf("measured %q, want %q", got, want)
		}
	}
	if !strings.Contains(e.MeasuredNote, "20ms") || !strings.Contains(e.MeasuredNote, "5x") {
		t.Errorf("the note on saturation is %q", e.MeasuredNote)
	}
	if e := Explain(&all, Readings{}); !strings.Contains(e.Measured[3].Note, "cold") || e.Measured[3].Known {
		t.Errorf("a cold queue delay: %+v", e.Measured[3])
	}
	if e := Explain(&all, Readings{Ceiling: Reading{ticks.Minute, true}}); !strings.Contains(e.Measured[0].Note, "not below") {
		t.Errorf("a ceiling above the timeout: %+v", e.Measured[0])
	}
	text := Explain(&breaker, Readings{}).Breaker
	for _, part := range []string{"Closed", "5 failures", "40%", "20 calls", "5x", "3x p50", "15s", "2m", "2 probe successes", "0.25x"} {
		if !strings.Contains(text, part) {
			t.Errorf("the breaker %q does not say %q", text, part)
		}
	}
}

// TestExplainExample is the example of 19.6 (S13-S15): its facts are looked up one by one, its
// layout is pinned by a transcript.
func TestExplainExample(t *testing.T) {
	s := with(HTTP(), deadline(5*ticks.Second))
	s.Name = "api"
	e := Explain(&s, Readings{})
	text := e.String()
	want, err := os.ReadFile("testdata/explain-example.txt")
	if err != nil {
		t.Fatal(err)
	}
	if text+"\n" != string(want) {
		t.Errorf("explained:\n%s\n\nwant\n%s", text, want)
	}

	blocks := strings.Split(text, "\n\n")
	facts := []struct {
		label string
		facts []string
	}{
		{"", []string{`"api"`, "3 attempts", "5s deadline", "10s attempt timeout"}},
		{"Bound first by:", []string{"the deadline", "attempt 1", "clamped to 5.00s", "50%", "10s attempt timeout,\n", "attempts 2-3 never start"}},
		{"Worst case:", []string{"0.00s -> 5.00s", "min of 10s attempt timeout and 5.00s left", "DeadlineExceededException", "1s", "retry-after wins"}},
		{"Load:", []string{"up to 3.0x per call", "automatic budget", "private", "sustained 1.1x", "10% of successes", "3/s", "0% spent"}},
		{"Measured now:", []string{"attempt ceiling   -  cold, 3x p95 over 5m, 20 samples minimum\n", "backoff base      -  not configured\n",
			"hedge threshold   -  not configured\n", "pool queue delay  -  not configured"}},
		{"Breaker:", []string{"not configured"}},
		{"Classifier:", []string{"Http\n", "HttpRequestException  Transient", "TimeoutException      Transient", "IOException           Transient",
			"SocketException       Transient", "HttpResponseMessage   by predicate", "any other exception   Permanent", "any other result      Ok"}},
	}
	if len(blocks) != len(facts) {
		t.Fatalf("%d blocks, want %d", len(blocks), len(facts))
	}
	for i, f := range facts {
		if i > 0 {
			prefix := fmt.Sprintf("  %-17s", f.label)
			if !strings.HasPrefix(blocks[i], prefix) || blocks[i][len(prefix)] == ' ' {
				t.Errorf("block %d is labelled %.25q, want %q and the content at once", i, blocks[i], prefix)
			}
			indent := 19
			if f.label == "Classifier:" {
				indent = 21
			}
			for _, line := range strings.Split(blocks[i], "\n")[1:] {
				if len(line)-len(strings.TrimLeft(line, " ")) != indent {
					t.Errorf("the line %q is not indented by %d", line, indent)
				}
			}
		}
		for _, fact := range f.facts {
			if !strings.Contains(blocks[i], fact) {
				t.Errorf("block %q does not show %q", blocks[i], fact)
			}
		}
	}
	lines := strings.Split(blocks[2], "\n")
	if column := strings.Index(lines[0], "min of"); column != 46 || strings.Index(lines[1], "Deadline") != column || strings.Index(lines[1], "5.00s") != 30 {
		t.Errorf("the columns of the worst case are not 19, 30 and 46:\n%s", blocks[2])
	}
}

func TestDescribe(t *testing.T) { // 2.11, the last paragraph
	s := with(Default(), attempts(0), timeout(ticks.Minute), func(s *Settings) { s.Backoff.Factor = 0 })
	s.Name = "a: b"
	want := `policy "a: b" has 2 problems
  - attempts is 0; it must be at least 1
  - backoff.factor is 0; it must be above 0

policy "a: b": 0 attempts, 30s deadline, 1m attempt timeout

  Worst case:      attempt 1  0.00s -> 30.00s  min of 1m attempt timeout and 30.00s left
                   deadline   30.00s           DeadlineExceededException
                   a throttled attempt backs off from 1s instead; a server's retry-after wins`
	if got := Describe(s.Validate(), &s); got != want {
		t.Errorf("described as\n%s\nwant\n%s", got, want)
	}
	if e := Explain(&s, Readings{}); !strings.Contains(e.String(), "\n\n  Problems:        attempts is 0; it must be at least 1\n                   backoff.factor is 0") {
		t.Errorf("the problems are not the second block of\n%s", e)
	}
	s = with(Instant(), attempts(0))
	if got, want := Describe(s.Validate(), &s), "policy has 1 problem\n  - attempts is 0; it must be at least 1"; got != want {
		t.Errorf("without a bound: %q, want %q", got, want)
	}
}

func TestExplainJSON(t *testing.T) {
	s := with(HTTP(), attempts(2), timeout(ticks.Second), func(s *Settings) { s.Name = "a <b>" })
	e := Explain(&s, Readings{Ceiling: Reading{100 * ticks.Millisecond, true}})
	text := string(e.AppendJSON([]byte("x")))
	for _, part := range []string{
		`x{"headline":"policy \"a <b>\": 2 attempts, 30s deadline, 1s attempt timeout","problems":[],"bound":{"by":"attemptCeiling","text":"`,
		`"walk":{"rows":[{"kind":"attempt","number":1,"fromNs":0,"toNs":100000000,"note":"`,
		`{"kind":"backoff","number":2,"fromNs":100000000,"toNs":200000000,"shortestNs":0,"note":"`,
		`{"kind":"exhausted","number":2,"fromNs":300000000,"toNs":300000000,"note":"`,
		`"stop":"attemptCeiling","attempts":2,"deadlineNs":30000000000,"worstNs":300000000,"lowerBound":false},`,
		`"load":{"attemptsMax":2,"budget":"automatic","sustained":1.1,"fraction":0.1,"floorPerSecond":3,"spent":0,"text":"`,
		`"measured":[{"name":"attempt ceiling","valueNs":100000000,"note":"`,
		`{"name":"backoff base","valueNs":null,"note":"not configured"}`,
		`"classifier":{"name":"Http","rules":[{"of":"HttpRequestException","verdict":"Transient"},`,
	} {
		if !strings.Contains(text, part) {
			t.Errorf("%s\ndoes not hold\n%s", text, part)
		}
	}
	s = with(Instant(), bucket(BudgetSettings{Fraction: math.NaN()}))
	text = string(Explain(&s, Readings{}).AppendJSON(nil))
	for _, part := range []string{`"problems":[{"path":"budget.fraction","message":"is NaN;`, `"toNs":null`, `"deadlineNs":null,"worstNs":null`, `"sustained":null,"fraction":null`} {
		if !strings.Contains(text, part) {
			t.Errorf("%s\ndoes not hold\n%s", text, part)
		}
	}
}

// TestReadings warms a live policy and reads it.
func TestReadings(t *testing.T) {
	s := with(Default(), base(MeasuredBase(1)), hedged(Hedge(0.95)), guarded(Saturation(5)), func(s *Settings) { s.Breaker = new(Breaker()) })
	l := NewLive(&s, nil, 0, func() float64 { return 0.5 })
	if r := l.Readings(0); r != (Readings{}) {
		t.Errorf("before anything: %+v", r)
	}
	l.Wake(0)
	for i := range 20 {
		if r := l.Readings(0); r.Ceiling.Known || r.Base.Known || r.HedgeThreshold.Known {
			t.Errorf("known after %d samples: %+v", i, r)
		}
		l.ceilingWindow.Record(0, 100*ticks.Millisecond)
		l.baseWindow.Record(0, 200*ticks.Millisecond)
		l.hedgeWindow.Record(0, ticks.Millisecond)
	}
	l.Queue = QueueReading{Delay: 70, Normal: 10, Known: true}
	for range 15 {
		l.bucket.TrySpend(0, false)
	}
	want := Readings{
		Ceiling:        Reading{3_194_880, true}, // F2
		Base:           Reading{2_129_920, true}, // G2
		HedgeThreshold: Reading{10 * ticks.Millisecond, true},
		QueueDelay:     Reading{70, true},
		Utilization:    0.5,
	}
	if r := l.Readings(0); r != want {
		t.Errorf("warm: %+v, want %+v", r, want)
	}
}

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
