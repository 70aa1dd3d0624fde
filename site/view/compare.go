package view

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// Sample is the runs of one variant of a scenario, one a seed.
type Sample struct {
	Name string
	Runs []*Measured
}

// BandRow is one measure of one variant over all seeds. Range, Box and Middle are styles that place
// all of its runs, the middle half of them, and the median; the bars of one measure share a scale.
type BandRow struct {
	Measure, Name, Median, Low, High string
	Range, Box, Middle               string
	Verdict, VerdictClass, Class     string
}

// Alternative is the bar in words.
func (r BandRow) Alternative() string {
	if r.Low == "" {
		return r.Median
	}
	return "from " + r.Low + " to " + r.High + ", median " + r.Median
}

// MeasuredOf is what a report measured of a subject; nil when the report has no such subject.
func MeasuredOf(report gjson.Result, s *Subject) *Measured {
	var found *Measured
	report.Get("calls").ForEach(func(_, c gjson.Result) bool {
		if s.From != "" && c.Get("from").Str == s.From && c.Get("to").Str == s.To {
			m := parseMeasured(c.Get("measured"))
			found = &m
		}
		return found == nil
	})
	report.Get("services").ForEach(func(_, c gjson.Result) bool {
		if s.From == "" && c.Get("name").Str == s.Name {
			m := parseMeasured(c.Get("measured"))
			found = &m
		}
		return found == nil
	})
	return found
}

// measures are what is compared, in the order of a band's text (simulator.md 12).
var measures = []struct {
	name  string
	value func(*Measured) (float64, bool)
	shown func(float64) string
}{
	{"load multiplier", func(m *Measured) (float64, bool) { return m.LoadMultiplier, true }, func(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }},
	{"amplification", func(m *Measured) (float64, bool) { return m.Amplification, true }, func(x float64) string { return strconv.FormatFloat(x, 'f', 3, 64) }},
	{"availability", func(m *Measured) (float64, bool) { return m.Availability, true }, Percent},
	{"p50", func(m *Measured) (float64, bool) { return float64(m.P50), true }, func(x float64) string { return Duration(int64(x)) }},
	{"p99", func(m *Measured) (float64, bool) { return float64(m.P99), true }, func(x float64) string { return Duration(int64(x)) }},
	{"breaker opens", func(m *Measured) (float64, bool) { return float64(m.BreakerOpens), true }, func(x float64) string { return Integer(int64(x)) }},
	{"time to recover", func(m *Measured) (float64, bool) { return float64(m.RecoverNs), m.Recovered }, func(x float64) string { return Duration(int64(x)) }},
}

// CompareBands says for each measure whether each sample can be told from the first one: whether no
// run of either lies within the other.
func CompareBands(samples []Sample) []BandRow {
	var rows []BandRow
	for _, measure := range measures {
		values := make([][]float64, len(samples))
		low, high, any := 0.0, 0.0, false
		for i, s := range samples {
			for _, m := range s.Runs {
				if m == nil {
					continue
				}
				if x, ok := measure.value(m); ok {
					values[i] = append(values[i], x)
					if !any || x < low {
						low = x
					}
					if !any || x > high {
						high = x
					}
					any = true
				}
			}
			slices.Sort(values[i])
		}
		if !any || low == high && low == 0 {
			continue
		}
		for i, s := range samples {
			row := BandRow{Name: s.Name, Class: "more"}
			if i == 0 {
				row.Measure, row.Class = measure.name, "first"
			}
			v := values[i]
			if len(v) == 0 {
				row.Median, row.Verdict, row.VerdictClass = "never", "cannot be compared", "hint"
				if !s.measured() {
					row.Median = "not there"
				}
				if i == 0 {
					row.Verdict = ""
				}
				rows = append(rows, row)
				continue
			}
			median := v[max((len(v)+1)/2-1, 0)]
			row.Median, row.Low, row.High = measure.shown(median), measure.shown(v[0]), measure.shown(v[len(v)-1])
			row.Range, row.Middle = place(v[0], v[len(v)-1], low, high), place(median, median, low, high)
			row.Box = place(v[len(v)/4], v[len(v)-1-len(v)/4], low, high)
			if i > 0 {
				row.Verdict, row.VerdictClass = beside(values[0], v)
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// measured tells whether the sample has what is compared at all.
func (s *Sample) measured() bool {
	for _, m := range s.Runs {
		if m != nil {
			return true
		}
	}
	return false
}

// Findings says in a sentence for each sample but the first what it separates in from that one.
func Findings(rows []BandRow) []string {
	type finding struct{ apart, same []string }
	found := map[string]*finding{}
	var names []string
	measure, base := "", ""
	for _, r := range rows {
		if r.Measure != "" {
			measure, base = r.Measure, r.Median
			continue
		}
		f := found[r.Name]
		if f == nil {
			f = &finding{}
			found[r.Name] = f
			names = append(names, r.Name)
		}
		switch r.VerdictClass {
		case "separates":
			f.apart = append(f.apart, measure+" ("+r.Median+" against "+base+")")
		default:
			f.same = append(f.same, measure)
		}
	}
	var out []string
	for _, name := range names {
		f := found[name]
		switch {
		case len(f.apart) == 0:
			out = append(out, "“"+name+"” cannot be told apart from base in anything.")
		case len(f.same) == 0:
			out = append(out, "“"+name+"” separates from base in "+listed(f.apart)+".")
		default:
			out = append(out, "“"+name+"” separates from base in "+listed(f.apart)+"; it cannot be told apart in "+listed(f.same)+".")
		}
	}
	return out
}

// listed joins words with commas and an "and".
func listed(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

func beside(base, v []float64) (verdict, class string) {
	switch {
	case len(base) == 0:
		return "cannot be compared", "hint"
	case v[0] > base[len(base)-1]:
		return "separates, higher", "separates"
	case v[len(v)-1] < base[0]:
		return "separates, lower", "separates"
	}
	return "cannot tell apart", "hint"
}

// place is the style of a bar from one value to another on a scale.
func place(from, to, low, high float64) string {
	const whole = 1 << 30
	scale := func(x float64) int64 {
		if high == low {
			return whole / 2
		}
		return int64((x - low) / (high - low) * whole)
	}
	return Bar(scale(from), scale(to), 0, whole)
}
