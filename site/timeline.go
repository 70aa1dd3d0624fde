package main

import (
	"strconv"

	"github.com/tidwall/gjson"

	"squall/site/view"
)

// Timeline is the recorded events of a call, and one call as a waterfall.
type Timeline struct{ App *App }

func (c *Timeline) count(n int64) string { return view.Integer(n) }

const (
	rowHeight = 24 // pixels of an event
	rowsAhead = 60 // events asked for above and below what is seen
	rowsTall  = 16 // events seen at once
)

// timelineState is the recorded run and what of it is shown.
type timelineState struct {
	Why   string
	Kinds []view.Count
	Rows  []view.Moment
	Trace view.Trace
	first int // index of Rows[0] among all that fit
	total int

	text   string // the document that was recorded
	seed   int64
	call   int // index of the declared call
	only   map[string]bool
	second int // -1 for all
	number int // -1 for all
	top    int // the first event that is seen
	asking bool
	ready  bool
}

// followTimeline records the run of the text once, when the panel is open, and shows its events.
func (a *App) followTimeline() {
	t := &a.Timeline
	call := a.callIndex()
	if call < 0 {
		t.Why = "Choose a call: only calls have events."
		return
	}
	if len(a.Problems) > 0 || a.Run == nil {
		return
	}
	if t.text == a.Text && t.call == call && t.ready {
		return
	}
	fresh := t.text != a.Text
	*t = timelineState{text: a.Text, call: call, second: -1, number: -1, only: t.only, Kinds: a.subject().Measured.Events, ready: !fresh}
	if t.only == nil {
		t.only = map[string]bool{}
	}
	if !fresh {
		a.askMoments()
		return
	}
	text := a.Text
	a.clerk.ask("record", `"op":"run","record":true,"text":`+quote(text), func(r gjson.Result) {
		if text != a.Timeline.text {
			return
		}
		if !r.Get("ok").Bool() {
			a.Timeline.Why = "The run could not be recorded. " + r.Get("error").String()
			return
		}
		a.Timeline.ready = true
		a.askMoments()
	})
}

// askMoments asks for the events around what is seen.
func (a *App) askMoments() {
	t := &a.Timeline
	first := max(t.top-rowsAhead, 0)
	fields := `"op":"moments","call":` + strconv.Itoa(t.call) + `,"offset":` + strconv.Itoa(first) + `,"limit":` + strconv.Itoa(rowsTall+2*rowsAhead)
	if len(t.only) > 0 {
		list := ""
		for _, k := range t.Kinds {
			if t.only[k.Kind] {
				list += `,"` + k.Kind + `"`
			}
		}
		if list != "" {
			fields += `,"kinds":[` + list[1:] + `]`
		}
	}
	if t.second >= 0 {
		fields += `,"from":` + strconv.FormatInt(int64(t.second)*1e9, 10) + `,"to":` + strconv.FormatInt(int64(t.second+1)*1e9, 10)
	}
	if t.number >= 0 {
		fields += `,"number":` + strconv.Itoa(t.number)
	}
	a.clerk.ask("moments", fields, func(r gjson.Result) {
		t := &a.Timeline
		if !r.Get("ok").Bool() {
			t.Why = r.Get("error").String()
			return
		}
		t.first, t.total = first, int(r.Get("total").Int())
		t.Rows = view.ParseMoments(r.Get("rows"))
	})
}

// scrolled follows the scroll bar of the list.
func (a *App) scrolled(pixels int) {
	t := &a.Timeline
	t.top = pixels / rowHeight
	if t.top < t.first+rowsAhead/3 && t.first > 0 || t.top+rowsTall > t.first+len(t.Rows)-rowsAhead/3 && t.first+len(t.Rows) < t.total {
		a.askMoments()
	}
}

func (t *timelineState) heightStyle() string {
	return "height:" + strconv.Itoa(t.total*rowHeight) + "px"
}

func (t *timelineState) rowStyle(i int) string {
	return "top:" + strconv.Itoa((t.first+i)*rowHeight) + "px"
}

func (t *timelineState) totalText() string {
	if !t.ready {
		return "Recording the run …"
	}
	text := view.Integer(int64(t.total)) + " events"
	if t.total == 1 {
		text = "1 event"
	}
	return text + ". Choose one to see its whole call."
}

func (t *timelineState) pressed(kind string) string { return strconv.FormatBool(t.only[kind]) }

func (t *timelineState) secondText() string { return numberText(t.second) }
func (t *timelineState) callText() string   { return numberText(t.number) }

func numberText(n int) string {
	if n < 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// toggleKind shows only some kinds of events; none chosen means all.
func (a *App) toggleKind(kind string) {
	if a.Timeline.only[kind] {
		delete(a.Timeline.only, kind)
	} else {
		a.Timeline.only[kind] = true
	}
	a.filterMoments()
}

func (a *App) filterMoments() {
	a.Timeline.top = 0
	a.b.scrollTo("moments", 0)
	if a.Timeline.ready {
		a.askMoments()
	}
}

func (a *App) clearTimeline() {
	a.Timeline.only, a.Timeline.second, a.Timeline.number, a.Timeline.Trace = map[string]bool{}, -1, -1, view.Trace{}
	a.filterMoments()
}

// goToSecond opens the timeline at a second of the run.
func (a *App) goToSecond(second int) {
	if a.callIndex() < 0 {
		return
	}
	a.openPanel("timeline")
	a.Timeline.second, a.Timeline.number = second, -1
	a.filterMoments()
}

// setFilter takes what was written into the fields for second and call.
func (a *App) setFilter(which, text string) {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		n = -1
	}
	if which == "t-second" {
		a.Timeline.second = n
	} else {
		a.Timeline.number = n
	}
	a.filterMoments()
}

// openTrace shows one call as a waterfall.
func (a *App) openTrace(number int) {
	a.clerk.ask("trace", `"op":"trace","call":`+strconv.Itoa(a.Timeline.call)+`,"number":`+strconv.Itoa(number), func(r gjson.Result) {
		if r.Get("ok").Bool() {
			a.Timeline.Trace = view.ParseTrace(r.Get("calls"))
		}
	})
}
