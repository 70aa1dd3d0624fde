package main

import (
	"strconv"

	"github.com/tidwall/gjson"

	"squall/site/view"
)

// Timeline is the recorded events of a call, and one call as a waterfall.
type Timeline struct{ App *App }

// timelineState is the recorded run and what of it is shown. The events themselves are in the
// worker that recorded them; the list asks for those that are seen.
type timelineState struct {
	Why   string       // there is nothing to show
	Kinds []view.Count // of the call that is shown
	Trace view.Trace

	text    string // the document that was recorded
	subject string // the call that is shown
	call    int    // its index
	stage   stage
	total   int    // events that fit
	pulse   string // how many there are in each second, as a path
	last    int    // the last second

	only   map[string]bool
	second int // shown second and one, 0 for all
	number int // shown call and one, 0 for all
}

type stage int

const (
	unrecorded stage = iota
	recording
	recorded
)

// followTimeline records the run of the text while the panel is open, and shows the events of the
// call that the result is about.
func (a *App) followTimeline() {
	t := &a.Timeline
	if a.Run == nil {
		return
	}
	t.Why = ""
	call := a.callIndex()
	if call < 0 {
		t.Why = "Only calls have events, " + a.subject().Name + " has none of its own. Choose a call:"
		return
	}
	t.Kinds = a.subject().Measured.Events
	t.last = max(int((a.Run.DurationNs+1e9-1)/1e9)-1, 0)
	t.second = min(t.second, t.last+1)
	if t.subject != a.subject().Name {
		t.subject, t.number, t.Trace = a.subject().Name, 0, view.Trace{}
		t.only = map[string]bool{}
	}
	t.call = call
	if t.text == a.Text && t.stage != unrecorded {
		if t.stage == recorded {
			a.b.listReset()
		}
		return
	}
	if len(a.Problems) > 0 {
		if t.stage == unrecorded {
			t.Why = "The text has problems; there is something to record when it has none."
		}
		return
	}
	a.record()
}

// record runs the text once more, in the worker that keeps the events.
func (a *App) record() {
	text := a.Text
	a.Timeline.text, a.Timeline.stage, a.Timeline.Trace = text, recording, view.Trace{}
	a.b.listOpened(-1)
	a.clerk.ask("record", `"op":"record","text":`+quote(text), func(r gjson.Result) {
		t := &a.Timeline
		switch {
		case text != t.text:
			return
		case r.Get("ok").Bool():
			t.stage = recorded
			a.b.listReset()
		case r.Get("problems").IsArray():
			t.stage, t.Why = unrecorded, "The text has problems; there is something to record when it has none."
		default:
			t.stage, t.Why = unrecorded, "The run could not be recorded. "+r.Get("error").String()
		}
	})
}

// rows answers the list: count events from first on, of those that fit.
func (a *App) rows(first, count, epoch int) {
	t := &a.Timeline
	if t.stage != recorded {
		return
	}
	fields := `"op":"moments","call":` + strconv.Itoa(t.call) + `,"offset":` + strconv.Itoa(first) + `,"limit":` + strconv.Itoa(count)
	if list := t.chosen(); list != "" {
		fields += `,"kinds":[` + list + `]`
	}
	if t.second > 0 {
		fields += `,"from":` + strconv.FormatInt(int64(t.second-1)*1e9, 10) + `,"to":` + strconv.FormatInt(int64(t.second)*1e9, 10)
	}
	if t.number > 0 {
		fields += `,"number":` + strconv.Itoa(t.number-1)
	}
	if first == 0 {
		fields += `,"pulse":true`
	}
	a.clerk.ask("moments", fields, func(r gjson.Result) {
		t := &a.Timeline
		if !r.Get("ok").Bool() {
			t.stage, t.Why = unrecorded, r.Get("error").String()
			return
		}
		a.b.listFill(first, int(r.Get("total").Int()), view.MomentRows(r.Get("rows")), epoch)
		if first > 0 {
			a.b.still()
			return
		}
		t.total = int(r.Get("total").Int())
		var bySecond []float64
		r.Get("pulse").ForEach(func(_, n gjson.Result) bool {
			bySecond = append(bySecond, n.Num)
			return true
		})
		t.pulse = view.Pulse(bySecond)
	})
}

// chosen are the kinds that are shown, as JSON strings; none for all.
func (t *timelineState) chosen() string {
	list := ""
	for _, k := range t.Kinds {
		if t.only[k.Kind] {
			if list != "" {
				list += ","
			}
			list += quote(k.Kind)
		}
	}
	return list
}

// toggleKind shows only some kinds of events; none chosen means all.
func (a *App) toggleKind(kind string) {
	t := &a.Timeline
	if t.only == nil {
		t.only = map[string]bool{}
	}
	if t.only[kind] {
		delete(t.only, kind)
	} else {
		t.only[kind] = true
	}
	a.b.listReset()
}

func (a *App) clearTimeline() {
	t := &a.Timeline
	t.only, t.second, t.number = map[string]bool{}, 0, 0
	a.b.listReset()
}

// goToSecond opens the timeline at a second of the run.
func (a *App) goToSecond(second int) {
	if a.callIndex() < 0 {
		return
	}
	a.Timeline.second, a.Timeline.number = second+1, 0
	a.openPanel("timeline")
	a.b.listReset()
}

// setFilter takes what was written into the fields for second and call, or where the slider is.
func (a *App) setFilter(which, text string) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		n = -1
	}
	t := &a.Timeline
	switch which {
	case "t-second", "t-slide":
		if n = min(n, t.last); n+1 == t.second {
			return
		}
		t.second = n + 1
	case "t-call":
		t.number = n + 1
		if n >= 0 {
			a.openTrace(n)
		}
	}
	a.b.listReset()
}

// openTrace shows one call as a waterfall.
func (a *App) openTrace(number int) {
	t := &a.Timeline
	if t.stage != recorded {
		return
	}
	a.clerk.ask("trace", `"op":"trace","call":`+strconv.Itoa(t.call)+`,"number":`+strconv.Itoa(number), func(r gjson.Result) {
		t := &a.Timeline
		if !r.Get("ok").Bool() {
			a.say("There is no call " + strconv.Itoa(number) + " in this run.")
			return
		}
		t.Trace = view.ParseTrace(r)
		a.b.listOpened(number)
	})
}

// closeTrace puts the waterfall away.
func (a *App) closeTrace() {
	a.Timeline.Trace = view.Trace{}
	a.b.listOpened(-1)
	a.b.focus("#moments")
}

func (c *Timeline) state() *timelineState { return &c.App.Timeline }

// empty tells that there is nothing yet, and never that something is being renewed.
func (c *Timeline) recording() bool { return c.App.Timeline.stage != recorded }

func (c *Timeline) kindLabel(k view.Count) string { return k.Kind + " " + view.Integer(k.N) }

// total says how many events are listed.
func (c *Timeline) total() string {
	t := &c.App.Timeline
	switch {
	case t.stage != recorded:
		return "Recording the run …"
	case t.total == 0:
		return "No event fits, " + t.secondName() + "."
	case t.total == 1:
		return "1 event, " + t.secondName() + "."
	}
	return view.Integer(int64(t.total)) + " events, " + t.secondName() + "."
}

func (t *timelineState) pressed(kind string) string { return strconv.FormatBool(t.only[kind]) }

func (t *timelineState) secondText() string { return fieldNumber(t.second) }
func (t *timelineState) callText() string   { return fieldNumber(t.number) }
func (t *timelineState) slide() string      { return strconv.Itoa(t.second - 1) }
func (t *timelineState) lastText() string   { return strconv.Itoa(t.last) }

// secondName says which second is listed.
func (t *timelineState) secondName() string {
	if t.second == 0 {
		return "whole run"
	}
	return view.Clock(t.second-1) + " to " + view.Clock(t.second)
}

// fieldNumber is the text of a field for a number that is kept with one added.
func fieldNumber(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n - 1)
}

func (c *Timeline) shades() []string { return c.App.shades() }

// shades are where something is wrong in the sight of the subject, as places on a strip as long as
// the run.
func (a *App) shades() []string {
	s := a.subject()
	if s == nil {
		return nil
	}
	from, to := s.From, s.To
	if from == "" {
		to = s.Name
	}
	var out []string
	for _, span := range a.Run.World.Spans(from, to) {
		out = append(out, view.Bar(span.FromNs, min(span.ToNs, a.Run.DurationNs), 0, a.Run.DurationNs))
	}
	return out
}

// cursor is where the chosen second is on the pulse.
func (c *Timeline) cursor() string {
	t := &c.App.Timeline
	return view.Bar(int64(t.second-1), int64(t.second), 0, int64(t.last+1))
}

// step opens the trace of another call.
func (c *Timeline) step(by int) { c.App.openTrace(c.App.Timeline.Trace.Number + by) }

func (c *Timeline) isFirst() bool { return c.App.Timeline.Trace.Number == 0 }
func (c *Timeline) isLast() bool {
	t := &c.App.Timeline.Trace
	return t.Number >= t.Of-1
}

// callsNear are the names of the calls that a service makes or gets; of the whole graph when it has
// none.
func (a *App) callsNear() []string {
	s := a.subject()
	if s == nil {
		return nil
	}
	var near, all []string
	for i := range a.Run.Calls {
		c := &a.Run.Calls[i]
		all = append(all, c.Name)
		if c.From == s.Name || c.To == s.Name {
			near = append(near, c.Name)
		}
	}
	if near == nil {
		return all
	}
	return near
}
