// Package charts turns the per-second numbers of a run into options of ECharts. It is the only
// user of go-echarts.
//
// A chart is given in two parts, because go-echarts takes milliseconds and a person who drags a
// slider has sixteen: the option, which changes with the theme and with which series there are, and
// the update, which has the numbers and is written by hand.
package charts

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"

	"github.com/go-echarts/go-echarts/v2/charts"
	"github.com/go-echarts/go-echarts/v2/opts"

	"squall/site/view"
)

// Palette are the colours of a theme. The series' colours keep apart for people who do not see red
// or green, in the light and in the dark, and their lines are drawn differently too.
type Palette struct {
	Ink, Faint, Line, Panel, Shade         string
	Calls, Attempts, Ratio                 string
	Succeeded                              string
	Budget, Breaker, Deadline, Spent, Lost string
	// Large makes letters and margins of a size for a very wide page.
	Large bool
}

// size is a length in pixels, for the page that the palette is of.
func (p *Palette) size(pixels float32) float32 {
	if p.Large {
		return pixels * 1.4
	}
	return pixels
}

func (p *Palette) margin(pixels float32) string { return strconv.Itoa(int(p.size(pixels))) }

// Light and Dark are the two palettes of the page.
var (
	Light = Palette{
		Ink: "#1b2733", Faint: "#52616f", Line: "#d8dfe6", Panel: "#ffffff", Shade: "rgba(201,92,0,0.11)",
		Calls: "#7a8794", Attempts: "#0f5ea8", Ratio: "#c95c00",
		Succeeded: "#9cc3e6", Budget: "#c95c00", Breaker: "#7a2e8e", Deadline: "#1b2733", Spent: "#e3a008", Lost: "#a31621",
	}
	Dark = Palette{
		Ink: "#e6edf3", Faint: "#9aa9b8", Line: "#2c3947", Panel: "#18212b", Shade: "rgba(255,160,70,0.13)",
		Calls: "#8b98a5", Attempts: "#5cb0ff", Ratio: "#ff9d42",
		Succeeded: "#2f6ea5", Budget: "#ff9d42", Breaker: "#cf8fe2", Deadline: "#e6edf3", Spent: "#f2c14e", Lost: "#ff7b84",
	}
)

// Chart is one of the charts of a run.
type Chart struct {
	// ID names it in the page, Title and About head it; About says in a sentence what is drawn.
	ID, Title, About string
	lines            []line
	// right is the unit of the second axis, "" without one; log makes the first one logarithmic.
	left, right string
	log         bool
	spans       []view.Span
	length      int
}

// line is one series.
type line struct {
	id, name string
	colour   func(*Palette) string
	values   []float64
	second   bool // on the right axis
	stack    string
	style    string // "solid", "dashed", "dotted"
	step     bool
	width    float32
	gap      bool // 0 means nothing was measured
}

// Shape tells two charts apart that need different options: equal shapes need only an update.
func (c *Chart) Shape() string {
	b := []byte(c.ID)
	for _, l := range c.lines {
		b = append(append(b, ' '), l.id...)
	}
	return string(b)
}

// Option is the chart without numbers, as JSON.
func (c *Chart) Option(p *Palette) []byte {
	l := charts.NewLine()
	l.SetGlobalOptions(
		charts.WithAnimation(false),
		charts.WithInitializationOpts(opts.Initialization{Theme: "squall"}),
		charts.WithTooltipOpts(opts.Tooltip{
			Show: opts.Bool(true), Trigger: "axis", BackgroundColor: p.Panel, BorderColor: p.Line,
			AxisPointer: &opts.AxisPointer{Type: "line"},
		}),
		charts.WithLegendOpts(opts.Legend{
			Show: opts.Bool(true), Type: "scroll", Top: "0", Left: "0", ItemWidth: 16, ItemHeight: 4, Icon: "rect", TextStyle: &opts.TextStyle{Color: p.Ink, FontSize: int(p.size(12))},
		}),
		charts.WithGridOpts(opts.Grid{Left: p.margin(44), Right: p.margin(44), Top: p.margin(38), Bottom: p.margin(24)}),
		charts.WithXAxisOpts(opts.XAxis{
			Type: "category", SplitLine: &opts.SplitLine{Show: opts.Bool(false)}, AxisLabel: label(p),
		}),
		charts.WithYAxisOpts(c.axis(p, false)),
		charts.WithDataZoomOpts(opts.DataZoom{Type: "inside", FilterMode: "none", Throttle: 30, XAxisIndex: []int{0, 1}}),
	)
	// Seconds are names on the first axis, because only names can be stacked over; what was wrong
	// is shaded on a second one, which has fractions of them.
	l.ExtendXAxis(opts.XAxis{Type: "value", Show: opts.Bool(false)})
	if c.right != "" {
		l.ExtendYAxis(c.axis(p, true))
	}
	for _, s := range c.lines {
		axis := 0
		if s.second {
			axis = 1
		}
		chart := opts.LineChart{ShowSymbol: opts.Bool(false), YAxisIndex: axis, Stack: s.stack}
		if s.step {
			chart.Step = "end"
		}
		colour := s.colour(p)
		options := []charts.SeriesOpts{
			charts.WithSeriesId(s.id), charts.WithLineChartOpts(chart),
			charts.WithLineStyleOpts(opts.LineStyle{Color: colour, Width: s.width, Type: s.style}),
			charts.WithItemStyleOpts(opts.ItemStyle{Color: colour}),
		}
		if s.stack != "" {
			// no line: of a part that is empty it would still be drawn, along the others
			options = append(options, charts.WithAreaStyleOpts(opts.AreaStyle{Color: colour, Opacity: opts.Float(0.8)}),
				charts.WithLineStyleOpts(opts.LineStyle{Color: colour, Opacity: opts.Float(0)}))
		}
		l.AddSeries(s.name, nil, options...)
	}
	l.AddSeries("", nil, charts.WithSeriesId(spansID), charts.WithLineChartOpts(opts.LineChart{XAxisIndex: 1}))
	return optionJSON(l)
}

// spansID is the series that carries the shading and has no numbers.
const spansID = "spans"

func (c *Chart) axis(p *Palette, right bool) opts.YAxis {
	axis := opts.YAxis{
		Type: "value", AxisLabel: label(p),
		SplitLine: &opts.SplitLine{Show: opts.Bool(!right), LineStyle: &opts.LineStyle{Color: p.Line}},
	}
	if right {
		axis.Position = "right"
	} else if c.log {
		axis.Type = "log"
	}
	return axis
}

func label(p *Palette) *opts.AxisLabel {
	return &opts.AxisLabel{Color: p.Faint, FontSize: int(p.size(11)), HideOverlap: opts.Bool(true)}
}

// Update is the numbers of the chart, as JSON to be merged into its option.
func (c *Chart) Update(p *Palette) []byte {
	b := make([]byte, 0, 16<<10)
	b = append(b, `{"xAxis":[{"boundaryGap":false,"axisLabel":{"interval":`...)
	b = strconv.AppendInt(b, int64(labelEvery(c.length)-1), 10)
	b = append(b, `},"data":[`...)
	for x := range c.length {
		if x > 0 {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(append(b, view.Clock(x)...), '"')
	}
	b = append(b, `]},{"min":0,"max":`...)
	b = strconv.AppendInt(b, int64(max(c.length-1, 1)), 10)
	b = append(b, `}],`...)
	if c.right == "×" {
		b = append(b, `"yAxis":[{},{"max":`...)
		b = append(strconv.AppendFloat(b, c.ratioMost(), 'g', 6, 64), `}],`...)
	}
	b = append(b, `"series":[`...)
	for _, l := range c.lines {
		b = append(b, `{"id":"`...)
		b = append(b, l.id...)
		b = append(b, `","data":[`...)
		for x := range c.length {
			if x > 0 {
				b = append(b, ',')
			}
			b = appendNumber(b, l, x)
		}
		b = append(b, `]},`...)
	}
	b = append(b, `{"id":"`+spansID+`"`...)
	b = c.appendSpans(b, p)
	return append(b, `}]}`...)
}

// ratioMost is the end of the axis of amplification: so far above what was measured that its line runs
// in the lower half, below those of calls and attempts, on which it would lie otherwise.
func (c *Chart) ratioMost() float64 {
	most := 0.0
	for _, l := range c.lines {
		if l.second {
			for _, v := range l.values {
				if v > most { // never for a second without calls, which is no number
					most = v
				}
			}
		}
	}
	for scale := 1.0; scale < 1e12; scale *= 10 {
		for _, end := range []float64{2, 3, 4, 5, 6, 8, 10, 15} {
			if end*scale >= 1.7*most {
				return end * scale
			}
		}
	}
	return most
}

// labelEvery is how many seconds apart the labels of the time axis are: a round number, and no more
// than ten of them.
func labelEvery(length int) int {
	for _, step := range []int{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1200, 1800, 3600} {
		if length <= 10*step {
			return step
		}
	}
	return 2 * 3600 * (1 + length/(20*3600))
}

func appendNumber(b []byte, l line, x int) []byte {
	if x >= len(l.values) {
		return append(b, "null"...)
	}
	v := l.values[x]
	if math.IsNaN(v) || math.IsInf(v, 0) || l.gap && v == 0 {
		return append(b, "null"...)
	}
	return strconv.AppendFloat(b, v, 'g', 6, 64)
}

// appendSpans shades what was wrong.
func (c *Chart) appendSpans(b []byte, p *Palette) []byte {
	b = append(b, `,"markArea":{"silent":true,"itemStyle":{"color":"`...)
	b = append(b, p.Shade...)
	b = append(b, `"},"label":{"position":"top","distance":3,"fontSize":`...)
	b = strconv.AppendInt(b, int64(p.size(11)), 10)
	b = append(b, `,"color":"`...)
	b = append(b, p.Faint...)
	b = append(b, `"},"data":[`...)
	for i, s := range c.spans {
		if i > 0 {
			b = append(b, ',')
		}
		name, _ := json.Marshal(s.Label())
		b = append(b, `[{"name":`...)
		b = append(b, name...)
		b = append(b, `,"xAxis":`...)
		b = strconv.AppendFloat(b, float64(s.FromNs)/1e9, 'g', 8, 64)
		b = append(b, `},{"xAxis":`...)
		b = strconv.AppendFloat(b, min(float64(s.ToNs)/1e9, float64(max(c.length-1, 1))), 'g', 8, 64) // the end of the run at the latest
		b = append(b, `}]`...)
	}
	return append(b, `]}`...)
}

// optionJSON is an option without the renderer of go-echarts: it would bring HTML templates along.
func optionJSON(l *charts.Line) []byte {
	l.Validate()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(l.JSON()); err != nil {
		return []byte("{}")
	}
	var option any
	if err := json.Unmarshal(b.Bytes(), &option); err != nil {
		return []byte("{}")
	}
	out, err := json.Marshal(withoutNull(option))
	if err != nil {
		return []byte("{}")
	}
	return out
}

// withoutNull drops keys without a value: ECharts takes null for a wish.
func withoutNull(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for k, e := range x {
			if e == nil {
				delete(x, k)
			} else {
				x[k] = withoutNull(e)
			}
		}
	case []any:
		for i := range x {
			x[i] = withoutNull(x[i])
		}
	}
	return v
}
