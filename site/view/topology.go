package view

import (
	"math"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"squall/engine/document"
)

// Topology is a graph that was laid out, left to right: who calls whom.
type Topology struct {
	Width, Height float64
	Nodes         []TopologyNode
	Edges         []TopologyEdge
	// Crowded tells that there are so many nodes that less is said of each.
	Crowded bool
}

// TopologyNode is a service or dependency; X and Y are its middle.
type TopologyNode struct {
	Name, Label         string
	Leaf, Entry         bool
	X, Y, Width, Height float64
}

// TopologyEdge is a call. Path is the SVG path of its line up to where its arrow begins, X and Y the
// place of its label. The arrow points to the right and ends at TipX, TipY.
type TopologyEdge struct {
	Name, From, To, Path string
	X, Y                 float64
	TipX, TipY           float64
}

// ArrowLength is how long the arrow of an edge is.
const ArrowLength = 10

// Arrow is the SVG path of the edge's arrow, for a line of some thickness.
func (e *TopologyEdge) Arrow(thick float64) string {
	half, back := thick/2+3.5, fixed(e.TipX-ArrowLength)
	return "M" + fixed(e.TipX) + " " + fixed(e.TipY) + "L" + back + " " + fixed(e.TipY-half) + "L" + back + " " + fixed(e.TipY+half) + "z"
}

// nodeHeight fits two lines.
const nodeHeight = 46

// labelMost is how many letters of a name a node shows; in a crowded graph it shows fewer.
const (
	labelMost    = 22
	labelCrowded = 16
	crowd        = 12 // nodes
)

// NewTopology lays out the graph of a run. The function layout places boxes and lines (JSON in,
// JSON out; see site/js/charts.mjs).
func NewTopology(r *Run, layout func(json string) string) Topology {
	t := Topology{Crowded: len(r.Services) > crowd}
	letters, narrow, wide := labelMost, 122.0, 8.3
	b := []byte(`{"nodeGap":26,"edgeGap":12,"rankGap":64,"label":{"width":46,"height":14},"nodes":[`)
	if t.Crowded {
		letters, narrow, wide = labelCrowded, 108, 7.7
		b = []byte(`{"nodeGap":12,"edgeGap":4,"rankGap":24,"label":{"width":30,"height":2},"nodes":[`)
	}
	for i := range r.Services {
		s := &r.Services[i]
		n := TopologyNode{Name: s.Name, Label: shortened(s.Name, letters), Leaf: s.Leaf, Entry: s.Entry, Height: nodeHeight}
		n.Width = math.Max(narrow, 18+wide*float64(len([]rune(n.Label))))
		t.Nodes = append(t.Nodes, n)
		if i > 0 {
			b = append(b, ',')
		}
		b = document.AppendText(append(b, `{"id":`...), s.Name)
		b = append(b, `,"width":`+strconv.FormatFloat(n.Width, 'f', 1, 64)+`,"height":`+strconv.Itoa(nodeHeight)+`}`...)
	}
	b = append(b, `],"edges":[`...)
	for i := range r.Calls {
		c := &r.Calls[i]
		t.Edges = append(t.Edges, TopologyEdge{Name: c.Name, From: c.From, To: c.To})
		if i > 0 {
			b = append(b, ',')
		}
		b = document.AppendText(append(b, `{"from":`...), c.From)
		b = append(document.AppendText(append(b, `,"to":`...), c.To), '}')
	}
	b = append(b, `]}`...)
	placed := gjson.Parse(layout(string(b)))
	t.Width, t.Height = placed.Get("width").Num, placed.Get("height").Num
	for i, p := range placed.Get("nodes").Array() {
		if i < len(t.Nodes) {
			t.Nodes[i].X, t.Nodes[i].Y = p.Get("x").Num, p.Get("y").Num
		}
	}
	for i, p := range placed.Get("edges").Array() {
		if i < len(t.Edges) {
			t.Edges[i].X, t.Edges[i].Y = p.Get("x").Num, p.Get("y").Num
			from, to := t.node(t.Edges[i].From), t.node(t.Edges[i].To)
			if from != nil && to != nil {
				t.Edges[i].draw(from, to, p.Get("points").Array())
			}
		}
	}
	return t
}

func (t *Topology) node(name string) *TopologyNode {
	for i := range t.Nodes {
		if t.Nodes[i].Name == name {
			return &t.Nodes[i]
		}
	}
	return nil
}

func shortened(name string, most int) string {
	letters := []rune(name)
	if len(letters) <= most {
		return name
	}
	return string(letters[:most-1]) + "…"
}

// draw makes a smooth line from the right side of a node to the left side of another, through the
// bends of an edge. It is level wherever it bends, so that lines flow from left to right.
func (e *TopologyEdge) draw(from, to *TopologyNode, bends []gjson.Result) {
	x, y := from.X+from.Width/2, from.Y
	e.TipX, e.TipY = to.X-to.Width/2, to.Y
	var b strings.Builder
	b.WriteString("M" + fixed(x) + " " + fixed(y))
	line := func(toX, toY float64) {
		middle := fixed((x + toX) / 2)
		b.WriteString(" C" + middle + " " + fixed(y) + " " + middle + " " + fixed(toY) + " " + fixed(toX) + " " + fixed(toY))
		x, y = toX, toY
	}
	end := e.TipX - ArrowLength + 1
	for i, p := range bends {
		// the first and the last are where the line would meet the boxes
		if at := p.Get("x").Num; i > 0 && i < len(bends)-1 && at > x+1 && at < end-1 {
			line(at, p.Get("y").Num)
		}
	}
	line(end, e.TipY)
	e.Path = b.String()
}

func fixed(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

// Moving are the numbers of a subject in one second, or over the whole run.
type Moving struct {
	Availability, P99 string
	Calls, Attempts   float64 // a second
	Ratio             float64 // attempts a call
	Failing           float64 // the part of its calls that failed
	Bad               bool
}

// InSecond is what a subject did in a second; a negative second is the whole run.
func InSecond(s *Subject, series *Series, second int, durationNs int64) Moving {
	m := &s.Measured
	if second < 0 {
		seconds := math.Max(float64(durationNs)/1e9, 1)
		return Moving{
			Availability: Percent(m.Availability), P99: Duration(m.P99), Failing: 1 - m.Availability,
			Calls: float64(m.Calls) / seconds, Attempts: float64(m.Reached) / seconds, Ratio: m.LoadMultiplier,
			Bad: m.Availability < 0.99,
		}
	}
	good, bad := At(series.Succeeded, second), series.Failed(second)
	out := Moving{
		Availability: "–", P99: "–",
		Calls: At(series.Calls, second), Attempts: At(series.Reached, second), Ratio: series.Amplification(second),
	}
	if good+bad > 0 {
		out.Availability = Percent(good / (good + bad))
		out.Failing = bad / (good + bad)
		out.Bad = out.Failing > 0.01
	}
	if p := At(series.P99, second); p > 0 {
		out.P99 = Duration(int64(p))
	}
	return out
}

// Ill tells whether something is wrong with a dependency, or with the pool of a service, in a second;
// in a negative second, whether anything ever is.
func (w *World) Ill(name string, second int) bool {
	var spans []Span
	if l := w.Leaf(name); l != nil {
		spans = l.Impairments
	}
	for _, s := range w.Stalls {
		if s.At == name {
			spans = append(spans[:len(spans):len(spans)], s)
		}
	}
	from := int64(second) * 1e9
	for _, s := range spans {
		if second < 0 || s.FromNs < from+1e9 && s.ToNs > from {
			return true
		}
	}
	return false
}
