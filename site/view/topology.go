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
// place of its label. The arrow ends at TipX, TipY and points to DirX, DirY, of length 1.
type TopologyEdge struct {
	Name, From, To, Path   string
	X, Y                   float64
	TipX, TipY, DirX, DirY float64
}

// ArrowLength is how long the arrow of an edge is.
const ArrowLength = 10

// Arrow is the SVG path of the edge's arrow, for a line of some thickness.
func (e *TopologyEdge) Arrow(thick float64) string {
	half := thick/2 + 3.5
	backX, backY := e.TipX-e.DirX*ArrowLength, e.TipY-e.DirY*ArrowLength
	return "M" + fixed(e.TipX) + " " + fixed(e.TipY) +
		"L" + fixed(backX-e.DirY*half) + " " + fixed(backY+e.DirX*half) +
		"L" + fixed(backX+e.DirY*half) + " " + fixed(backY-e.DirX*half) + "z"
}

// nodeHeight fits two lines.
const nodeHeight = 46

// labelMost is how many letters of a name a node shows; in a crowded graph it shows fewer.
const (
	labelMost    = 22
	labelCrowded = 17
	crowd        = 12 // nodes
)

// NewTopology lays out the graph of a run. The function layout places boxes and lines (JSON in,
// JSON out; see site/js/charts.mjs).
func NewTopology(r *Run, layout func(json string) string) Topology {
	t := Topology{Crowded: len(r.Services) > crowd}
	letters, narrow, nodeGap, rankGap := labelMost, 122.0, "26", "64"
	if t.Crowded {
		letters, narrow, nodeGap, rankGap = labelCrowded, 116, "14", "26"
	}
	b := []byte(`{"nodeGap":` + nodeGap + `,"rankGap":` + rankGap + `,"nodes":[`)
	for i := range r.Services {
		s := &r.Services[i]
		n := TopologyNode{Name: s.Name, Label: shortened(s.Name, letters), Leaf: s.Leaf, Entry: s.Entry, Height: nodeHeight}
		n.Width = math.Max(narrow, 18+7.5*float64(len([]rune(n.Label))))
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
			t.Edges[i].draw(p.Get("points").Array())
		}
	}
	return t
}

func shortened(name string, most int) string {
	letters := []rune(name)
	if len(letters) <= most {
		return name
	}
	return string(letters[:most-1]) + "…"
}

// draw makes a smooth line through the points of an edge, and finds its arrow.
func (e *TopologyEdge) draw(points []gjson.Result) {
	if len(points) < 2 {
		return
	}
	type point struct{ x, y float64 }
	line := make([]point, len(points))
	for i, p := range points {
		line[i] = point{p.Get("x").Num, p.Get("y").Num}
	}
	end, before := line[len(line)-1], line[len(line)-2]
	e.TipX, e.TipY, e.DirX, e.DirY = end.x, end.y, 1, 0
	if d := math.Sqrt((end.x-before.x)*(end.x-before.x) + (end.y-before.y)*(end.y-before.y)); d > 0 {
		e.DirX, e.DirY = (end.x-before.x)/d, (end.y-before.y)/d
	}
	line[len(line)-1] = point{end.x - e.DirX*(ArrowLength-1), end.y - e.DirY*(ArrowLength-1)}
	var b strings.Builder
	at := func(p point) string { return fixed(p.x) + " " + fixed(p.y) }
	for i, p := range line {
		switch {
		case i == 0:
			b.WriteString("M" + at(p))
		case i == len(line)-1:
			b.WriteString(" L" + at(p))
		default:
			next := line[i+1]
			b.WriteString(" Q" + at(p) + " " + at(point{(p.x + next.x) / 2, (p.y + next.y) / 2}))
		}
	}
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
