package main

import (
	"os"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"squall/examples"
	"squall/grading"
	"squall/site/edit"
	"squall/site/view"
)

// gradeOf opens the page on an example, at the Grade panel.
func gradeOf(t *testing.T, name string) (*App, *fake) {
	t.Helper()
	text, err := os.ReadFile("../examples/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	a, b := begin(t, nil)
	a.typed(string(text))
	a.openPanel("grade")
	b.settle()
	return a, b
}

// hasNot is the opposite of has.
func hasNot(t *testing.T, html string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(html, part) {
			t.Errorf("the page says %q", part)
		}
	}
}

func finding(t *testing.T, a *App, check string) view.GradedFinding {
	t.Helper()
	for _, s := range a.Grade.Services {
		for _, g := range s.Groups {
			for _, f := range g.Findings {
				if f.Check == check {
					return f
				}
			}
		}
	}
	t.Fatalf("no finding of %s", check)
	return view.GradedFinding{}
}

func TestGradeShowsWhatMovesTheLetter(t *testing.T) {
	a, b := gradeOf(t, "fails-its-grade")
	html := b.html()
	has(t, html, `class="letter letter-F"`, "74.64% of faults handled", "A at 99% of faults handled", "312 of 418", "F → C", "C → A",
		"Not handled", "Retries", "72 requests, 0:10 – 0:24", "payments, 70%", "latency 800ms", "1:00 – 1:10", "recovered after 92.4 ms", "3 retries, 2× the injected delay")
	if a.Grade.busy || a.Grade.Why != "" {
		t.Errorf("%+v", a.Grade)
	}
	// a broken text leaves the grade of the last good run
	a.typed(a.Text[:len(a.Text)-4])
	b.settle()
	has(t, b.html(), "stale-all", "74.64% of faults handled")
}

func TestGradeAcceptsAndTakesBack(t *testing.T) {
	a, b := gradeOf(t, "fails-its-grade")
	f := finding(t, a, "unbounded_retries")
	before := a.Text
	a.startAccepting(f)
	has(t, b.html(), `id="`+f.ID+`"`, "Why is this all right?")
	a.acceptFinding(f)
	if a.Text != before || a.Notice == "" {
		t.Error("accepted without a reason")
	}
	b.fields[f.ID] = `  known, "ticket" 7 `
	a.acceptFinding(f)
	b.settle()
	if len(a.Problems) > 0 {
		t.Fatal(a.Problems, a.Text)
	}
	has(t, b.html(), `class="letter letter-C"`, "Accepted: known, &#34;ticket&#34; 7", "Take back")
	if got := gjson.Parse(edit.Value(a.Text, "grading.accept")); got.Get("0.check").Str != "unbounded_retries" || got.Get("0.reason").Str != `known, "ticket" 7` {
		t.Errorf("%s", got.Raw)
	}
	a.takeBack(finding(t, a, "unbounded_retries"))
	b.settle()
	has(t, b.html(), `class="letter letter-F"`)
	if edit.Value(a.Text, "grading.accept") != "[  ]" && edit.Value(a.Text, "grading.accept") != "[]" && strings.Contains(a.Text, "ticket") {
		t.Errorf("still accepted: %s", a.Text)
	}
	a.takeBack(f)
	if a.Notice != "The text does not accept this any more." {
		t.Errorf("notice %q", a.Notice)
	}
}

func TestGradeNamesUnusedAcceptances(t *testing.T) {
	a, b := gradeOf(t, "does-everything-right")
	has(t, b.html(), `class="letter letter-A"`, "No findings: every fault was handled.")
	a.apply(edit.Set(a.Text, "grading.accept", `[ { "check": "no_recovery", "endpoint": "GET /x", "rule": "payments-down", "reason": "r" } ]`))
	b.settle()
	has(t, b.html(), "Accepted, but not found", "no_recovery of GET /x, rule payments-down")
}

func TestGradeRoles(t *testing.T) {
	a, b := gradeOf(t, "does-everything-right")
	a.set("grade.role", "advisory")
	b.settle()
	if edit.Value(a.Text, "grading.role") != `"advisory"` || a.Grade.Overall != "" || a.Grade.Services[0].Role != "advisory" {
		t.Errorf("%s: %+v", a.Text, a.Grade)
	}
}

func TestGradeWithoutFaults(t *testing.T) {
	a, b := begin(t, nil)
	a.openPanel("grade")
	b.settle()
	has(t, b.html(), noChaos, "Inject a fault")

	a.openFault()
	has(t, b.html(), "Add the rule", "answers with an error status")
	for _, bad := range []struct{ what, value, wrong string }{
		{"fault.percent", "0", "at most 100"}, {"fault.percent", "x", "at most 100"}, {"fault.value", "99", "A status is a number"},
		{"fault.value", "", "Say by how much"}, {"fault.after", "ten", "ten is not"}, {"fault.last", "5", "5 is not"},
	} {
		good := a.Grade.Fault
		a.set(bad.what, bad.value)
		a.addFault()
		has(t, b.html(), bad.wrong)
		a.Grade.Fault = good
	}
	if a.Text != examples.Brownout {
		t.Error("a wrong rule was written")
	}
	// every fault that the form offers can be read
	for _, f := range faults {
		if a.Grade.Fault.Open = false; f.ID != "status" {
			a.openFault()
			a.set("fault.effect", f.ID)
		} else {
			a.openFault()
		}
		a.set("fault.percent", "7.5%")
		a.addFault()
		b.settle()
		if len(a.Problems) > 0 {
			t.Fatalf("%s: %v in %s", f.ID, a.Problems, a.Text)
		}
	}
	a.openFault()
	a.addFault()
	b.settle()
	rules := gjson.Parse(edit.Value(a.Text, "chaos.rules"))
	if n := len(rules.Array()); n != len(faults)+1 || rules.Get("0.id").Str != "dependency-503" || rules.Get("9.id").Str != "dependency-503-2" || rules.Get("0.percent").Num != 7.5 {
		t.Errorf("%d rules: %s", n, rules.Raw)
	}
	has(t, b.html(), "dependency-no-response", "connection refuse", "0:10 – 0:30")
	for _, rule := range rules.Array() {
		a.removeRule(rule.Get("id").Str)
		b.settle()
	}
	if len(a.Problems) > 0 {
		t.Error(a.Problems)
	}
	has(t, b.html(), noChaos)
}

func TestGradeShadowedRule(t *testing.T) {
	a, b := gradeOf(t, "passes-faults-through")
	a.apply(edit.Append(a.Text, "chaos.rules", `{ "id": "late", "scope": { "to": "payments" }, "startAfter": "12s", "duration": "2s", "effects": [ { "status": 500 } ] }`))
	b.settle()
	has(t, b.html(), "never reached: “payments-down” claims its calls first")
}

func TestGradeSeveralServices(t *testing.T) {
	a, b := begin(t, nil)
	a.typed(`{ "duration": "20s", "services": { "shop": { "calls": [ { "to": "cart" } ] }, "cart": { "calls": [ { "to": "store", "policy": { "attempts": 1 } } ] } },
		"dependencies": { "store": { "p50": "10ms", "p99": "40ms" } }, "load": { "at": "shop", "perSecond": 20 },
		"chaos": { "rules": [ { "id": "down", "scope": { "to": "store" }, "percent": 10, "effects": [ { "status": 503 } ] } ] } }`)
	a.openPanel("grade")
	b.settle()
	has(t, b.html(), "Grade of shop", "Grade of cart", "No overall letter", `class="letter letter-none"`)
	a.set("grade.role", "required")
	b.settle()
	if a.Grade.Overall != a.Grade.Services[1].Letter || a.Grade.Overall == "" {
		t.Errorf("overall %s of %+v", a.Grade.Overall, a.Grade.Services)
	}
	has(t, b.html(), "Overall "+a.Grade.Overall+": the worst letter")
	a.openFault()
	has(t, b.html(), "is called by", "anyone")
	a.set("fault.from", "cart")
	a.set("fault.to", "store")
	a.addFault()
	b.settle()
	has(t, a.Text, `"scope": { "to": "store", "from": "cart" }`)
}

func TestGradeRecordings(t *testing.T) {
	a, b := begin(t, nil)
	read := func(name string) file {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return file{name[strings.LastIndexByte(name, '/')+1:], string(text)}
	}
	const formats = "../grading/recording/testdata/formats/"
	for format, name := range map[string]string{
		"OTLP": "otlp/traces.json", "Jaeger": "jaeger/traces.json", "Zipkin": "zipkin/spans.json", "HAR": "har/in.har", "RRPair": "rrpair-jsonl/pairs.jsonl",
	} {
		a.dropped([]file{read(formats + name)})
		b.settle()
		has(t, b.html(), "Read as "+format+": ", "Back to the scenario", "service-grade")
		hasNot(t, b.html(), "grade.role")
	}
	a.dropped([]file{read("../grading/testdata/examples/waits-three-times.json")})
	b.settle()
	has(t, b.html(), "waits-three-times.json", "above the bound of 2x", "not reported")
	if a.Text != examples.Brownout || a.Panel != "grade" || !strings.Contains(a.Notice, "Graded. checkout: ") {
		t.Errorf("panel %s, notice %q", a.Panel, a.Notice)
	}
	for text, want := range map[string]string{
		`{ "squall": 1, "recording": { "service": "x", "inbound": [ { } ] } }`: "recording.inbound[0]",
		"hello": "This cannot be graded",
		"":      "This cannot be graded",
	} {
		a.dropped([]file{{"broken", text}})
		b.settle()
		has(t, b.html(), want)
	}
	a.dropped(nil)
	a.gradeScenario()
	b.settle()
	has(t, b.html(), noChaos)

	a.dropped([]file{{"mine.json", `{ "duration": "9s", "dependency": { "p50": "1ms", "p99": "2ms" }, "load": { "perSecond": 3 } }`}})
	b.settle()
	if !strings.Contains(a.Text, `"9s"`) {
		t.Error("a scenario was not opened")
	}
}

func TestGradeSurvivesACrash(t *testing.T) {
	a, b := gradeOf(t, "does-everything-right")
	b.crash = 1
	a.dropped([]file{{"x", "{}"}})
	b.settle()
	has(t, b.html(), "The engine stopped while it worked on this.")
}

// TestAcceptOfRecordings accepts a finding of files of our own form and of a foreign one, takes one
// back, and finds the list again when the files are opened again.
func TestAcceptOfRecordings(t *testing.T) {
	for _, name := range []string{"../grading/testdata/examples/waits-three-times.json", "../grading/recording/testdata/formats/rrpair-jsonl/pairs.jsonl"} {
		a, b := begin(t, nil)
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		files := []file{{"recording.json", string(text)}}
		open := func() []view.FindingGroup {
			a.dropped(files)
			b.settle()
			return a.Grade.Services[0].Groups
		}
		groups := open()
		if len(groups) == 0 {
			t.Fatalf("%s has no findings", name)
		}
		f := groups[0].Findings[0]
		has(t, b.html(), "Accept …", "What you accept here stays")
		a.startAccepting(f)
		a.acceptFinding(f)
		if a.Grade.Accepting == "" || a.Text != examples.Brownout {
			t.Error("accepted without a reason, or in the scenario")
		}
		b.fields[f.ID] = "we know"
		a.acceptFinding(f)
		b.settle()
		has(t, b.html(), "Accepted: we know", "1 finding accepted here")
		if a.Text != examples.Brownout {
			t.Error("the scenario was changed")
		}
		a.saveAccepted()
		all, problems := grading.ReadAcceptances([]byte(b.saved["accepted.json"]))
		if len(problems) > 0 || len(all) != 1 || all[0].Reason != "we know" || all[0].Rule != f.Rule {
			t.Errorf("the grader reads %+v, %v of %s", all, problems, b.saved["accepted.json"])
		}
		if a.copyAccepted(); b.copied != b.saved["accepted.json"] {
			t.Errorf("copied %s", b.copied)
		}
		a.gradeScenario()
		b.settle()
		if groups := open(); !groups[len(groups)-1].Accepted {
			t.Error("the reason is lost when the files are opened again")
		}
		a.takeBack(f)
		b.settle()
		hasNot(t, b.html(), "we know", "accepted here")
	}
}
