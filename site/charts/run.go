package charts

import (
	"strconv"

	"squall/site/view"
)

// IDs are the charts of a run in the order of Of.
var IDs = [4]string{"load", "outcome", "latency", "guards"}

// Of are the four charts of a call, service or dependency, on one time axis: the seconds in which
// load was offered. What ends later is in the tables alone; a drawn fall to nothing would say that
// something broke. A chart of which nothing is known is empty.
func Of(s *view.Series, spans []view.Span, seconds int) [4]Chart {
	length := max(1, min(s.Length(), seconds))
	all := [4]Chart{load(s), outcome(s), latency(s), guards(s)}
	for i := range all {
		all[i].spans, all[i].length = spans, length
	}
	return all
}

// Empty tells that there is nothing to draw.
func (c *Chart) Empty() bool { return len(c.lines) == 0 }

func load(s *view.Series) Chart {
	ratio := make([]float64, len(s.Calls))
	for i := range ratio {
		ratio[i] = s.Amplification(i)
	}
	c := Chart{
		ID: "load", Title: "Calls and attempts", About: "What was asked, what reached the callee, and attempts for each call (amplification).",
		left: "per second", right: "×",
	}
	c.lines = []line{
		{id: "calls", name: "calls", colour: func(p *Palette) string { return p.Calls }, values: s.Calls, width: 2, style: "dashed"},
		{id: "attempts", name: "attempts", colour: func(p *Palette) string { return p.Attempts }, values: s.Reached, width: 2, style: "solid"},
		{id: "ratio", name: "amplification", colour: func(p *Palette) string { return p.Ratio }, values: ratio, width: 1.5, style: "solid", second: true},
	}
	return c
}

func outcome(s *view.Series) Chart {
	c := Chart{ID: "outcome", Title: "How calls ended", About: "Calls by the second they ended in: succeeded, and failed by the reason that ended them.", left: "per second"}
	stack := func(id, name string, values []float64, colour func(*Palette) string) {
		for _, v := range values {
			if v != 0 {
				c.lines = append(c.lines, line{id: id, name: name, colour: colour, values: filled(values, s.Length()), stack: "all", width: 1, style: "solid"})
				return
			}
		}
	}
	stack("succeeded", "succeeded", s.Succeeded, func(p *Palette) string { return p.Succeeded })
	stack("budget", "retry budget spent", s.Budgetless, func(p *Palette) string { return p.Budget })
	stack("exhausted", "attempts used up", s.Exhausted, func(p *Palette) string { return p.Spent })
	stack("deadline", "deadline", s.Deadline, func(p *Palette) string { return p.Deadline })
	stack("breaker", "breaker open", s.BrokenOpen, func(p *Palette) string { return p.Breaker })
	stack("permanent", "permanent", s.Permanent, func(p *Palette) string { return p.Lost })
	return c
}

func latency(s *view.Series) Chart {
	c := Chart{ID: "latency", Title: "Latency of calls", About: "Median and 99th percentile of the calls that ended in the second, logarithmic.", left: "ms, logarithmic", log: true}
	if len(s.P50) == 0 {
		return c
	}
	c.lines = []line{
		{id: "p50", name: "p50", colour: func(p *Palette) string { return p.Attempts }, values: scaled(s.P50, 1e-6), width: 2, style: "solid", gap: true},
		{id: "p99", name: "p99", colour: func(p *Palette) string { return p.Ratio }, values: scaled(s.P99, 1e-6), width: 2, style: "dashed", gap: true},
	}
	return c
}

func guards(s *view.Series) Chart {
	c := Chart{ID: "guards", Title: "What guards the callee", About: "Retry tokens, breaker state, permits and calls in flight at the end of each second; the measured ceiling and the pool’s queue on the right.", left: "count"}
	add := func(l line) {
		for _, v := range l.values {
			if v != 0 {
				c.lines = append(c.lines, l)
				if l.second {
					c.right = "ms"
				}
				return
			}
		}
	}
	add(line{id: "tokens", name: "retry tokens", colour: func(p *Palette) string { return p.Attempts }, values: s.Budget, width: 2, style: "solid"})
	add(line{id: "breaker", name: "breaker (0 closed, 1 open, 2 half-open, 3 recovering)", colour: func(p *Palette) string { return p.Breaker }, values: s.Breaker, width: 2, style: "solid", step: true})
	add(line{id: "permits", name: "permits held", colour: func(p *Palette) string { return p.Spent }, values: s.Permits, width: 1.5, style: "solid"})
	add(line{id: "inflight", name: "in flight", colour: func(p *Palette) string { return p.Calls }, values: s.InFlight, width: 1.5, style: "dotted"})
	add(line{id: "ceiling", name: "measured ceiling", colour: func(p *Palette) string { return p.Ratio }, values: scaled(s.Ceiling, 1e-6), width: 2, style: "dashed", second: true, gap: true})
	add(line{id: "queue", name: "pool queue", colour: func(p *Palette) string { return p.Lost }, values: scaled(s.Queue, 1e-6), width: 1.5, style: "solid", second: true})
	return c
}

func scaled(values []float64, by float64) []float64 {
	out := make([]float64, len(values))
	for i, v := range values {
		out[i] = v * by
	}
	return out
}

// filled has a number for every second: a stack must not have holes.
func filled(values []float64, length int) []float64 {
	out := make([]float64, length)
	copy(out, values)
	return out
}

// Alternative says in a sentence what a chart shows, for those who do not see it.
func (c *Chart) Alternative() string {
	text := c.About
	for _, l := range c.lines {
		low, high, at, seen := 0.0, 0.0, 0, false
		for i, v := range l.values {
			if v != v || l.gap && v == 0 {
				continue
			}
			if !seen || v < low {
				low = v
			}
			if !seen || v > high {
				high, at = v, i
			}
			seen = true
		}
		if seen {
			text += " " + l.name + ": from " + short(low) + " to " + short(high) + ", highest at " + view.Clock(at) + "."
		}
	}
	return text
}

func short(x float64) string { return strconv.FormatFloat(x, 'g', 4, 64) }

// Units says what the axes count, for the caption.
func (c *Chart) Units() string {
	if c.right == "" {
		return c.left
	}
	return c.left + " · right: " + c.right
}
