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

// pen writes the elements of a picture.
type pen struct{ strings.Builder }

// text writes escaped text; more are further attributes.
func (p *pen) text(x, y, size float64, fill, more, escaped string) {
	p.WriteString(`<text x="` + number(x) + `" y="` + number(y) + `" font-size="` + number(size) + `" fill="` + fill + `"` + more + `>` + escaped + `</text>`)
}

func (p *pen) box(x, y, width, height float64, fill string) {
	p.WriteString(`<rect x="` + number(x) + `" y="` + number(y) + `" width="` + number(width) + `" height="` + number(height) + `" fill="` + fill + `"/>`)
}

// svg draws a link: its title, its finding, five numbers and the lines; or the lines alone, where the
// words stand beside the picture.
func (k *record) svg(linesAlone bool) string {
	p := &pen{}
	top := 0.0
	if linesAlone {
		top = plotTop - 45
	}
	height := pictureHeight - top
	p.WriteString(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 ` + number(top) + ` 1200 ` + number(height) + `" width="1200" height="` + number(height) +
		`" role="img" font-family="system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif">`)
	p.WriteString(`<title>` + escape(k.title(), 200) + `</title><desc>` + escape(k.Finding, 600) + `</desc>`)
	p.box(0, top, pictureWidth, height, paper)
	if !linesAlone {
		p.text(50, 70, 40, ink, ` font-weight="600"`, escape(k.title(), 50))
		for i, words := range wrap(k.Finding, 84, 2) {
			p.text(50, 115+float64(i)*32, 24, ink, "", escape(words, 90))
		}
		for i, f := range k.Figures[:min(len(k.Figures), 5)] {
			x, fill := 50+float64(i)*225, ink
			if f.Bad {
				fill = warn
			}
			p.text(x, 207, 36, fill, ` font-weight="600"`, escape(f.Value, 12))
			p.text(x, 235, 18, faint, "", escape(f.Label, 22))
		}
	}
	k.Chart.draw(p)
	p.text(50, 612, 18, faint, "", escape("squall "+k.Engine+" · "+k.Call, 80))
	p.WriteString(`</svg>`)
	return p.String()
}

// draw draws the lines: seconds from left to right, calls a second upward.
func (c *chart) draw(p *pen) {
	most := 1.0
	for i := range c.Reached {
		most = max(most, c.Reached[i], at(c.Calls, i))
	}
	step := grid(most * 1.1) // some air for the names of what was wrong
	top := step * math.Ceil(most*1.1/step)
	total := max(float64(len(c.Reached)*c.Seconds), 1)
	across := func(seconds float64) float64 {
		return plotLeft + (plotRight-plotLeft)*min(max(seconds/total, 0), 1)
	}
	up := func(rate float64) float64 { return plotBottom - (plotBottom-plotTop)*min(max(rate/top, 0), 1) }

	for _, s := range c.Spans {
		from, to := across(float64(s.FromNs)/1e9), across(float64(s.ToNs)/1e9)
		p.box(from, plotTop, max(to-from, 2), plotBottom-plotTop, shade)
		p.text(from+6, plotTop+18, 17, warn, "", escape(s.Label, 24))
	}
	for rate := 0.0; rate <= top; rate += step {
		p.WriteString(`<line x1="90" x2="1150" y1="` + number(up(rate)) + `" y2="` + number(up(rate)) + `" stroke="` + line + `"/>`)
		p.text(80, up(rate)+6, 17, faint, ` text-anchor="end"`, escape(view.Integer(int64(min(rate, 1e15))), 20))
	}
	for i := range 5 {
		second := total * float64(i) / 4
		p.text(across(second), plotBottom+24, 17, faint, ` text-anchor="middle"`, view.Clock(int(min(second, 1e9))))
	}
	path := func(series []float64) string {
		points := make([]string, len(series))
		for i := range series {
			points[i] = number(across((float64(i)+0.5)*float64(c.Seconds))) + "," + number(up(series[i]))
		}
		return strings.Join(points, " ")
	}
	if n := float64(len(c.Failed)); n > 0 {
		p.WriteString(`<polygon points="` + number(across(0.5*float64(c.Seconds))) + "," + number(plotBottom) + " " + path(c.Failed) + " " +
			number(across((n-0.5)*float64(c.Seconds))) + "," + number(plotBottom) + `" fill="` + warn + `" fill-opacity="0.45"/>`)
	}
	p.WriteString(`<polyline points="` + path(c.Calls) + `" fill="none" stroke="` + faint + `" stroke-width="2"/>`)
	p.WriteString(`<polyline points="` + path(c.Reached) + `" fill="none" stroke="` + accent + `" stroke-width="3"/>`)
	x := float64(plotLeft)
	for _, entry := range []struct{ fill, text string }{{faint, "calls a second"}, {accent, "attempts that arrived"}, {warn, "failed calls"}} {
		p.box(x, plotTop-28, 18, 6, entry.fill)
		p.text(x+26, plotTop-19, 18, faint, "", entry.text)
		x += 64 + float64(len(entry.text))*9.5
	}
}

// grid is the distance of the lines across: 1, 2 or 5 times a power of ten, at most five of them.
func grid(most float64) float64 {
	for power := 1.0; power < 1e15; power *= 10 {
		for _, step := range []float64{power, 2 * power, 5 * power} {
			if most <= 5*step {
				return step
			}
		}
	}
	return most
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
