package scenario

import (
	"strconv"

	"squall/engine/measure"
	"squall/engine/ticks"
)

// sample is what one run measured: a number, or a time, or nothing for a recovery that never was.
type sample struct {
	number float64
	span   ticks.Ticks
	never  bool
}

// Judge says of every expectation whether a run meets it, in written order.
func (s *Scenario) Judge(report *measure.Report) []measure.Expectation {
	judged := make([]measure.Expectation, len(s.Expect))
	for i := range s.Expect {
		judged[i] = s.Expect[i].Judge(report)
	}
	return judged
}

// JudgeBand says of every expectation whether all runs of a band meet it, in written order.
func (s *Scenario) JudgeBand(band *measure.Band) []measure.Expectation {
	judged := make([]measure.Expectation, len(s.Expect))
	for i := range s.Expect {
		judged[i] = s.Expect[i].JudgeBand(band)
	}
	return judged
}

// Judge says whether a run meets the expectation. The actual value is null for a recovery that
// never happened, and for a subject that the report does not have: both fail every comparison.
func (e *Expectation) Judge(report *measure.Report) measure.Expectation {
	return e.verdict(e.sample(report))
}

// JudgeBand says whether every run of a band meets the expectation, or its median if that was
// asked for; the median of recoveries is over the runs that recovered. The actual value is the
// median, else that of the run that is worst for the comparison, which is the first that fails an
// equality.
func (e *Expectation) JudgeBand(band *measure.Band) measure.Expectation {
	if len(band.Reports) == 0 {
		return e.verdict(sample{never: true})
	}
	if e.median {
		return e.verdict(e.medianOf(band))
	}
	worst := e.sample(band.Reports[0])
	for _, report := range band.Reports[1:] {
		if s := e.sample(report); e.worse(s, worst) {
			worst = s
		}
	}
	return e.verdict(worst)
}

func (e *Expectation) medianOf(band *measure.Band) sample {
	if !e.measure.isTime() {
		x, ok := band.Median(func(r *measure.Report) (float64, bool) {
			s := e.sample(r)
			return s.number, !s.never
		})
		return sample{number: x, never: !ok}
	}
	var spans []ticks.Ticks
	for _, report := range band.Reports {
		if s := e.sample(report); !s.never {
			spans = append(spans, s.span)
		}
	}
	if len(spans) == 0 {
		return sample{never: true}
	}
	return sample{span: measure.TimeRangeOf(spans).Median}
}

// worse tells whether a is farther on the failing side than b.
func (e *Expectation) worse(a, b sample) bool {
	switch {
	case b.never:
		return false
	case a.never:
		return true
	}
	order := a.compare(b)
	switch e.comparison {
	case below, atMost:
		return order > 0
	case above, atLeast:
		return order < 0
	}
	return e.holds(b) && !e.holds(a)
}

// compare is negative, 0 or positive. Only one field of a sample is ever set.
func (s sample) compare(o sample) int {
	switch {
	case s.number < o.number || s.span < o.span:
		return -1
	case s.number > o.number || s.span > o.span:
		return 1
	}
	return 0
}

func (e *Expectation) holds(s sample) bool {
	if s.never {
		return false
	}
	order := s.compare(sample{number: e.number, span: e.span})
	switch e.comparison {
	case below:
		return order < 0
	case atMost:
		return order <= 0
	case above:
		return order > 0
	case atLeast:
		return order >= 0
	}
	return order == 0
}

func (e *Expectation) verdict(s sample) measure.Expectation {
	v := measure.Expectation{Text: e.Text, Holds: e.holds(s)}
	switch {
	case s.never:
		v.Actual = "null"
	case e.measure.isTime():
		v.Actual = strconv.FormatInt(s.span.Nanoseconds(), 10)
	default:
		v.Actual = string(measure.AppendNumber(nil, s.number))
	}
	return v
}

// sample is what a report says of the measure.
func (e *Expectation) sample(report *measure.Report) sample {
	m := report.On(e.From, e.To)
	if e.Service != "" {
		m = report.At(e.Service)
	}
	if m == nil {
		return sample{never: true}
	}
	switch e.measure {
	case loadMultiplier:
		return sample{number: m.LoadMultiplier()}
	case amplification:
		return sample{number: m.Amplification}
	case availability:
		return sample{number: m.Availability()}
	case availabilityAt:
		return sample{number: m.AvailabilityAt(e.level)}
	case calls:
		return sample{number: float64(m.Calls)}
	case succeeded:
		return sample{number: float64(m.Succeeded)}
	case failed:
		return sample{number: float64(m.Failed())}
	case reached:
		return sample{number: float64(m.Reached)}
	case refusedByLimiter:
		return sample{number: float64(m.RefusedByLimiter)}
	case breakerOpens:
		return sample{number: float64(m.BreakerOpens())}
	case countOf:
		return sample{number: float64(m.Events[e.event])}
	case p50:
		return sample{span: m.Latency.P50}
	case p90:
		return sample{span: m.Latency.P90}
	case p95:
		return sample{span: m.Latency.P95}
	case p99:
		return sample{span: m.Latency.P99}
	case p999:
		return sample{span: m.Latency.P999}
	case maxLatency:
		return sample{span: m.Latency.Max}
	}
	return sample{span: m.TimeToRecover, never: !m.Recovered}
}
