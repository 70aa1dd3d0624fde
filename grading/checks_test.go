package grading

import (
	"strings"
	"testing"

	"squall/grading/recording"
)

// The check values of grading.md 9, by the letter of a made recording. Those of headers and markers
// are beside the readers, those of paths and numbers in endpoint_test.go and numbers_test.go.

// windows adds handled windows and failed ones under rule x, a second apart, from 10 s on.
func (m *made) windows(handled, failed int) {
	for i := range handled + failed {
		at, status := int64(10*s+i*20*ms), 200
		if i >= handled {
			status = 503
		}
		m.in(at, 10*ms, status)
		c := m.out(at+ms, "x", "status")
		c.Chaos.Status, c.Chaos.HasStatus = 503, true
	}
}

func TestMeasureAndLetter(t *testing.T) {
	for _, c := range []struct {
		handled, failed int
		text            string
		letter          Letter
	}{{12, 1, "92.31%", C}, {9, 1, "90%", C}, {8, 1, "88.89%", D}, {99, 1, "99%", A}, {1, 1, "50%", F}} {
		m := newMade()
		m.windows(c.handled, c.failed)
		m.in(59*s, ms, 200)
		got := m.grade(t)
		if got.Letter != c.letter || got.Measure.Text != c.text+" of faults handled" {
			t.Errorf("%d and %d: %s, %s", c.handled, c.failed, got.Letter, got.Measure.Text)
		}
	}
}

func TestRetryBound(t *testing.T) {
	for _, c := range []struct {
		attempts, usual int
		checks          string
		worst           float64
	}{{5, 1, "unbounded_retries 1;", 4}, {4, 1, "", 3}, {6, 3, "", 3}, {7, 3, "unbounded_retries 1;", 4}} {
		m := newMade()
		m.in(1*s, 100*ms, 200)
		for i := range c.usual {
			m.out(1*s+int64(i)*ms, "")
		}
		m.in(10*s, 100*ms, 200)
		for i := range c.attempts {
			m.out(10*s+int64(i)*ms, []string{"x", ""}[i%2], "reset")
		}
		got := m.grade(t)
		if got.checks() != c.checks || got.Worst.RetryAmplification != c.worst {
			t.Errorf("%d attempts, usually %d: %q, worst %v", c.attempts, c.usual, got.checks(), got.Worst.RetryAmplification)
		}
	}
}

func TestUsualOfOneAndTwoAttempts(t *testing.T) {
	m := newMade()
	for i := range 2 {
		at := int64(1*s + i*s)
		m.in(at, 100*ms, 200)
		for k := range i + 1 {
			m.out(at+int64(k)*ms, "")
		}
	}
	m.in(10*s, 100*ms, 200)
	for i := range 5 {
		m.out(10*s+int64(i)*ms, "x", "reset")
	}
	got := m.grade(t)
	if got.checks() != "unbounded_retries 1;" || got.Worst.RetryAmplification != 3.5 || !strings.Contains(got.Findings[0].Sentence, "(usually 1.5)") {
		t.Error(got.checks(), got.Worst, got.Findings)
	}
}

func TestResendCountsAsAttempts(t *testing.T) {
	m := newMade()
	m.in(10*s, 100*ms, 200)
	m.out(10*s+ms, "x", "reset").Resend = 4
	got := m.grade(t)
	if got.checks() != "unbounded_retries 1;" || !strings.Contains(got.Findings[0].Sentence, "called dep GET /d 5 times") {
		t.Error(got.checks(), got.Findings)
	}
}

func TestLatencyBound(t *testing.T) {
	for _, c := range []struct {
		took, usual, injected int64
		printed               string // empty: not flagged
		worst                 float64
	}{
		{3200 * ms, 100 * ms, 1000 * ms, "3.1x", 3.1},
		{2100 * ms, 100 * ms, 1000 * ms, "", 2},
		{1040 * ms, 20 * ms, 500 * ms, "2.04x", 2.04},
		{2100*ms + 1, 100 * ms, 1000 * ms, "2.000000001x", 2.000000001},
		{50 * ms, 100 * ms, 1000 * ms, "", 0},
	} {
		m := newMade()
		m.in(1*s, c.usual, 200)
		m.in(10*s, c.took, 200)
		m.out(10*s, "x", "latency").Chaos.DelayNs = c.injected
		got := m.grade(t)
		flagged := len(got.Findings) == 1
		if flagged != (c.printed != "") || flagged && !strings.Contains(got.Findings[0].Sentence, ": "+c.printed+" the fault's") {
			t.Errorf("%+v: %+v", c, got.Findings)
		}
		if got.Worst.LatencyAmplification != c.worst {
			t.Errorf("%+v: worst %v", c, got.Worst.LatencyAmplification)
		}
	}
}

func TestErrorComesBeforeRetries(t *testing.T) {
	m := newMade()
	m.in(10*s, 100*ms, 503)
	for i := range 10 {
		m.out(10*s+int64(i)*ms, "x", "reset")
	}
	if got := m.grade(t); got.checks() != "error_passed_through 1;" || got.Worst.RetryAmplification != 9 {
		t.Error(got.checks(), got.Worst)
	}
}

func TestRecoveryCap(t *testing.T) {
	for _, c := range []struct {
		name            string
		handled, failed int
		accepted        bool
		letter          Letter
	}{{"all handled", 4, 0, false, D}, {"accepted", 4, 0, true, A}, {"half", 2, 2, false, F}, {"half, accepted", 2, 2, true, F}} {
		m := newMade()
		m.rule("x", 10*s, 10*s)
		m.windows(c.handled, c.failed)
		m.in(21*s, ms, 500)
		if c.accepted {
			m.set.Accept = []Acceptance{{Check: NoRecovery, Endpoint: "GET /e", Rule: "x", Reason: "known"}}
		}
		if got := m.grade(t); got.Letter != c.letter {
			t.Errorf("%s: %s, %s", c.name, got.Letter, got.checks())
		}
	}
}

// 17 of 20 and an endpoint that did not recover: the bucket shows first, for a D is no more than the
// cap allows, and the cap second.
func TestStepsUnderTheCap(t *testing.T) {
	m := newMade()
	m.rule("x", 10*s, 10*s)
	m.windows(17, 3)
	m.in(21*s, ms, 500)
	got := m.grade(t)
	if got.Letter != D || len(got.Steps) != 2 {
		t.Fatalf("%s, %+v", got.Letter, got.Steps)
	}
	first, second := got.Steps[0], got.Steps[1]
	if !strings.HasSuffix(first.Sentence, "brings Resilience to 100% of faults handled; letter stays D.") || first.Stays != "Stays D" {
		t.Error(first)
	}
	if !strings.HasSuffix(second.Sentence, "brings Resilience to 100% of faults handled; letter D to A.") || second.Stays != "" {
		t.Error(second)
	}
}

func TestLoopedTrace(t *testing.T) {
	m := newMade()
	for i := range 3 {
		m.in(int64(i+1)*s, 200*ms, 200).TraceID = "4bf92f3577b34da6a3ce929d0e0e4736"
	}
	m.rec.Inbound[1].Status = 500
	m.out(2*s+100*ms, "x", "reset").TraceID = "4bf92f3577b34da6a3ce929d0e0e4736"
	got := m.grade(t)
	if got.Faults.TraceAmbiguous != 1 || got.Buckets.ErrorPassedThrough != 1 {
		t.Error(got.Faults, got.Buckets)
	}
}

func TestNotApplicable(t *testing.T) {
	empty := newMade()
	generator := newMade()
	generator.rule("x", 0, 0)
	generator.rec.Mocked = recording.Unsaid
	quiet := newMade()
	quiet.rule("x", 0, 0)
	two := newMade()
	two.rule("x", 0, 0)
	two.rule("y", 0, 0)
	matched := newMade()
	matched.rule("x", 0, 0)
	matched.rec.Matched = []recording.Match{{Rule: "x", Count: 1}}
	several := newMade()
	several.rule("x", 0, 0).Matched, several.rules[0].HasMatched = 3, true
	several.rule("y", 0, 0)
	several.rec.Matched = []recording.Match{{Rule: "y", Count: 4}}
	outside := newMade()
	outside.out(1*s, "x")
	outsides := newMade()
	outsides.out(1*s, "x")
	outsides.out(2*s, "x")
	for _, c := range []struct {
		made *made
		want string
	}{
		{empty, "The test config has no chaos rules; nothing was injected to judge resilience."},
		{generator, "Nothing was mocked in this replay, so no chaos rule could fire."},
		{quiet, "The test config has 1 chaos rule but it did not fire; no mocked call matched it."},
		{two, "The test config has 2 chaos rules but none fired; no mocked call matched them."},
		{matched, "The test config has 1 chaos rule but it did not fire; 1 mocked call matched and its roll declined."},
		{several, "The test config has 2 chaos rules but none fired; 7 mocked calls matched and every roll declined."},
		{outside, "1 fault injected but it fell inside no inbound request to judge."},
		{outsides, "2 faults injected but none fell inside an inbound request to judge."},
	} {
		got := c.made.grade(t)
		if got.NA != c.want || got.Detail != c.want || got.Letter != NoLetter {
			t.Errorf("%s: %s (%s), want %s", got.Letter, got.NA, got.Detail, c.want)
		}
	}
}

func TestLaterCalls(t *testing.T) {
	m := newMade()
	m.rec.Inbound = make([]recording.Inbound, 0, callsKept+1)
	for i := range callsKept {
		m.in(int64(i)*us, us, 200)
	}
	m.in(30*s, ms, 503)
	m.out(30*s, "x", "reset")
	got := m.grade(t)
	if want := "1 fault injected but it fell inside no inbound request to judge."; got.NA != want {
		t.Error(got.NA)
	}
	if want := got.NA + " 1 later call was not judged: 200,000 calls per direction are kept."; got.Detail != want || got.Faults.NotJudgedCalls != 1 {
		t.Errorf("%s, want %s", got.Detail, want)
	}
	m.in(31*s, ms, 200)
	if got := m.grade(t); !strings.HasSuffix(got.Detail, " 2 later calls were not judged: 200,000 calls per direction are kept.") {
		t.Error(got.Detail)
	}
}
