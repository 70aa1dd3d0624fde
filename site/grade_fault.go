package main

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"squall/engine/document"
	"squall/site/edit"
)

// faultForm is a small form for one chaos rule (grading.md 3).
type faultForm struct {
	Open                                          bool
	To, From, Effect, Value, Percent, After, Last string
	// Wrong says what keeps the rule from being written.
	Wrong string
}

// fault is one thing that a rule can do to a call.
type fault struct {
	ID, Label string
	// Usual is the value that is offered first, empty for a fault that needs none; What names it.
	Usual, What string
	// before and after are the JSON around the value.
	before, after string
	quoted        bool
}

var faults = []fault{
	{"status", "answers with an error status", "503", "status", `{ "status": `, ` }`, false},
	{"latency", "answers later", "2s", "by (2s, 3x, 100ms-2s)", `{ "latency": `, ` }`, true},
	{"refuse", "refuses the connection", "", "", `{ "connection": "refuse" }`, "", false},
	{"reset", "resets the connection", "", "", `{ "connection": "reset" }`, "", false},
	{"stall", "stalls, then breaks off", "", "", `{ "connection": "stall" }`, "", false},
	{"drop", "cuts its answer off", "", "", `{ "connection": "drop" }`, "", false},
	{"corrupt", "sends a corrupt body", "", "", `{ "body": "corrupt" }`, "", false},
	{"truncate", "sends half a body", "", "", `{ "body": "truncate" }`, "", false},
	{"no-response", "closes without an answer", "", "", `{ "noResponse": true }`, "", false},
}

func faultOf(id string) fault {
	for _, f := range faults {
		if f.ID == id {
			return f
		}
	}
	return faults[0]
}

func (c *Grade) faults() []fault { return faults }

func (c *Grade) fault() fault { return faultOf(c.App.Grade.Fault.Effect) }

// targets are what a rule can be about: everything that is called.
func (c *Grade) targets() []string { return c.ends(func(from, to string) string { return to }) }

// callers are those that a rule can be limited to.
func (c *Grade) callers() []string { return c.ends(func(from, to string) string { return from }) }

func (c *Grade) ends(end func(from, to string) string) []string {
	var names []string
	seen := map[string]bool{}
	for _, call := range c.App.Run.World.Calls {
		if name := end(call.From, call.To); !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// openFault shows the form, filled for the call that the page is about: a fifth of its calls, for a
// third of the run.
func (a *App) openFault() {
	f := &a.Grade.Fault
	if f.Open = !f.Open; !f.Open || a.Run == nil {
		return
	}
	seconds := a.Run.DurationNs / 1e9
	*f = faultForm{Open: true, Effect: "status", Value: "503", Percent: "20",
		After: strconv.FormatInt(min(max(seconds/6, 1), 10), 10) + "s", Last: strconv.FormatInt(min(max(seconds/3, 1), 20), 10) + "s"}
	if s := a.subject(); s != nil {
		f.To = s.To
	}
	a.b.focus("#fault-to")
}

// setGrade takes what a control of the panel says.
func (a *App) setGrade(what, value string) {
	f := &a.Grade.Fault
	switch what {
	case "grade.role":
		a.setRole(value)
	case "fault.to":
		f.To = value
	case "fault.from":
		f.From = value
	case "fault.effect":
		if f.Effect != value {
			f.Effect, f.Value = value, faultOf(value).Usual
		}
	case "fault.value":
		f.Value = strings.TrimSpace(value)
	case "fault.percent":
		f.Percent = strings.TrimSuffix(strings.TrimSpace(value), "%")
	case "fault.after":
		f.After = strings.TrimSpace(value)
	case "fault.last":
		f.Last = strings.TrimSpace(value)
	default:
		return
	}
	f.Wrong = ""
}

// addFault writes the rule of the form into the document.
func (a *App) addFault() {
	f := &a.Grade.Fault
	raw, wrong := f.rule(a.Text)
	if f.Wrong = wrong; wrong != "" {
		return
	}
	f.Open = false
	a.apply(edit.Append(a.Text, "chaos.rules", raw))
	a.b.focus("#do-fault")
}

// rule is the form as JSON, or what is wrong with it.
func (f *faultForm) rule(text string) (raw, wrong string) {
	effect := faultOf(f.Effect)
	value := effect.before
	switch {
	case effect.Usual == "":
	case f.Value == "":
		return "", "Say by how much, or with which status."
	case effect.quoted:
		value += quote(f.Value) + effect.after
	default:
		n, err := strconv.Atoi(f.Value)
		if err != nil || n < 100 || n > 599 {
			return "", "A status is a number from 100 to 599."
		}
		value += strconv.Itoa(n) + effect.after
	}
	percent, err := strconv.ParseFloat(f.Percent, 64)
	if err != nil || !(percent > 0 && percent <= 100) {
		return "", "The share is a number above 0, at most 100."
	}
	for _, d := range []string{f.After, f.Last} {
		if _, err := document.ParseDuration(d); d != "" && err != nil {
			return "", "A time is written as 10s, 250ms or 1m30s: " + d + " is not."
		}
	}
	raw = `{ "id": ` + quote(f.id(text)) + `, "scope": { "to": ` + quote(f.To)
	if f.From != "" {
		raw += `, "from": ` + quote(f.From)
	}
	raw += ` }, "percent": ` + strconv.FormatFloat(percent, 'f', -1, 64)
	if f.After != "" {
		raw += `, "startAfter": ` + quote(f.After)
	}
	if f.Last != "" {
		raw += `, "duration": ` + quote(f.Last)
	}
	return raw + `, "effects": [ ` + value + ` ] }`, ""
}

// id names the rule after what it does, and counts up where that name is taken.
func (f *faultForm) id(text string) string {
	taken := map[string]bool{}
	for _, rule := range gjson.Parse(edit.Value(text, "chaos.rules")).Array() {
		taken[rule.Get("id").Str] = true
	}
	what := f.Effect
	if f.Effect == "status" {
		what = f.Value
	}
	name := f.To + "-" + what
	for n := 2; taken[name]; n++ {
		name = f.To + "-" + what + "-" + strconv.Itoa(n)
	}
	return name
}
