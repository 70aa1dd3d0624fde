package grading

import "strings"

// pairing is how a call found its request.
type pairing uint8

const (
	pairedByNothing pairing = iota
	pairedBySpan
	pairedByTrace
	pairedByAmbiguousTrace
	pairedInFlight
)

// pairCalls finds for every call, perturbed or not, the request that the service was answering when
// it sent it (grading.md 5): the parent it names, else the request of its trace, else the latest
// one in flight.
func (s *service) pairCalls() {
	byID := make(map[string]int, len(s.requests))
	for i := range s.requests {
		byID[s.requests[i].src.ID] = i
	}
	traces := s.requestsByTrace()
	all := flight{requests: s.requests, members: make([]int32, len(s.requests))}
	for i := range all.members {
		all.members[i] = int32(i)
	}
	faults := &s.report.Faults
	for i := range s.calls {
		c := &s.calls[i]
		parent, named := 0, false
		if c.src.Parent != "" {
			parent, named = byID[c.src.Parent]
		}
		if named {
			c.request, c.pairing = parent, pairedBySpan
		} else if r, how := traces.find(c.src.TraceID, c.at); how != pairedByNothing {
			c.request, c.pairing = r, how
		} else if r := all.inFlight(c.at); r >= 0 {
			c.request, c.pairing = r, pairedInFlight
		}
		if !c.perturbed() {
			continue
		}
		switch c.pairing {
		case pairedByNothing:
			continue
		case pairedBySpan:
			faults.Span++
		case pairedByTrace:
			faults.Trace++
		case pairedByAmbiguousTrace:
			faults.TraceAmbiguous++
		case pairedInFlight:
			faults.InFlight++
		}
		faults.Paired++
		s.requests[c.request].faulted = true
	}
	s.groupCalls()
}

// groupCalls makes the calls of one request neighbours and keeps their order in time.
func (s *service) groupCalls() {
	for i := range s.calls {
		if r := s.calls[i].request; r >= 0 {
			s.requests[r].callsEnd++
		}
	}
	total := 0
	for i := range s.requests {
		r := &s.requests[i]
		r.calls, total = total, total+r.callsEnd
		r.callsEnd = r.calls
	}
	s.byRequest = make([]int32, total)
	for i := range s.calls {
		if n := s.calls[i].request; n >= 0 {
			r := &s.requests[n]
			s.byRequest[r.callsEnd] = int32(i)
			r.callsEnd++
		}
	}
}

// flight answers, for instants that never go back, which of some requests is the latest in flight.
//
// open is a stack of requests that started, the latest on top. A request that ends no later than
// one that started after it can never be the answer again, so the ends grow from top to bottom:
// whatever is over lies on top, and each request is pushed and popped once.
type flight struct {
	requests []request
	// members are the requests it is about, ordered by time.
	members []int32
	started int
	open    []int32
}

// at moves to the instant t.
func (f *flight) at(t int64) {
	for ; f.started < len(f.members); f.started++ {
		next := f.members[f.started]
		r := &f.requests[next]
		if r.at > t {
			break
		}
		for n := len(f.open); n > 0 && f.requests[f.open[n-1]].end <= r.end; n-- {
			f.open = f.open[:n-1]
		}
		f.open = append(f.open, next)
	}
	for n := len(f.open); n > 0 && add(f.requests[f.open[n-1]].end, slackNs) < t; n-- {
		f.open = f.open[:n-1]
	}
}

// inFlight is the latest request in flight at t, -1 for none.
func (f *flight) inFlight(t int64) int {
	f.at(t)
	if n := len(f.open); n > 0 {
		return int(f.open[n-1])
	}
	return -1
}

// traces knows the requests by trace id.
type traces struct {
	flights []flight
	// exact finds a flight by the id as it stands; low finds the one of all requests with a
	// 32-digit id by its right half, which is what a 16-digit id is compared with.
	exact, low map[string]int
}

func (s *service) requestsByTrace() *traces {
	t := &traces{exact: make(map[string]int), low: make(map[string]int)}
	for i := range s.requests {
		id := traceKey(s.requests[i].src.TraceID)
		if id == "" {
			continue
		}
		t.add(t.exact, id, s.requests, i)
		if isHexID(id) && len(id) == 32 {
			t.add(t.low, id[16:], s.requests, i)
		}
	}
	return t
}

func (t *traces) add(index map[string]int, id string, requests []request, member int) {
	i, known := index[id]
	if !known {
		i = len(t.flights)
		index[id] = i
		t.flights = append(t.flights, flight{requests: requests})
	}
	t.flights[i].members = append(t.flights[i].members, int32(member))
}

// find is the request of a trace for a call that arrives at the instant at.
func (t *traces) find(traceID string, at int64) (request int, how pairing) {
	id := traceKey(traceID)
	if id == "" {
		return -1, pairedByNothing
	}
	var found [2]*flight
	if i, known := t.exact[id]; known {
		found[0] = &t.flights[i]
	}
	if isHexID(id) {
		i, known := 0, false
		if len(id) == 32 {
			i, known = t.exact[id[16:]]
		} else {
			i, known = t.low[id]
		}
		if known {
			found[1] = &t.flights[i]
		}
	}
	// Requests are numbered in time, so the greater number is the later request.
	members, inFlight, latest, earliest := 0, -1, -1, -1
	for _, f := range found {
		if f == nil {
			continue
		}
		members += len(f.members)
		inFlight = max(inFlight, f.inFlight(at))
		if f.started > 0 {
			latest = max(latest, int(f.members[f.started-1]))
		}
		if first := int(f.members[0]); earliest < 0 || first < earliest {
			earliest = first
		}
	}
	switch {
	case members == 0:
		return -1, pairedByNothing
	case members == 1:
		return earliest, pairedByTrace
	case inFlight >= 0:
		return inFlight, pairedByAmbiguousTrace
	case latest >= 0:
		return latest, pairedByAmbiguousTrace
	}
	return earliest, pairedByAmbiguousTrace
}

// traceKey is a trace id as it is compared: hexadecimal in lower case, empty for none.
func traceKey(id string) string {
	if !isHexID(id) {
		return id
	}
	if strings.Trim(id, "0") == "" {
		return ""
	}
	return strings.ToLower(id)
}

// isHexID says whether the text is 16 or 32 hexadecimal digits.
func isHexID(id string) bool {
	if len(id) != 16 && len(id) != 32 {
		return false
	}
	for i := range len(id) {
		if !isDigit(id[i]) && !isHexLetter(id[i]) {
			return false
		}
	}
	return true
}
