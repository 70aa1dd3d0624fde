package grading

import (
	"strings"
	"testing"

	"squall/grading/recording"
)

// TestDoing says what a rule did, for every effect and every way to know less of it.
func TestDoing(t *testing.T) {
	for _, c := range []struct {
		effects        []string
		status, marked int
		delay          int64
		want           string
	}{
		{[]string{"status"}, 200, 503, 0, "returned 503 from dep GET /d"},
		{[]string{"status"}, 502, 0, 0, "returned 502 from dep GET /d"},
		{[]string{"status"}, 0, 0, 0, "returned an error from dep GET /d"},
		{[]string{"refuse"}, 0, 0, 0, "refused the connection to dep GET /d"},
		{[]string{"reset"}, 0, 0, 0, "reset the connection to dep GET /d"},
		{[]string{"stall"}, 0, 0, 30 * s, "stalled dep GET /d for 30 s"},
		{[]string{"stall"}, 0, 0, 0, "stalled dep GET /d"},
		{[]string{"drop"}, 0, 0, 0, "cut off the response of dep GET /d"},
		{[]string{"no-response"}, 0, 0, 5 * s, "gave no response from dep GET /d for 5 s"},
		{[]string{"no-response"}, 0, 0, 0, "gave no response from dep GET /d"},
		{[]string{"corrupt"}, 200, 0, 0, "corrupted the body from dep GET /d"},
		{[]string{"truncate"}, 200, 0, 0, "truncated the body from dep GET /d"},
		{[]string{"latency"}, 200, 0, s, "delayed dep GET /d by 1 s"},
		{[]string{"latency"}, 200, 0, 0, "delayed dep GET /d"},
		{nil, 200, 0, s, "perturbed dep GET /d"},
		{[]string{"gremlin"}, 200, 0, s, "perturbed dep GET /d"},
		{[]string{"latency", "truncate", "corrupt", "no-response"}, 0, 0, s, "gave no response from dep GET /d for 1 s"},
		{[]string{"latency", "stall", "reset", "refuse", "status"}, 0, 500, s, "returned 500 from dep GET /d"},
		{[]string{"latency", "stall", "drop"}, 0, 0, s, "stalled dep GET /d for 1 s"},
		{[]string{"gremlin", "latency", "truncate"}, 0, 0, s, "truncated the body from dep GET /d"},
	} {
		m := newMade()
		m.in(10*s, 100*ms, 0)
		call := m.out(10*s, "x", c.effects...)
		call.Status = c.status
		call.Chaos.Status, call.Chaos.HasStatus = c.marked, c.marked != 0
		call.Chaos.DelayNs = c.delay
		want := "GET /e did not answer while chaos rule \"x\" " + c.want + "."
		if got := m.grade(t).Findings; len(got) != 1 || got[0].Sentence != want {
			t.Errorf("%+v, want %s", got, want)
		}
	}
}

// TestHeld names the effect that a caller waited for when latency is what is wrong.
func TestHeld(t *testing.T) {
	for _, c := range []struct {
		effects []string
		want    string
	}{
		{[]string{"status", "stall", "latency"}, "delayed dep GET /d by 1 s"},
		{[]string{"status", "no-response", "stall"}, "stalled dep GET /d for 1 s"},
		{[]string{"no-response"}, "gave no response from dep GET /d for 1 s"},
	} {
		m := newMade()
		m.in(1*s, 100*ms, 200)
		m.in(10*s, 3200*ms, 200)
		m.out(10*s, "x", c.effects...).Chaos.DelayNs = s
		want := "GET /e took 3.2 s against a usual 100 ms while chaos rule \"x\" " + c.want + ": 3.1x the fault's 1 s, above the bound of 2x."
		if got := m.grade(t).Findings; len(got) != 1 || got[0].Sentence != want {
			t.Errorf("%+v, want %s", got, want)
		}
	}
}

func TestRetrySentence(t *testing.T) {
	m := newMade()
	m.rule("x", 0, 0).Name = `pay "down"`
	m.set.Bounds.MaxRetries = 1
	m.in(10*s, 100*ms, 200)
	for i := range 3 {
		m.out(10*s+int64(i)*ms, "x", "latency").Chaos.DelayNs = 5 * ms
	}
	got := m.grade(t)
	want := `GET /e called dep GET /d 3 times during one request (usually 1) while chaos rule "pay "down"" delayed it by 5 ms; the bound is 1 retry.`
	if len(got.Findings) != 1 || got.Findings[0].Sentence != want {
		t.Error(got.Findings)
	}
	if !strings.Contains(got.Detail, "1 retried more than 1 time, 0 ran over 2x") {
		t.Error(got.Detail)
	}
}

// TestRecoveryOfDetail is the second sentence of the detail in every form.
func TestRecoveryOfDetail(t *testing.T) {
	type after struct {
		at     int64
		status int
	}
	for _, c := range []struct {
		name     string
		length   int64 // of the rule's window from 10 s on
		accepted bool
		after    [][]after // of each endpoint
		want     string
	}{
		{"one back", 10 * s, false, [][]after{{{20 * s, 200}}}, "The affected endpoint recovered within 1 ms of its rule stopping."},
		{"two back", 10 * s, false, [][]after{{{20 * s, 200}}, {{22009 * ms, 404}}}, "All 2 affected endpoints recovered within 2.1 s of their rule stopping."},
		{"one of one", 10 * s, false, [][]after{{{20 * s, 500}}}, "1 of 1 affected endpoint had not recovered 30 s after its rule stopped firing, which caps the letter at D."},
		{"one of two", 10 * s, false, [][]after{{{20 * s, 500}}, {{20 * s, 200}}}, "1 of 2 affected endpoints had not recovered 30 s after their rule stopped firing, which caps the letter at D."},
		{"one of one, one unknown", 10 * s, false, [][]after{{{20 * s, 500}}, {}}, "1 of 1 affected endpoint had not recovered 30 s after its rule stopped firing, which caps the letter at D. 1 more could not be judged."},
		{"cut by the end", 45 * s, false, [][]after{{{56 * s, 500}}}, "1 of 1 affected endpoint had not recovered 5 s after its rule stopped firing, which caps the letter at D."},
		{"one accepted", 10 * s, true, [][]after{{{20 * s, 500}}}, "The affected endpoint is accepted as recovered."},
		{"two accepted", 10 * s, true, [][]after{{{20 * s, 500}}, {{20 * s, 500}}}, "All 2 affected endpoints are accepted as recovered."},
		{"one accepted, one back", 10 * s, true, [][]after{{{20 * s, 500}}, {{21999 * ms, 200}}}, "All 2 affected endpoints recovered within 2 s of their rule stopping."},
		{"one back, two unknown", 10 * s, false, [][]after{{{20 * s, 200}}, {}, {}}, "The affected endpoint recovered within 1 ms of its rule stopping. 2 more could not be judged."},
		{"nobody came", 10 * s, false, [][]after{{}, {}}, "Recovery could not be judged: no request reached the affected endpoints after the faults cleared."},
		{"still firing", 50 * s, false, [][]after{{}}, "Recovery could not be judged."},
	} {
		m := newMade()
		m.rule("x", 10*s, c.length)
		for i, list := range c.after {
			path := "/" + string(rune('a'+i))
			m.in(int64(10*s+i*s), 10*ms, 200).Path = path
			m.out(int64(10*s+i*s), "x", "reset")
			for _, a := range list {
				m.in(a.at, ms, a.status).Path = path
			}
			if c.accepted {
				m.set.Accept = append(m.set.Accept, Acceptance{Check: NoRecovery, Endpoint: "GET " + path, Rule: "x", Reason: "known"})
			}
		}
		got := m.grade(t)
		if _, second, _ := strings.Cut(got.Detail, "injected delay. "); second != c.want {
			t.Errorf("%s:\n got %s\nwant %s", c.name, second, c.want)
		}
	}
}

func TestNoRecoverySentence(t *testing.T) {
	for _, c := range []struct {
		status int
		want   string
	}{
		{500, `GET /e kept answering 5xx for 30 s after chaos rule "x" stopped firing.`},
		{0, `GET /e did not answer for 30 s after chaos rule "x" stopped firing.`},
	} {
		m := newMade()
		m.rule("x", 10*s, 10*s)
		m.in(10*s, 10*ms, 200)
		m.out(10*s, "x", "reset")
		m.in(20*s, ms, c.status)
		if got := m.grade(t); len(got.Findings) != 1 || got.Findings[0].Sentence != c.want {
			t.Errorf("%+v, want %s", got.Findings, c.want)
		}
	}
}

func TestLatencyNotJudgedSentence(t *testing.T) {
	m := newMade()
	m.in(10*s, 100*ms, 200)
	m.out(10*s, "x", "latency").Chaos.DelayNs = s
	if got := m.grade(t); !strings.HasSuffix(got.Detail, " Latency could not be judged for 1 request.") || got.LatencyNotJudged != 1 {
		t.Error(got.Detail)
	}
}

// TestSeveralRules says which rule a window is put down to.
func TestSeveralRules(t *testing.T) {
	t.Run("error: the last that is not latency", func(t *testing.T) {
		m := newMade()
		m.in(10*s, 100*ms, 503)
		m.out(10*s, "a", "reset")
		m.out(10*s+ms, "b", "status", "latency")
		m.out(10*s+2*ms, "c", "latency")
		if got := m.grade(t).Findings; len(got) != 1 || got[0].Rule != "b" {
			t.Error(got)
		}
	})
	t.Run("error: the last when all are latency", func(t *testing.T) {
		m := newMade()
		m.in(10*s, 100*ms, 503)
		m.out(10*s, "a", "latency")
		m.out(10*s+ms, "b")
		if got := m.grade(t).Findings; len(got) != 1 || got[0].Rule != "b" {
			t.Error(got)
		}
	})
	t.Run("retries: the greatest excess, then by text, its last perturbed call", func(t *testing.T) {
		m := newMade()
		m.in(10*s, 100*ms, 200)
		for i := range 5 {
			m.out(10*s+int64(i)*ms, []string{"a", "b", ""}[min(i, 2)], "reset").Host = "z"
			m.out(10*s+int64(i)*ms, "c", "reset").Host = "y"
			m.out(10*s+int64(i)*ms, "").Host = "x" // more text, but not faulted
		}
		if got := m.grade(t).Findings; len(got) != 1 || got[0].Rule != "c" || got[0].Dependency != "y GET /d" {
			t.Error(got)
		}
	})
	t.Run("latency: the largest delay, the first of two", func(t *testing.T) {
		m := newMade()
		m.in(1*s, 100*ms, 200)
		m.in(10*s, 9*s, 200)
		m.out(10*s, "a", "latency").Chaos.DelayNs = s
		m.out(10*s+ms, "b", "latency").Chaos.DelayNs = 2 * s
		m.out(10*s+2*ms, "c", "latency").Chaos.DelayNs = 2 * s
		m.out(10*s+3*ms, "d", "reset").Chaos.DelayNs = 5 * s
		if got := m.grade(t).Findings; len(got) != 1 || got[0].Rule != "b" {
			t.Error(got)
		}
	})
	t.Run("both rules of a window have their line, and recovery looks past the other", func(t *testing.T) {
		m := newMade()
		m.rule("a", 10*s, 10*s)
		m.rule("b", 10*s, 30*s)
		m.in(10*s, 100*ms, 200)
		m.out(10*s, "a", "reset")
		m.out(10*s, "b", "reset")
		m.in(30*s, 100*ms, 200) // a fault window of b: it says nothing about a
		m.out(30*s, "b", "reset")
		m.in(45*s, 100*ms, 500)
		got := m.grade(t)
		if got.Rules[0].Faulted != 1 || got.Rules[1].Faulted != 2 || got.Measure.Windows != 2 {
			t.Error(got.Rules, got.Measure)
		}
		if got.Recovery.NotRecovered != 2 {
			t.Error(got.Recovery)
		}
	})
	t.Run("a window of the same rule alone is looked at", func(t *testing.T) {
		m := newMade()
		m.rule("a", 10*s, 10*s)
		m.in(10*s, 100*ms, 200)
		m.out(10*s, "a", "reset")
		m.in(30*s, 100*ms, 200)
		m.out(30*s, "a", "reset")
		if got := m.grade(t); got.Recovery.Recovered != 1 || got.Recovery.SlowestNs != 10*s+100*ms {
			t.Error(got.Recovery)
		}
	})
}

// TestDocumentTexts holds the texts that the page about the family fixes.
func TestDocumentTexts(t *testing.T) {
	m := newMade()
	m.set.Bounds = Bounds{MaxRetries: -1, MaxLatencyAmplification: -5, RecoveryWindow: -1}
	m.windows(12, 1)
	m.in(59*s, ms, 200)
	got := m.grade(t)
	if got.Bounds != DefaultBounds || got.Ladder != DefaultLadder || got.Role != RoleOff {
		t.Error(got.Bounds, got.Ladder, got.Role)
	}
	if want := "13 faults from 1 chaos rule fell inside 13 requests; 12 were handled (92.31%): 1 answered 5xx or not at all, " +
		"0 retried more than 3 times, 0 ran over 2x the injected delay. Recovery could not be judged: no request reached " +
		"the affected endpoints after the faults cleared."; got.Detail != want {
		t.Error(got.Detail)
	}
	if want := "A at 99% of faults handled, B at 95%, C at 90%, D at 80%."; got.Threshold != want {
		t.Error(got.Threshold)
	}
}

// TestShadowedBy is which earlier rule leaves a rule nothing to match.
func TestShadowedBy(t *testing.T) {
	var m *made
	front := func() *made {
		m = newMade()
		m.rule("front", 0, 0)
		m.rule("behind", 0, 0)
		return m
	}
	check := func(name string, want string) {
		t.Helper()
		if got := m.grade(t).Rules[1].ShadowedBy; got != want {
			t.Errorf("%s: %q", name, got)
		}
	}
	front()
	check("same", "front")
	front().rules[0].Scope.To = "dep"
	check("front needs a host", "")
	m.rules[1].Scope.To = "dep"
	check("both need it", "front")
	front().rules[0].Scope.Method, m.rules[1].Scope.Method = "get", "GET"
	check("methods in any case", "front")
	front().rules[0].Scope.Path, m.rules[1].Scope.Path = "/v1/*", "/v1/charge"
	check("prefix covers path", "front")
	m.rules[1].Scope.Path = "/v1/c*"
	check("prefix covers longer prefix", "front")
	m.rules[1].Scope.Path = "/v*"
	check("longer prefix does not cover", "")
	m.rules[0].Scope.Path, m.rules[1].Scope.Path = "*", ""
	check("any rest covers all", "front")
	front().rules[0].StartAfter = 1
	check("window begins later", "")
	front().rules[0].Duration, m.rules[0].HasDuration = 100, true
	check("window ends earlier", "")
	m.rules[1].StartAfter, m.rules[1].Duration, m.rules[1].HasDuration = 50, 50, true
	check("window inside", "front")
	m.rules[1].Duration = 51
	check("window ends later", "")
	front().rec.Matched = []recording.Match{{Rule: "behind", Count: 1}}
	check("it matched", "")
	front().in(1*s, ms, 200)
	m.out(1*s, "behind", "reset")
	check("it fired", "")
}
