package grading

import "slices"

// attemptsMax holds the attempts that a recording claims within what can be compared exactly.
const attemptsMax = 1 << 53

// usual is what requests do that chaos left alone (grading.md 6).
type usual struct {
	// latency is per inbound endpoint, of answered requests.
	latency []median
	// attempts is per dependency endpoint, over the requests that called it at all.
	attempts []median
}

// window is one fault window while it is judged.
type window struct {
	request *request
	// last is the last perturbed call; lastHard the last with an effect other than latency.
	last, lastHard int
	// held is the call with the largest delay among those that were held, -1 for none.
	held int
	// excess is twice the attempts beyond the usual ones at the endpoint where they are most.
	excess             int64
	attempts, endpoint int
	// lastToEndpoint is the last perturbed call to that endpoint.
	lastToEndpoint int
	// amplification is the slow-down over the injected delay; unknown when it has no usual.
	amplification fraction
}

// run is the calls of one request to one endpoint.
type run struct {
	endpoint, attempts int
	// last is the last perturbed one, -1 for none.
	last int
}

// judge puts every fault window into a bucket or counts it as handled.
func (s *service) judge() {
	common := s.usual()
	var rules []int
	for i := range s.requests {
		r := &s.requests[i]
		if !r.faulted {
			continue
		}
		w := s.look(r, common)
		rules = s.rulesOf(r, i, rules[:0])
		s.affect(i, rules)
		s.worst(&w)
		s.report.Measure.Windows++
		handled := s.bucket(&w)
		if handled {
			s.report.Measure.Handled++
		}
		for _, rule := range rules {
			s.rules[rule].Faulted++
			if handled {
				s.rules[rule].Handled++
			}
		}
	}
}

// bucket judges one window, first hit wins, and says whether it was handled (grading.md 6).
func (s *service) bucket(w *window) (handled bool) {
	b := &s.report.Buckets
	r := w.request
	if !r.controlled() {
		c := w.lastHard
		if c < 0 {
			c = w.last
		}
		if s.found(ErrorPassedThrough, w, c) {
			return true
		}
		b.ErrorPassedThrough++
		return false
	}
	if limit := int64(s.report.Bounds.MaxRetries); limit <= attemptsMax && w.excess > 2*limit {
		if s.found(UnboundedRetries, w, w.lastToEndpoint) {
			return true
		}
		b.UnboundedRetries++
		return false
	}
	if w.held < 0 {
		return true
	}
	if !w.amplification.known() {
		s.report.LatencyNotJudged++
		return true
	}
	if !w.amplification.above(s.report.Bounds.MaxLatencyAmplification) || s.found(LatencyAmplification, w, w.held) {
		return true
	}
	b.LatencyAmplification++
	return false
}

// look gathers what judging a window takes.
func (s *service) look(r *request, common *usual) window {
	w := window{request: r, last: -1, lastHard: -1, held: -1, lastToEndpoint: -1}
	for _, n := range s.byRequest[r.calls:r.callsEnd] {
		c := &s.calls[n]
		if !c.perturbed() {
			continue
		}
		w.last = int(n)
		if hasHardEffect(c.src.Chaos.Effects) {
			w.lastHard = int(n)
		}
		if isHeld(c.src.Chaos.Effects) && (w.held < 0 || c.delay > s.calls[w.held].delay) {
			w.held = int(n)
		}
	}
	s.runs(r, func(of run) {
		if of.last < 0 {
			return
		}
		usually := int64(2)
		if m := common.attempts[of.endpoint]; m.known {
			usually = int64(m.twice)
		}
		excess := 2*int64(of.attempts) - usually
		if w.lastToEndpoint < 0 || excess > w.excess ||
			excess == w.excess && s.dependency.texts[of.endpoint] < s.dependency.texts[w.endpoint] {
			w.excess, w.attempts, w.endpoint, w.lastToEndpoint = excess, of.attempts, of.endpoint, of.last
		}
	})
	if w.held < 0 {
		return w
	}
	injected := uint64(s.calls[w.held].delay)
	if m := common.latency[r.endpoint]; m.known && injected > 0 {
		w.amplification.den = 2 * injected
		if twice := 2 * r.latency(); twice > m.twice {
			w.amplification.num = twice - m.twice
		}
	}
	return w
}

// usual takes the medians from the requests that chaos left alone.
func (s *service) usual() *usual {
	latencies := make([][]uint64, len(s.inbound.texts))
	attempts := make([][]uint64, len(s.dependency.texts))
	for i := range s.requests {
		r := &s.requests[i]
		if r.faulted {
			continue
		}
		if r.answered() {
			latencies[r.endpoint] = append(latencies[r.endpoint], r.latency())
		}
		s.runs(r, func(of run) {
			attempts[of.endpoint] = append(attempts[of.endpoint], uint64(of.attempts))
		})
	}
	u := &usual{latency: make([]median, len(latencies)), attempts: make([]median, len(attempts))}
	for i, numbers := range latencies {
		u.latency[i] = medianOf(numbers)
	}
	for i, numbers := range attempts {
		u.attempts[i] = medianOf(numbers)
	}
	s.common = u
	return u
}

// runs visits the endpoints that a request called, with the attempts at each: its calls, or what
// their resend counts say if that is more.
func (s *service) runs(r *request, visit func(run)) {
	calls := append(s.scratch[:0], s.byRequest[r.calls:r.callsEnd]...)
	s.scratch = calls
	slices.SortStableFunc(calls, func(a, b int32) int { return s.calls[a].endpoint - s.calls[b].endpoint })
	for i := 0; i < len(calls); {
		of := run{endpoint: s.calls[calls[i]].endpoint, last: -1}
		count, resent := 0, 0
		for ; i < len(calls) && s.calls[calls[i]].endpoint == of.endpoint; i++ {
			c := &s.calls[calls[i]]
			count++
			resent = max(resent, min(c.src.Resend, attemptsMax-1))
			if c.perturbed() {
				of.last = int(calls[i])
			}
		}
		of.attempts = max(count, resent+1)
		visit(of)
	}
}

// rulesOf are the distinct rules of a window, in the order of their first call.
func (s *service) rulesOf(r *request, number int, rules []int) []int {
	for _, n := range s.byRequest[r.calls:r.callsEnd] {
		if rule := s.calls[n].rule; rule >= 0 && s.rules[rule].seenIn != number+1 {
			s.rules[rule].seenIn = number + 1
			rules = append(rules, rule)
		}
	}
	return rules
}

// worst keeps the greatest amplifications over all windows, whatever becomes of them.
func (s *service) worst(w *window) {
	s.worstExcess = max(s.worstExcess, w.excess)
	if a := w.amplification; a.known() && (!s.worstAmplification.known() || a.more(s.worstAmplification)) {
		s.worstAmplification = a
	}
}

// isHeld says whether one of the effects makes the caller wait; latency is judged for those alone.
func isHeld(effects []string) bool {
	for _, word := range effects {
		switch word {
		case "latency", "stall", "no-response":
			return true
		}
	}
	return false
}

// hasHardEffect says whether one of the effects is more than latency.
func hasHardEffect(effects []string) bool {
	return slices.ContainsFunc(effects, func(word string) bool { return word != "latency" })
}
