package scenario

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"squall/engine"
	"squall/engine/document"
	"squall/engine/policy"
	"squall/engine/problem"
	"squall/engine/ticks"
)

// ErrExpectation is what every error of ParseExpectation wraps.
var ErrExpectation = errors.New("no expectation")

// Expectation is one line of "expect": what must hold of a call or a service (scenario.md 7).
type Expectation struct {
	// Text is the line as written.
	Text string
	// Subject is "FROM -> TO", a service or dependency, or empty for the only call.
	Subject string
	// From and To are the call that Subject names; Service is the service or dependency.
	From, To, Service string

	measure    measureKind
	level      policy.Level
	event      policy.EventKind
	median     bool
	comparison comparison
	number     float64     // what counts and ratios are compared with
	span       ticks.Ticks // what times are compared with
}

// measureKind is what is measured.
type measureKind uint8

const (
	loadMultiplier measureKind = iota
	amplification
	availability
	availabilityAt
	calls
	succeeded
	failed
	reached
	refusedByLimiter
	breakerOpens
	countOf
	p50
	p90
	p95
	p99
	p999
	maxLatency
	timeToRecover
)

var measureNames = []struct {
	name string
	kind measureKind
}{
	{"loadMultiplier", loadMultiplier}, {"amplification", amplification}, {"availability", availability},
	{"p50", p50}, {"p90", p90}, {"p95", p95}, {"p99", p99}, {"p99.9", p999}, {"max", maxLatency},
	{"calls", calls}, {"succeeded", succeeded}, {"failed", failed}, {"reached", reached}, {"refusedByLimiter", refusedByLimiter},
	{"breakerOpens", breakerOpens}, {"timeToRecover", timeToRecover},
}

// isTime tells the measures that are compared with durations, isRatio those that take percentages.
func (k measureKind) isTime() bool  { return k >= p50 }
func (k measureKind) isRatio() bool { return k <= availabilityAt }

// comparison is an operator.
type comparison uint8

const (
	below comparison = iota
	atMost
	above
	atLeast
	equal
)

// operators are tried in this order: the longer first.
var operators = []struct {
	text string
	comparison
}{{"<=", atMost}, {">=", atLeast}, {"==", equal}, {"<", below}, {">", above}}

func wrong(format string, a ...any) error {
	return problem.Errorf("%w: "+format, append([]any{ErrExpectation}, a...)...)
}

// ParseExpectation reads "[FROM -> TO: | SERVICE:] MEASURE OP VALUE". Whether the subject exists
// depends on the graph: see Resolve.
func ParseExpectation(text string) (Expectation, error) {
	e := Expectation{Text: text}
	if len(text) > 500 {
		return e, wrong("the line has %d bytes; at most 500 are read", len(text))
	}
	if holdsControl(text) {
		return e, wrong("holds a control character, such as a line break; an expectation is one line")
	}
	line := text
	if i := strings.LastIndexByte(text, ':'); i >= 0 { // no measure and no value has a colon
		e.Subject, line = strings.TrimSpace(text[:i]), text[i+1:]
		if e.Subject == "" {
			return e, wrong("the subject before the colon is empty")
		}
	}
	at := strings.IndexAny(line, "<>=")
	if at < 0 {
		return e, wrong(`there is no comparison; write a measure, one of < <= > >= == and a value, such as "p99 < 1s"`)
	}
	value := ""
	for _, o := range operators {
		if rest, ok := strings.CutPrefix(line[at:], o.text); ok {
			e.comparison, value = o.comparison, strings.TrimSpace(rest)
			break
		}
		if o.text == "<" && line[at] == '=' {
			return e, wrong("%q is no comparison; write one of < <= > >= ==", "=")
		}
	}
	if err := e.parseMeasure(strings.TrimSpace(line[:at])); err != nil {
		return e, err
	}
	return e, e.parseValue(value)
}

func (e *Expectation) parseMeasure(text string) error {
	if inner, ok := argument(text, "median"); ok {
		e.median = true
		text = inner
	}
	if name, ok := argument(text, "count"); ok {
		for k := range policy.EventKind(policy.EventKinds) {
			if k.String() == name {
				e.measure, e.event = countOf, k
				return nil
			}
		}
		return wrong("%q is no event%s", name, near(name, eventNames()))
	}
	if name, ok := argument(text, "availability"); ok {
		for i, level := range levelNames {
			if level == name {
				e.measure, e.level = availabilityAt, policy.Level(i)
				return nil
			}
		}
		return wrong("%q is no level; the levels are %s%s", name, strings.Join(levelNames[:], ", "), near(name, levelNames[:]))
	}
	var known []string
	for _, m := range measureNames {
		if m.name == text {
			e.measure = m.kind
			return nil
		}
		known = append(known, m.name)
	}
	if text == "" {
		return wrong("there is no measure before the comparison")
	}
	return wrong("%q is no measure; the measures are %s, availability(LEVEL) and count(EVENT)%s", text, strings.Join(known, ", "), near(text, known))
}

// argument is what stands in "name(...)".
func argument(text, name string) (inner string, ok bool) {
	inner, ok = strings.CutPrefix(text, name+"(")
	if !ok || !strings.HasSuffix(inner, ")") {
		return "", false
	}
	return strings.TrimSpace(strings.TrimSuffix(inner, ")")), true
}

func eventNames() []string {
	var names []string
	for k := range policy.EventKind(policy.EventKinds) {
		names = append(names, k.String())
	}
	return names
}

func near(written string, known []string) string {
	if n := document.Nearest(written, known); n != "" {
		return "; did you mean " + n + "?"
	}
	return ""
}

// parseValue reads a number, a percentage or a duration, as the measure takes it.
func (e *Expectation) parseValue(text string) error {
	if e.measure.isTime() {
		d, err := document.ParseDuration(text)
		if err != nil {
			return wrong("%q %w; this measure is a time", text, err)
		}
		e.span = d
		return nil
	}
	digits, percent := strings.CutSuffix(text, "%")
	digits = strings.TrimSpace(digits)
	if percent {
		if !e.measure.isRatio() {
			return wrong("%q is a percentage, but this measure is a count", text)
		}
		digits += "e-2" // shifts the point exactly, which a division would not
	}
	// ParseFloat knows forms that no document has, such as 0x1p3 and 1_000
	x, err := strconv.ParseFloat(digits, 64)
	if err != nil || strings.Trim(digits, "0123456789.e-+") != "" || math.IsInf(x, 0) {
		return wrong("%q is no number%s", text, map[bool]string{true: " or percentage"}[e.measure.isRatio()])
	}
	e.number = x
	return nil
}

// Resolve finds the call or the service that the subject names.
func (e *Expectation) Resolve(t *engine.Topology) error {
	if e.Subject == "" {
		if len(t.Calls) != 1 {
			return wrong("the graph has %d calls; say which one is meant, such as %q", len(t.Calls), example(t)+": "+e.Text)
		}
		e.From, e.To = t.Calls[0].From, t.Calls[0].To
		return nil
	}
	if c := CallNamed(t, e.Subject); c != nil {
		e.From, e.To = c.From, c.To
		return nil
	}
	var known []string
	for i := range t.Calls {
		known = append(known, t.Calls[i].From+" -> "+t.Calls[i].To)
	}
	for i := range t.Calls {
		for _, name := range []string{t.Calls[i].From, t.Calls[i].To} {
			if e.Subject == name {
				e.Service = name
				return e.ofService(t)
			}
			known = append(known, name)
		}
	}
	return wrong("%q is no call and no service of the graph%s", e.Subject, near(e.Subject, known))
}

// CallNamed is the call that "FROM -> TO" names, spaces around the arrow or none, or nil. Names may
// hold spaces and arrows of their own, so the whole text is compared, and first as it is: "a b" and
// "ab" may both call "c".
func CallNamed(t *engine.Topology, text string) *engine.Call {
	squeeze := func(s string) string { return strings.ReplaceAll(s, " ", "") }
	var loose *engine.Call
	for i := range t.Calls {
		c := &t.Calls[i]
		name := c.From + " -> " + c.To
		if text == name || text == c.From+"->"+c.To {
			return c
		}
		if loose == nil && squeeze(text) == squeeze(name) {
			loose = c
		}
	}
	return loose
}

// ofService refuses what only calls have: of a service it is always 0 (scenario.md 9), so that the
// expectation would say nothing.
func (e *Expectation) ofService(t *engine.Topology) error {
	switch e.measure {
	case refusedByLimiter, breakerOpens, countOf:
		return wrong("%q is a service or a dependency, and this measure is of a call; name one, such as %q", e.Service, example(t))
	}
	return nil
}

// example is the first call of a graph.
func example(t *engine.Topology) string {
	if len(t.Calls) == 0 {
		return "FROM -> TO"
	}
	return t.Calls[0].From + " -> " + t.Calls[0].To
}

func readExpect(_ *reader, v document.Value, d *draft) {
	n := 0
	for item := range v.List() {
		if n++; n > ExpectMax {
			tooMany(v, "expectations", ExpectMax)
			return
		}
		text, ok := item.Text()
		if !ok {
			continue
		}
		e, err := ParseExpectation(text)
		if err != nil {
			item.Problem(reason(err))
			continue
		}
		d.expect = append(d.expect, expectation{e, item})
	}
}

// reason is an error without the words that all errors of expectations begin with.
func reason(err error) string { return strings.TrimPrefix(err.Error(), ErrExpectation.Error()+": ") }

// resolveExpect finds the subjects once the graph is known.
func (r *reader) resolveExpect(d *draft) {
	for i := range d.expect {
		e := &d.expect[i]
		if err := e.Resolve(&d.Topology); err != nil && len(d.Topology.Calls) > 0 {
			e.at.Problem(reason(err))
		}
		d.Expect = append(d.Expect, e.Expectation)
	}
}
