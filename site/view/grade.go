package view

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Grades are the grades of every service that made calls (grading.md 8), in words.
type Grades struct {
	// Overall is the worst letter of the services that count, empty when none does.
	Overall  string
	Services []Graded
	// Unused are acceptances that match no finding.
	Unused []string
}

// Graded is the grade of one service. Letter is "n/a" when Measure says why there is none.
type Graded struct {
	Name, Role, Letter                string
	Measure, Detail, Threshold, Terms string
	Graded                            bool
	Facts                             []Figure
	Groups                            []FindingGroup
	Steps                             []GradedStep
	Rules                             []GradedRule
	Endpoints                         []GradedEndpoint
}

// FindingGroup is the findings of one kind, as the page shows them.
type FindingGroup struct {
	Title    string
	Accepted bool
	Findings []GradedFinding
}

// GradedFinding is one thing a service did wrong. ID is unique on the page.
type GradedFinding struct {
	ID, Service, Check, Endpoint, Rule string
	Sentence, Count, When              string
	// Accepted is the reason of an accepted finding.
	Accepted string
}

// GradedStep is one thing that moves the letter. Stays is the letter that it does not move.
type GradedStep struct{ Sentence, From, To, Stays string }

// GradedRule is one line of the table of rules.
type GradedRule struct {
	ID, Name, Scope, When, Effects, Matched, Fired, Faulted, Handled string
	// Note says what is odd about the rule, or is empty.
	Note string
}

// GradedEndpoint is what became of an endpoint that a rule hit.
type GradedEndpoint struct {
	Endpoint, Rule, State string
	Bad                   bool
}

// ParseGrades reads a grade.
func ParseGrades(g gjson.Result) Grades {
	out := Grades{Overall: g.Get("overall").Str}
	g.Get("services").ForEach(func(_, s gjson.Result) bool {
		out.Services = append(out.Services, parseGraded(s, len(out.Services)))
		return true
	})
	g.Get("unused").ForEach(func(_, u gjson.Result) bool {
		text := u.Get("check").Str + " of " + u.Get("endpoint").Str + ", rule " + u.Get("rule").Str
		if service := u.Get("service").Str; service != "" {
			text = service + ": " + text
		}
		out.Unused = append(out.Unused, text)
		return true
	})
	return out
}

func parseGraded(s gjson.Result, index int) Graded {
	out := Graded{
		Name: s.Get("service").Str, Role: s.Get("role").Str, Letter: s.Get("letter").Str, Graded: true,
		Measure: upperFirst(s.Get("measure.text").Str), Detail: s.Get("detail").Str, Threshold: s.Get("threshold").Str,
	}
	if na := s.Get("na"); na.Type == gjson.String {
		out.Letter, out.Graded, out.Measure = "n/a", false, na.Str
		out.Detail = strings.TrimSpace(strings.TrimPrefix(out.Detail, na.Str)) // it begins with the sentence
	} else {
		out.Facts = gradeFacts(s)
	}
	out.Terms = terms(s)
	s.Get("findings").ForEach(func(_, f gjson.Result) bool {
		group := f.Get("group").Str
		if n := len(out.Groups); n == 0 || out.Groups[n-1].Title != group {
			out.Groups = append(out.Groups, FindingGroup{Title: group, Accepted: f.Get("accepted").Type == gjson.String})
		}
		last := &out.Groups[len(out.Groups)-1]
		last.Findings = append(last.Findings, GradedFinding{
			ID:      "finding-" + strconv.Itoa(index) + "-" + strconv.Itoa(len(out.Groups)) + "-" + strconv.Itoa(len(last.Findings)),
			Service: out.Name, Check: f.Get("check").Str, Endpoint: f.Get("endpoint").Str, Rule: f.Get("rule").Str,
			Sentence: f.Get("sentence").Str, Count: plural(f.Get("count").Int(), "request"),
			When: between(f.Get("firstNs").Int(), f.Get("lastNs").Int()), Accepted: f.Get("accepted").Str,
		})
		return true
	})
	s.Get("steps").ForEach(func(_, x gjson.Result) bool {
		out.Steps = append(out.Steps, GradedStep{x.Get("sentence").Str, x.Get("from").Str, x.Get("to").Str, x.Get("stays").Str})
		return true
	})
	s.Get("rules").ForEach(func(_, r gjson.Result) bool {
		out.Rules = append(out.Rules, parseRule(r))
		return true
	})
	s.Get("recovery.endpoints").ForEach(func(_, e gjson.Result) bool {
		out.Endpoints = append(out.Endpoints, parseEndpoint(e))
		return true
	})
	return out
}

// gradeFacts are the numbers beside the letter.
func gradeFacts(s gjson.Result) []Figure {
	ratio := func(v gjson.Result, before, after string) string {
		if v.Type != gjson.Number {
			return "–"
		}
		return before + strconv.FormatFloat(v.Num, 'f', -1, 64) + after
	}
	bad := func(path string) bool { return s.Get(path).Int() > 0 }
	recovered, lost := s.Get("recovery.recovered").Int(), s.Get("recovery.notRecovered").Int()
	latency := "–"
	if v := s.Get("worst.latencyAmplification"); v.Type == gjson.Number {
		latency = Times(v.Num)
	}
	return []Figure{
		{"Handled", Integer(s.Get("measure.handled").Int()) + " of " + Integer(s.Get("measure.windows").Int()), "requests with a fault in them that the service handled", false},
		{"Passed on", Integer(s.Get("buckets.errorPassedThrough").Int()), "requests answered 5xx or not at all while a fault was injected", bad("buckets.errorPassedThrough")},
		{"Retried too often", Integer(s.Get("buckets.unboundedRetries").Int()), "requests with more retries than the bound", bad("buckets.unboundedRetries")},
		{"Too slow", Integer(s.Get("buckets.latencyAmplification").Int()), "requests that took longer than the bound times the injected delay", bad("buckets.latencyAmplification")},
		{"Most retries", ratio(s.Get("worst.retryAmplification"), "+", ""), "attempts beyond the usual ones in one request", false},
		{"Slowest", latency, "the longest request beside the delay that was injected into it", false},
		{"Recovered", Integer(recovered) + " of " + Integer(recovered+lost), "affected endpoints that were well again after their rule stopped", lost > 0},
		{"Faults", Integer(s.Get("faults.injected").Int()), "calls that a rule perturbed; " + Integer(s.Get("faults.paired").Int()) + " belong to a request", false},
	}
}

// terms are the bounds and the ladder that were used.
func terms(s gjson.Result) string {
	number := func(path string) string { return s.Get(path).Raw }
	return "Bounds: " + number("bounds.maxRetries") + " retries, " + number("bounds.maxLatencyAmplification") + "× the injected delay, " +
		Duration(s.Get("bounds.recoveryWindowNs").Int()) + " to recover."
}

func parseRule(r gjson.Result) GradedRule {
	out := GradedRule{
		ID: r.Get("id").Str, Name: r.Get("name").Str, Matched: "not reported", Fired: Integer(r.Get("fired").Int()),
		Faulted: Integer(r.Get("faulted").Int()), Handled: Integer(r.Get("handled").Int()),
	}
	if m := r.Get("matched"); m.Type == gjson.Number {
		out.Matched = Integer(m.Int())
	}
	scope := r.Get("scope")
	var parts []string
	if from := scope.Get("from").Str; from != "" {
		parts = append(parts, from+" →")
	}
	for _, key := range []string{"to", "method", "path"} {
		if text := scope.Get(key).Str; text != "" {
			parts = append(parts, text)
		}
	}
	out.Scope = strings.Join(parts, " ")
	if out.Scope == "" {
		out.Scope = "any call"
	}
	if p := r.Get("percent").Num; p != 100 {
		out.Scope += ", " + strconv.FormatFloat(p, 'f', -1, 64) + "%"
		if r.Get("sticky").Bool() {
			out.Scope += " of callers"
		}
	}
	start := r.Get("startAfterNs").Int()
	switch d := r.Get("durationNs"); {
	case d.Type == gjson.Number:
		out.When = Instant(start) + " – " + Instant(start+d.Int())
	case start > 0:
		out.When = "from " + Instant(start)
	default:
		out.When = "always"
	}
	var effects []string
	r.Get("effects").ForEach(func(_, e gjson.Result) bool {
		effects = append(effects, e.String())
		return true
	})
	out.Effects = strings.Join(effects, ", ")
	switch by := r.Get("shadowedBy").Str; {
	case by != "":
		out.Note = "never reached: “" + by + "” claims its calls first"
	case r.Get("fired").Int() == 0 && r.Get("matched").Int() > 0:
		out.Note = "matched calls, but every roll declined"
	case r.Get("fired").Int() == 0:
		out.Note = "did not fire"
	}
	return out
}

func parseEndpoint(e gjson.Result) GradedEndpoint {
	out := GradedEndpoint{Endpoint: e.Get("endpoint").Str, Rule: e.Get("rule").Str}
	switch e.Get("state").Str {
	case "recovered":
		out.State = "recovered after " + Duration(e.Get("afterNs").Int())
	case "accepted":
		out.State = "accepted as recovered"
	case "notRecovered":
		out.State, out.Bad = "not recovered", true
	case "noRequest":
		out.State = "unknown: no request came after the rule"
	case "stillFiring":
		out.State = "unknown: the rule fired to the end"
	}
	return out
}

// Instant is a time of a run as a clock, with tenths where they matter: "1:05", "0:10.5".
func Instant(ns int64) string {
	text := Clock(int(ns / 1e9))
	if tenths := ns / 1e8 % 10; tenths != 0 {
		text += "." + strconv.FormatInt(tenths, 10)
	}
	return text
}

// between is from when to when, to the second.
func between(first, last int64) string {
	from, to := Clock(int(first/1e9)), Clock(int(last/1e9))
	if from == to {
		return "at " + from
	}
	return from + " – " + to
}

func upperFirst(text string) string {
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// ImportedNote says how a foreign recording was read: what was kept and what was skipped and why.
func ImportedNote(m gjson.Result) string {
	if !m.IsObject() {
		return ""
	}
	format := map[string]string{"otlp": "OTLP", "jaeger": "Jaeger", "zipkin": "Zipkin", "har": "HAR", "rrpair": "RRPair"}[m.Get("format").Str]
	text := "Read as " + format + ": " + plural(m.Get("inbound").Int(), "request") + " in, " + plural(m.Get("outbound").Int(), "call") + " out."
	var skipped []string
	for _, why := range []struct{ key, text string }{
		{"notACall", "no call"}, {"duplicate", "twice"}, {"noTime", "without a time"}, {"nonHttp", "not HTTP"}, {"otherService", "of other services"},
	} {
		if n := m.Get("skipped." + why.key).Int(); n > 0 {
			skipped = append(skipped, Integer(n)+" "+why.text)
		}
	}
	if len(skipped) > 0 {
		text += " Skipped: " + strings.Join(skipped, ", ") + "."
	}
	if n := m.Get("retimed").Int(); n > 0 {
		text += " The start of " + plural(n, "call") + " was repaired."
	}
	return text
}
