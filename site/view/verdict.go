package view

import (
	"strconv"
	"strings"
)

// Finding is what a run says about one call, in words.
type Finding struct {
	// Sentence is the finding with its numbers, Why what dominated, or empty.
	Sentence, Why string
	// Bad tells that calls failed or the dependency got more than it bears.
	Bad bool
}

// Find words what happened to a call: what the dependency felt, what failed and when, which
// mechanism was behind it, and whether it recovered.
func Find(r *Run, s *Subject, series *Series) Finding {
	m := &s.Measured
	if m.Calls == 0 {
		return Finding{Sentence: "No call was made."}
	}
	spans := r.World.Spans(s.From, s.To)
	f := Finding{Bad: m.Failed*1000 > m.Calls || m.Amplification >= 1.5}

	var b strings.Builder
	b.WriteString("In the worst second ")
	if worst := series.Worst(); worst >= 0 {
		b.WriteString("(" + Clock(worst) + ") ")
	}
	b.WriteString(named(s.To) + " felt " + Times(m.Amplification) + " the load")
	if m.Failed == 0 {
		b.WriteString("; no call failed")
	} else {
		b.WriteString("; " + Percent(float64(m.Failed)/float64(m.Calls)) + " of calls failed")
		if where := r.where(series, spans); where != "" {
			b.WriteString(", " + where)
		}
	}
	if len(spans) > 0 {
		b.WriteString("; " + recovery(m, spans))
	}
	b.WriteString(".")
	f.Sentence = b.String()
	f.Why = r.why(s, series, spans)
	return f
}

// named is a callee in a sentence: the shorthand's has no name of its own.
func named(to string) string {
	if to == "dependency" {
		return "the dependency"
	}
	return to
}

// where says which part of the failures fell inside what was wrong. A call that began inside may
// end a little later, so the second behind a span belongs to it.
func (r *Run) where(series *Series, spans []Span) string {
	if len(spans) == 0 {
		return ""
	}
	inside, all := 0.0, 0.0
	for i := range series.Length() {
		n := series.Failed(i)
		all += n
		for _, s := range spans {
			if int64(i+1)*1e9 > s.FromNs && int64(i-1)*1e9 < s.ToNs {
				inside += n
				break
			}
		}
	}
	if all == 0 {
		return ""
	}
	what := "the " + spans[0].Kind
	for _, s := range spans[1:] {
		if s.Kind != spans[0].Kind {
			what = "the impairments"
			break
		}
		what = "the " + spans[0].Kind + "s"
	}
	switch share := inside / all; {
	case share == 1:
		return "all inside " + what
	case share >= 0.9:
		return Percent(share) + " of them inside " + what
	case share >= 0.5:
		return "most of them (" + Percent(share) + ") inside " + what
	case share > 0:
		return "only " + Percent(share) + " of them inside " + what
	}
	return "none of them inside " + what
}

func recovery(m *Measured, spans []Span) string {
	if !m.Recovered {
		return "it did not recover"
	}
	if len(spans) > 1 {
		return "recovered " + Duration(m.RecoverNs) + " after the last impairment ended"
	}
	return "recovered " + Duration(m.RecoverNs) + " after it ended"
}

// why names the mechanism that ended most of the failed calls, and what fed it.
func (r *Run) why(s *Subject, series *Series, spans []Span) string {
	m := &s.Measured
	var parts []string
	if m.Failed > 0 {
		type cause struct {
			n    float64
			text string
		}
		sum := func(series []float64) (n float64) {
			for _, v := range series {
				n += v
			}
			return n
		}
		causes := []cause{
			{sum(series.Budgetless), "were refused a retry because the retry budget was spent"},
			{sum(series.BrokenOpen), "were refused by the open breaker (it opened " + times(m.BreakerOpens) + ")"},
			{sum(series.Deadline), "ran out of their deadline"},
			{sum(series.Exhausted), "used up every attempt"},
			{sum(series.Permanent), "failed in a way that a retry does not help"},
		}
		top := causes[0]
		for _, c := range causes[1:] {
			if c.n > top.n {
				top = c
			}
		}
		if top.n > 0 {
			who := "All of them "
			if share := top.n / float64(m.Failed); share < 1 {
				who = Percent(share) + " of them "
			}
			text := who + top.text
			if cut := r.cutOff(s, series, spans); cut != "" {
				text += ", " + cut
			}
			parts = append(parts, text+".")
		}
	}
	if m.RefusedByLimiter > 0 {
		parts = append(parts, "The limiter kept back "+Integer(m.RefusedByLimiter)+" attempts.")
	}
	if n := m.Count("SaturationDetected"); n > 0 {
		parts = append(parts, "The caller’s own pool was the slow part "+times(n)+": those attempts were not held against "+named(s.To)+".")
	}
	if n := m.Count("HedgeStarted"); n > 0 {
		parts = append(parts, Integer(n)+" hedges were sent, "+Percent(float64(m.Count("HedgeWon"))/float64(n))+" of them won.")
	}
	if extra := m.Amplification; extra >= 1.5 && m.Failed == 0 {
		parts = append(parts, "Retries hid the trouble from callers and passed it on to "+named(s.To)+".")
	}
	return strings.Join(parts, " ")
}

// cutOff tells that attempts ended at the measured ceiling although the dependency was only slow:
// while it was browned out, half of its answers took longer than the ceiling let them.
func (r *Run) cutOff(s *Subject, series *Series, spans []Span) string {
	leaf := r.World.Leaf(s.To)
	if leaf == nil {
		return ""
	}
	for _, span := range spans {
		if span.Kind != "brownout" {
			continue
		}
		ceiling := At(series.Ceiling, int(span.FromNs/1e9)+1)
		if ceiling > 0 && ceiling < float64(leaf.P50Ns)*span.Slower {
			return "after the measured ceiling of " + Duration(int64(ceiling)) + " had cut their attempts off"
		}
	}
	return ""
}

func times(n int64) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " times"
	}
	return Integer(n) + " times"
}
