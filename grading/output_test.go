package grading

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"squall/grading/recording"
)

var update = flag.Bool("update", false, "write testdata/output anew")

// outputs are the forms besides JSON, by the extension of their file in testdata/output.
var outputs = []struct {
	extension string
	of        func(*Report, *Baseline) string
}{
	{".txt", (*Report).Text},
	{".md", (*Report).Markdown},
	{".xml", func(r *Report, _ *Baseline) string { return r.JUnit() }},
	{".sarif", func(r *Report, _ *Baseline) string { return string(r.SARIF("recordings/of today.json")) }},
}

// TestOutputs compares every form of some grades with testdata/output. The baseline of all is the
// expected document of nine-of-ten, whose service is orders.
func TestOutputs(t *testing.T) {
	baseline, problems := ReadBaseline(readFile(t, "testdata/golden/nine-of-ten.expected.json"))
	if baseline == nil {
		t.Fatal(problems)
	}
	for _, name := range []string{"steps-d-to-c", "cap-comes-second", "recovery-cap-accepted", "several-services", "latency-not-judged"} {
		in, problems := ReadInput(readFile(t, "testdata/golden", name+".json"))
		if in == nil {
			t.Fatal(problems)
		}
		report := Grade(in)
		for _, form := range outputs {
			file := filepath.Join("testdata/output", name+form.extension)
			got := form.of(report, baseline)
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if want := readFile(t, file); got != string(want) {
				t.Errorf("%s:\n got %s\nwant %s", file, firstDifference([]byte(got), want), firstDifference(want, []byte(got)))
			}
		}
	}
}

// hostile is a report whose texts try to leave the place they are put in.
func hostile(t *testing.T) *Report {
	const evil = "<b>&\"'`|*_[x](y)\n]]>\x00@team\u2028"
	m := newMade()
	m.rec.Service = evil
	m.rule("x", 10*s, 10*s).Name = evil
	m.rules[0].Scope.To = evil
	m.in(10*s, ms, 503).Route = "/" + evil
	m.out(10*s, "x", "reset").Host = evil
	m.in(11*s, ms, 200).Route = "/accepted" + evil
	for range 9 {
		m.out(11*s, evil, evil)
	}
	m.set.Role = RoleRequired
	m.set.Accept = []Acceptance{{Check: UnboundedRetries, Endpoint: "GET /accepted" + evil, Rule: evil, Reason: evil},
		{Service: evil, Check: NoRecovery, Endpoint: evil, Rule: evil, Reason: evil}}
	r := Grade(m.input())
	if len(r.Services[0].Findings) != 2 || len(r.Unused) != 1 {
		t.Fatalf("%+v", r.Services[0].Findings)
	}
	return r
}

func TestHostileTexts(t *testing.T) {
	r := hostile(t)
	if !json.Valid(r.AppendJSON(nil)) || !json.Valid(r.SARIF("<&\"")) {
		t.Error("no JSON")
	}
	decoder := xml.NewDecoder(strings.NewReader(r.JUnit()))
	for {
		if _, err := decoder.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	markdown := r.Markdown(nil)
	for _, raw := range []string{"<b>", "[x](y)", "@team", "\x00", "\n]]"} {
		if strings.Contains(markdown, raw) {
			t.Errorf("%q stands in the Markdown", raw)
		}
	}
	if text := r.Text(nil); strings.Contains(text, "\x00") || strings.Contains(text, "\n]]") {
		t.Error(text)
	}
	for line := range strings.Lines(markdown) {
		if strings.HasPrefix(line, "| ") && strings.Count(line, " |")+strings.Count(line, `\|`) < 2 {
			t.Errorf("a broken row: %s", line)
		}
	}
}

// TestJUnitCounts adds the cases up.
func TestJUnitCounts(t *testing.T) {
	type suite struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Skipped  int    `xml:"skipped,attr"`
		Cases    []struct {
			Name    string    `xml:"name,attr"`
			Failure *struct{} `xml:"failure"`
			Skipped *struct {
				Message string `xml:"message,attr"`
			} `xml:"skipped"`
		} `xml:"testcase"`
	}
	files, _ := filepath.Glob("testdata/golden/*.expected.json")
	for _, file := range files {
		in, _ := ReadInput(readFile(t, strings.Replace(file, ".expected", "", 1)))
		report := Grade(in)
		var all struct {
			Tests    int     `xml:"tests,attr"`
			Failures int     `xml:"failures,attr"`
			Skipped  int     `xml:"skipped,attr"`
			Suites   []suite `xml:"testsuite"`
		}
		if err := xml.Unmarshal([]byte(report.JUnit()), &all); err != nil {
			t.Fatal(file, err)
		}
		tests, failures, skipped := 0, 0, 0
		for i, s := range all.Suites {
			failed, left := 0, 0
			for _, c := range s.Cases {
				if c.Failure != nil {
					failed++
				}
				if c.Skipped != nil {
					left++
					if c.Skipped.Message == "" {
						t.Errorf("%s: skipped without a reason", file)
					}
				}
			}
			if s.Tests != len(s.Cases) || s.Failures != failed || s.Skipped != left || s.Name != report.Services[i].Service {
				t.Errorf("%s: %+v", file, s)
			}
			tests, failures, skipped = tests+s.Tests, failures+failed, skipped+left
		}
		if all.Tests != tests || all.Failures != failures || all.Skipped != skipped {
			t.Errorf("%s: %+v", file, all)
		}
	}
}

// TestSARIF holds what viewers of the format rely on.
func TestSARIF(t *testing.T) {
	var log struct {
		Version string
		Runs    []struct {
			Tool struct {
				Driver struct {
					Name  string
					Rules []struct{ ID string }
				}
			}
			Results []struct {
				RuleID       string
				RuleIndex    int
				Level        string
				Message      struct{ Text string }
				Suppressions []struct{ Kind, Status, Justification string }
			}
		}
	}
	in, _ := ReadInput(readFile(t, "testdata/golden/recovery-cap-accepted.json"))
	if err := json.Unmarshal(Grade(in).SARIF(""), &log); err != nil {
		t.Fatal(err)
	}
	if log.Version != "2.1.0" || len(log.Runs) != 1 || len(log.Runs[0].Results) != 1 || len(log.Runs[0].Tool.Driver.Rules) != Checks {
		t.Fatalf("%+v", log)
	}
	result := log.Runs[0].Results[0]
	if result.RuleID != log.Runs[0].Tool.Driver.Rules[result.RuleIndex].ID || result.Level != "error" || result.Message.Text == "" {
		t.Errorf("%+v", result)
	}
	if s := result.Suppressions; len(s) != 1 || s[0].Kind != "external" || s[0].Status != "accepted" || s[0].Justification != "cold cache, rebuilt by a nightly job" {
		t.Errorf("%+v", s)
	}
}

// TestTextFits keeps the text in its width, and one screen when there is a lot to say.
func TestTextFits(t *testing.T) {
	m := newMade()
	for i := range 40 {
		at := int64(10*s + i*20*ms)
		m.in(at, 10*ms, 503).Path = "/" + strings.Repeat("x", i+1)
		m.out(at+ms, "rule "+strings.Repeat("y", i), "reset")
	}
	text := Grade(m.input()).Text(nil)
	for line := range strings.Lines(text) {
		if len(strings.TrimSuffix(line, "\n")) > textWidth+20 { // a table or a word may be wider
			t.Errorf("%d: %s", len(line), line)
		}
	}
	if !strings.Contains(text, "\n    and 35 more findings\n") || !strings.Contains(text, "\n  and 20 more chaos rules\n") {
		t.Error(text)
	}
	if n := strings.Count(text, "\n"); n > 60 {
		t.Errorf("%d lines", n)
	}
}

// TestExamples grades the recordings of testdata/examples, one failure mode each.
func TestExamples(t *testing.T) {
	for _, c := range []struct {
		name   string
		letter Letter
		checks string
	}{
		{"passes-faults-through", F, "error_passed_through 3;"},
		{"retries-without-bound", F, "unbounded_retries 3;"},
		{"waits-three-times", F, "latency_amplification 3;"},
		{"never-recovers", D, "no_recovery 3;"},
		{"does-everything-right", A, ""},
	} {
		files := []recording.File{{Name: c.name, Data: readFile(t, "testdata/examples", c.name+".json")}}
		opened, err := Open(files, "")
		if err != nil {
			t.Error(err)
			continue
		}
		report := Grade(opened.Input)
		if r := &report.Services[0]; r.Letter != c.letter || r.checks() != c.checks || report.Overall != c.letter {
			t.Errorf("%s: %s, %s", c.name, r.Letter, r.checks())
		}
		// What "--as recording" prints is the same recording.
		again, problems := ReadInput(opened.AppendJSON(nil))
		if again == nil {
			t.Error(problems)
		} else if x, y := report.AppendJSON(nil), Grade(again).AppendJSON(nil); !bytes.Equal(x, y) {
			t.Errorf("%s: another grade after writing it", c.name)
		}
	}
}
