package measure

import (
	"strconv"

	"squall/engine/jsontext"
	"squall/engine/policy"
	"squall/engine/ticks"
)

// AppendJSON appends the report of scenario.md 9 in canonical form: its key order, no
// insignificant space.
func (r *Report) AppendJSON(b []byte) []byte {
	b = append(b, `{"squall":1,"engine":`...)
	b = AppendText(b, r.Engine)
	b = append(b, ',')
	b = r.appendBody(b)
	b = append(b, `,"expect":[`...)
	for i, e := range r.Expect {
		b = comma(b, i)
		b = append(b, `{"text":`...)
		b = AppendText(b, e.Text)
		b = append(b, `,"holds":`...)
		b = strconv.AppendBool(b, e.Holds)
		b = append(b, `,"actual":`...)
		b = append(b, e.Actual...)
		b = append(b, '}')
	}
	b = append(b, `],"digest":`...)
	b = AppendText(b, r.Digest)
	return append(b, '}')
}

// Seal computes the digest: over the report without engine, expectations and digest.
func (r *Report) Seal() {
	b := append(make([]byte, 0, 64<<10), `{"squall":1,`...)
	b = append(r.appendBody(b), '}')
	sum := sha256(b)
	const hex = "0123456789abcdef"
	digest := append(make([]byte, 0, 71), "sha256:"...)
	for _, x := range sum {
		digest = append(digest, hex[x>>4], hex[x&15])
	}
	r.Digest = string(digest)
}

func (r *Report) appendBody(b []byte) []byte {
	b = appendInt(b, `"seed":`, int(r.Seed))
	b = appendTime(b, `,"durationNs":`, r.Duration)
	b = append(b, `,"calls":[`...)
	for i := range r.Calls {
		c := &r.Calls[i]
		b = comma(b, i)
		b = append(b, `{"from":`...)
		b = AppendText(b, c.From)
		b = append(b, `,"to":`...)
		b = AppendText(b, c.To)
		b = append(b, `,"measured":`...)
		b = append(c.Measured.appendJSON(b), '}')
	}
	b = append(b, `],"services":[`...)
	for i := range r.Services {
		s := &r.Services[i]
		b = comma(b, i)
		b = append(b, `{"name":`...)
		b = AppendText(b, s.Name)
		b = append(b, `,"entry":`...)
		b = strconv.AppendBool(b, s.Entry)
		b = append(b, `,"leaf":`...)
		b = strconv.AppendBool(b, s.Leaf)
		if s.HasOptional {
			b = appendInt(b, `,"degraded":`, s.Degraded)
		}
		b = append(b, `,"measured":`...)
		b = append(s.Measured.appendJSON(b), '}')
	}
	return append(b, ']')
}

func (m *Measured) appendJSON(b []byte) []byte {
	b = appendInt(b, `{"calls":`, m.Calls)
	b = appendInt(b, `,"succeeded":`, m.Succeeded)
	b = appendInt(b, `,"failed":`, m.Failed())
	b = appendInt(b, `,"reached":`, m.Reached)
	b = appendInt(b, `,"refusedByLimiter":`, m.RefusedByLimiter)
	b = appendFloat(b, `,"availability":`, m.Availability())
	b = appendFloat(b, `,"loadMultiplier":`, m.LoadMultiplier())
	b = appendFloat(b, `,"amplification":`, m.Amplification)
	b = m.Latency.appendJSON(append(b, `,"latencyNs":`...))
	b = appendInt(b, `,"breakerOpens":`, m.BreakerOpens())
	b = append(b, `,"timeToRecoverNs":`...)
	b = appendKnown(b, m.TimeToRecover, m.Recovered)
	b = append(b, `,"events":{`...)
	first := true
	for kind, n := range m.Events {
		if n > 0 {
			b = appendKey(b, policy.EventKind(kind).String(), &first)
			b = strconv.AppendInt(b, int64(n), 10)
		}
	}
	b = append(b, `},"levels":{`...)
	first = true
	for level, n := range m.Levels {
		if n.Calls > 0 {
			b = appendKey(b, policy.Level(level).String(), &first)
			b = appendInt(b, `{"calls":`, n.Calls)
			b = append(appendInt(b, `,"succeeded":`, n.Succeeded), '}')
		}
	}
	b = append(b, `},"limiter":`...)
	b = m.Limiter.appendJSON(b)
	b = m.Seconds.appendJSON(append(b, `,"seconds":`...))
	b = append(b, `,"timeline":`...)
	b = appendTimeline(b, m.Timeline)
	return append(b, '}')
}

func (q *Quantiles) appendJSON(b []byte) []byte {
	b = appendTime(b, `{"p50":`, q.P50)
	b = appendTime(b, `,"p90":`, q.P90)
	b = appendTime(b, `,"p95":`, q.P95)
	b = appendTime(b, `,"p99":`, q.P99)
	b = appendTime(b, `,"p999":`, q.P999)
	return append(appendTime(b, `,"max":`, q.Max), '}')
}

func (l *LimiterReport) appendJSON(b []byte) []byte {
	if l == nil {
		return append(b, "null"...)
	}
	b = appendInt(b, `{"limit":`, l.Limit)
	b = append(b, `,"changes":[`...)
	for i, c := range l.Changes {
		b = comma(b, i)
		b = appendTime(b, `{"atNs":`, c.At)
		b = append(appendInt(b, `,"limit":`, c.Limit), '}')
	}
	return append(b, "]}"...)
}

// failedKeys are the series of calls that failed, by the reason they stopped for.
var failedKeys = [policy.Stops]string{
	policy.StopPermanent:             "failedPermanent",
	policy.StopAttemptsExhausted:     "failedExhausted",
	policy.StopDeadlineExceeded:      "failedDeadline",
	policy.StopBudgetExhausted:       "failedBudget",
	policy.StopDependencyUnavailable: "failedBreaker",
}

func (s *Seconds) appendJSON(b []byte) []byte {
	b = appendInts(b, `{"calls":`, s.Calls)
	b = appendInts(b, `,"reached":`, s.Reached)
	b = appendInts(b, `,"succeeded":`, s.Succeeded)
	for why, key := range failedKeys {
		if key != "" {
			b = append(b, `,"`...)
			b = append(b, key...)
			b = appendInts(b, `":`, s.Failed[why])
		}
	}
	b = appendTimes(b, `,"p50Ns":`, s.P50)
	b = appendTimes(b, `,"p99Ns":`, s.P99)
	b = appendInts(b, `,"inFlight":`, s.InFlight)
	b = append(b, `,"budget":[`...)
	for i, x := range s.Budget {
		b = AppendNumber(comma(b, i), x)
	}
	b = appendInts(append(b, ']'), `,"breaker":`, s.Breaker)
	b = appendTimes(b, `,"ceilingNs":`, s.Ceiling)
	b = appendInts(b, `,"permits":`, s.Permits)
	return append(appendTimes(b, `,"queueDelayNs":`, s.QueueDelay), '}')
}

func appendTimeline(b []byte, timeline []Moment) []byte {
	if timeline == nil {
		return append(b, "null"...)
	}
	b = append(b, '[')
	for i := range timeline {
		m := &timeline[i]
		b = comma(b, i)
		b = appendTime(b, `{"atNs":`, m.At)
		b = append(b, `,"kind":"`...)
		b = append(b, m.Kind.String()...)
		b = appendInt(b, `","number":`, m.Number)
		b = append(b, `,"verdict":"`...)
		b = append(b, m.Verdict.String()...)
		b = append(b, `","error":`...)
		if m.Error == policy.NoFailure {
			b = append(b, "null"...)
		} else {
			b = AppendText(b, m.Error.String())
		}
		b = appendTime(b, `,"durationNs":`, m.Duration)
		b = append(b, `,"delayNs":`...)
		b = appendKnown(b, m.Delay, m.HasDelay)
		b = append(b, '}')
	}
	return append(b, ']')
}

// AppendNumber appends a double as JSON: see jsontext.AppendNumber.
func AppendNumber(b []byte, x float64) []byte { return jsontext.AppendNumber(b, x) }

// AppendText appends a JSON string: see jsontext.AppendText.
func AppendText(b []byte, text string) []byte { return jsontext.AppendText(b, text) }

func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

func appendKey(b []byte, key string, first *bool) []byte {
	if !*first {
		b = append(b, ',')
	}
	*first = false
	b = append(b, '"')
	b = append(b, key...)
	return append(b, `":`...)
}

func appendInt(b []byte, key string, n int) []byte {
	return strconv.AppendInt(append(b, key...), int64(n), 10)
}

func appendFloat(b []byte, key string, x float64) []byte { return AppendNumber(append(b, key...), x) }

func appendTime(b []byte, key string, t ticks.Ticks) []byte {
	return strconv.AppendInt(append(b, key...), t.Nanoseconds(), 10)
}

func appendKnown(b []byte, t ticks.Ticks, known bool) []byte {
	if !known {
		return append(b, "null"...)
	}
	return appendTime(b, "", t)
}

func appendInts(b []byte, key string, series []int) []byte {
	b = append(append(b, key...), '[')
	for i, n := range series {
		b = strconv.AppendInt(comma(b, i), int64(n), 10)
	}
	return append(b, ']')
}

func appendTimes(b []byte, key string, series []ticks.Ticks) []byte {
	b = append(append(b, key...), '[')
	for i, t := range series {
		b = strconv.AppendInt(comma(b, i), t.Nanoseconds(), 10)
	}
	return append(b, ']')
}
