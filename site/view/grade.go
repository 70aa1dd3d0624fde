package view

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Graded is the grade of one service, in words.
type Graded struct {
	Name, Letter, LetterClass, Measure, Detail, Threshold string
	Findings                                              []GradedFinding
	Steps                                                 []string
	Rules                                                 []GradedRule
}

// GradedFinding is one thing a service did wrong. ID is unique on the page.
type GradedFinding struct {
	ID, Group, Check, Endpoint, Rule, Sentence, Count, Accepted string
}

// GradedRule is one line of the table of rules.
type GradedRule struct{ Name, Effects, Matched, Fired, Faulted, Handled string }

// ParseGrade reads a grade (grading.md 8).
func ParseGrade(g gjson.Result) []Graded {
	var out []Graded
	g.Get("services").ForEach(func(_, s gjson.Result) bool {
		one := Graded{
			Name: s.Get("service").Str, Letter: s.Get("letter").Str, LetterClass: s.Get("letter").Str,
			Measure: s.Get("measure.text").Str, Detail: s.Get("detail").Str, Threshold: s.Get("threshold").Str,
		}
		if one.Letter == "" {
			one.Letter, one.LetterClass = "n/a", "none"
		}
		s.Get("findings").ForEach(func(_, f gjson.Result) bool {
			one.Findings = append(one.Findings, GradedFinding{
				ID:    "accept-" + strconv.Itoa(len(out)) + "-" + strconv.Itoa(len(one.Findings)),
				Group: f.Get("group").Str, Check: f.Get("check").Str, Endpoint: f.Get("endpoint").Str, Rule: f.Get("rule").Str,
				Sentence: f.Get("sentence").Str, Count: Integer(f.Get("count").Int()) + "×", Accepted: f.Get("accepted").Str,
			})
			return true
		})
		s.Get("steps").ForEach(func(_, x gjson.Result) bool {
			one.Steps = append(one.Steps, x.Get("sentence").Str)
			return true
		})
		s.Get("rules").ForEach(func(_, r gjson.Result) bool {
			rule := GradedRule{
				Name: r.Get("name").Str, Matched: "not reported", Fired: Integer(r.Get("fired").Int()),
				Faulted: Integer(r.Get("faulted").Int()), Handled: Integer(r.Get("handled").Int()),
			}
			if m := r.Get("matched"); m.Type == gjson.Number {
				rule.Matched = Integer(m.Int())
			}
			var effects []string
			r.Get("effects").ForEach(func(_, e gjson.Result) bool {
				effects = append(effects, e.String())
				return true
			})
			rule.Effects = strings.Join(effects, ", ")
			if by := r.Get("shadowedBy").Str; by != "" {
				rule.Effects += " (never: " + by + " comes first)"
			}
			one.Rules = append(one.Rules, rule)
			return true
		})
		out = append(out, one)
		return true
	})
	return out
}
