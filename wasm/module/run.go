package module

import (
	"math"
	"strconv"

	"github.com/tidwall/gjson"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/problem"
	"squall/engine/scenario"
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

// scenario reads the text of a request, or the variant of it that the request names. The reply is
// empty when there is a scenario, else it says why there is none.
func (a *asked) scenario() (s *scenario.Scenario, reply string) {
	if why := wrongChoice(a.request); why != "" {
		return nil, a.failed(why)
	}
	s, problems := scenario.Read([]byte(a.request.Get("text").Str), scenario.Options{MaxCalls: a.module.CallsMax})
	if len(problems) > 0 {
		return nil, a.refused(problems)
	}
	name := a.request.Get("variant")
	if !name.Exists() || name.Str == "" {
		return s, ""
	}
	for _, v := range s.Variants() {
		if v.Name == name.Str {
			return v.Scenario, ""
		}
	}
	return nil, a.failed("the scenario has no variant " + strconv.Quote(name.Str))
}

// wrongChoice says what is wrong with the seeds and the variant that a request names: the answer would
// be of others than were asked for. Null is as good as missing.
func wrongChoice(r gjson.Result) string {
	if seed := r.Get("seed"); seed.Type != gjson.Null && !isSeed(seed) {
		return notASeed("seed")
	}
	seeds := r.Get("seeds")
	if seeds.Type != gjson.Null && !seeds.IsArray() {
		return `"seeds" must be a list of whole numbers such as [1, 2, 3]`
	}
	for _, seed := range seeds.Array() {
		if !isSeed(seed) {
			return notASeed("seeds")
		}
	}
	if name := r.Get("variant"); name.Type != gjson.Null && name.Type != gjson.String {
		return `"variant" must be the name of a variant`
	}
	return ""
}

// isSeed tells the whole numbers of 32 bits.
func isSeed(v gjson.Result) bool {
	return v.Type == gjson.Number && v.Num == float64(int32(v.Int()))
}

func notASeed(key string) string {
	return problem.Sprintf("%q: a seed is a whole number from %d to %d", key, math.MinInt32, math.MaxInt32)
}

// seed is the one that a run is asked for: the request's, else the scenario's own or the first of
// its band.
func (a *asked) seed(s *scenario.Scenario) int32 {
	if r := a.request.Get("seed"); isSeed(r) {
		return int32(r.Int())
	}
	if len(s.Seeds) > 0 {
		return s.Seeds[0]
	}
	return s.Seed
}

// options are those of one run.
func (a *asked) options() engine.Options {
	return engine.Options{Progress: a.progress, AttemptsMax: a.module.AttemptsMax}
}

func (a *asked) check() string {
	s, reply := a.scenario()
	if s == nil {
		return reply
	}
	return string(append(appendWorld(append(a.ok(), `,"world":`...), s), '}'))
}

// run answers "run" and "scalars".
func (a *asked) run(whole bool) string {
	s, reply := a.scenario()
	if s == nil {
		return reply
	}
	t := s.Topology
	t.Record = whole && (t.Record || a.request.Get("record").Bool())
	report, err := engine.Run(a.ctx, &t, a.seed(s), a.options())
	if err != nil {
		return a.failed(err.Error())
	}
	report.Expect = s.Judge(report)
	if t.Record && a.request.Get("record").Bool() {
		a.module.recorded = timeline{report: report}
	}
	if !a.request.Get("full").Bool() {
		report = withoutTimeline(report)
	}
	b := a.ok()
	if whole {
		b = append(b, `,"text":`...)
		b = measure.AppendText(b, report.Text())
		b = append(b, `,"world":`...)
		b = appendWorld(b, s)
	} else {
		report = withoutSeries(report)
	}
	b = append(b, `,"report":`...)
	return string(append(report.AppendJSON(b), '}'))
}

// withoutSeries is a report's numbers alone; its digest is still that of the whole one.
func withoutSeries(r *measure.Report) *measure.Report {
	r = withoutTimeline(r)
	for i := range r.Calls {
		r.Calls[i].Measured.Seconds = measure.Seconds{}
	}
	services := append([]measure.ServiceReport(nil), r.Services...)
	for i := range services {
		services[i].Measured.Seconds = measure.Seconds{}
	}
	r.Services = services
	return r
}

// withoutTimeline is a report without its timelines, which would be most of a reply. The digest
// still is that of the recorded run.
func withoutTimeline(r *measure.Report) *measure.Report {
	bare := *r
	bare.Calls = append([]measure.CallReport(nil), r.Calls...)
	for i := range bare.Calls {
		bare.Calls[i].Measured.Timeline = nil
	}
	return &bare
}

func (a *asked) band() string {
	s, reply := a.scenario()
	if s == nil {
		return reply
	}
	seeds := s.Seeds
	if r := a.request.Get("seeds"); r.IsArray() {
		seeds = nil
		r.ForEach(func(_, v gjson.Result) bool {
			seeds = append(seeds, int32(v.Int()))
			return true
		})
	}
	if len(seeds) == 0 {
		seeds = []int32{s.Seed}
	}
	options := engine.BandOptions{Jobs: 1, Run: a.options()}
	if a.progress != nil {
		before := 0.0
		options.Progress = func(done, _ int) { before = float64(done) }
		options.Run.Progress = func(done float64) { a.progress((before + done) / float64(len(seeds))) }
	}
	band, err := engine.RunBand(a.ctx, &s.Topology, seeds, options)
	if err != nil {
		return a.failed(err.Error())
	}
	for _, r := range band.Reports {
		r.Expect = s.Judge(r)
	}
	b := append(a.ok(), `,"text":`...)
	b = measure.AppendText(b, band.Text())
	b = append(b, `,"expect":[`...)
	for i, e := range s.JudgeBand(band) {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, `{"text":`...)
		b = measure.AppendText(b, e.Text)
		b = append(b, `,"holds":`...)
		b = append(strconv.AppendBool(b, e.Holds), '}')
	}
	b = append(b, `],"band":`...)
	return string(append(band.AppendJSON(b), '}'))
}
