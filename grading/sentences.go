package grading

import (
	"strconv"
	"strings"
)

// sentence is a finding in words, by its worst example (grading.md 7.2).
func (s *service) sentence(f *finding) string {
	rule := "chaos rule \"" + s.rules[f.rule].Rule.Name + "\" "
	c := &s.calls[f.call]
	switch f.Check {
	case ErrorPassedThrough:
		answer := " did not answer while "
		if f.request.answered() {
			answer = " answered " + strconv.Itoa(f.request.src.Status) + " while "
		}
		return f.Endpoint + answer + rule + doing(c, f.Dependency, effectOrder[:]) + "."
	case UnboundedRetries:
		usually := uint64(2)
		if m := s.common.attempts[c.endpoint]; m.known {
			usually = m.twice
		}
		return f.Endpoint + " called " + f.Dependency + " " + plural(f.attempts, "time", "times") +
			" during one request (usually " + half(usually) + ") while " + rule + doing(c, "it", effectOrder[:]) +
			"; the bound is " + plural(s.report.Bounds.MaxRetries, "retry", "retries") + "."
	case LatencyAmplification:
		bound := s.report.Bounds.MaxLatencyAmplification
		return f.Endpoint + " took " + halves(2*f.request.latency(), false) + " against a usual " +
			halves(s.common.latency[f.request.endpoint].twice, false) + " while " + rule +
			doing(c, f.Dependency, heldOrder[:]) + ": " + ratio(f.amplification, bound) + " the fault's " +
			duration(c.delay) + ", above the bound of " + bound.String() + "x."
	}
	answer := " did not answer for "
	if f.failed {
		answer = " kept answering 5xx for "
	}
	return f.Endpoint + answer + duration(f.lasted) + " after " + rule + "stopped firing."
}

// effectOrder is which of several effects of a call is named; heldOrder the same in a latency finding.
var (
	effectOrder = [...]string{"status", "refuse", "reset", "stall", "drop", "no-response", "corrupt", "truncate", "latency"}
	heldOrder   = [...]string{"latency", "stall", "no-response"}
)

// doing is what a rule did to the dependency of a call.
func doing(c *call, dependency string, order []string) string {
	delay := func(word string) string {
		if c.delay == 0 {
			return ""
		}
		return " " + word + " " + duration(c.delay)
	}
	switch firstEffect(c.src.Chaos.Effects, order) {
	case "status":
		status := c.src.Status
		if mark := c.src.Chaos; mark.HasStatus && mark.Status != 0 {
			status = mark.Status
		}
		if status == 0 {
			return "returned an error from " + dependency
		}
		return "returned " + strconv.Itoa(status) + " from " + dependency
	case "refuse":
		return "refused the connection to " + dependency
	case "reset":
		return "reset the connection to " + dependency
	case "stall":
		return "stalled " + dependency + delay("for")
	case "drop":
		return "cut off the response of " + dependency
	case "no-response":
		return "gave no response from " + dependency + delay("for")
	case "corrupt":
		return "corrupted the body from " + dependency
	case "truncate":
		return "truncated the body from " + dependency
	case "latency":
		return "delayed " + dependency + delay("by")
	}
	return "perturbed " + dependency
}

// firstEffect is the first word of an order that a call's effects have, or empty.
func firstEffect(effects, order []string) string {
	for _, word := range order {
		for _, effect := range effects {
			if effect == word {
				return word
			}
		}
	}
	return ""
}

// step is one move of the letter in words; others follow the finding when the cap has several.
func step(sentence, others, share string, from, to Letter) Step {
	made := Step{From: from, To: to}
	end := "; letter " + from.String() + " to " + to.String() + "."
	if from == to {
		made.Stays = "Stays " + to.String()
		end = "; letter stays " + to.String() + "."
	}
	made.Sentence = sentence + " Fixing or accepting it" + others + " brings Resilience to " + share + " of faults handled" + end
	return made
}

// moreEndpoints is how a step over the recovery cap names the endpoints besides the first.
func moreEndpoints(n int) string {
	if n == 0 {
		return ""
	}
	return " and " + plural(n, "more endpoint", "more endpoints") + " that did not recover"
}

// threshold is the ladder in words, with the cap while it holds.
func (r *ServiceReport) threshold() string {
	text := "A at " + r.Ladder.A.String() + "% of faults handled, B at " + r.Ladder.B.String() +
		"%, C at " + r.Ladder.C.String() + "%, D at " + r.Ladder.D.String() + "%"
	if r.Recovery.NotRecovered > 0 {
		text += "; D at most until every affected endpoint recovers"
	}
	return text + "."
}

// join puts the sentences that there are behind one another.
func join(sentences ...string) string {
	var b strings.Builder
	for _, s := range sentences {
		if s != "" && b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	return b.String()
}
