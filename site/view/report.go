// Package view turns what a run measured (scenario.md 9) into what the page shows: numbers in
// words, the sentence of the finding, headline figures, tables. It draws nothing.
package view

import (
	"math"

	"github.com/tidwall/gjson"
)

// Run is a finished run: the report and the world it was made in.
type Run struct {
	Engine, Digest string
	Title, About   string
	Seed           int64
	DurationNs     int64
	Calls          []Subject
	Services       []Subject
	Expect         []Expectation
	World          World
	// Report is the report as JSON, Text its text block.
	Report, Text string
}

// Expectation is one judged line of "expect".
type Expectation struct {
	Text  string
	Holds bool
	// Actual is the measured value as a person reads it.
	Actual string
}

// Subject is one call, service or dependency that was measured.
type Subject struct {
	// Name is "from -> to" of a call, else the name.
	Name, From, To string
	Entry, Leaf    bool
	Measured       Measured
}

// Measured are the numbers of a subject.
type Measured struct {
	Calls, Succeeded, Failed, Reached, RefusedByLimiter int64
	Availability, LoadMultiplier, Amplification         float64
	P50, P90, P95, P99, P999, Max                       int64 // nanoseconds
	BreakerOpens                                        int64
	// RecoverNs counts only when Recovered is true.
	RecoverNs int64
	Recovered bool
	Events    []Count
	Levels    []Level
	// Limit is the limit that the run ended with, -1 without a limiter.
	Limit   int64
	seconds gjson.Result
}

// Count is how often an event happened.
type Count struct {
	Kind string
	N    int64
}

// Level is what one level of importance offered and how much of it succeeded.
type Level struct {
	Name             string
	Calls, Succeeded int64
}

// Series are the per-second numbers of a subject; the index is the second. A series that does not
// apply is empty. Times are nanoseconds.
type Series struct {
	Calls, Reached, Succeeded                              []float64
	Permanent, Exhausted, Deadline, Budgetless, BrokenOpen []float64
	P50, P99                                               []float64
	InFlight, Budget, Breaker, Ceiling, Permits, Queue     []float64
}

// Parse reads the reply to a run (package module of wasm).
func Parse(reply gjson.Result) *Run {
	report := reply.Get("report")
	r := &Run{
		Engine: report.Get("engine").Str, Digest: report.Get("digest").Str, Seed: report.Get("seed").Int(),
		Title: reply.Get("world.title").Str, About: reply.Get("world.about").Str,
		DurationNs: report.Get("durationNs").Int(), Report: report.Raw, Text: reply.Get("text").Str,
		World: parseWorld(reply.Get("world")),
	}
	report.Get("calls").ForEach(func(_, c gjson.Result) bool {
		s := Subject{From: c.Get("from").Str, To: c.Get("to").Str, Measured: parseMeasured(c.Get("measured"))}
		s.Name = s.From + " → " + s.To
		r.Calls = append(r.Calls, s)
		return true
	})
	report.Get("services").ForEach(func(_, c gjson.Result) bool {
		r.Services = append(r.Services, Subject{
			Name: c.Get("name").Str, Entry: c.Get("entry").Bool(), Leaf: c.Get("leaf").Bool(), Measured: parseMeasured(c.Get("measured")),
		})
		return true
	})
	report.Get("expect").ForEach(func(_, c gjson.Result) bool {
		text := c.Get("text").Str
		r.Expect = append(r.Expect, Expectation{Text: text, Holds: c.Get("holds").Bool(), Actual: actual(text, c.Get("actual"))})
		return true
	})
	return r
}

func parseMeasured(m gjson.Result) Measured {
	out := Measured{Limit: -1}
	m.ForEach(func(key, v gjson.Result) bool {
		switch key.Str {
		case "calls":
			out.Calls = v.Int()
		case "succeeded":
			out.Succeeded = v.Int()
		case "failed":
			out.Failed = v.Int()
		case "reached":
			out.Reached = v.Int()
		case "refusedByLimiter":
			out.RefusedByLimiter = v.Int()
		case "availability":
			out.Availability = v.Float()
		case "loadMultiplier":
			out.LoadMultiplier = v.Float()
		case "amplification":
			out.Amplification = v.Float()
		case "latencyNs":
			out.P50, out.P90, out.P95 = v.Get("p50").Int(), v.Get("p90").Int(), v.Get("p95").Int()
			out.P99, out.P999, out.Max = v.Get("p99").Int(), v.Get("p999").Int(), v.Get("max").Int()
		case "breakerOpens":
			out.BreakerOpens = v.Int()
		case "timeToRecoverNs":
			out.Recovered, out.RecoverNs = v.Type == gjson.Number, v.Int()
		case "events":
			v.ForEach(func(kind, n gjson.Result) bool {
				out.Events = append(out.Events, Count{kind.Str, n.Int()})
				return true
			})
		case "levels":
			v.ForEach(func(level, n gjson.Result) bool {
				out.Levels = append(out.Levels, Level{level.Str, n.Get("calls").Int(), n.Get("succeeded").Int()})
				return true
			})
		case "limiter":
			if v.IsObject() {
				out.Limit = v.Get("limit").Int()
			}
		case "seconds":
			out.seconds = v
		}
		return true
	})
	return out
}

// Count is how often an event happened.
func (m *Measured) Count(kind string) int64 {
	for _, e := range m.Events {
		if e.Kind == kind {
			return e.N
		}
	}
	return 0
}

// Series reads the per-second numbers; it takes a while, so keep what it gives.
func (m *Measured) Series() *Series {
	s := &Series{}
	m.seconds.ForEach(func(key, v gjson.Result) bool {
		into := map[string]*[]float64{
			"calls": &s.Calls, "reached": &s.Reached, "succeeded": &s.Succeeded,
			"failedPermanent": &s.Permanent, "failedExhausted": &s.Exhausted, "failedDeadline": &s.Deadline,
			"failedBudget": &s.Budgetless, "failedBreaker": &s.BrokenOpen,
			"p50Ns": &s.P50, "p99Ns": &s.P99, "inFlight": &s.InFlight, "budget": &s.Budget, "breaker": &s.Breaker,
			"ceilingNs": &s.Ceiling, "permits": &s.Permits, "queueDelayNs": &s.Queue,
		}[key.Str]
		if into != nil {
			v.ForEach(func(_, n gjson.Result) bool {
				*into = append(*into, n.Num)
				return true
			})
		}
		return true
	})
	return s
}

// At is a series' value in a second, 0 behind its end.
func At(series []float64, second int) float64 {
	if second < 0 || second >= len(series) {
		return 0
	}
	return series[second]
}

// Length is how many seconds the longest series has.
func (s *Series) Length() int {
	return max(len(s.Calls), len(s.Reached), len(s.Succeeded), len(s.P50), len(s.Exhausted), len(s.Deadline), len(s.Budgetless), len(s.BrokenOpen))
}

// Failed is how many calls failed in a second.
func (s *Series) Failed(second int) float64 {
	return At(s.Permanent, second) + At(s.Exhausted, second) + At(s.Deadline, second) + At(s.Budgetless, second) + At(s.BrokenOpen, second)
}

// Amplification is attempts for each call of a second, NaN in a second without calls.
func (s *Series) Amplification(second int) float64 {
	if calls := At(s.Calls, second); calls > 0 {
		return At(s.Reached, second) / calls
	}
	return math.NaN()
}

// Worst is the second with the most attempts a call, -1 when no call was made.
func (s *Series) Worst() int {
	worst, most := -1, 0.0
	for i := range s.Calls {
		if a := s.Amplification(i); a > most {
			worst, most = i, a
		}
	}
	return worst
}
