package api

import (
	"strconv"

	"github.com/tidwall/gjson"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/ticks"
)

// Limits bound what one request may ask for. A scenario comes from anybody, and a Worker has 128 MB
// and no clock that goes on while it computes: work is bounded by counting it.
type Limits struct {
	// BodyBytes, FilesBytes and LinkBytes bound the text of a request: of a scenario's, of one with
	// recordings to grade, and of a new short link's.
	BodyBytes, FilesBytes, LinkBytes int
	// Calls is how many calls all runs of a request may offer together; a tenth of it when every call
	// is kept (record, grade). Attempts is how many attempts they may make.
	Calls, Attempts int
	// Cells bounds the size of an answer: seconds times calls, services and dependencies, times seeds.
	Cells int
	// LinkDays is how long a short link is kept.
	LinkDays int
}

// DefaultLimits fit a Worker of 128 MB with ten seconds to compute.
var DefaultLimits = Limits{
	BodyBytes: 2 << 20, FilesBytes: 8 << 20, LinkBytes: 64 << 10,
	Calls: 2_000_000, Attempts: 8_000_000, Cells: 100_000, LinkDays: 90,
}

// keptShare and sentShare are which part of Calls a request may offer that keeps every call in
// memory, and one whose answer tells every event.
const keptShare, sentShare = 10, 100

// Offered is how many calls the loads of one run offer, about.
func Offered(t *engine.Topology) float64 {
	offered := 0.0
	for i := range t.Loads {
		offered += float64(t.Loads[i].Load.PerSecond) * (float64(t.Duration) / float64(ticks.Second))
	}
	return offered
}

// Cells is about how large the report of one run is: seconds times calls, services and dependencies.
func Cells(t *engine.Topology) float64 {
	return float64(t.Duration) / float64(ticks.Second) * float64(2*len(t.Calls)+len(t.Leaves))
}

// Seeds is how many seeds of a band one request may ask for, at least one.
func (l Limits) Seeds(t *engine.Topology) int {
	calls := float64(l.Calls)
	if t.Record {
		calls /= sentShare
	}
	return int(max(min(calls/max(Offered(t), 1), float64(l.Cells)/max(Cells(t), 1), 1000), 1))
}

// ParseLimits reads an answer to /api/limits: the engine behind it, and its limits.
func ParseLimits(answer []byte) (version string, l Limits, ok bool) {
	r := gjson.ParseBytes(answer)
	of := func(key string) int { return int(r.Get("limits." + key).Int()) }
	l = Limits{
		BodyBytes: of("bodyBytes"), FilesBytes: of("filesBytes"), LinkBytes: of("linkBytes"),
		Calls: of("calls"), Attempts: of("attempts"), Cells: of("cells"), LinkDays: of("linkDays"),
	}
	return r.Get("engine").Str, l, gjson.ValidBytes(answer) && r.Get("ok").Bool() && l.Calls > 0 && l.Cells > 0
}

func (a *API) limits() Limits {
	l := a.Limits
	for _, f := range []struct {
		value    *int
		standard int
	}{
		{&l.BodyBytes, DefaultLimits.BodyBytes}, {&l.FilesBytes, DefaultLimits.FilesBytes}, {&l.LinkBytes, DefaultLimits.LinkBytes},
		{&l.Calls, DefaultLimits.Calls}, {&l.Attempts, DefaultLimits.Attempts}, {&l.Cells, DefaultLimits.Cells},
		{&l.LinkDays, DefaultLimits.LinkDays},
	} {
		if *f.value == 0 {
			*f.value = f.standard
		}
	}
	return l
}

// json is the answer to /api/limits.
func (l Limits) json() []byte {
	b := measure.AppendText([]byte(`{"ok":true,"engine":`), engine.Version)
	b = append(b, `,"limits":{`...)
	for i, f := range []struct {
		key   string
		value int
	}{
		{"bodyBytes", l.BodyBytes}, {"filesBytes", l.FilesBytes}, {"linkBytes", l.LinkBytes}, {"calls", l.Calls},
		{"attempts", l.Attempts}, {"cells", l.Cells}, {"linkDays", l.LinkDays},
	} {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `"`+f.key+`":`...)
		b = strconv.AppendInt(b, int64(f.value), 10)
	}
	return append(b, "}}"...)
}
