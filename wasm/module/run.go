package module

import (
	"context"

	"github.com/tidwall/gjson"

	"squall/engine"
	"squall/engine/measure"
)

// Progress is the message that says how far a request is, from 0 to 1.
func Progress(request string, done float64) string {
	id := gjson.Get(request, "id").Raw
	if id == "" {
		id = "null"
	}
	b := append([]byte(`{"id":`), id...)
	b = append(b, `,"progress":`...)
	return string(append(measure.AppendNumber(b, done), '}'))
}

func (a *asked) check() string {
	s, problems := readScenario(a.request.Get("text").Str)
	if len(problems) > 0 {
		return a.refused(problems)
	}
	b := append(a.ok(), `,"title":`...)
	return string(append(measure.AppendText(b, s.Title), '}'))
}

func (a *asked) run(whole bool) string {
	s, problems := readScenario(a.request.Get("text").Str)
	if len(problems) > 0 {
		return a.refused(problems)
	}
	if whole && a.request.Get("record").Bool() {
		s.Topology.Record = true
	}
	seed := s.Seed
	if r := a.request.Get("seed"); r.Exists() {
		seed = int32(r.Int())
	}
	report, err := engine.Run(context.Background(), &s.Topology, seed, engine.Options{Progress: a.progress})
	if err != nil {
		return a.failed(err.Error())
	}
	if s.Topology.Record {
		a.module.recorded = report
		for i := range report.Calls {
			_ = i
		}
	}
	b := append(a.ok(), `,"report":`...)
	b = report.AppendJSON(b)
	b = append(b, `,"text":`...)
	b = measure.AppendText(b, report.Text())
	return string(append(b, '}'))
}

func (a *asked) band() string    { return a.failed("not yet") }
func (a *asked) explain() string { return a.failed("not yet") }
func (a *asked) grade() string   { return a.failed("not yet") }
func (a *asked) moments() string { return a.failed("not yet") }
func (a *asked) trace() string   { return a.failed("not yet") }
