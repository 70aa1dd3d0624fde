package measure

import (
	"math"
	"slices"
	"strconv"

	"squall/engine/ticks"
)

// Band is what several seeds of one scenario measured (simulator.md 12).
type Band struct {
	Engine   string
	Seeds    []int32
	Reports  []*Report
	Calls    []CallBand
	Services []ServiceBand
}

// CallBand is the bands of one declared call.
type CallBand struct {
	From, To string
	Band     Bands
}

// ServiceBand is the bands of one service or leaf.
type ServiceBand struct {
	Name string
	Band Bands
}

// Bands has one range for each scalar of a report.
type Bands struct {
	Calls, Succeeded, Failed, Reached, RefusedByLimiter Range
	Availability, LoadMultiplier, Amplification         Range
	P50, P90, P95, P99, P999, Max                       TimeRange
	BreakerOpens                                        Range
	// TimeToRecover is over the runs that recovered; it counts only when Recovered > 0.
	TimeToRecover TimeRange
	Recovered     int
	Runs          int
}

// Range is the median of some values, always one of them, and their ends.
type Range struct{ Median, Minimum, Maximum float64 }

// TimeRange is a Range of times.
type TimeRange struct{ Median, Minimum, Maximum ticks.Ticks }

// Spread is how far the ends are apart.
func (r Range) Spread() float64 { return r.Maximum - r.Minimum }

// Spread is how far the ends are apart.
func (r TimeRange) Spread() ticks.Ticks { return r.Maximum - r.Minimum }

// Separates says that no value of one range lies within the other; touching ranges do not separate.
func (r Range) Separates(other Range) bool {
	return r.Minimum > other.Maximum || r.Maximum < other.Minimum
}

// Separates says that no value of one range lies within the other; touching ranges do not separate.
func (r TimeRange) Separates(other TimeRange) bool {
	return r.Minimum > other.Maximum || r.Maximum < other.Minimum
}

// RangeOf is the range of at least one value.
func RangeOf(values []float64) Range {
	v := slices.Clone(values)
	slices.Sort(v)
	return Range{v[lowerMiddle(len(v))], v[0], v[len(v)-1]}
}

// TimeRangeOf is the range of at least one time.
func TimeRangeOf(values []ticks.Ticks) TimeRange {
	v := slices.Clone(values)
	slices.Sort(v)
	return TimeRange{v[lowerMiddle(len(v))], v[0], v[len(v)-1]}
}

func lowerMiddle(n int) int { return min(max((n+1)/2-1, 0), n-1) }

// NewBand puts the reports of one scenario together, at least one, in the order of their seeds.
func NewBand(reports []*Report) *Band {
	first := reports[0]
	b := &Band{Engine: first.Engine, Reports: reports}
	for _, r := range reports {
		b.Seeds = append(b.Seeds, r.Seed)
	}
	each := make([]*Measured, len(reports))
	for i, c := range first.Calls {
		for k, r := range reports {
			each[k] = &r.Calls[i].Measured
		}
		b.Calls = append(b.Calls, CallBand{c.From, c.To, bandsOf(each)})
	}
	for i, s := range first.Services {
		for k, r := range reports {
			each[k] = &r.Services[i].Measured
		}
		b.Services = append(b.Services, ServiceBand{s.Name, bandsOf(each)})
	}
	return b
}

func bandsOf(runs []*Measured) Bands {
	of := func(value func(*Measured) float64) Range {
		v := make([]float64, len(runs))
		for i, m := range runs {
			v[i] = value(m)
		}
		return RangeOf(v)
	}
	count := func(value func(*Measured) int) Range {
		return of(func(m *Measured) float64 { return float64(value(m)) })
	}
	times := func(value func(*Measured) ticks.Ticks) TimeRange {
		v := make([]ticks.Ticks, len(runs))
		for i, m := range runs {
			v[i] = value(m)
		}
		return TimeRangeOf(v)
	}
	b := Bands{
		Calls:            count(func(m *Measured) int { return m.Calls }),
		Succeeded:        count(func(m *Measured) int { return m.Succeeded }),
		Failed:           count((*Measured).Failed),
		Reached:          count(func(m *Measured) int { return m.Reached }),
		RefusedByLimiter: count(func(m *Measured) int { return m.RefusedByLimiter }),
		Availability:     of((*Measured).Availability),
		LoadMultiplier:   of((*Measured).LoadMultiplier),
		Amplification:    of(func(m *Measured) float64 { return m.Amplification }),
		P50:              times(func(m *Measured) ticks.Ticks { return m.Latency.P50 }),
		P90:              times(func(m *Measured) ticks.Ticks { return m.Latency.P90 }),
		P95:              times(func(m *Measured) ticks.Ticks { return m.Latency.P95 }),
		P99:              times(func(m *Measured) ticks.Ticks { return m.Latency.P99 }),
		P999:             times(func(m *Measured) ticks.Ticks { return m.Latency.P999 }),
		Max:              times(func(m *Measured) ticks.Ticks { return m.Latency.Max }),
		BreakerOpens:     count((*Measured).BreakerOpens),
		Runs:             len(runs),
	}
	var recovered []ticks.Ticks
	for _, m := range runs {
		if m.Recovered {
			recovered = append(recovered, m.TimeToRecover)
		}
	}
	if b.Recovered = len(recovered); b.Recovered > 0 {
		b.TimeToRecover = TimeRangeOf(recovered)
	}
	return b
}

// On is the band of one declared call, nil if there is no such call.
func (b *Band) On(from, to string) *Bands {
	for i := range b.Calls {
		if c := &b.Calls[i]; c.From == from && c.To == to {
			return &c.Band
		}
	}
	return nil
}

// At is the band of one service or leaf, nil if there is none of that name.
func (b *Band) At(service string) *Bands {
	for i := range b.Services {
		if s := &b.Services[i]; s.Name == service {
			return &s.Band
		}
	}
	return nil
}

// AppendJSON appends the band of scenario.md 9 in canonical form.
func (b *Band) AppendJSON(out []byte) []byte {
	out = append(out, `{"squall":1,"engine":`...)
	out = append(AppendText(out, b.Engine), `,"seeds":[`...)
	for i, seed := range b.Seeds {
		out = strconv.AppendInt(comma(out, i), int64(seed), 10)
	}
	out = append(out, `],"runs":[`...)
	for i, r := range b.Reports {
		out = r.AppendJSON(comma(out, i))
	}
	return append(b.appendBands(append(out, `],`...)), '}')
}

// AppendBands appends only what the seeds have in common: {"calls", "services"}.
func (b *Band) AppendBands(out []byte) []byte {
	return append(b.appendBands(append(out, '{')), '}')
}

func (b *Band) appendBands(out []byte) []byte {
	out = append(out, `"calls":[`...)
	for i := range b.Calls {
		c := &b.Calls[i]
		out = append(comma(out, i), `{"from":`...)
		out = append(AppendText(out, c.From), `,"to":`...)
		out = append(AppendText(out, c.To), `,"band":`...)
		out = append(c.Band.appendJSON(out), '}')
	}
	out = append(out, `],"services":[`...)
	for i := range b.Services {
		s := &b.Services[i]
		out = append(comma(out, i), `{"name":`...)
		out = append(AppendText(out, s.Name), `,"band":`...)
		out = append(s.Band.appendJSON(out), '}')
	}
	return append(out, ']')
}

func (b *Bands) appendJSON(out []byte) []byte {
	out = b.Calls.appendJSON(append(out, `{"calls":`...))
	out = b.Succeeded.appendJSON(append(out, `,"succeeded":`...))
	out = b.Failed.appendJSON(append(out, `,"failed":`...))
	out = b.Reached.appendJSON(append(out, `,"reached":`...))
	out = b.RefusedByLimiter.appendJSON(append(out, `,"refusedByLimiter":`...))
	out = b.Availability.appendJSON(append(out, `,"availability":`...))
	out = b.LoadMultiplier.appendJSON(append(out, `,"loadMultiplier":`...))
	out = b.Amplification.appendJSON(append(out, `,"amplification":`...))
	out = b.P50.appendJSON(append(out, `,"latencyNs":{"p50":`...))
	out = b.P90.appendJSON(append(out, `,"p90":`...))
	out = b.P95.appendJSON(append(out, `,"p95":`...))
	out = b.P99.appendJSON(append(out, `,"p99":`...))
	out = b.P999.appendJSON(append(out, `,"p999":`...))
	out = b.Max.appendJSON(append(out, `,"max":`...))
	out = b.BreakerOpens.appendJSON(append(out, `},"breakerOpens":`...))
	out = append(out, `,"timeToRecoverNs":`...)
	if b.Recovered > 0 {
		out = b.TimeToRecover.appendJSON(out)
	} else {
		out = append(out, "null"...)
	}
	return append(appendInt(out, `,"recovered":`, b.Recovered), '}')
}

func (r Range) appendJSON(b []byte) []byte {
	b = appendFloat(b, `{"median":`, r.Median)
	b = appendFloat(b, `,"minimum":`, r.Minimum)
	return append(appendFloat(b, `,"maximum":`, r.Maximum), '}')
}

func (r TimeRange) appendJSON(b []byte) []byte {
	b = appendTime(b, `{"median":`, r.Median)
	b = appendTime(b, `,"minimum":`, r.Minimum)
	return append(appendTime(b, `,"maximum":`, r.Maximum), '}')
}

// String is median (minimum-maximum) with three decimals.
func (r Range) String() string {
	b := strconv.AppendFloat(nil, r.Median, 'f', 3, 64)
	b = strconv.AppendFloat(append(b, " ("...), r.Minimum, 'f', 3, 64)
	b = strconv.AppendFloat(append(b, '-'), r.Maximum, 'f', 3, 64)
	return string(append(b, ')'))
}

// String is median (minimum-maximum).
func (r TimeRange) String() string {
	b := AppendClock(nil, r.Median)
	b = AppendClock(append(b, " ("...), r.Minimum)
	b = AppendClock(append(b, '-'), r.Maximum)
	return string(append(b, ')'))
}

// Text is the band as one block: simulator.md 12, of a single run or of a graph.
func (b *Band) Text() string {
	first := b.Reports[0]
	head := "Topology"
	if first.Single {
		head = "Simulation"
	}
	out := AppendClock(append([]byte(head), " over "...), first.Duration)
	out = strconv.AppendInt(append(out, ", "...), int64(len(b.Seeds)), 10)
	out = strconv.AppendInt(append(out, " seeds from "...), int64(b.Seeds[0]), 10)
	out = append(out, '\n')
	line := func(label, value string) { out = append(append(append(out, label...), value...), '\n') }
	recovery := func(s *Bands) string {
		if s.Recovered == 0 {
			return "never"
		}
		return s.TimeToRecover.String()
	}
	recovered := func(s *Bands) string { return strconv.Itoa(s.Recovered) + " of " + strconv.Itoa(s.Runs) }
	if first.Single {
		s := &b.Calls[0].Band
		line("  Calls            ", s.Calls.String())
		line("  Availability     ", s.Availability.String())
		line("  LoadMultiplier   ", s.LoadMultiplier.String())
		line("  Amplification    ", s.Amplification.String())
		line("  Latency p50      ", s.P50.String())
		line("  Latency p99      ", s.P99.String())
		line("  BreakerOpens     ", s.BreakerOpens.String())
		line("  TimeToRecover    ", recovery(s))
		line("  Recovered        ", recovered(s))
		return string(out)
	}
	for _, name := range first.Entries {
		s := b.At(name)
		line("  ", name)
		line("    Requests       ", s.Calls.String())
		line("    Availability   ", s.Availability.String())
		line("    Latency p50    ", s.P50.String())
		line("    Latency p99    ", s.P99.String())
	}
	for i := range b.Calls {
		c := &b.Calls[i]
		out = appendArrow(out, c.From, c.To)
		line("    Calls          ", c.Band.Calls.String())
		line("    Availability   ", c.Band.Availability.String())
		line("    LoadMultiplier ", c.Band.LoadMultiplier.String())
		line("    Amplification  ", c.Band.Amplification.String())
		line("    BreakerOpens   ", c.Band.BreakerOpens.String())
		line("    TimeToRecover  ", recovery(&c.Band))
		line("    Recovered      ", recovered(&c.Band))
	}
	return string(out)
}

// Median is the lower middle of a measure over the runs of a band, for measures that Bands does
// not hold.
func (b *Band) Median(value func(*Report) (float64, bool)) (float64, bool) {
	var v []float64
	for _, r := range b.Reports {
		if x, ok := value(r); ok && !math.IsNaN(x) {
			v = append(v, x)
		}
	}
	if len(v) == 0 {
		return 0, false
	}
	return RangeOf(v).Median, true
}
