package grading

import (
	"math"
	"slices"
	"sort"
	"strings"
)

// affected is an inbound endpoint that a rule hit: recovery is judged for each (grading.md 6).
type affected struct {
	endpoint, rule int
	// lastCall is the rule's last perturbed call that was paired with the endpoint.
	lastCall int
	// alone are its fault windows that no other rule hit, ordered by time.
	alone []int32
}

// affect notes that a window belongs to its endpoint and each of its rules.
func (s *service) affect(number int, rules []int) {
	r := &s.requests[number]
	for _, rule := range rules {
		key := [2]int{r.endpoint, rule}
		i, known := s.pairOf[key]
		if !known {
			i = len(s.pairs)
			s.pairOf[key] = i
			s.pairs = append(s.pairs, affected{endpoint: r.endpoint, rule: rule})
		}
		if len(rules) == 1 {
			s.pairs[i].alone = append(s.pairs[i].alone, int32(number))
		}
	}
	for _, n := range s.byRequest[r.calls:r.callsEnd] {
		if rule := s.calls[n].rule; rule >= 0 {
			p := &s.pairs[s.pairOf[[2]int{r.endpoint, rule}]]
			p.lastCall = max(p.lastCall, int(n))
		}
	}
}

// recover judges the affected endpoints.
func (s *service) recover() {
	slices.SortFunc(s.pairs, func(a, b affected) int {
		if c := strings.Compare(s.inbound.texts[a.endpoint], s.inbound.texts[b.endpoint]); c != 0 {
			return c
		}
		return strings.Compare(s.rules[a.rule].Rule.ID, s.rules[b.rule].Rule.ID)
	})
	calm := s.calm()
	for i := range s.pairs {
		s.recoverOne(&s.pairs[i], &calm[s.pairs[i].endpoint])
	}
}

func (s *service) recoverOne(p *affected, calm *calmRequests) {
	report := &s.report.Recovery
	e := EndpointRecovery{Endpoint: s.inbound.texts[p.endpoint], Rule: s.rules[p.rule].Rule.ID}
	stop := s.stop(p.rule)
	if stop >= s.loadEnds {
		e.State = StillFiring
		report.Unknown++
		report.Endpoints = append(report.Endpoints, e)
		return
	}
	until := add(stop, s.report.Bounds.RecoveryWindow.Nanoseconds())
	seen := calm.between(stop, until)
	for _, n := range p.alone {
		if r := &s.requests[n]; stop <= r.at && r.at <= until {
			seen.add(r)
		}
	}
	switch {
	case seen.count == 0:
		e.State = NoRequest
		report.Unknown++
	case seen.earliestEnd <= until && seen.earliestEnd < math.MaxInt64:
		e.AfterNs = seen.earliestEnd - stop
		report.Recovered++
		report.SlowestNs = max(report.SlowestNs, e.AfterNs)
		report.HasSlowest = true
	default:
		e.State = NotRecovered
		lasted := min(until, max(s.end, stop)) - stop
		if s.foundNoRecovery(p, &seen, lasted) {
			e.State = Accepted
			report.Recovered++
		} else {
			report.NotRecovered++
			s.longestOutage = max(s.longestOutage, lasted)
		}
	}
	report.Endpoints = append(report.Endpoints, e)
}

// stop is when a rule stopped firing: the end of its declared window, else the latest end of its
// perturbed calls, paired or not.
func (s *service) stop(rule int) int64 {
	r := s.rules[rule]
	if !r.declared || !r.Rule.HasDuration {
		return r.lastEnd
	}
	return add(s.loadStarts, add(r.Rule.StartAfter.Nanoseconds(), r.Rule.Duration.Nanoseconds()))
}

// looked is what requests after a fault show.
type looked struct {
	count       int
	first, last int64
	// earliestEnd is of an answer without a 5xx, the largest number for none.
	earliestEnd int64
	// failed says that one answered 5xx.
	failed bool
}

func (l *looked) add(r *request) {
	if l.count == 0 {
		l.first, l.last = r.at, r.at
	}
	l.count++
	l.first, l.last = min(l.first, r.at), max(l.last, r.at)
	if r.controlled() {
		l.earliestEnd = min(l.earliestEnd, r.end)
	}
	l.failed = l.failed || r.failed()
}

// calmRequests are the requests of one endpoint that are no fault windows, ordered by time. Many
// rules may hit one endpoint, so a stretch of them is looked at without visiting each.
type calmRequests struct {
	requests []*request
	// failed[i] is how many of the first i answered 5xx.
	failed []int32
	// ends is a tree of the ends of answers without a 5xx: ends[n+i] is of request i, and each
	// ends[i] below n is the least of ends[2i] and ends[2i+1].
	ends []int64
}

// calm sorts out the requests of the endpoints that were hit.
func (s *service) calm() []calmRequests {
	calm := make([]calmRequests, len(s.inbound.texts))
	hit := make([]bool, len(calm))
	for i := range s.pairs {
		hit[s.pairs[i].endpoint] = true
	}
	for i := range s.requests {
		if r := &s.requests[i]; hit[r.endpoint] && !r.faulted {
			calm[r.endpoint].requests = append(calm[r.endpoint].requests, r)
		}
	}
	for i := range calm {
		calm[i].index()
	}
	return calm
}

func (c *calmRequests) index() {
	n := len(c.requests)
	c.failed = make([]int32, n+1)
	c.ends = make([]int64, 2*n)
	for i, r := range c.requests {
		c.failed[i+1] = c.failed[i]
		if r.failed() {
			c.failed[i+1]++
		}
		c.ends[n+i] = math.MaxInt64
		if r.controlled() {
			c.ends[n+i] = r.end
		}
	}
	for i := n - 1; i > 0; i-- {
		c.ends[i] = min(c.ends[2*i], c.ends[2*i+1])
	}
}

// between looks at the requests that start in [from, to].
func (c *calmRequests) between(from, to int64) looked {
	l := looked{earliestEnd: math.MaxInt64}
	n := len(c.requests)
	low := sort.Search(n, func(i int) bool { return c.requests[i].at >= from })
	high := sort.Search(n, func(i int) bool { return c.requests[i].at > to })
	if low >= high {
		return l
	}
	l.count = high - low
	l.first, l.last = c.requests[low].at, c.requests[high-1].at
	l.failed = c.failed[high] > c.failed[low]
	for i, j := low+n, high+n; i < j; i, j = i/2, j/2 {
		if i&1 == 1 {
			l.earliestEnd = min(l.earliestEnd, c.ends[i])
			i++
		}
		if j&1 == 1 {
			j--
			l.earliestEnd = min(l.earliestEnd, c.ends[j])
		}
	}
	return l
}
