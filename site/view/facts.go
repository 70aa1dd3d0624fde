package view

import (
	"strconv"
	"strings"
)

// facts are what the rules of a verdict look at.
type facts struct {
	run     *Run
	m       *Measured
	series  *Series
	kind    kind
	callee  string // in a sentence
	caller  string // of a call, in a sentence
	spans   []Span
	trouble string // the spans in a sentence: "the brownout"
	call    *Call  // nil unless kind is call
	leaf    *Leaf  // the dependency that is called, or nil
	peers   int64

	worst          int // the second with the most attempts a call, -1 for none
	failed, inside float64
	causes         [causes]float64
}

// kind is what a verdict is about.
type kind int

const (
	call kind = iota
	service
	leaf
)

// cause is how a call ended that failed.
type cause int

const (
	permanent cause = iota
	exhausted
	deadline
	budget
	breaker
	causes
)

func look(r *Run, s *Subject, series *Series) *facts {
	f := &facts{run: r, m: &s.Measured, series: series, worst: series.Worst(), peers: 1}
	from, to := s.From, s.To
	if from == "" {
		f.kind, to = service, s.Name
		if s.Leaf {
			f.kind = leaf
		}
	}
	f.callee, f.caller = named(to), from
	f.call, f.leaf = r.World.Call(from, to), r.World.Leaf(to)
	if len(r.World.Loads) == 1 {
		f.peers = max(r.World.Loads[0].Peers, 1)
	}
	for _, span := range r.World.Spans(from, to) {
		if span.FromNs < r.DurationNs {
			f.spans = append(f.spans, span)
		}
	}
	f.trouble = trouble(f.spans)
	for i := range series.Length() {
		n := series.Failed(i)
		f.failed += n
		if f.within(i) {
			f.inside += n
		}
	}
	for i, all := range [causes][]float64{series.Permanent, series.Exhausted, series.Deadline, series.Budgetless, series.BrokenOpen} {
		f.causes[i] = sum(all)
	}
	return f
}

// within tells whether a second belongs to a span. A call that began inside may end a little later,
// so the second behind a span is part of it.
func (f *facts) within(second int) bool {
	for _, s := range f.spans {
		if int64(second+1)*1e9 > s.FromNs && int64(second-1)*1e9 < s.ToNs {
			return true
		}
	}
	return false
}

// bulk are the first and last second of the failures, without the part on either side that is rare.
func (f *facts) bulk(rare float64) (first, last int) {
	before, length := 0.0, f.series.Length()
	for first = 0; first < length; first++ {
		if before += f.series.Failed(first); before > f.failed*rare {
			break
		}
	}
	behind := 0.0
	for last = length - 1; last > first; last-- {
		if behind += f.series.Failed(last); behind > f.failed*rare {
			break
		}
	}
	return first, last
}

// top is how most of the failed calls ended, and which share of them.
func (f *facts) top() (cause, float64) {
	best := permanent
	for c := range causes {
		if f.causes[c] > f.causes[best] {
			best = c
		}
	}
	return best, f.causes[best] / max(float64(f.m.Failed), 1)
}

// during is the span of a kind that holds most of the failures, if such spans hold at least half.
func (f *facts) during(kind string) (Span, bool) {
	var found Span
	most, all := 0.0, 0.0
	for _, s := range f.spans {
		if s.Kind != kind {
			continue
		}
		n := 0.0
		for i := range f.series.Length() {
			if int64(i+1)*1e9 > s.FromNs && int64(i-1)*1e9 < s.ToNs {
				n += f.series.Failed(i)
			}
		}
		if all += n; n > most {
			most, found = n, s
		}
	}
	return found, most > 0 && all >= f.failed/2
}

// crowd is how many calls were under way at the callee at once, peers included, as far as the ends
// of the seconds show it.
func (f *facts) crowd() int64 {
	most := 0.0
	for _, n := range f.series.InFlight {
		most = max(most, n)
	}
	return int64(most) * f.peers
}

// queued is the longest wait for the caller's own pool.
func (f *facts) queued() int64 {
	most := 0.0
	for _, ns := range f.series.Queue {
		most = max(most, ns)
	}
	return int64(most)
}

// trouble names spans in a sentence.
func trouble(spans []Span) string {
	if len(spans) == 0 {
		return ""
	}
	name := map[string]string{"stall": "pool stall"}[spans[0].Kind]
	if name == "" {
		name = spans[0].Kind
	}
	for _, s := range spans[1:] {
		if s.Kind != spans[0].Kind {
			return "the impairments"
		}
	}
	if len(spans) > 1 {
		name += "s"
	}
	return "the " + name
}

// named is a callee in a sentence: the shorthand's has no name of its own.
func named(to string) string {
	if to == "dependency" {
		return "the dependency"
	}
	return to
}

func sum(series []float64) (n float64) {
	for _, v := range series {
		n += v
	}
	return n
}

// upper is a text that begins a sentence; a name keeps its case.
func upper(text string) string {
	for _, word := range []string{"in the ", "the ", "every "} {
		if strings.HasPrefix(text, word) {
			return strings.ToUpper(text[:1]) + text[1:]
		}
	}
	return text
}

// share is a part of something counted: "All of them", "9.7% of them".
func share(part float64) string {
	if part >= 1 {
		return "All of them"
	}
	return Percent(part) + " of them"
}

func plural(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return Integer(n) + " " + noun + "s"
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
