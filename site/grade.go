package main

import (
	"strings"

	"github.com/tidwall/gjson"

	"squall/engine/document"
	"squall/site/edit"
	"squall/site/view"
)

// Grade is the letter of a service under injected faults, and what moves it.
type Grade struct{ App *App }

type gradeState struct {
	Why      string
	Problems []string
	Services []view.Graded
	// Source names the files that were graded, empty for the scenario of the text.
	Source string
	text   string
}

// offer tells whether the page offers to inject a fault.
func (g *gradeState) offer() bool { return g.Source == "" && g.Why == noChaos }

const noChaos = "This scenario injects no faults, so there is nothing to grade."

// followGrade grades the run of the text, when faults are injected in it.
func (a *App) followGrade() {
	g := &a.Grade
	if g.Source != "" || a.Run == nil || len(a.Problems) > 0 || g.text == a.Text {
		return
	}
	*g = gradeState{text: a.Text}
	if !a.Run.World.Chaos {
		g.Why = noChaos
		return
	}
	g.Why = "Grading …"
	text := a.Text
	a.clerk.ask("grade", `"op":"grade","text":`+quote(text), func(r gjson.Result) {
		if a.Grade.Source == "" && a.Grade.text == text {
			a.Grade = gradeState{text: text}
			a.graded(r)
		}
	})
}

func (a *App) graded(r gjson.Result) {
	g := &a.Grade
	switch {
	case r.Get("ok").Bool():
		g.Services = view.ParseGrade(r.Get("grade"))
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
		a.Notice = files[0].Name + " opened."
		return
	}
	names := make([]string, len(files))
	fields := ""
	for i, f := range files {
		names[i] = f.Name
		fields += `,{"name":` + quote(f.Name) + `,"text":` + quote(f.Text) + `}`
	}
	if fields == "" {
		return
	}
	a.Panel = "grade"
	a.Grade = gradeState{Source: strings.Join(names, ", "), Why: "Grading …"}
	source := a.Grade.Source
	a.clerk.ask("grade", `"op":"grade","files":[`+fields[1:]+`]`, func(r gjson.Result) {
		if a.Grade.Source == source {
			a.Grade = gradeState{Source: source}
			a.graded(r)
		}
	})
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
	a.Grade = gradeState{}
	a.followGrade()
}

// addChaos writes a rule that fails some calls of the subject for a while.
func (a *App) addChaos() {
	s := a.subject()
	if s == nil {
		return
	}
	a.apply(edit.Set(a.Text, "chaos", `{ "rules": [ { "id": "unavailable", "scope": { "to": `+quote(s.To)+` }, "percent": 20, "startAfter": "10s", "duration": "20s", "effects": [ { "status": 503 } ] } ] }`))
}

// acceptFinding writes into the document that a finding is known, and why.
func (a *App) acceptFinding(s view.Graded, f view.GradedFinding) {
	reason := strings.TrimSpace(a.b.fieldText(f.ID))
	if reason == "" {
		a.Notice = "Say why this is accepted."
		a.b.focus("#" + f.ID)
		return
	}
	a.apply(edit.Append(a.Text, "grading.accept", `{ "service": `+quote(s.Name)+`, "check": `+quote(f.Check)+`, "endpoint": `+quote(f.Endpoint)+`, "rule": `+quote(f.Rule)+`, "reason": `+quote(reason)+` }`))
}
