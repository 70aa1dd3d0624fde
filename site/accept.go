package main

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
	"github.com/vugu/vugu"

	recordings "squall/grading/recording"
	"squall/site/edit"
	"squall/site/view"
)

// acceptance is a finding that is meant to be so, with the reason (grading.md, "Accepting").
type acceptance struct{ Service, Check, Endpoint, Rule, Reason string }

func (x acceptance) json() string {
	return `{ "service": ` + quote(x.Service) + `, "check": ` + quote(x.Check) + `, "endpoint": ` + quote(x.Endpoint) +
		`, "rule": ` + quote(x.Rule) + `, "reason": ` + quote(x.Reason) + ` }`
}

// of tells that a finding is the accepted one.
func (x acceptance) of(f view.GradedFinding) bool {
	return x.Service == f.Service && x.Check == f.Check && x.Endpoint == f.Endpoint && x.Rule == f.Rule
}

// acceptanceList is the form that squall grade --accept reads.
func acceptanceList(all []acceptance) string {
	lines := make([]string, len(all))
	for i, x := range all {
		lines[i] = "  " + x.json()
	}
	return "{ \"accept\": [\n" + strings.Join(lines, ",\n") + "\n] }\n"
}

// withAccepted are files as the grader takes them, with what was accepted of them: in the document of
// our own form when there is one, else in one that is graded together with the recordings.
func withAccepted(files []file, accepted []acceptance) ([]file, error) {
	if len(accepted) == 0 {
		return files, nil
	}
	out := append([]file(nil), files...)
	home := -1
	for i, f := range files {
		if recordings.ReaderOf([]byte(f.Text)) == nil {
			home = i
		}
	}
	if home < 0 {
		home = len(out)
		out = append(out, file{"accepted.json", "{ }"})
	}
	for _, x := range accepted {
		c, err := edit.Append(out[home].Text, "grading.accept", x.json())
		if err != nil {
			return nil, err
		}
		out[home].Text = c.Apply(out[home].Text)
	}
	return out, nil
}

// startAccepting opens the field for the reason of a finding.
func (a *App) startAccepting(f view.GradedFinding) {
	a.Grade.Accepting = f.ID
	a.b.focus("#" + f.ID)
}

func (a *App) stopAccepting() { a.Grade.Accepting = "" }

// acceptKey accepts on Enter and gives up on Escape.
func (c *Grade) acceptKey(e vugu.DOMEvent, f view.GradedFinding) {
	switch e.PropString("key") {
	case "Enter":
		c.App.acceptFinding(f)
	case "Escape":
		c.App.stopAccepting()
	}
}

// acceptFinding keeps that a finding is known, and why: in the document, or, when files were graded,
// beside them until the page is closed.
func (a *App) acceptFinding(f view.GradedFinding) {
	reason := strings.TrimSpace(a.b.fieldText(f.ID))
	if reason == "" {
		a.say("Say why this is accepted: the reason goes into the report.")
		a.b.focus("#" + f.ID)
		return
	}
	accepted := acceptance{f.Service, f.Check, f.Endpoint, f.Rule, reason}
	if a.Grade.Source != "" {
		a.acceptOfFiles(append(slices.Clone(a.Grade.Accepted), accepted))
		return
	}
	a.Grade.Accepting = ""
	a.apply(edit.Append(a.Text, "grading.accept", accepted.json()))
}

// takeBack takes the acceptance of a finding out of the document, or from beside the files.
func (a *App) takeBack(f view.GradedFinding) {
	if a.Grade.Source != "" {
		a.takeBackFromFiles(f)
		return
	}
	for i, entry := range gjson.Parse(edit.Value(a.Text, "grading.accept")).Array() {
		if service := entry.Get("service"); service.Type == gjson.String && service.Str != f.Service {
			continue
		}
		if entry.Get("check").Str == f.Check && entry.Get("endpoint").Str == f.Endpoint && entry.Get("rule").Str == f.Rule {
			a.apply(edit.Remove(a.Text, "grading.accept["+strconv.Itoa(i)+"]"))
			return
		}
	}
	a.say("The text does not accept this any more.")
}

// acceptOfFiles grades the files with another list of acceptances. The list comes back when the same
// files are opened again: somebody wrote its reasons.
func (a *App) acceptOfFiles(accepted []acceptance) {
	g := &a.Grade
	if _, err := withAccepted(g.files, accepted); err != nil {
		a.say(view.Sentence(err.Error()))
		return
	}
	g.Accepting, g.Accepted = "", accepted
	a.accepted[g.Source] = accepted
	a.gradeFiles()
}

func (a *App) takeBackFromFiles(f view.GradedFinding) {
	g := &a.Grade
	for i, x := range g.Accepted {
		if x.of(f) {
			a.acceptOfFiles(slices.Delete(slices.Clone(g.Accepted), i, i+1))
			return
		}
	}
	a.say("This was accepted in the file itself; it is taken back there.")
}

// copyAccepted and saveAccepted hand over what was accepted of the files.
func (a *App) copyAccepted() { a.copied(acceptanceList(a.Grade.Accepted), "Acceptances copied.") }

func (a *App) saveAccepted() {
	a.b.download("accepted.json", "json", acceptanceList(a.Grade.Accepted))
}
