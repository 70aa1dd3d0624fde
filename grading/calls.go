package grading

import (
	"math"
	"slices"

	"squall/engine/ticks"
	"squall/engine/world"
	"squall/grading/recording"
)

const (
	// callsKept is how many calls of a direction are judged, first by time (grading.md 2).
	callsKept = 200_000
	// requestTimeoutNs bounds a call that was never answered and never seen to end.
	requestTimeoutNs = 60_000_000_000
	// slackNs is how long after its end a request still pairs: many recorders keep whole milliseconds.
	slackNs = 1_000_000
	// unnamedRule is the id of a rule that a mark does not name.
	unnamedRule = "unnamed"
)

// request is an inbound call that is kept and HTTP. Requests are ordered by time.
type request struct {
	src      *recording.Inbound
	at, end  int64
	endpoint int
	// calls are its paired calls: byRequest[calls:callsEnd] of the service.
	calls, callsEnd int
	// faulted says that it is a fault window.
	faulted bool
}

func (r *request) answered() bool   { return r.src.Status != 0 }
func (r *request) failed() bool     { return r.src.Status >= 500 && r.src.Status <= 599 }
func (r *request) latency() uint64  { return uint64(r.end - r.at) }
func (r *request) controlled() bool { return r.answered() && !r.failed() }

// call is an outbound call that is kept and HTTP. Calls are ordered by time.
type call struct {
	src      *recording.Outbound
	at, end  int64
	endpoint int
	// rule is an index of the service's rules, -1 for a call that was left alone.
	rule int
	// delay is what was injected, in nanoseconds; it means something for held calls alone.
	delay int64
	// request is the index of the request it is paired with, -1 for none.
	request int
	pairing pairing
}

func (c *call) perturbed() bool { return c.rule >= 0 }

// ruleState is a rule and what it did in one recording.
type ruleState struct {
	RuleReport
	declared bool
	// lastEnd is the latest end of its perturbed calls.
	lastEnd int64
	// seenIn is 1 + the last fault window that was looked at and has it.
	seenIn int
}

// service is one recording made ready for judging, and the report that grows from it.
type service struct {
	report                    ServiceReport
	loadStarts, loadEnds, end int64

	requests   []request
	calls      []call
	inbound    names // inbound endpoints
	dependency names // outbound endpoints
	rules      []*ruleState
	// byRequest are indices of calls: those of one request are neighbours, ordered by time.
	byRequest []int32
	scratch   []int32

	common             *usual
	worstExcess        int64
	worstAmplification fraction

	pairs  []affected
	pairOf map[[2]int]int // endpoint and rule
	// longestOutage is the longest time an endpoint was watched without recovering.
	longestOutage int64

	findings  []finding
	findingOf map[identity]int
	accept    map[identity]string // reasons
}

// newService reads a recording: what is kept, when it ends, which rules there are.
func newService(rec *recording.Recording, rules []world.ChaosRule, settings Settings, only bool) *service {
	s := &service{pairOf: make(map[[2]int]int), findingOf: make(map[identity]int)}
	s.accept = acceptedIn(rec.Service, settings.Accept)
	s.report = ServiceReport{Service: rec.Service, Role: settings.Role, Bounds: settings.Bounds, Ladder: settings.Ladder}
	s.loadStarts = max(rec.LoadStartsNs, 0)
	if rec.HasLoadEnds {
		s.end = max(rec.LoadEndsNs, 0)
	}
	for i := range rec.Inbound {
		s.end = max(s.end, knownEnd(&rec.Inbound[i]))
	}
	for i := range rec.Outbound {
		s.end = max(s.end, knownEnd(&rec.Outbound[i].Inbound))
	}
	s.loadEnds = s.end
	if rec.HasLoadEnds {
		s.loadEnds = rec.LoadEndsNs
	}
	matched := make(map[string]int, len(rec.Matched))
	for _, m := range rec.Matched {
		matched[m.Rule] = m.Count
	}
	s.readRequests(rec)
	s.readRules(rules, matched, only)
	s.readCalls(rec, matched)
	return s
}

func knownEnd(c *recording.Inbound) int64 {
	if !c.HasDuration {
		return 0
	}
	return add(max(c.AtNs, 0), max(c.DurationNs, 0))
}

// span is from when to when a call ran.
func (s *service) span(c *recording.Inbound) (at, end int64) {
	at = max(c.AtNs, 0)
	if c.HasDuration {
		return at, add(at, max(c.DurationNs, 0))
	}
	return at, max(at, min(add(at, requestTimeoutNs), s.end))
}

// add is a+b for numbers >= 0, at most the largest one.
func add(a, b int64) int64 {
	if sum := a + b; sum >= a {
		return sum
	}
	return math.MaxInt64
}

func (s *service) readRequests(rec *recording.Recording) {
	order := s.keep(len(rec.Inbound), func(i int) int64 { return rec.Inbound[i].AtNs })
	s.requests = make([]request, 0, len(order))
	for _, i := range order {
		src := &rec.Inbound[i]
		if !isHTTP(src.Protocol) {
			s.report.Faults.NonHTTP++
			continue
		}
		at, end := s.span(src)
		s.requests = append(s.requests, request{src: src, at: at, end: end, endpoint: s.inbound.number(endpointOf(src))})
	}
}

func (s *service) readCalls(rec *recording.Recording, matched map[string]int) {
	ids := make(map[string]int, len(s.rules))
	for i := range s.rules {
		ids[s.rules[i].Rule.ID] = i
	}
	seen := make(map[seenWord]struct{})
	order := s.keep(len(rec.Outbound), func(i int) int64 { return rec.Outbound[i].AtNs })
	s.calls = make([]call, 0, len(order))
	for _, i := range order {
		src := &rec.Outbound[i]
		if !isHTTP(src.Protocol) {
			s.report.Faults.NonHTTP++
			continue
		}
		at, end := s.span(&src.Inbound)
		c := call{src: src, at: at, end: end, rule: -1, request: -1,
			endpoint: s.dependency.number(src.Host + " " + endpointOf(&src.Inbound))}
		if mark := src.Chaos; mark != nil {
			id := mark.Rule
			if id == "" {
				id = unnamedRule
			}
			rule, known := ids[id]
			if !known {
				rule = len(s.rules)
				ids[id] = rule
				s.rules = append(s.rules, undeclared(id, matched))
			}
			c.rule = rule
			c.delay = end - at
			if mark.HasDelay {
				c.delay = max(mark.DelayNs, 0)
			}
			s.fire(rule, end, mark, seen)
		}
		s.calls = append(s.calls, c)
	}
}

// seenWord is an effect word of a rule that was not declared.
type seenWord struct {
	rule int
	word string
}

// fire counts a perturbed call of a rule, and the words of one that is known from its marks alone.
func (s *service) fire(rule int, end int64, mark *recording.Chaos, seen map[seenWord]struct{}) {
	r := s.rules[rule]
	r.Fired++
	r.lastEnd = max(r.lastEnd, end)
	s.report.Faults.Injected++
	if r.declared {
		return
	}
	for _, word := range mark.Effects {
		key := seenWord{rule, word}
		if _, known := seen[key]; !known && word != "" {
			seen[key] = struct{}{}
			r.Rule.Effects = append(r.Rule.Effects, world.ChaosEffect{Text: word})
		}
	}
}

// keep orders calls by time and cuts the list at the limit.
func (s *service) keep(n int, at func(int) int64) []int32 {
	order := make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortStableFunc(order, func(a, b int32) int {
		switch x, y := at(int(a)), at(int(b)); {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	if n > callsKept {
		s.report.Faults.NotJudgedCalls += n - callsKept
		order = order[:callsKept]
	}
	return order
}

// readRules takes the declared rules; a rule's own count is of all recordings, so it is left out
// when there are several.
func (s *service) readRules(rules []world.ChaosRule, matched map[string]int, only bool) {
	for _, r := range rules {
		if r.Name == "" {
			r.Name = r.ID
		}
		if n, said := matched[r.ID]; said {
			r.Matched, r.HasMatched = n, true
		} else if !only {
			r.Matched, r.HasMatched = 0, false
		}
		s.rules = append(s.rules, &ruleState{RuleReport: RuleReport{Rule: r}, declared: true})
	}
}

// undeclared is a rule that is known from its marks alone (grading.md 3).
func undeclared(id string, matched map[string]int) *ruleState {
	r := world.ChaosRule{ID: id, Name: id, Percent: 100, MaxLatency: 30 * ticks.Second}
	r.Matched, r.HasMatched = matched[id]
	return &ruleState{RuleReport: RuleReport{Rule: r}}
}
