package view

import (
	"strconv"

	"github.com/tidwall/gjson"
)

// Moment is one event of a timeline, in words.
type Moment struct {
	At, Kind, Number, Verdict, Took, Delay string
	Call                                   int
}

// CallText names the call of the event.
func (m Moment) CallText() string { return "call " + strconv.Itoa(m.Call) }

// event is an event as the module sends it: [atNs, kind, number, verdict, error, durationNs, delayNs, call].
type event struct {
	at             int64
	kind           string
	number         int64
	verdict, error string
	duration       int64
	delay          int64
	hasDelay       bool
	call           int
}

func parseEvent(row gjson.Result) event {
	var e event
	i := 0
	row.ForEach(func(_, v gjson.Result) bool {
		switch i {
		case 0:
			e.at = v.Int()
		case 1:
			e.kind = v.Str
		case 2:
			e.number = v.Int()
		case 3:
			e.verdict = v.Str
		case 4:
			e.error = v.Str
		case 5:
			e.duration = v.Int()
		case 6:
			e.delay, e.hasDelay = v.Int(), v.Type == gjson.Number
		case 7:
			e.call = int(v.Int())
		}
		i++
		return true
	})
	return e
}

// ParseMoments reads a page of events.
func ParseMoments(rows gjson.Result) []Moment {
	var out []Moment
	rows.ForEach(func(_, row gjson.Result) bool {
		e := parseEvent(row)
		m := Moment{At: instant(e.at), Kind: e.kind, Number: "#" + strconv.FormatInt(e.number, 10), Verdict: e.verdict, Took: Duration(e.duration), Call: e.call}
		if e.error != "" {
			m.Verdict += " " + e.error
		}
		if e.hasDelay {
			m.Delay = "+" + Duration(e.delay)
		}
		out = append(out, m)
		return true
	})
	return out
}

// instant is a time of a run to a tenth of a millisecond: "1:30.0421".
func instant(ns int64) string {
	tenths := ns / 100_000 % 10_000
	s := strconv.FormatInt(tenths, 10)
	for len(s) < 4 {
		s = "0" + s
	}
	return Clock(int(ns/1e9)) + "." + s
}

// Trace is one call as a waterfall, with the calls made inside it.
type Trace struct {
	Title string
	Calls []TraceCall
}

// TraceCall is one call of a trace; Indent is the style that moves it in.
type TraceCall struct {
	Name, Indent string
	Bars         []TraceBar
}

// TraceBar is a stretch of a call: an attempt, a wait, or an instant at which something happened.
type TraceBar struct{ Kind, Text, Style string }

// ParseTrace reads a trace (package module of wasm).
func ParseTrace(calls gjson.Result) Trace {
	var out Trace
	list := calls.Array()
	if len(list) == 0 {
		return out
	}
	low, high := list[0].Get("atNs").Int(), int64(0)
	events := make([][]event, len(list))
	for i, c := range list {
		for _, row := range c.Get("events").Array() {
			e := parseEvent(row)
			events[i] = append(events[i], e)
			high = max(high, e.at)
		}
	}
	high = max(high, low+1)
	for i, c := range list {
		call := TraceCall{
			Name:   c.Get("from").Str + " → " + c.Get("to").Str + ", call " + c.Get("number").String(),
			Indent: "margin-left:" + strconv.FormatInt(min(c.Get("depth").Int(), 8)*14, 10) + "px",
		}
		for _, e := range events[i] {
			call.Bars = append(call.Bars, bar(e, low, high))
		}
		out.Calls = append(out.Calls, call)
	}
	out.Title = out.Calls[0].Name + ", from " + instant(low) + ", took " + Duration(high-low)
	return out
}

func bar(e event, low, high int64) TraceBar {
	from, to, kind := e.at, e.at, "mark"
	text := e.kind
	switch e.kind {
	case "Attempt", "OrphanedWork", "HedgeDiscarded":
		from, kind = e.at-e.duration, "attempt"
		if e.verdict != "Ok" || e.kind != "Attempt" {
			kind = "failed"
		}
		text += " " + strconv.FormatInt(e.number, 10) + ", " + e.verdict + ", " + Duration(e.duration)
	case "Retrying":
		to, kind = e.at+e.delay, "backoff"
		text = "backoff " + Duration(e.delay)
	case "Succeeded":
		kind = "good"
	case "HedgeStarted", "AttemptCeilingAdapted", "BackoffBaseAdapted":
		text += " " + strconv.FormatInt(e.number, 10) + ", " + Duration(e.delay)
	}
	if e.error != "" {
		text += ", " + e.error
	}
	return TraceBar{kind, text, Bar(from, to, low, high)}
}
