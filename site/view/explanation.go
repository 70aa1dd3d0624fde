package view

import (
	"strconv"

	"github.com/tidwall/gjson"
)

// Explanation is the worst case of a policy, worked out without a run (executor.md 19).
type Explanation struct {
	Headline, Bound, Load, Breaker, Classifier string
	Rows                                       []Step
	Notes, Measured, Rules                     []string
}

// Step is one stretch or instant of the worst case. Style places its bar: percentages of the whole.
type Step struct {
	Kind, Label, From, To, Note, Style string
}

// ParseExplanation reads an explanation (policy.Explanation.AppendJSON).
func ParseExplanation(e gjson.Result) Explanation {
	out := Explanation{
		Headline: e.Get("headline").Str, Bound: e.Get("bound.text").Str, Load: e.Get("load.text").Str,
		Breaker: e.Get("breaker").Str, Classifier: e.Get("classifier.name").Str,
	}
	end := int64(1)
	rows := e.Get("walk.rows").Array()
	for _, r := range rows {
		end = max(end, r.Get("fromNs").Int(), r.Get("toNs").Int())
	}
	for _, r := range rows {
		kind := r.Get("kind").Str
		from, to := r.Get("fromNs").Int(), r.Get("toNs")
		step := Step{Kind: kind, Label: kind, From: Duration(from), To: "no end", Note: r.Get("note").Str}
		if kind == "attempt" || kind == "backoff" {
			step.Label += " " + strconv.FormatInt(r.Get("number").Int(), 10)
		}
		until := end
		if to.Type == gjson.Number {
			until = to.Int()
			step.To = Duration(until)
		}
		if until == from && to.Type == gjson.Number {
			step.From = ""
		}
		step.Style = Bar(from, until, 0, end)
		out.Rows = append(out.Rows, step)
	}
	each := func(path string, read func(gjson.Result) string, into *[]string) {
		e.Get(path).ForEach(func(_, v gjson.Result) bool {
			*into = append(*into, read(v))
			return true
		})
	}
	each("walk.notes", func(v gjson.Result) string { return v.Str }, &out.Notes)
	if note := e.Get("measuredNote").Str; note != "" {
		out.Notes = append(out.Notes, note)
	}
	each("measured", func(v gjson.Result) string {
		value := "–"
		if ns := v.Get("valueNs"); ns.Type == gjson.Number {
			value = Duration(ns.Int())
		}
		return v.Get("name").Str + ": " + value + " (" + v.Get("note").Str + ")"
	}, &out.Measured)
	each("classifier.rules", func(v gjson.Result) string { return v.Get("of").Str + " → " + v.Get("verdict").Str }, &out.Rules)
	return out
}

// Bar is the place of a stretch on a bar that shows [low, high], as the style of its element. A
// stretch is never too narrow to be seen.
func Bar(from, to, low, high int64) string {
	whole := float64(max(high-low, 1))
	left := min(max(float64(from-low)/whole*100, 0), 99.6)
	width := min(max(float64(to-from)/whole*100, 0.4), 100-left)
	return "left:" + strconv.FormatFloat(left, 'f', 2, 64) + "%;width:" + strconv.FormatFloat(width, 'f', 2, 64) + "%"
}
