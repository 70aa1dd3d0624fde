package api

import (
	"strconv"

	"squall/engine"
	"squall/engine/measure"
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

// keptShare is which part of Calls a request may offer that keeps every call in memory.
const keptShare = 10

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
