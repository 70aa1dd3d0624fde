package module

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
)

// momentsMax is how many events one reply may hold.
const momentsMax = 2000

// moments is a page of the timeline of a declared call of the run that was recorded last:
//
//	{"call": index, "kinds": ["Attempt", ...], "number": n?, "from": ns?, "to": ns?, "offset", "limit"}
//
// without kinds all of them, in [from, to). The reply has "total", how many events fit, and "rows" of
// [atNs, kind, number, verdict, error, durationNs, delayNs or null, call].
func (a *asked) moments() string {
	c, reply := a.recordedCall()
	if c == nil {
		return reply
	}
	var wanted [policy.EventKinds]bool
	all := !a.request.Get("kinds").IsArray()
	a.request.Get("kinds").ForEach(func(_, k gjson.Result) bool {
		for kind := range wanted {
			wanted[kind] = wanted[kind] || policy.EventKind(kind).String() == k.Str
		}
		return true
	})
	number := -1
	if n := a.request.Get("number"); n.Type == gjson.Number {
		number = int(n.Int())
	}
	from := a.request.Get("from").Int()
	to := int64(1<<63 - 1)
	if r := a.request.Get("to"); r.Exists() {
		to = r.Int()
	}
	offset := int(a.request.Get("offset").Int())
	limit := min(max(int(a.request.Get("limit").Int()), 0), momentsMax)

	b := append(a.ok(), `,"rows":[`...)
	total, shown := 0, 0
	for i := range c.Measured.Timeline {
		m := &c.Measured.Timeline[i]
		at := m.At.Nanoseconds()
		if !(all || wanted[m.Kind]) || number >= 0 && m.Call != number || at < from || at >= to {
			continue
		}
		if total >= offset && shown < limit {
			b = appendMoment(comma(b, shown), m)
			shown++
		}
		total++
	}
	b = append(b, `],"total":`...)
	return string(append(strconv.AppendInt(b, int64(total), 10), '}'))
}

func appendMoment(b []byte, m *measure.Moment) []byte {
	b = append(b, '[')
	b = strconv.AppendInt(b, m.At.Nanoseconds(), 10)
	b = append(b, `,"`+m.Kind.String()+`",`...)
	b = strconv.AppendInt(b, int64(m.Number), 10)
	b = append(b, `,"`+m.Verdict.String()+`","`+m.Error.String()+`",`...)
	b = strconv.AppendInt(b, m.Duration.Nanoseconds(), 10)
	b = append(b, ',')
	if m.HasDelay {
		b = strconv.AppendInt(b, m.Delay.Nanoseconds(), 10)
	} else {
		b = append(b, "null"...)
	}
	b = append(b, ',')
	return append(strconv.AppendInt(b, int64(m.Call), 10), ']')
}

func (a *asked) recordedCall() (*measure.CallReport, string) {
	if a.module.recorded == nil {
		return nil, a.failed("no run was recorded yet")
	}
	i := int(a.request.Get("call").Int())
	if i < 0 || i >= len(a.module.recorded.Calls) {
		return nil, a.failed("the recorded run has no such call")
	}
	return &a.module.recorded.Calls[i], ""
}

// callsMax bounds the nested calls of one trace.
const callsMax = 200

// trace is one call of the recorded run with the calls that were made inside it, each a list of its
// events, outer calls first:
//
//	{"calls": [{"depth", "from", "to", "number", "atNs", "events": [[...], ...]}, ...]}
func (a *asked) trace() string {
	c, reply := a.recordedCall()
	if c == nil {
		return reply
	}
	number := int(a.request.Get("number").Int())
	if number < 0 || number >= len(c.Traces) {
		return a.failed("the recorded run has no such call")
	}
	b := append(a.ok(), `,"calls":[`...)
	t := tracer{report: a.module.recorded}
	b = t.append(b, int(a.request.Get("call").Int()), number, 0)
	return string(append(b, `]}`...))
}

type tracer struct {
	report *measure.Report
	calls  int
}

func (t *tracer) append(b []byte, edge, number, depth int) []byte {
	if t.calls == callsMax {
		return b
	}
	c := &t.report.Calls[edge]
	begun := c.Traces[number].Begun
	b = comma(b, t.calls)
	t.calls++
	b = append(b, `{"depth":`...)
	b = strconv.AppendInt(b, int64(depth), 10)
	b = append(b, `,"from":`...)
	b = measure.AppendText(b, c.From)
	b = append(b, `,"to":`...)
	b = measure.AppendText(b, c.To)
	b = append(b, `,"number":`...)
	b = strconv.AppendInt(b, int64(number), 10)
	b = append(b, `,"atNs":`...)
	b = strconv.AppendInt(b, begun.Nanoseconds(), 10)
	b = append(b, `,"events":[`...)
	last, n, over := begun, 0, false
	for i := firstAt(c.Measured.Timeline, begun); i < len(c.Measured.Timeline); i++ {
		m := &c.Measured.Timeline[i]
		if over && m.At > last {
			break
		}
		if m.Call == number {
			b = appendMoment(comma(b, n), m)
			n++
			last = m.At
			over = over || terminal(m.Kind)
		}
	}
	b = append(b, `]}`...)
	for i := range t.report.Calls {
		traces := t.report.Calls[i].Traces
		from, _ := slices.BinarySearchFunc(traces, begun, func(tr measure.Trace, at ticks.Ticks) int { return cmp.Compare(tr.Begun, at) })
		for k := from; k < len(traces) && traces[k].Begun <= last; k++ {
			if traces[k].Parent == edge && traces[k].ParentCall == number && i != edge {
				b = t.append(b, i, k, depth+1)
			}
		}
	}
	return b
}

// firstAt is the first event at or behind an instant; events are in order of time.
func firstAt(timeline []measure.Moment, at ticks.Ticks) int {
	i, _ := slices.BinarySearchFunc(timeline, at, func(m measure.Moment, at ticks.Ticks) int { return cmp.Compare(m.At, at) })
	return i
}

// terminal tells the events that end a call (executor.md 17).
func terminal(k policy.EventKind) bool {
	switch k {
	case policy.EventSucceeded, policy.EventNotRetried, policy.EventRejectedByBreaker, policy.EventRejectedByBudget,
		policy.EventDeadlineExceeded, policy.EventExhausted, policy.EventDraining:
		return true
	}
	return false
}
