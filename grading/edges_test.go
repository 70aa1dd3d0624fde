package grading

import (
	"strings"
	"testing"
)

func TestSlack(t *testing.T) {
	for _, c := range []struct {
		late   int64 // behind the end of the request
		paired int
	}{{0, 1}, {ms, 1}, {ms + 1, 0}} {
		m := newMade()
		m.in(10*s, 100*ms, 200)
		m.out(10*s+100*ms+c.late, "x", "reset")
		if got := m.grade(t).Faults.Paired; got != c.paired {
			t.Errorf("%d ns behind the end: %d paired", c.late, got)
		}
	}
}

// TestNeverAnswered is how long a request without an answer and without an end counts as in flight:
// a minute, or to the end of the recording.
func TestNeverAnswered(t *testing.T) {
	for _, c := range []struct {
		end, at int64
		paired  int
	}{
		{100 * s, 69 * s, 1}, {100 * s, 70 * s, 1}, {100 * s, 70*s + 2*ms, 0},
		{30 * s, 30 * s, 1}, {30 * s, 31 * s, 1}, // the call itself ends the recording
	} {
		m := newMade()
		m.rec.LoadEndsNs = c.end
		m.in(10*s, 0, 0).HasDuration = false
		m.out(c.at, "x", "reset")
		if got := m.grade(t).Faults.Paired; got != c.paired {
			t.Errorf("end %d, call at %d: %d paired", c.end, c.at, got)
		}
	}
	// Its latency is as long, so the worst amplification knows it though the error comes first.
	m := newMade()
	m.rec.LoadEndsNs = 31 * s
	m.in(1*s, s, 200)
	m.in(10*s, 0, 0).HasDuration = false
	m.out(10*s, "x", "latency").Chaos.DelayNs = 2 * s
	if got := m.grade(t); got.Worst.LatencyAmplification != 10 || got.checks() != "error_passed_through 1;" {
		t.Error(got.Worst, got.checks())
	}
}

func TestUsualLatencyIsOfAnswers(t *testing.T) {
	m := newMade()
	m.in(1*s, 100*ms, 200)
	m.in(2*s, 100*ms, 500) // answered, though with an error
	m.in(3*s, 900*ms, 0)
	m.in(4*s, 900*ms, 0)
	m.in(5*s, 900*ms, 0)
	m.in(10*s, 3200*ms, 200)
	m.out(10*s, "x", "latency").Chaos.DelayNs = s
	if got := m.grade(t); len(got.Findings) != 1 || !strings.Contains(got.Findings[0].Sentence, "a usual 100 ms") {
		t.Error(got.Findings)
	}
}

func TestDelayThatWasNotRecorded(t *testing.T) {
	m := newMade()
	m.in(1*s, 100*ms, 200)
	m.in(10*s, 4600*ms, 200)
	call := m.out(10*s, "x", "stall")
	call.DurationNs, call.Chaos.HasDelay, call.Chaos.DelayNs = 2*s, false, 0
	if got := m.grade(t); got.Worst.LatencyAmplification != 2.25 {
		t.Error(got.Worst)
	}
}

func TestMarkOfStatusZero(t *testing.T) {
	m := newMade()
	m.in(10*s, 100*ms, 503)
	call := m.out(10*s, "x", "status")
	call.Status, call.Chaos.HasStatus = 502, true
	if got := m.grade(t).Findings; len(got) != 1 || !strings.Contains(got[0].Sentence, "returned 502 from") {
		t.Error(got)
	}
}

// TestStopOfARuleWithoutAWindow is the latest end of its calls, whatever their order and pairing.
func TestStopOfARuleWithoutAWindow(t *testing.T) {
	m := newMade()
	m.in(10*s, ms, 200)
	m.out(10*s, "x", "reset").DurationNs = 20 * s
	m.out(12*s, "x", "reset") // in nobody's flight, and over long before
	m.in(20*s, ms, 200)       // while the first still hangs
	m.in(31*s, ms, 200)
	if got := m.grade(t).Recovery; got.Recovered != 1 || got.SlowestNs != s+ms {
		t.Error(got)
	}
}

// TestRecoveryLeavesOutOtherFaults looks past a request that two rules hit, though one is its own.
func TestRecoveryLeavesOutOtherFaults(t *testing.T) {
	m := newMade()
	m.rule("a", 10*s, 10*s)
	m.rule("b", 10*s, 30*s)
	m.in(10*s, 100*ms, 200)
	m.out(10*s, "a", "reset")
	m.in(30*s, 100*ms, 200)
	m.out(30*s, "a", "reset")
	m.out(30*s+ms, "b", "reset")
	got := m.grade(t).Recovery
	if len(got.Endpoints) != 2 || got.Endpoints[0].State != NoRequest {
		t.Errorf("%+v", got)
	}
}

// TestDependencyOfNoRecovery is that of the rule's last call, even where an earlier request sent it.
func TestDependencyOfNoRecovery(t *testing.T) {
	m := newMade()
	m.rule("x", 10*s, 10*s)
	m.in(10*s, 100*ms, 200)
	m.in(11*s, 100*ms, 200)
	m.out(11*s, "x", "reset").Host = "early"
	last := m.out(12*s, "x", "reset")
	last.Parent, last.Host = "r0", "late"
	m.in(21*s, ms, 500)
	if got := m.grade(t).Findings; len(got) != 1 || got[0].Dependency != "late GET /d" {
		t.Error(got)
	}
}

// bad adds windows of one endpoint that fall to a check each: so many for every check.
func (m *made) bad(path string, at int64, failed, retried, slow int) int64 {
	m.in(at, 100*ms, 200).Path = path
	for range failed {
		at += s
		m.in(at, 100*ms, 503).Path = path
		m.out(at, "x", "reset")
	}
	for range retried {
		at += s
		m.in(at, 100*ms, 200).Path = path
		for i := range 5 {
			m.out(at+int64(i)*ms, "x", "reset")
		}
	}
	for range slow {
		at += 10 * s
		m.in(at, 9*s, 200).Path = path
		m.out(at, "x", "latency").Chaos.DelayNs = s
	}
	return at + 10*s
}

func TestStepsTakeTheLargestFindingFirst(t *testing.T) {
	m := newMade()
	m.bad("/e", 0, 1, 2, 3)
	got := m.grade(t)
	if len(got.Steps) != 2 || !strings.Contains(got.Steps[0].Sentence, " took ") || !strings.Contains(got.Steps[1].Sentence, " called ") {
		t.Errorf("%+v", got.Steps)
	}
	if got.Steps[0].Stays != "Stays F" || got.Steps[1].To != D { // 3 of 6, then 5 of 6
		t.Errorf("%+v", got.Steps)
	}
}

func TestCapThenBucket(t *testing.T) {
	m := newMade()
	m.rule("x", 10*s, 10*s)
	m.windows(19, 1)
	m.in(25*s, ms, 500)
	m.in(26*s, ms, 500)
	got := m.grade(t)
	if got.Letter != D || len(got.Steps) != 2 || got.Steps[0].To != B || got.Steps[1].To != A ||
		!strings.Contains(got.Steps[0].Sentence, "stopped firing. Fixing or accepting it brings Resilience to 95% of faults handled; letter D to B.") {
		t.Errorf("%s, %+v", got.Letter, got.Steps)
	}
}

func TestMoreEndpoints(t *testing.T) {
	for n, want := range []string{"", " and 1 more endpoint that did not recover", " and 2 more endpoints that did not recover"} {
		if got := moreEndpoints(n); got != want {
			t.Errorf("%d: %q", n, got)
		}
	}
}

// TestExampleOfAFinding is the worst window, and the first of equal ones.
func TestExampleOfAFinding(t *testing.T) {
	m := newMade()
	m.in(1*s, 100*ms, 200)
	for i, took := range []int64{3100 * ms, 4100 * ms, 4100 * ms, 3500 * ms} {
		at := int64(5*s + i*6*s)
		m.in(at, took, 200)
		call := m.out(at, "x", "latency")
		call.Chaos.DelayNs, call.Host = s, string(rune('a'+i))
	}
	if got := m.grade(t).Findings; len(got) != 1 || got[0].Dependency != "b GET /d" || got[0].Count != 4 || got[0].FirstNs != 5*s || got[0].LastNs != 23*s {
		t.Errorf("%+v", got)
	}
	m = newMade()
	for i, attempts := range []int{5, 6, 6, 5} {
		at := int64(5*s + i*s)
		m.in(at, 100*ms, 200)
		for k := range attempts {
			m.out(at+int64(k), "x", "reset").Host = string(rune('a' + i))
		}
	}
	if got := m.grade(t).Findings; len(got) != 1 || got[0].Dependency != "b GET /d" {
		t.Errorf("%+v", got)
	}
	m = newMade()
	for i := range 2 {
		m.in(int64(5*s+i*s), 100*ms, 500+i)
		m.out(int64(5*s+i*s), "x", "reset")
	}
	if got := m.grade(t).Findings; len(got) != 1 || !strings.Contains(got[0].Sentence, "answered 500") {
		t.Errorf("%+v", got)
	}
}

// TestOrderOfFindings is by group, then count, then text; the accepted ones last, by check.
func TestOrderOfFindings(t *testing.T) {
	m := newMade()
	m.rec.LoadEndsNs = 1000 * s
	at := int64(0)
	for _, e := range []struct {
		path                  string
		failed, retried, slow int
	}{{"/b", 1, 1, 1}, {"/a", 1, 1, 1}, {"/c", 2, 0, 0}, {"/d", 1, 0, 4}} {
		at = m.bad(e.path, at, e.failed, e.retried, e.slow)
	}
	order := func() string {
		text := ""
		for _, f := range m.grade(t).Findings {
			text += f.Check.String()[:1] + f.Endpoint[4:] + " "
		}
		return strings.TrimSpace(text)
	}
	if got, want := order(), "e/c e/a e/b e/d u/a u/b l/d l/a l/b"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	for _, a := range []struct {
		check    Check
		endpoint string
	}{{LatencyAmplification, "/d"}, {ErrorPassedThrough, "/b"}, {UnboundedRetries, "/a"}} {
		m.set.Accept = append(m.set.Accept, Acceptance{Check: a.check, Endpoint: "GET " + a.endpoint, Rule: "x", Reason: "known"})
	}
	if got, want := order(), "e/c e/a e/d u/b l/a l/b e/b u/a l/d"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func TestWords(t *testing.T) {
	for check := range Check(Checks) {
		if got, ok := ParseCheck(check.String()); !ok || got != check {
			t.Error(check)
		}
	}
	if _, ok := ParseCheck("Accepted"); ok {
		t.Error("a check that is none")
	}
	for _, l := range []Letter{A, B, C, D, F} {
		if got, ok := ParseLetter(l.String()); !ok || got != l {
			t.Error(l)
		}
	}
	for _, text := range []string{"", "E", "a", "n/a", "AA"} {
		if _, ok := ParseLetter(text); ok {
			t.Error(text)
		}
	}
	if NoLetter.String() != "n/a" || Role(9).String() != "required" || Check(9).String() != "no_recovery" {
		t.Error("words of values out of range")
	}
}
