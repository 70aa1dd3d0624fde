package grading

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"squall/engine/document"
	"squall/engine/ticks"
	"squall/grading/recording"
)

var traceIDs = []string{"", "", "00000000000000000000000000000001", "0000000000000001", "11111111111111110000000000000001",
	"A000000000000002", "a000000000000002", "opaque", "0000000000000000"}

// anyMade draws a small recording in which times, traces and rules often coincide.
func anyMade(t *rapid.T) *made {
	m := newMade()
	m.rec.LoadEndsNs = rapid.SampledFrom([]int64{0, 20 * s, 60 * s}).Draw(t, "loadEnds")
	for _, id := range []string{"a", "b"} {
		if rapid.Bool().Draw(t, "declared") {
			m.rule(id, rapid.Int64Range(0, 20).Draw(t, "after")*s, rapid.Int64Range(0, 20).Draw(t, "length")*s)
		}
	}
	m.set.Bounds = Bounds{MaxRetries: rapid.IntRange(0, 2).Draw(t, "retries"),
		MaxLatencyAmplification: Thousandths(rapid.IntRange(0, 3000).Draw(t, "amplification")),
		RecoveryWindow:          ticks.Ticks(rapid.Int64Range(0, 20).Draw(t, "recovery")) * ticks.Second}
	for range rapid.IntRange(0, 12).Draw(t, "requests") {
		c := m.in(rapid.Int64Range(0, 40).Draw(t, "at")*s, rapid.Int64Range(0, 4).Draw(t, "duration")*s,
			rapid.SampledFrom([]int{200, 404, 500, 503, 0}).Draw(t, "status"))
		c.HasDuration = c.Status != 0 || rapid.Bool().Draw(t, "known")
		c.Path = rapid.SampledFrom([]string{"/e", "/f"}).Draw(t, "path")
		c.TraceID = rapid.SampledFrom(traceIDs).Draw(t, "trace")
		c.Protocol = rapid.SampledFrom([]string{"", "http", "https", "http", "amqp"}).Draw(t, "protocol")
	}
	for range rapid.IntRange(0, 20).Draw(t, "calls") {
		c := m.out(rapid.Int64Range(0, 45).Draw(t, "at")*s+rapid.SampledFrom([]int64{0, ms, ms + 1}).Draw(t, "late"),
			rapid.SampledFrom([]string{"", "", "a", "b", "c"}).Draw(t, "rule"),
			rapid.SliceOfN(rapid.SampledFrom([]string{"latency", "status", "stall", "reset", "odd"}), 0, 2).Draw(t, "effects")...)
		c.Host = rapid.SampledFrom([]string{"x", "y"}).Draw(t, "host")
		c.TraceID = rapid.SampledFrom(traceIDs).Draw(t, "trace")
		c.Parent = rapid.SampledFrom([]string{"", "", "r0", "r3", "nobody"}).Draw(t, "parent")
		c.Resend = rapid.IntRange(0, 3).Draw(t, "resend")
		if c.Chaos != nil {
			c.Chaos.DelayNs = rapid.Int64Range(0, 2).Draw(t, "delay") * s
		}
	}
	return m
}

// slowPairing reads grading.md 5 aloud for one call: it looks at every request.
func slowPairing(s *service, c *call) (number int, how pairing) {
	for i := range s.requests {
		if c.src.Parent != "" && s.requests[i].src.ID == c.src.Parent {
			return i, pairedBySpan
		}
	}
	var all, same []int
	for i := range s.requests {
		all = append(all, i)
		if sameTrace(s.requests[i].src.TraceID, c.src.TraceID) {
			same = append(same, i)
		}
	}
	latest := func(of []int, holds func(*request) bool) int {
		found := -1
		for _, i := range of {
			if r := &s.requests[i]; holds(r) && (found < 0 || r.at >= s.requests[found].at) {
				found = i
			}
		}
		return found
	}
	inFlight := func(r *request) bool { return r.at <= c.at && c.at <= r.end+slackNs }
	if len(same) == 1 {
		return same[0], pairedByTrace
	}
	if len(same) > 1 {
		if r := latest(same, inFlight); r >= 0 {
			return r, pairedByAmbiguousTrace
		}
		if r := latest(same, func(r *request) bool { return r.at <= c.at }); r >= 0 {
			return r, pairedByAmbiguousTrace
		}
		return same[0], pairedByAmbiguousTrace
	}
	if r := latest(all, inFlight); r >= 0 {
		return r, pairedInFlight
	}
	return -1, pairedByNothing
}

func sameTrace(a, b string) bool {
	a, b = traceKey(a), traceKey(b)
	if a == "" || b == "" {
		return false
	}
	if isHexID(a) && isHexID(b) && len(a) != len(b) {
		return a[len(a)-16:] == b[len(b)-16:]
	}
	return a == b
}

func TestPairingIsTheSlowOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyMade(t).input()
		s := newService(&in.Recordings[0], in.Rules, in.Settings.withDefaults(), true)
		s.pairCalls()
		for i := range s.calls {
			c := &s.calls[i]
			if r, how := slowPairing(s, c); r != c.request || how != c.pairing {
				t.Fatalf("call %s: request %d by %d, want %d by %d", c.src.ID, c.request, c.pairing, r, how)
			}
		}
	})
}

// slowRecovery reads grading.md 6 aloud for one endpoint and rule.
func slowRecovery(s *service, endpoint, rule int) (state RecoveryState, after int64, count int) {
	stop := s.stop(rule)
	if stop >= s.loadEnds {
		return StillFiring, 0, 0
	}
	until := stop + s.report.Bounds.RecoveryWindow.Nanoseconds()
	earliest := int64(-1)
	for i := range s.requests {
		r := &s.requests[i]
		if r.endpoint != endpoint || r.at < stop || r.at > until || slices.ContainsFunc(s.calls, func(c call) bool {
			return c.request == i && c.rule >= 0 && c.rule != rule
		}) {
			continue
		}
		count++
		if r.src.Status != 0 && r.src.Status/100 != 5 && r.end <= until && (earliest < 0 || r.end < earliest) {
			earliest = r.end
		}
	}
	switch {
	case count == 0:
		return NoRequest, 0, 0
	case earliest >= 0:
		return Recovered, earliest - stop, count
	}
	return NotRecovered, 0, count
}

func TestRecoveryIsTheSlowOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyMade(t).input()
		s := newService(&in.Recordings[0], in.Rules, in.Settings.withDefaults(), true)
		s.grade(true)
		for i, e := range s.report.Recovery.Endpoints {
			state, after, count := slowRecovery(s, s.pairs[i].endpoint, s.pairs[i].rule)
			if e.State != state || e.AfterNs != after {
				t.Fatalf("%+v, want %s after %d", e, state, after)
			}
			for _, f := range s.report.Findings {
				if f.Check == NoRecovery && f.Endpoint == e.Endpoint && f.Rule == e.Rule && f.Count != count {
					t.Fatalf("%+v looked at %d requests", f, count)
				}
			}
		}
	})
}

// TestSumsHold is what is true of every grade.
func TestSumsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMade(t)
		in := m.input()
		before := string(in.AppendJSON(nil))
		report := Grade(in)
		if string(in.AppendJSON(nil)) != before {
			t.Fatal("grading changed its input")
		}
		r := &report.Services[0]
		b := r.Buckets
		if sum := r.Measure.Handled + b.ErrorPassedThrough + b.UnboundedRetries + b.LatencyAmplification; sum != r.Measure.Windows {
			t.Fatalf("%+v and %+v", r.Measure, b)
		}
		if r.Measure.Handled < 0 || r.Measure.Handled > r.Measure.Windows || (r.NA == "") != (r.Measure.Windows > 0) {
			t.Fatalf("%+v, %q", r.Measure, r.NA)
		}
		f := r.Faults
		if f.Span+f.Trace+f.TraceAmbiguous+f.InFlight != f.Paired || f.Paired > f.Injected {
			t.Fatalf("%+v", f)
		}
		fired, inGroups := 0, [Checks]int{}
		for _, rule := range r.Rules {
			fired += rule.Fired
			if rule.Handled > rule.Faulted || rule.Faulted > r.Measure.Windows {
				t.Fatalf("%+v", rule)
			}
		}
		for _, finding := range r.Findings {
			inGroups[finding.Check] += finding.Count
		}
		if fired != f.Injected {
			t.Fatalf("%d fired, %+v", fired, f)
		}
		if inGroups[0] != b.ErrorPassedThrough || inGroups[1] != b.UnboundedRetries || inGroups[2] != b.LatencyAmplification {
			t.Fatalf("%v and %+v", inGroups, b)
		}
		if c := r.Recovery; len(c.Endpoints) != c.Recovered+c.NotRecovered+c.Unknown {
			t.Fatalf("%+v", c)
		}
		if len(r.Steps) > 2 || r.Letter == A && len(r.Steps) > 0 {
			t.Fatalf("%s with steps %+v", r.Letter, r.Steps)
		}
		for i, step := range r.Steps {
			if from := r.Letter; i == 0 && step.From != from || step.To > step.From || i > 0 && step.From != r.Steps[i-1].To {
				t.Fatalf("%s, %+v", r.Letter, r.Steps)
			}
		}
	})
}

// TestAcceptingNeverLowers accepts a finding and grades again.
func TestAcceptingNeverLowers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMade(t)
		for range 4 {
			before := Grade(m.input())
			findings := before.Services[0].Findings
			if len(findings) == 0 {
				return
			}
			f := findings[rapid.IntRange(0, len(findings)-1).Draw(t, "accepted")]
			m.set.Accept = append(m.set.Accept, Acceptance{Check: f.Check, Endpoint: f.Endpoint, Rule: f.Rule, Reason: "known"})
			after := Grade(m.input())
			if after.Services[0].Letter > before.Services[0].Letter || after.Services[0].Measure.Handled < before.Services[0].Measure.Handled {
				t.Fatalf("%s became %s by accepting %+v", before.Services[0].Letter, after.Services[0].Letter, f)
			}
			if len(after.Unused) > 0 {
				t.Fatalf("unused: %+v", after.Unused)
			}
		}
	})
}

// TestStepsKeepTheirWord takes the first step by accepting its finding, and gets the letter it names.
func TestStepsKeepTheirWord(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMade(t)
		before := m.gradeAll().Services[0]
		if len(before.Steps) == 0 || strings.Contains(before.Steps[0].Sentence, "that did not recover brings") {
			return
		}
		for _, f := range before.Findings {
			if f.Group != GroupAccepted && strings.HasPrefix(before.Steps[0].Sentence, f.Sentence+" Fixing") {
				m.set.Accept = []Acceptance{{Check: f.Check, Endpoint: f.Endpoint, Rule: f.Rule, Reason: "known"}}
				break
			}
		}
		// An accepted window is judged no further, so the letter is the step's exactly.
		if after := m.gradeAll().Services[0]; after.Letter != before.Steps[0].To {
			t.Fatalf("%s after %+v", after.Letter, before.Steps[0])
		}
	})
}

func (m *made) gradeAll() *Report { return Grade(m.input()) }

// TestOrderOfInput turns the lists around where no two times are equal: the grade stays.
func TestOrderOfInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := anyMade(t)
		for i := range m.rec.Inbound {
			m.rec.Inbound[i].AtNs += int64(10 * i)
		}
		for i := range m.rec.Outbound {
			m.rec.Outbound[i].AtNs += int64(1000 + 10*i)
		}
		before := m.gradeAll().AppendJSON(nil)
		slices.Reverse(m.rec.Inbound)
		slices.Reverse(m.rec.Outbound)
		if after := m.gradeAll().AppendJSON(nil); !bytes.Equal(before, after) {
			t.Fatalf("\n%s\n%s", firstDifference(before, after), firstDifference(after, before))
		}
	})
}

// TestSpaceAndComments writes an input, reads it with comments and spaces in it, and gets the bytes
// of the same grade.
func TestSpaceAndComments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := anyMade(t).input()
		want := Grade(in).AppendJSON(nil)
		text := in.AppendJSON(nil)
		if _, problems := document.Parse(text, document.Limits{}); len(problems) > 0 {
			t.Fatal(problems)
		}
		spaced := bytes.ReplaceAll(text, []byte(`,"`), []byte(" /* a, \" */ ,\n\t// b\n\""))
		for _, form := range [][]byte{text, spaced} {
			again, problems := ReadInput(form)
			if again == nil {
				t.Fatal(fmt.Sprint(problems), string(text))
			}
			if got := Grade(again).AppendJSON(nil); !bytes.Equal(got, want) {
				t.Fatalf("\n got %s\nwant %s", firstDifference(got, want), firstDifference(want, got))
			}
		}
	})
}

// TestServicesApart grades a list as each of its recordings.
func TestServicesApart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := anyMade(t), anyMade(t)
		b.rec.Service = "other"
		both := &Input{Recordings: []recording.Recording{a.rec, b.rec}, Rules: a.rules, Settings: a.set}
		report := Grade(both)
		for i, rec := range both.Recordings {
			alone := Grade(&Input{Recordings: []recording.Recording{rec}, Rules: a.rules, Settings: a.set})
			if x, y := report.Services[i].appendJSON(nil), alone.Services[0].appendJSON(nil); !bytes.Equal(x, y) {
				t.Fatalf("\n%s\n%s", firstDifference(x, y), firstDifference(y, x))
			}
		}
	})
}
