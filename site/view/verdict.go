package view

import (
	"strings"
)

// Finding is what a run says about one call, service or dependency, in words.
type Finding struct {
	// Sentence is the finding with its numbers, Why what was behind it, or empty.
	Sentence, Why string
	// Bad tells that calls failed or the callee got more than it bears.
	Bad bool
}

// Find words what happened to a subject: what its callee felt, what failed and when, which
// mechanism was behind it, and whether it recovered. Every clause is a rule over the report alone;
// what the report does not show is not said.
func Find(r *Run, s *Subject, series *Series) Finding {
	if s.Measured.Calls == 0 {
		return Finding{Sentence: "No call was made."}
	}
	f := look(r, s, series)
	found := Finding{Bad: f.m.Failed*1000 > f.m.Calls || f.m.Amplification >= 1.5}
	if f.quiet() {
		found.Sentence = "Nothing happened: no call failed, and " + f.callee + " felt no more than its load."
	} else {
		clauses := []string{f.load(), f.failures()}
		if r := f.recovery(); r != "" {
			clauses = append(clauses, r)
		}
		found.Sentence = upper(strings.Join(clauses, "; ")) + "."
	}
	found.Why = strings.Join(f.why(), " ")
	return found
}

// quiet tells that there is nothing to report: nothing was wrong, nothing failed, nothing was amplified.
func (f *facts) quiet() bool {
	return f.kind == call && f.m.Failed == 0 && f.m.Amplification < 1.02 && len(f.spans) == 0 && f.m.RefusedByLimiter == 0
}

// load says what the callee felt of the calls; for a service, what it passed on; for a dependency,
// what it had to serve.
func (f *facts) load() string {
	switch f.kind {
	case leaf:
		return f.callee + " served " + plural(f.m.Calls, "call")
	case service:
		text := f.callee + " had " + plural(f.m.Calls, "request")
		if f.m.Amplification >= 1.02 && f.worst >= 0 {
			text += " and sent up to " + Times(f.m.Amplification) + " as many calls down (" + Clock(f.worst) + ")"
		}
		return text
	}
	kept := 1 - f.m.LoadMultiplier
	switch {
	case f.m.Amplification < 1.1 && kept >= 0.05:
		return f.callee + " was spared " + Percent(kept) + " of its load"
	case f.m.Amplification < 1.02:
		return f.callee + " never felt more than its load"
	}
	text := "in the worst second "
	if f.worst >= 0 {
		text += "(" + Clock(f.worst) + ") "
	}
	return text + f.callee + " felt " + Times(f.m.Amplification) + " the load"
}

// failures says how many calls failed and when.
func (f *facts) failures() string {
	if f.m.Failed == 0 {
		switch {
		case len(f.spans) == 0:
			return "no call failed"
		default:
			return "no call failed, not even inside " + f.trouble
		}
	}
	what := " of calls failed"
	if f.kind != call {
		what = " of them failed"
	}
	text := Percent(float64(f.m.Failed)/float64(f.m.Calls)) + what
	if f.m.Failed == f.m.Calls {
		text = "every call failed"
	}
	if where := f.where(); where != "" {
		text += ", " + where
	}
	return text
}

// where says which part of the failures fell inside what was wrong; without anything wrong in the
// world, from when to when they fell.
func (f *facts) where() string {
	if f.failed == 0 {
		return ""
	}
	if len(f.spans) == 0 {
		return f.stretch()
	}
	switch share := f.inside / f.failed; {
	case share == 1:
		return "all inside " + f.trouble
	case share >= 0.9:
		return Percent(share) + " of them inside " + f.trouble
	case share >= 0.5:
		return "most of them (" + Percent(share) + ") inside " + f.trouble
	case share > 0:
		return "only " + Percent(share) + " of them inside " + f.trouble
	}
	return "none of them inside " + f.trouble
}

// stretch is from when to when calls failed: the seconds that hold all but a hundredth of the failures.
func (f *facts) stretch() string {
	first, last := f.bulk(0.005)
	length := f.series.Length()
	switch {
	case first == last:
		return "in the second at " + Clock(first)
	case (last-first+1)*10 >= length*8:
		return "all through the run"
	}
	return "from " + Clock(first) + " to " + Clock(last+1)
}

// recovery says how long after the last impairment all was well, where a report tells it: of a call
// to a dependency (simulator.md 10).
func (f *facts) recovery() string {
	if len(f.spans) == 0 || f.m.Failed == 0 && f.m.Recovered {
		return ""
	}
	end := int64(0)
	for _, s := range f.spans {
		end = max(end, s.ToNs)
	}
	switch {
	case end >= f.run.DurationNs:
		return "the run ended before " + f.trouble + " did"
	case f.leaf == nil || f.kind != call || len(f.leaf.Impairments) == 0:
		return ""
	case !f.m.Recovered:
		return "it had not recovered when the run ended"
	case len(f.spans) > 1:
		return "recovered " + Duration(f.m.RecoverNs) + " after the last impairment ended"
	}
	return "recovered " + Duration(f.m.RecoverNs) + " after it ended"
}
