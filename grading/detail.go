package grading

import (
	"strconv"

	"squall/grading/recording"
)

// mocked says whether anything was mocked in a replay: a recording that does not say was when it
// has calls.
func mocked(rec *recording.Recording) bool {
	return rec.Mocked == recording.Yes || rec.Mocked == recording.Unsaid && len(rec.Outbound) > 0
}

// notApplicable is why there is no letter, or empty (grading.md 7).
func (s *service) notApplicable(mocked bool) string {
	faults := &s.report.Faults
	rules := len(s.rules)
	switch {
	case rules == 0:
		return "The test config has no chaos rules; nothing was injected to judge resilience."
	case !mocked:
		return "Nothing was mocked in this replay, so no chaos rule could fire."
	case faults.Injected == 0:
		config := "The test config has " + plural(rules, "chaos rule", "chaos rules")
		if rules == 1 {
			return config + " but it did not fire; " + s.declined("no mocked call matched it.")
		}
		return config + " but none fired; " + s.declined("no mocked call matched them.")
	case faults.Paired == 0 && faults.Injected == 1:
		return "1 fault injected but it fell inside no inbound request to judge."
	case faults.Paired == 0:
		return strconv.Itoa(faults.Injected) + " faults injected but none fell inside an inbound request to judge."
	}
	return ""
}

// declined says that calls matched without a fault, or what is said when none matched.
func (s *service) declined(none string) string {
	matched := 0
	for i := range s.rules {
		matched += max(s.rules[i].Rule.Matched, 0)
	}
	switch {
	case matched <= 0:
		return none
	case matched == 1:
		return "1 mocked call matched and its roll declined."
	}
	return strconv.Itoa(matched) + " mocked calls matched and every roll declined."
}

// detail are the sentences of a letter, in order, with one space between (grading.md 7.2).
func (s *service) detail() string {
	r := &s.report
	recovery := &r.Recovery
	more := ""
	if recovery.Unknown > 0 && recovery.Recovered+recovery.NotRecovered > 0 {
		more = strconv.Itoa(recovery.Unknown) + " more could not be judged."
	}
	latency := ""
	if n := r.LatencyNotJudged; n > 0 {
		latency = "Latency could not be judged for " + plural(n, "request", "requests") + "."
	}
	return join(s.summary(), s.recoverySentence(), more, latency, laterCalls(r.Faults.NotJudgedCalls))
}

func (s *service) summary() string {
	r := &s.report
	fired := 0
	for i := range s.rules {
		if s.rules[i].Faulted > 0 {
			fired++
		}
	}
	were := " were handled ("
	if r.Measure.Handled == 1 {
		were = " was handled ("
	}
	return plural(r.Faults.Paired, "fault", "faults") + " from " + plural(fired, "chaos rule", "chaos rules") +
		" fell inside " + plural(r.Measure.Windows, "request", "requests") + "; " +
		strconv.Itoa(r.Measure.Handled) + were + r.Ladder.share(r.Measure.Handled, r.Measure.Windows) + "): " +
		strconv.Itoa(r.Buckets.ErrorPassedThrough) + " answered 5xx or not at all, " +
		strconv.Itoa(r.Buckets.UnboundedRetries) + " retried more than " + plural(r.Bounds.MaxRetries, "time", "times") + ", " +
		strconv.Itoa(r.Buckets.LatencyAmplification) + " ran over " + r.Bounds.MaxLatencyAmplification.String() + "x the injected delay."
}

func (s *service) recoverySentence() string {
	r := &s.report.Recovery
	back, broken := r.Recovered, r.NotRecovered
	switch {
	case broken > 0:
		whose := "their"
		if back+broken == 1 {
			whose = "its"
		}
		return strconv.Itoa(broken) + " of " + plural(back+broken, "affected endpoint", "affected endpoints") +
			" had not recovered " + duration(s.longestOutage) + " after " + whose + " rule stopped firing, which caps the letter at D."
	case back > 0 && r.HasSlowest:
		subject, whose := "All "+strconv.Itoa(back)+" affected endpoints", "their"
		if back == 1 {
			subject, whose = "The affected endpoint", "its"
		}
		return subject + " recovered within " + durationWithin(r.SlowestNs) + " of " + whose + " rule stopping."
	case back == 1:
		return "The affected endpoint is accepted as recovered."
	case back > 0:
		return "All " + strconv.Itoa(back) + " affected endpoints are accepted as recovered."
	}
	for _, e := range r.Endpoints {
		if e.State != NoRequest {
			return "Recovery could not be judged."
		}
	}
	return "Recovery could not be judged: no request reached the affected endpoints after the faults cleared."
}

// laterCalls says how many calls were beyond the limit, or nothing.
func laterCalls(n int) string {
	if n == 0 {
		return ""
	}
	were := " later calls were"
	if n == 1 {
		were = " later call was"
	}
	return strconv.Itoa(n) + were + " not judged: 200,000 calls per direction are kept."
}
