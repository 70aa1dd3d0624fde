package view

import (
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"squall/engine/document"
)

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

// MomentRows turns a page of events (package module of wasm) into the rows of the list: a JSON array
// of [instant, kind, number, verdict, time taken, delay, call as text, call, class].
func MomentRows(rows gjson.Result) string {
	b := []byte{'['}
	first := true
	rows.ForEach(func(_, row gjson.Result) bool {
		e := parseEvent(row)
		if !first {
			b = append(b, ',')
		}
		first = false
		verdict, delay := e.verdict, ""
		if e.error != "" {
			verdict += ", " + errorWords(e.error)
		}
		if e.hasDelay {
			delay = "+" + Duration(e.delay)
		}
		b = append(b, '[')
		for _, cell := range []string{instant(e.at), e.kind, "#" + strconv.FormatInt(e.number, 10), verdict, Duration(e.duration), delay, strconv.Itoa(e.call)} {
			b = append(document.AppendText(b, cell), ',')
		}
		b = strconv.AppendInt(b, int64(e.call), 10)
		b = append(b, `,"`+e.class()+`"]`...)
		return true
	})
	return string(append(b, ']'))
}

// class is "bad" for what went wrong, "note" for what is neither good nor bad, else empty.
func (e *event) class() string {
	switch e.kind {
	case "Attempt", "Retrying":
		if e.verdict == "Ok" {
			return ""
		}
		return "bad"
	case "Succeeded", "HedgeWon", "BreakerClosed":
		return ""
	case "AttemptCeilingAdapted", "BackoffBaseAdapted", "HedgeStarted", "HedgeDiscarded", "HedgeSuppressed", "BreakerHalfOpened", "SaturationDetected":
		return "note"
	}
	return "bad"
}

// errorWords is what went wrong with an attempt.
func errorWords(family string) string {
	if family == "IOException" {
		return "I/O error"
	}
	return spaced(strings.TrimSuffix(family, "Exception"))
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

// pulseBins is how many bars a pulse has at most.
const pulseBins = 300

// Pulse is how many events each second has, as the SVG path of bars over a box of PulseWidth by
// PulseHeight, empty when there are none.
func Pulse(bySecond []float64) string {
	if len(bySecond) == 0 {
		return ""
	}
	each := (len(bySecond) + pulseBins - 1) / pulseBins
	bins := make([]float64, (len(bySecond)+each-1)/each)
	most := 0.0
	for i, n := range bySecond {
		bins[i/each] += n
		most = max(most, bins[i/each])
	}
	if most == 0 {
		return ""
	}
	wide := PulseWidth / float64(len(bySecond)) * float64(each)
	var path []byte
	for i, n := range bins {
		if n == 0 {
			continue
		}
		high := max(n/most*PulseHeight, 1)
		path = append(path, 'M')
		path = append(path, fixed(float64(i)*wide)+" "+fixed(PulseHeight)+"v-"+fixed(high)+"h"+fixed(wide)+"v"+fixed(high)+"z"...)
	}
	return string(path)
}

// The box of a pulse.
const (
	PulseWidth  = 1000.0
	PulseHeight = 32.0
)
