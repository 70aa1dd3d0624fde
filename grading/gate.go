package grading

import (
	"bytes"

	"squall/engine/document"
)

// The exit statuses of grading (grading.md 8).
const (
	StatusMet        = 0
	StatusBelowGate  = 1
	StatusUsage      = 2
	StatusWorse      = 3
	StatusNA         = 4
	StatusUnreadable = 5
)

// Gate says whether the overall letter reaches at least a letter. Without a letter to reach, and
// when nothing counts towards the overall letter, the gate is met.
func Gate(r *Report, least Letter) bool {
	return least == NoLetter || r.Overall == NoLetter || r.Overall <= least
}

// Outcome is everything an exit status depends on.
type Outcome struct {
	// Usage says that the command line was wrong, Unreadable that an input could not be read.
	Usage, Unreadable bool
	// Report is nil when there is none.
	Report *Report
	// Gate is the letter to reach, [NoLetter] for none, and Baseline the report to compare with, nil
	// for none.
	Gate     Letter
	Baseline *Baseline
}

// Status is the exit status: of several that hold, the first of 2, 5, 4, 1 and 3.
func Status(o Outcome) int {
	switch {
	case o.Usage:
		return StatusUsage
	case o.Unreadable, o.Report == nil:
		return StatusUnreadable
	case missing(o.Report):
		return StatusNA
	case !Gate(o.Report, o.Gate):
		return StatusBelowGate
	case o.Baseline != nil && Worse(o.Baseline, o.Report):
		return StatusWorse
	}
	return StatusMet
}

// missing says that a letter is required and there is none.
func missing(r *Report) bool {
	for i := range r.Services {
		if r.Services[i].Role == RoleRequired {
			return r.Overall == NoLetter
		}
	}
	return false
}

// Baseline is what a later report is compared with: an earlier report, as far as it matters.
type Baseline struct{ services []baselineService }

type baselineService struct {
	name   string
	letter Letter
	// rules, bounds and ladder are canonical JSON: rules as declared, up to their effects.
	rules, bounds, ladder []byte
}

// ReadBaseline reads the JSON of an earlier report. Keys that are not compared may be anything.
func ReadBaseline(text []byte) (*Baseline, []document.Problem) {
	doc, problems := document.Parse(text, document.Limits{Bytes: recordingBytesMax})
	if len(problems) > 0 {
		return nil, problems
	}
	services := doc.Root().Member("services")
	if doc.Root().Kind() != document.Object || services.Kind() != document.List {
		doc.Root().Problem(`is no report of a grade: it has no list "services"`)
		return nil, doc.Problems()
	}
	b := &Baseline{}
	for v := range services.Items() {
		b.services = append(b.services, readBaselineService(v))
	}
	if problems = doc.Problems(); len(problems) > 0 {
		return nil, problems
	}
	return b, nil
}

func readBaselineService(v document.Value) baselineService {
	var s baselineService
	name := v.Member("service")
	if !name.Exists() {
		v.Problem(`needs a "service"`)
	}
	s.name, _ = name.Text()
	if value := v.Member("letter"); value.Exists() && value.Kind() != document.Null {
		if i, ok := value.Enum("A", "B", "C", "D", "F"); ok {
			s.letter = [...]Letter{A, B, C, D, F}[i]
		}
	}
	s.rules = append(s.rules, '[')
	for rule := range v.Member("rules").Items() {
		if len(s.rules) > 1 {
			s.rules = append(s.rules, ',')
		}
		s.rules = append(s.rules, '{')
		for i, key := range declaredKeys {
			s.rules = document.AppendText(comma(s.rules, i), key)
			s.rules = rule.Member(key).AppendCanonical(append(s.rules, ':'))
		}
		s.rules = append(s.rules, '}')
	}
	s.rules = append(s.rules, ']')
	s.bounds = v.Member("bounds").AppendCanonical(nil)
	s.ladder = v.Member("ladder").AppendCanonical(nil)
	return s
}

// declaredKeys are the keys of a rule up to its effects, in the order of the report.
var declaredKeys = [...]string{"id", "name", "scope", "percent", "startAfterNs", "durationNs", "sticky", "maxLatencyNs", "effects"}

// of is the earlier grade of a service, nil when there is none.
func (b *Baseline) of(service string) *baselineService {
	for i := range b.services {
		if b.services[i].name == service {
			return &b.services[i]
		}
	}
	return nil
}

// Worse says whether some service has a worse letter than it had; n/a compares with nothing.
func Worse(baseline *Baseline, r *Report) bool {
	for i := range r.Services {
		s := &r.Services[i]
		if before := baseline.of(s.Service); before != nil && before.letter != NoLetter && s.Letter > before.letter {
			return true
		}
	}
	return false
}

// Mark is what changed in the making of a service's grade since the baseline: "Chaos rules",
// "config change", or nothing.
func (b *Baseline) Mark(s *ServiceReport) string {
	before := b.of(s.Service)
	if before == nil {
		return ""
	}
	rules := []byte{'['}
	for i := range s.Rules {
		rules = append(appendDeclared(comma(rules, i), &s.Rules[i].Rule), '}')
	}
	rules = append(rules, ']')
	switch {
	case !bytes.Equal(rules, before.rules):
		return "Chaos rules"
	case !bytes.Equal(s.Bounds.appendJSON(nil), before.bounds), !bytes.Equal(s.Ladder.appendJSON(nil), before.ladder):
		return "config change"
	}
	return ""
}
