package main

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"squall/engine/document"
	"squall/site/edit"
	"squall/site/view"
)

// Grade is the letter of each service under injected faults, and what moves it: of the scenario's
// run, or of recordings that a person opened.
type Grade struct{ App *App }

type gradeState struct {
	view.Grades
	// Why says why there is no grade, Problems what is wrong with a recording.
	Why      string
	Problems []string
	// Source names the files that were graded, empty for the scenario of the text; Imported says
	// how foreign ones were read.
	Source, Imported string
	// Accepting is the finding whose reason is being written.
	Accepting string
	// Accepted are the findings of the files that were accepted here (accept.go).
	Accepted []acceptance
	Fault    faultForm

	files []file // that are graded

	text string // that was asked for
	busy bool
}

const noChaos = "This scenario injects no faults, so there is nothing to grade yet."

// followGrade grades the run of the text, when faults are injected in it. What was graded before
// stays until the answer is there. While the engine is at work the run is not that of the text; it
// comes back here when it is.
func (a *App) followGrade() {
	g := &a.Grade
	if g.Source != "" || a.Run == nil || a.engine.busy() || len(a.Problems) > 0 || g.text == a.Text {
		return
	}
	g.text, g.Accepting = a.Text, ""
	if !a.Run.World.Chaos {
		*g = gradeState{text: a.Text, Fault: g.Fault, Why: noChaos}
		return
	}
	if len(g.Services) == 0 {
		g.Why = "Grading …"
	}
	g.busy = true
	text := a.Text
	a.clerk.ask("grade", `"op":"grade","text":`+quote(text), func(r gjson.Result) {
		if a.Grade.Source == "" && a.Grade.text == text {
			a.graded(r)
		}
	})
}

// graded takes the reply to a request for a grade.
func (a *App) graded(r gjson.Result) {
	g := &a.Grade
	*g = gradeState{text: g.text, Source: g.Source, files: g.files, Accepted: g.Accepted, Fault: g.Fault}
	switch {
	case r.Get("ok").Bool():
		g.Grades = view.ParseGrades(r.Get("grade"))
		g.Imported = view.ImportedNote(r.Get("imported"))
		if len(g.Services) == 0 {
			g.Why = "No service made a call, so there is nothing to grade."
		}
	case r.Get("problems").IsArray():
		g.Why = "This cannot be graded:"
		r.Get("problems").ForEach(func(_, p gjson.Result) bool {
			g.Problems = append(g.Problems, p.Get("line").String()+":"+p.Get("column").String()+" "+p.Get("path").Str+" "+p.Get("message").Str)
			return len(g.Problems) < problemsShown
		})
	default:
		g.Why = "This cannot be graded: " + r.Get("error").String()
	}
}

// open opens a scenario that was dropped or chosen; anything else is a recording and is graded.
func (a *App) open(files []file) {
	if len(files) == 1 && looksLikeScenario(files[0].Text) {
		a.Drafts.leave()
		a.Opened, a.Outcome, a.Subject = nil, Outcome{}, ""
		a.replace(files[0].Text)
		a.say(files[0].Name + " opened.")
		return
	}
	if len(files) == 0 {
		return
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = f.Name
	}
	a.Panel = "grade"
	a.b.focus("#tab-grade") // which brings it into sight
	a.Grade = gradeState{Source: strings.Join(names, ", "), Why: "Grading …", files: files, Fault: a.Grade.Fault}
	a.Grade.Accepted = a.accepted[a.Grade.Source]
	a.gradeFiles()
}

// gradeFiles grades the files that were opened, with what was accepted of them.
func (a *App) gradeFiles() {
	g := &a.Grade
	files, err := withAccepted(g.files, g.Accepted)
	if err != nil {
		a.say(view.Sentence(err.Error()))
		return
	}
	fields := make([]string, len(files))
	for i, f := range files {
		fields[i] = `{"name":` + quote(f.Name) + `,"text":` + quote(f.Text) + `}`
	}
	source := g.Source
	g.busy = true
	a.clerk.ask("grade", `"op":"grade","files":[`+strings.Join(fields, ",")+`]`, func(r gjson.Result) {
		if a.Grade.Source == source {
			a.graded(r)
			a.say(a.gradeSpoken())
		}
	})
}

// gradeSpoken is the grade for who does not see it.
func (a *App) gradeSpoken() string {
	g := &a.Grade
	if len(g.Services) == 0 {
		return "This recording could not be graded: the Grade panel says why."
	}
	said := make([]string, len(g.Services))
	for i, s := range g.Services {
		said[i] = s.Name + ": " + s.Letter
	}
	return "Graded. " + strings.Join(said, ", ") + "."
}

// looksLikeScenario tells a scenario from a recording: only a scenario offers load.
func looksLikeScenario(text string) bool {
	doc, problems := document.Parse([]byte(text), document.Limits{})
	if len(problems) > 0 {
		return false
	}
	for key := range doc.Root().Members() {
		if key == "load" || key == "dependency" || key == "dependencies" {
			return true
		}
	}
	return false
}

// gradeScenario goes back from files to the scenario.
func (a *App) gradeScenario() {
	a.Grade = gradeState{Fault: a.Grade.Fault}
	a.followGrade()
}

// setRole writes whether the letter counts.
func (a *App) setRole(role string) { a.apply(edit.Set(a.Text, "grading.role", quote(role))) }

// removeRule takes a chaos rule out of the document.
func (a *App) removeRule(id string) {
	for i, rule := range gjson.Parse(edit.Value(a.Text, "chaos.rules")).Array() {
		if rule.Get("id").Str == id {
			a.apply(edit.Remove(a.Text, "chaos.rules["+strconv.Itoa(i)+"]"))
			return
		}
	}
}

// ofText tells that the grade is of the scenario in the editor, which can be changed from here.
func (c *Grade) ofText() bool { return c.App.Grade.Source == "" }

func (c *Grade) class() string {
	if c.App.Grade.busy || c.ofText() && len(c.App.Problems) > 0 {
		return "grades stale-all"
	}
	return "grades"
}

func letterClass(letter string) string {
	if len(letter) != 1 {
		return "letter letter-none"
	}
	return "letter letter-" + letter
}

// overall is the letter over several services.
func (c *Grade) overall() string {
	if c.App.Grade.Overall == "" {
		for _, s := range c.App.Grade.Services {
			if s.Role == "required" {
				return "No overall letter: no service whose role is required has one."
			}
		}
		return "No overall letter: only services whose role is required count, and here none is."
	}
	return "Overall " + c.App.Grade.Overall + ": the worst letter of the services that are required."
}

func (c *Grade) roles() [][2]string {
	return [][2]string{{"off", "off: counts for nothing"}, {"advisory", "advisory: shown, never fails a gate"}, {"required", "required: counts"}}
}

// move is a step's change of the letter.
func (c *Grade) move(s view.GradedStep) string {
	if s.Stays != "" || s.From == s.To {
		return s.From
	}
	return s.From + " → " + s.To
}

func groupClass(g view.FindingGroup) string {
	if g.Accepted {
		return "findings accepted"
	}
	return "findings"
}

func endpointClass(e view.GradedEndpoint) string {
	if e.Bad {
		return "bad"
	}
	return ""
}

// yes is a truth for an attribute of ARIA.
func yes(is bool) string { return strconv.FormatBool(is) }

// acceptedTitle says how many findings of the files were accepted here.
func (c *Grade) acceptedTitle() string {
	if n := len(c.App.Grade.Accepted); n > 1 {
		return strconv.Itoa(n) + " findings accepted here"
	}
	return "1 finding accepted here"
}
