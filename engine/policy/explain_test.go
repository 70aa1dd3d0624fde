package policy

import (
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"squall/engine/ticks"
)

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

// TestExplainDropsReadings: what a policy does not measure is not shown, whatever was read.
func TestExplainDropsReadings(t *testing.T) {
	known := Reading{ticks.Second, true}
	r := Readings{Ceiling: known, Base: known, HedgeThreshold: known, QueueDelay: known, Utilization: math.NaN()}
	s := with(Default(), noCeiling)
	e := Explain(&s, r)
	for _, m := range e.Measured {
		if m.Known || m.Note != "not configured" {
			t.Errorf("%s is shown: %+v", m.Name, m)
		}
	}
	if e.Load.Spent != 0 {
		t.Errorf("%v of the budget is spent", e.Load.Spent)
	}
}

// TestExplainWidth: 96 columns are used, and the 97th is not.
func TestExplainWidth(t *testing.T) {
	word := strings.Repeat("x", 70)
	for text, want := range map[string]string{
		word + " 345678":  "\n\n  Bound first by:  " + word + " 345678\n\n",
		word + " 3456789": "\n\n  Bound first by:  " + word + "\n                   3456789\n\n",
	} {
		if got := (Explanation{BoundText: text}).String(); !strings.Contains(got, want) {
			t.Errorf("%q is laid out as\n%s", text, got)
		}
	}
}
