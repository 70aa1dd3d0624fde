package api

import (
	"math"
	"strconv"
	"strings"

	"squall/site/view"
)

// chart is what the picture of a link shows: calls, attempts and failed calls a second.
type chart struct {
	DurationNs int64 `json:"durationNs"`
	// Seconds is how long one point is the mean of.
	Seconds int       `json:"seconds"`
	Calls   []float64 `json:"calls"`
	Reached []float64 `json:"reached"`
	Failed  []float64 `json:"failed"`
	Spans   []span    `json:"spans"`
}

// span is a stretch in which something was wrong.
type span struct {
	Label  string `json:"label"`
	FromNs int64  `json:"fromNs"`
	ToNs   int64  `json:"toNs"`
}

// pointsMax is how many points a line of the picture has, spansMax how many stretches are shaded.
const pointsMax, spansMax = 240, 40

func newChart(run *view.Run, s *view.Subject, series *view.Series) chart {
	n := max(len(series.Calls), len(series.Reached), 1)
	each := (n + pointsMax - 1) / pointsMax
	c := chart{DurationNs: run.DurationNs, Seconds: each}
	for i := 0; i < n; i += each {
		var calls, reached, failed float64
		width := float64(min(each, n-i))
		for k := i; k < min(i+each, n); k++ {
			calls += view.At(series.Calls, k)
			reached += view.At(series.Reached, k)
			failed += series.Failed(k)
		}
		c.Calls = append(c.Calls, tenth(calls/width))
		c.Reached = append(c.Reached, tenth(reached/width))
		c.Failed = append(c.Failed, tenth(failed/width))
	}
	for _, m := range run.World.Spans(s.From, s.To) {
		if len(c.Spans) < spansMax {
			c.Spans = append(c.Spans, span{m.Label(), m.FromNs, m.ToNs})
		}
	}
	return c
}

func tenth(x float64) float64 { return math.Round(x*10) / 10 }

// The picture is as large as previews like it; the plot is a box in it.
const (
	pictureWidth, pictureHeight                  = 1200, 630
	plotLeft, plotTop, plotRight, plotBottom     = 90, 300, 1150, 560
	ink, faint, line, accent, warn, shade, paper = "#1b2733", "#52616f", "#d8dfe6", "#0f5ea8", "#b04a00", "#fdf1e6", "#ffffff"
)

// svg draws a link: its title, its finding, four numbers, and the lines.
func (k *record) svg() string {
	var b strings.Builder
	b.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 630" width="1200" height="630" role="img" font-family="system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif">`)
	b.WriteString(`<title>` + escape(k.title(), 200) + `</title><desc>` + escape(k.Finding, 600) + `</desc>`)
	b.WriteString(`<rect width="1200" height="630" fill="` + paper + `"/>`)
	write := func(x, y float64, size, fill, more, text string) {
		b.WriteString(`<text x="` + number(x) + `" y="` + number(y) + `" font-size="` + size + `" fill="` + fill + `"` + more + `>` + text + `</text>`)
	}
	write(50, 70, "40", ink, ` font-weight="600"`, escape(k.title(), 50))
	for i, words := range wrap(k.Finding, 88, 2) {
		write(50, 115+float64(i)*32, "24", ink, "", escape(words, 90))
	}
	for i, f := range k.Figures[:min(len(k.Figures), 5)] {
		x := 50 + float64(i)*225
		fill := ink
		if f.Bad {
			fill = warn
		}
		write(x, 215, "36", fill, ` font-weight="600"`, escape(f.Value, 12))
		write(x, 243, "18", faint, "", escape(f.Label, 22))
	}
	k.Chart.draw(&b, write)
	write(50, 612, "18", faint, "", escape("squall "+k.Engine+"   "+k.Call, 60))
	b.WriteString(`</svg>`)
	return b.String()
}

func (c *chart) draw(b *strings.Builder, write func(x, y float64, size, fill, more, text string)) {
	top := 1.0
	for i := range c.Reached {
		top = max(top, c.Reached[i], at(c.Calls, i))
	}
	total := max(float64(len(c.Reached)*c.Seconds), 1)
	across := func(seconds float64) float64 {
		return plotLeft + (plotRight-plotLeft)*min(max(seconds/total, 0), 1)
	}
	up := func(rate float64) float64 { return plotBottom - (plotBottom-plotTop)*min(max(rate/top, 0), 1) }

	for _, s := range c.Spans {
		from, to := across(float64(s.FromNs)/1e9), across(float64(s.ToNs)/1e9)
		b.WriteString(`<rect x="` + number(from) + `" y="` + number(plotTop) + `" width="` + number(max(to-from, 2)) + `" height="` + number(plotBottom-plotTop) + `" fill="` + shade + `"/>`)
		write(from+6, plotTop+20, "17", warn, "", escape(s.Label, 24))
	}
	for i := range 3 {
		rate := top * float64(i) / 2
		b.WriteString(`<line x1="90" x2="1150" y1="` + number(up(rate)) + `" y2="` + number(up(rate)) + `" stroke="` + line + `"/>`)
		write(80, up(rate)+6, "17", faint, ` text-anchor="end"`, escape(view.Integer(int64(math.Round(min(rate, 1e15)))), 16))
	}
	for i := range 5 {
		second := total * float64(i) / 4
		write(across(second), plotBottom+24, "17", faint, ` text-anchor="middle"`, view.Clock(int(min(second, 1e9))))
	}
	path := func(series []float64) string {
		var p strings.Builder
		for i := range series {
			if i > 0 {
				p.WriteByte(' ')
			}
			p.WriteString(number(across((float64(i)+0.5)*float64(c.Seconds))) + "," + number(up(series[i])))
		}
		return p.String()
	}
	if n := len(c.Failed); n > 0 {
		b.WriteString(`<polygon points="` + number(across(0.5*float64(c.Seconds))) + "," + number(plotBottom) + " " + path(c.Failed) + " " +
			number(across((float64(n)-0.5)*float64(c.Seconds))) + "," + number(plotBottom) + `" fill="` + warn + `" fill-opacity="0.45"/>`)
	}
	b.WriteString(`<polyline points="` + path(c.Calls) + `" fill="none" stroke="` + faint + `" stroke-width="2"/>`)
	b.WriteString(`<polyline points="` + path(c.Reached) + `" fill="none" stroke="` + accent + `" stroke-width="3"/>`)
	for i, entry := range []struct{ fill, text string }{{faint, "calls a second"}, {accent, "attempts that arrived"}, {warn, "failed calls"}} {
		x := 90 + float64(i)*240
		b.WriteString(`<rect x="` + number(x) + `" y="272" width="18" height="6" fill="` + entry.fill + `"/>`)
		write(x+26, 281, "18", faint, "", entry.text)
	}
}

func at(series []float64, i int) float64 {
	if i < len(series) {
		return series[i]
	}
	return 0
}

// number is a coordinate with a tenth of a pixel.
func number(x float64) string { return strconv.FormatFloat(tenth(x), 'f', -1, 64) }

// wrap breaks a text into at most so many lines of about so many letters; what is too long ends in
// an ellipsis.
func wrap(text string, width, most int) []string {
	var lines []string
	current := ""
	for _, word := range strings.Fields(text) {
		switch {
		case current == "":
			current = word
		case len([]rune(current))+1+len([]rune(word)) <= width:
			current += " " + word
		case len(lines) == most-1:
			return append(lines, current+" …")
		default:
			lines = append(lines, current)
			current = word
		}
	}
	if current != "" {
		lines = append(lines, current)
	}
	return lines
}
