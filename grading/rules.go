package grading

import (
	"strings"

	"squall/engine/ticks"
	"squall/engine/world"
)

// reportRules fills the chaos rules table: the declared rules, then those that were only seen.
func (s *service) reportRules() {
	s.report.Rules = make([]RuleReport, 0, len(s.rules))
	for i := range s.rules {
		r := s.rules[i]
		if r.declared && r.Fired == 0 && r.Rule.Matched <= 0 {
			r.ShadowedBy = s.shadowedBy(i)
		}
		s.report.Rules = append(s.report.Rules, r.RuleReport)
	}
}

// shadowedBy is the first earlier rule that leaves a rule nothing to match: rules do not fall
// through, so the first whose scope and window fit claims a call even when its roll declines.
func (s *service) shadowedBy(rule int) string {
	behind := &s.rules[rule].Rule
	for i := range rule {
		if front := &s.rules[i].Rule; covers(front, behind) {
			return front.ID
		}
	}
	return ""
}

// covers says whether every call that b could claim is claimed by a.
func covers(a, b *world.ChaosRule) bool {
	return (a.Scope.To == "" || a.Scope.To == b.Scope.To) &&
		(a.Scope.From == "" || a.Scope.From == b.Scope.From) &&
		(a.Scope.Method == "" || strings.EqualFold(a.Scope.Method, b.Scope.Method)) &&
		coversPath(a.Scope.Path, b.Scope.Path) &&
		a.StartAfter <= b.StartAfter && windowEnd(b) <= windowEnd(a)
}

// coversPath compares two path patterns, whose last * stands for any rest.
func coversPath(a, b string) bool {
	if prefix, open := strings.CutSuffix(a, "*"); open {
		return strings.HasPrefix(strings.TrimSuffix(b, "*"), prefix)
	}
	return a == "" || a == b
}

func windowEnd(r *world.ChaosRule) ticks.Ticks {
	if !r.HasDuration {
		return ticks.Max
	}
	return ticks.Add(r.StartAfter, r.Duration)
}
