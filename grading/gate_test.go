package grading

import (
	"bytes"
	"strings"
	"testing"
)

// graded is a report of services with letters, all of one role.
func graded(role Role, letters ...Letter) *Report {
	r := &Report{}
	for i, l := range letters {
		r.Services = append(r.Services, ServiceReport{Service: string(rune('a' + i)), Role: role, Letter: l})
		if role == RoleRequired {
			r.Overall = max(r.Overall, l)
		}
	}
	return r
}

func TestGate(t *testing.T) {
	for _, c := range []struct {
		report *Report
		least  Letter
		met    bool
	}{
		{graded(RoleRequired, C), C, true},
		{graded(RoleRequired, C), D, true},
		{graded(RoleRequired, C), B, false},
		{graded(RoleRequired, A, F), D, false},
		{graded(RoleRequired, F), F, true},
		{graded(RoleRequired, F), NoLetter, true},
		{graded(RoleAdvisory, F), A, true},
		{graded(RoleRequired, NoLetter), A, true},
	} {
		if got := Gate(c.report, c.least); got != c.met {
			t.Errorf("%s for %s: %t", c.report.Overall, c.least, got)
		}
	}
}

func baselineOf(t *testing.T, r *Report) *Baseline {
	t.Helper()
	b, problems := ReadBaseline(r.AppendJSON(nil))
	if b == nil {
		t.Fatal(problems)
	}
	return b
}

func TestWorse(t *testing.T) {
	before := baselineOf(t, graded(RoleOff, B, NoLetter, D))
	for _, c := range []struct {
		letters []Letter
		worse   bool
	}{
		{[]Letter{B, F, D}, false}, {[]Letter{A, A, A, F}, false}, {[]Letter{C}, true}, {[]Letter{B, A, F}, true},
		{[]Letter{NoLetter, A, D}, false},
	} {
		if got := Worse(before, graded(RoleOff, c.letters...)); got != c.worse {
			t.Errorf("%v: %t", c.letters, got)
		}
	}
}

func TestStatus(t *testing.T) {
	good := baselineOf(t, graded(RoleRequired, A))
	for _, c := range []struct {
		name string
		o    Outcome
		want int
	}{
		{"met", Outcome{Report: graded(RoleRequired, B), Gate: B}, 0},
		{"no gate", Outcome{Report: graded(RoleRequired, F)}, 0},
		{"below", Outcome{Report: graded(RoleRequired, C), Gate: B}, 1},
		{"worse", Outcome{Report: graded(RoleRequired, B), Gate: B, Baseline: good}, 3},
		{"below and worse", Outcome{Report: graded(RoleRequired, C), Gate: B, Baseline: good}, 1},
		{"n/a though required", Outcome{Report: graded(RoleRequired, NoLetter), Gate: B}, 4},
		{"one of two is n/a", Outcome{Report: graded(RoleRequired, NoLetter, B), Gate: B}, 0},
		{"n/a and not required", Outcome{Report: graded(RoleAdvisory, NoLetter), Gate: B}, 0},
		{"unreadable", Outcome{Unreadable: true, Gate: B}, 5},
		{"unreadable and below", Outcome{Unreadable: true, Report: graded(RoleRequired, F), Gate: B}, 5},
		{"usage", Outcome{Usage: true, Unreadable: true}, 2},
	} {
		if got := Status(c.o); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func TestMark(t *testing.T) {
	text := readFile(t, "testdata/golden/two-rules-one-window.json")
	mark := func(from, to string) string {
		t.Helper()
		changed := []byte(strings.ReplaceAll(string(text), from, to))
		if from != "" && bytes.Equal(changed, text) {
			t.Fatalf("%s is not there", from)
		}
		in, problems := ReadInput(changed)
		if in == nil {
			t.Fatal(problems)
		}
		baseline, problems := ReadBaseline(gradeText(t, text))
		if baseline == nil {
			t.Fatal(problems)
		}
		return baseline.Mark(&Grade(in).Services[0])
	}
	for _, c := range []struct{ from, to, want string }{
		{"/checkout", "/check-out", ""},
		{`"duration": "20s"`, `"duration": "21s"`, "Chaos rules"},
		{`"500ms-2s"`, `"500ms-3s"`, "Chaos rules"},
		{`"name": "payments down"`, `"name": "payments"`, "Chaos rules"},
		{`"effects": [{"status": 503}]}`, `"effects": [{"status": 503}], "matched": 7}`, ""},
		{`"squall": 1,`, `"squall": 1, "grading": {"bounds": {"maxRetries": 4}},`, "config change"},
		{`"squall": 1,`, `"squall": 1, "grading": {"ladder": {"A": 99, "B": 95, "C": 90, "D": 79.5}},`, "config change"},
		{`"squall": 1,`, `"squall": 1, "grading": {"role": "required"},`, ""},
		{`"service": "checkout"`, `"service": "other"`, ""},
	} {
		if got := mark(c.from, c.to); got != c.want {
			t.Errorf("%s: %q, want %q", c.to, got, c.want)
		}
	}
	// A report with line breaks, as the expected documents have them, compares the same.
	baseline, problems := ReadBaseline(readFile(t, "testdata/golden/two-rules-one-window.expected.json"))
	if baseline == nil {
		t.Fatal(problems)
	}
	in, _ := ReadInput(text)
	if got := baseline.Mark(&Grade(in).Services[0]); got != "" {
		t.Error(got)
	}
}

func TestBaselineProblems(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{}`, "is no report of a grade"},
		{`[]`, "is no report of a grade"},
		{`{"services":[{"letter":"A"}]}`, `services[0]: needs a "service"`},
		{`{"services":[{"service":"a","letter":"E"}]}`, "services[0].letter: must be"},
		{`{"services":[`, "1:"},
	} {
		if b, problems := ReadBaseline([]byte(c.text)); b != nil || len(problems) != 1 || !strings.Contains(problems[0].String(), c.want) {
			t.Errorf("%s: %v", c.text, problems)
		}
	}
}
