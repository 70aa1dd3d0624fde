package module

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
)

// momentsMax is how many events one reply may hold.
const momentsMax = 2000

// timeline is a run that was recorded, and the events of it that were asked for last: who scrolls
// through them asks for many pages of the same ones.
type timeline struct {
	report *measure.Report
	call   int
	wanted wanted
	fit    []int32 // indexes into the timeline of the call; nil until something was asked for
	pulse  []int   // how many events fit in each second, whatever wanted.from and to are
}

// wanted says which events fit: of these kinds, of this call unless it is negative, in [from, to).
type wanted struct {
	kinds    [policy.EventKinds]bool
	number   int
	from, to int64
}

// record runs a scenario and keeps its timeline. It answers with what is needed to show that:
//
//	{"seed", "events": [how many events each declared call has]}
func (a *asked) record() string {
	s, reply := a.scenario()
	if s == nil {
		return reply
	}
	a.module.recorded = timeline{} // before the next one takes its room
	t := s.Topology
	t.Record = true
	o := a.options()
	o.Unsealed = true
	report, err := engine.Run(a.ctx, &t, a.seed(s), o)
	if err != nil {
		return a.failed(err.Error())
	}
	a.module.recorded.report = report
	b := append(a.ok(), `,"seed":`...)
	b = strconv.AppendInt(b, int64(report.Seed), 10)
	b = append(b, `,"events":[`...)
	for i := range report.Calls {
		b = strconv.AppendInt(comma(b, i), int64(len(report.Calls[i].Measured.Timeline)), 10)
	}
	return string(append(b, `]}`...))
}

// moments is a page of the timeline of a declared call of the run that was recorded last:
//
//	{"call": index, "kinds": ["Attempt", ...]?, "number": n?, "from": ns?, "to": ns?, "offset", "limit", "pulse": true?}
//
// without kinds all of them, in [from, to). The reply has "total", how many events fit, and "rows" of
// [atNs, kind, number, verdict, error, durationNs, delayNs or null, call]; with "pulse" also how many
// events of these kinds and of this call each second of the run has.
func (a *asked) moments() string {
	c, reply := a.recordedCall()
	if c == nil {
		return reply
	}
	t := &a.module.recorded
	call, w := int(a.request.Get("call").Int()), a.wanted()
	if t.fit == nil || t.call != call || t.wanted != w {
		t.call, t.wanted = call, w
		t.find(c.Measured.Timeline)
	}
	total := len(t.fit)
	first := min(max(int(a.request.Get("offset").Int()), 0), total)
	last := min(first+min(max(int(a.request.Get("limit").Int()), 0), momentsMax), total)
	b := append(a.ok(), `,"rows":[`...)
	for i, k := range t.fit[first:last] {
		b = appendMoment(comma(b, i), &c.Measured.Timeline[k])
	}
	b = append(b, `],"total":`...)
	b = strconv.AppendInt(b, int64(total), 10)
	if a.request.Get("pulse").Bool() {
		b = append(b, `,"pulse":[`...)
		for i, n := range t.pulse {
			b = strconv.AppendInt(comma(b, i), int64(n), 10)
		}
		b = append(b, ']')
	}
	return string(append(b, '}'))
}

// wanted reads which events a request is about.
func (a *asked) wanted() wanted {
	w := wanted{number: -1, to: math.MaxInt64}
	kinds := a.request.Get("kinds")
	for kind := range w.kinds {
		w.kinds[kind] = !kinds.IsArray()
	}
	kinds.ForEach(func(_, k gjson.Result) bool {
		for kind := range w.kinds {
			w.kinds[kind] = w.kinds[kind] || policy.EventKind(kind).String() == k.Str
		}
		return true
	})
	if n := a.request.Get("number"); n.Type == gjson.Number {
		w.number = int(max(n.Int(), 0))
	}
	w.from = a.request.Get("from").Int()
	if r := a.request.Get("to"); r.Exists() {
		w.to = r.Int()
	}
	return w
}

// find goes once through a timeline.
func (t *timeline) find(moments []measure.Moment) {
	t.fit = make([]int32, 0, 1024)
	t.pulse = make([]int, seconds(t.report.Duration))
	for i := range moments {
		m := &moments[i]
		if !t.wanted.kinds[m.Kind] || t.wanted.number >= 0 && m.Call != t.wanted.number {
			continue
		}
		at := m.At.Nanoseconds()
		if second := int(at / 1e9); second < len(t.pulse) {
			t.pulse[second]++
		}
		if at >= t.wanted.from && at < t.wanted.to {
			t.fit = append(t.fit, int32(i))
		}
	}
}

// seconds is how many seconds of a run begin before it ends.
func seconds(d ticks.Ticks) int { return int((d.Nanoseconds() + 1e9 - 1) / 1e9) }

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
	report := a.module.recorded.report
	if report == nil {
		return nil, a.failed("no run was recorded yet")
	}
	i := int(a.request.Get("call").Int())
	if i < 0 || i >= len(report.Calls) {
		return nil, a.failed("the recorded run has no such call")
	}
	return &report.Calls[i], ""
}

// callsMax bounds the nested calls of one trace.
const callsMax = 200

// trace is one call of the recorded run with the calls that were made inside it, each a list of its
// events, outer calls first:
//
//	{"calls": [{"depth", "parent", "attempt", "from", "to", "number", "atNs", "events": [[...], ...]}, ...], "of": n}
//
// parent is the index in this list of the call outside, -1 for the first one, and attempt which of
// its attempts made this call; "of" is how many calls the declared call has.
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
	t := tracer{report: a.module.recorded.report}
	b = t.append(b, int(a.request.Get("call").Int()), number, -1, 0)
	b = append(b, `],"of":`...)
	return string(append(strconv.AppendInt(b, int64(len(c.Traces)), 10), '}'))
}

type tracer struct {
	report *measure.Report
	calls  int
}

func (t *tracer) append(b []byte, edge, number, parent, depth int) []byte {
	if t.calls == callsMax {
		return b
	}
	c := &t.report.Calls[edge]
	begun := c.Traces[number].Begun
	b = comma(b, t.calls)
	self := t.calls
	t.calls++
	b = append(b, `{"depth":`...)
	b = strconv.AppendInt(b, int64(depth), 10)
	b = append(b, `,"parent":`...)
	b = strconv.AppendInt(b, int64(parent), 10)
	b = append(b, `,"attempt":`...)
	b = strconv.AppendInt(b, int64(c.Traces[number].ParentAttempt), 10)
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
				b = t.append(b, i, k, self, depth+1)
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
