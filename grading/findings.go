package grading

import (
	"cmp"
	"slices"
	"strings"
)

// identity is what makes two windows the same finding, and what an acceptance names.
type identity struct {
	check          Check
	endpoint, rule string
}

// acceptedIn are the acceptances that hold for a service; the first of two equal ones counts.
func acceptedIn(service string, accept []Acceptance) map[identity]string {
	reasons := make(map[identity]string, len(accept))
	for _, a := range accept {
		if a.Service != "" && a.Service != service {
			continue
		}
		id := identity{a.Check, a.Endpoint, a.Rule}
		if _, known := reasons[id]; !known {
			reasons[id] = a.Reason
		}
	}
	return reasons
}

// finding is a finding while it grows: the numbers of its worst example become its sentence.
type finding struct {
	Finding
	accepted bool
	rule     int
	// call is the perturbed call of the example.
	call int
	// request is the example's request; it does not count for NoRecovery.
	request       *request
	excess        int64
	attempts      int
	amplification fraction
	// lasted is how long an endpoint was watched, in nanoseconds; failed says that it answered 5xx.
	lasted int64
	failed bool
}

// find is the finding of an identity, made when it is new.
func (s *service) find(check Check, endpoint, rule int) (f *finding, isNew bool) {
	id := identity{check, s.inbound.texts[endpoint], s.rules[rule].Rule.ID}
	if i, known := s.findingOf[id]; known {
		return &s.findings[i], false
	}
	s.findingOf[id] = len(s.findings)
	reason, accepted := s.accept[id]
	made := finding{rule: rule, accepted: accepted}
	made.Finding = Finding{Group: Group(check), Check: check, Endpoint: id.endpoint, Rule: id.rule}
	if accepted {
		made.Group, made.Accepted = GroupAccepted, reason
	}
	s.findings = append(s.findings, made)
	return &s.findings[len(s.findings)-1], true
}

// found counts a window under a check and the rule of the call it is put down to. It says whether
// the finding is accepted. Windows come in the order of time.
func (s *service) found(check Check, w *window, call int) (accepted bool) {
	f, worse := s.find(check, w.request.endpoint, s.calls[call].rule)
	if worse {
		f.FirstNs = w.request.at
	} else {
		switch check {
		case UnboundedRetries:
			worse = w.excess > f.excess
		case LatencyAmplification:
			worse = w.amplification.more(f.amplification)
		}
	}
	f.Count++
	f.LastNs = w.request.at
	if worse {
		f.call, f.request = call, w.request
		f.excess, f.attempts, f.amplification = w.excess, w.attempts, w.amplification
	}
	return f.accepted
}

// foundNoRecovery notes an endpoint that did not recover, and says whether that is accepted.
func (s *service) foundNoRecovery(p *affected, seen *looked, lasted int64) (accepted bool) {
	f, _ := s.find(NoRecovery, p.endpoint, p.rule)
	f.Count, f.FirstNs, f.LastNs = seen.count, seen.first, seen.last
	f.call, f.lasted, f.failed = p.lastCall, lasted, seen.failed
	return f.accepted
}

// sortFindings puts the findings in the order of the report and writes their sentences.
func (s *service) sortFindings() {
	slices.SortFunc(s.findings, func(a, b finding) int {
		return cmp.Or(
			cmp.Compare(a.Group, b.Group),
			cmp.Compare(a.Check, b.Check),
			byWeight(&a, &b))
	})
	s.report.Findings = make([]Finding, len(s.findings))
	for i := range s.findings {
		f := &s.findings[i]
		f.Dependency = s.dependency.texts[s.calls[f.call].endpoint]
		f.Sentence = s.sentence(f)
		s.report.Findings[i] = f.Finding
	}
}

// byWeight orders by count, the largest first, then by text.
func byWeight(a, b *finding) int {
	return cmp.Or(
		cmp.Compare(b.Count, a.Count),
		strings.Compare(a.Endpoint, b.Endpoint),
		strings.Compare(a.Rule, b.Rule))
}
