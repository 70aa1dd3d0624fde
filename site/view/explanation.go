package view

import (
	"strconv"

	"github.com/tidwall/gjson"
)

// Explanation is the worst case of a policy, worked out without a run (executor.md 19).
type Explanation struct {
	Headline, Bound, Breaker, Load, Classifier string
	Rows                                       []Step
	// Ticks are times on the bar above the rows, from its start to its end.
	Ticks []Tick
	// Spoken is the walk in one sentence, for who does not see the bars.
	Spoken       string
	Notes        []string
	Measured     []Measurement
	MeasuredNote string
	Rules        [][2]string
	Problems     []string
	Text         string
}

// Step is one stretch or instant of the worst case. Style places its bar: percentages of the whole.
type Step struct {
	Kind, Label, Time, Note, Style string
}

// Tick is a time on the bar.
type Tick struct{ Label, Style string }

// Measurement is one measured term: its value, "–" for one that is not known, and how it is measured.
type Measurement struct {
	Name, Value, Note string
	Known             bool
}

// ParseExplanation reads an explanation (policy.Explanation.AppendJSON).
func ParseExplanation(e gjson.Result) Explanation {
	out := Explanation{
		Headline: e.Get("headline").Str, Bound: e.Get("bound.text").Str, Load: upperFirst(e.Get("load.text").Str), Text: e.Get("text").Str,
		Breaker: upperFirst(e.Get("breaker").Str), Classifier: e.Get("classifier.name").Str, MeasuredNote: upperFirst(e.Get("measuredNote").Str),
	}
	out.walk(e.Get("walk"))
	each := func(path string, read func(gjson.Result)) {
		e.Get(path).ForEach(func(_, v gjson.Result) bool {
			read(v)
			return true
		})
	}
	each("walk.notes", func(v gjson.Result) { out.Notes = append(out.Notes, upperFirst(v.Str)+".") })
	each("problems", func(v gjson.Result) { out.Problems = append(out.Problems, v.Get("path").Str+": "+v.Get("message").Str) })
	each("measured", func(v gjson.Result) {
		m := Measurement{Name: v.Get("name").Str, Value: "–", Note: v.Get("note").Str}
		if ns := v.Get("valueNs"); ns.Type == gjson.Number {
			m.Value, m.Known = Duration(ns.Int()), true
		}
		out.Measured = append(out.Measured, m)
	})
	each("classifier.rules", func(v gjson.Result) {
		out.Rules = append(out.Rules, [2]string{v.Get("of").Str, v.Get("verdict").Str})
	})
	return out
}

// walk reads the rows of the worst case. A row without an end, or a walk without any length, takes
// the whole bar.
func (x *Explanation) walk(w gjson.Result) {
	end := int64(0)
	rows := w.Get("rows").Array()
	for _, r := range rows {
		end = max(end, r.Get("fromNs").Int(), r.Get("toNs").Int())
	}
	open := end == 0
	for _, r := range rows {
		kind := r.Get("kind").Str
		from, to := r.Get("fromNs").Int(), r.Get("toNs")
		step := Step{Kind: kind, Label: kind, Note: r.Get("note").Str}
		switch kind {
		case "attempt":
			step.Label = "attempt " + strconv.FormatInt(r.Get("number").Int(), 10)
		case "exhausted":
			step.Label = "no more attempts"
		case "elided":
			step.Label = "and so on"
		case "unknown":
			step.Label = "and then"
		}
		until := end
		switch {
		case to.Type != gjson.Number:
			step.Time, until, open = "from "+Duration(from)+", no end", max(end, from+1), true
		case to.Int() == from && kind != "attempt" && kind != "backoff":
			step.Time, until = "at "+Duration(from), from
		case kind == "backoff" && to.Int() == from:
			step.Time, until = "no wait", from
		case kind == "backoff":
			until = to.Int()
			step.Time = "up to " + Duration(until-from)
			if shortest := r.Get("shortestNs").Int(); shortest > 0 {
				step.Time = Duration(shortest) + " to " + Duration(until-from)
			}
		default:
			until = to.Int()
			step.Time = Duration(from) + " – " + Duration(until)
		}
		step.Style = Bar(from, until, 0, max(end, 1))
		x.Rows = append(x.Rows, step)
	}
	if len(rows) == 0 {
		return
	}
	attempts := plural(w.Get("attempts").Int(), "attempt")
	if open {
		x.Spoken = "At worst " + attempts + " without an end."
		return
	}
	for i := range int64(5) {
		at := end * i / 4
		x.Ticks = append(x.Ticks, Tick{Duration(at), Bar(at, at, 0, end)})
	}
	x.Spoken = "At worst " + attempts + " in " + Duration(end) + "."
	if w.Get("lowerBound").Bool() {
		x.Spoken = "At worst " + attempts + " in " + Duration(end) + " or more."
	}
}

// Bar is the place of a stretch on a bar that shows [low, high], as the style of its element. A
// stretch is never too narrow to be seen.
func Bar(from, to, low, high int64) string {
	whole := float64(max(high-low, 1))
	left := min(max(float64(from-low)/whole*100, 0), 99.6)
	width := min(max(float64(to-from)/whole*100, 0.4), 100-left)
	return "left:" + strconv.FormatFloat(left, 'f', 2, 64) + "%;width:" + strconv.FormatFloat(width, 'f', 2, 64) + "%"
}
