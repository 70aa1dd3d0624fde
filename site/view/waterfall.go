package view

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Trace is one call as a waterfall, with the calls that were made inside it, all on one axis that
// begins where the call begins.
type Trace struct {
	// Number is which call of its edge it is, of Of; Begun is when, in nanoseconds of the run.
	Number, Of int
	Begun      int64
	Title      string
	Ticks      []TraceTick
	Rows       []TraceRow
	// Cut tells that there were more nested calls than are shown.
	Cut bool
}

// TraceTick is a mark of the axis.
type TraceTick struct{ Text, Style string }

// TraceRow is a line of a waterfall: a call, or an attempt, a wait or an instant of one. Bar is the
// style that places its bar, Indent the style that moves its name in.
type TraceRow struct {
	Kind, Name, Text string
	Bar, Indent      string
}

// Alternative is the row in words.
func (r TraceRow) Alternative() string { return strings.TrimSpace(r.Name + ": " + r.Text) }

// tracesMost is how many calls the module puts into a trace.
const tracesMost = 200

// tracedCall is one call of a trace with its events, and the calls inside it.
type tracedCall struct {
	name     string
	to       string
	number   string
	begun    int64
	end      int64
	events   []event
	children []int
	listed   bool
}

// ParseTrace reads the reply to a trace (package module of wasm).
func ParseTrace(reply gjson.Result) Trace {
	var out Trace
	var calls []tracedCall
	for i, c := range reply.Get("calls").Array() {
		t := tracedCall{
			name: c.Get("from").Str + " → " + c.Get("to").Str, to: c.Get("to").Str,
			number: c.Get("number").String(), begun: c.Get("atNs").Int(),
		}
		t.end = t.begun
		c.Get("events").ForEach(func(_, row gjson.Result) bool {
			e := parseEvent(row)
			t.events = append(t.events, e)
			t.end = max(t.end, e.at)
			return true
		})
		calls = append(calls, t)
		if parent := int(c.Get("parent").Int()); i > 0 && parent >= 0 && parent < i {
			calls[parent].children = append(calls[parent].children, i)
		}
	}
	if len(calls) == 0 {
		return out
	}
	root := &calls[0]
	high := root.end
	for i := range calls {
		high = max(high, calls[i].end)
	}
	w := waterfall{calls: calls, low: root.begun, high: max(high, root.begun+1)}
	w.call(0, 0)
	out.Rows, out.Ticks = w.rows, ticksOf(w.high-w.low)
	number, _ := strconv.Atoi(root.number)
	out.Number, out.Of, out.Begun = number, int(reply.Get("of").Int()), root.begun
	out.Title = "Call " + root.number + " of " + root.name + ", begun at " + instant(root.begun)
	out.Cut = len(calls) >= tracesMost
	return out
}

type waterfall struct {
	calls     []tracedCall
	low, high int64
	rows      []TraceRow
}

// step is a row of a call before it is placed among the others.
type step struct {
	from, to         int64
	kind, name, text string
}

// call appends the rows of a call: itself, then its steps in order of time, each attempt followed by
// the calls that were made in it.
func (w *waterfall) call(i, depth int) {
	c := &w.calls[i]
	if c.listed {
		return
	}
	c.listed = true
	kind, text := outcome(c)
	name := c.name
	if depth > 0 {
		name = "→ " + c.to + ", call " + c.number // who calls is the one above
	}
	w.row(step{c.begun, c.end, "call " + kind, name, text}, depth)
	var steps []step
	for _, e := range c.events {
		if s, ok := stepOf(e); ok {
			steps = append(steps, s)
		}
	}
	slices.SortStableFunc(steps, func(a, b step) int { return int(min(max(a.from-b.from, -1), 1)) })
	for k, s := range steps {
		w.row(s, depth+1)
		if s.kind != "attempt" && s.kind != "failed" && s.kind != "lost" {
			continue
		}
		for _, child := range c.children {
			if begun := w.calls[child].begun; begun >= s.from && begun <= s.to && !startsIn(steps[k+1:], begun) {
				w.call(child, depth+2)
			}
		}
	}
	for _, child := range c.children {
		w.call(child, depth+2)
	}
}

// startsIn tells whether a later attempt had begun when something happened: the latest is the one
// that did it.
func startsIn(later []step, at int64) bool {
	for _, s := range later {
		if (s.kind == "attempt" || s.kind == "failed" || s.kind == "lost") && s.from <= at && at <= s.to {
			return true
		}
	}
	return false
}

func (w *waterfall) row(s step, depth int) {
	w.rows = append(w.rows, TraceRow{
		Kind: s.kind, Name: s.name, Text: s.text, Bar: Bar(s.from, s.to, w.low, w.high),
		Indent: "padding-left:" + strconv.Itoa(min(depth, 8)*12) + "px",
	})
}

// outcome is how a call ended: "good", "bad" or "", and in words.
func outcome(c *tracedCall) (kind, text string) {
	took := Duration(c.end - c.begun)
	for i := len(c.events) - 1; i >= 0; i-- {
		switch e := c.events[i]; e.kind {
		case "Succeeded":
			return "good", "succeeded after " + took
		case "NotRetried":
			return "bad", "failed after " + took + ", not worth a retry"
		case "RejectedByBreaker":
			return "bad", "refused by the breaker after " + took
		case "RejectedByBudget":
			return "bad", "failed after " + took + ", no token for a retry"
		case "DeadlineExceeded":
			return "bad", "out of time after " + took
		case "Exhausted":
			return "bad", "failed after " + took + ", no attempts left"
		case "Draining":
			return "bad", "stopped after " + took + ", draining"
		}
	}
	return "", "not finished, " + took
}

// stepOf is an event as a row; the event that ends a call is told by its outcome.
func stepOf(e event) (step, bool) {
	s := step{from: e.at, to: e.at, kind: "mark", name: spaced(e.kind)}
	number := " " + strconv.FormatInt(e.number, 10)
	switch e.kind {
	case "Succeeded", "NotRetried", "RejectedByBreaker", "RejectedByBudget", "DeadlineExceeded", "Exhausted", "Draining":
		return s, false
	case "Attempt":
		s.from, s.kind, s.name, s.text = e.at-e.duration, "attempt", "attempt"+number, answered(e)
		if e.verdict != "Ok" {
			s.kind = "failed"
		}
	case "OrphanedWork":
		s.from, s.kind, s.name, s.text = e.at-e.duration, "lost", "orphaned work"+number, answered(e)
	case "HedgeDiscarded":
		s.from, s.kind, s.name, s.text = e.at-e.duration, "lost", "discarded leg"+number, "lost the race after "+Duration(e.duration)
	case "Retrying":
		s.to, s.kind, s.name, s.text = e.at+e.delay, "backoff", "backoff before"+number, Duration(e.delay)
		if e.delay == 0 {
			s.text = "none"
		}
	case "HedgeStarted":
		s.name, s.text = "hedge, leg"+number, "nothing heard for "+Duration(e.delay)
	case "HedgeWon":
		s.name, s.text = "leg"+number+" won", ""
	case "AttemptCeilingAdapted":
		s.name, s.text = "ceiling of attempt"+number, Duration(e.delay)+", measured"
	case "BackoffBaseAdapted":
		s.name, s.text = "backoff base", Duration(e.delay)+", measured"
	case "SaturationDetected":
		s.name, s.text = "own pool is slow", "queued for "+Duration(e.delay)
	default:
		if e.hasDelay {
			s.text = Duration(e.delay)
		}
	}
	return s, true
}

// answered is how an attempt ended.
func answered(e event) string {
	took := Duration(e.duration)
	switch {
	case e.verdict == "Ok":
		return "answered after " + took
	case e.error == "AttemptTimeoutException":
		return "cut off by its ceiling after " + took
	case e.error == "DeadlineExceededException":
		return "cut off by the deadline after " + took
	case e.error == "RateLimitedException":
		return "kept back by the limiter"
	}
	return strings.ToLower(e.verdict) + " failure after " + took
}

// spaced turns "BreakerOpened" into "breaker opened".
func spaced(kind string) string {
	var b strings.Builder
	for i, r := range kind {
		if r >= 'A' && r <= 'Z' {
			if i > 0 {
				b.WriteByte(' ')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// ticksOf are the marks of an axis of a length in nanoseconds: three to seven round ones.
func ticksOf(length int64) []TraceTick {
	if length < 1000 {
		return []TraceTick{{Duration(0), "left:0%"}} // shorter than what a time is written to
	}
	exact := float64(length) / 6
	unit := math.Pow(10, math.Floor(math.Log10(max(exact, 1))))
	each := unit * 10
	for _, n := range []float64{1, 2, 2.5, 5} {
		if n*unit >= exact {
			each = n * unit
			break
		}
	}
	var out []TraceTick
	for at := 0.0; at <= float64(length); at += each {
		place := at / float64(length) * 100
		style := "left:" + strconv.FormatFloat(place, 'f', 2, 64) + "%"
		if place > 90 { // it would stand out of the axis
			style = "right:0"
			if place < 99 {
				continue
			}
		}
		out = append(out, TraceTick{Duration(int64(at)), style})
	}
	return out
}
