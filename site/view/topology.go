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
}

// TopologyNode is a service or dependency; X and Y are its middle.
type TopologyNode struct {
	Name, Label         string
	Leaf, Entry         bool
	X, Y, Width, Height float64
}

// TopologyEdge is a call. Path is the SVG path of its line, X and Y the place of its label.
type TopologyEdge struct {
	Name, From, To, Path string
	X, Y                 float64
}

// nodeHeight fits two lines.
const nodeHeight = 46

// labelMost is how many letters of a name a node shows.
const labelMost = 22

// NewTopology lays out the graph of a run. The function layout places boxes and lines (JSON in,
// JSON out; see site/js/charts.mjs).
func NewTopology(r *Run, layout func(json string) string) Topology {
	var t Topology
	b := []byte(`{"nodes":[`)
	for i := range r.Services {
		s := &r.Services[i]
		n := TopologyNode{Name: s.Name, Label: shortened(s.Name), Leaf: s.Leaf, Entry: s.Entry, Height: nodeHeight}
		n.Width = math.Max(118, 24+7.4*float64(len([]rune(n.Label))))
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
			t.Edges[i].X, t.Edges[i].Y, t.Edges[i].Path = p.Get("x").Num, p.Get("y").Num, curve(p.Get("points").Array())
		}
	}
	return t
}

func shortened(name string) string {
	letters := []rune(name)
	if len(letters) <= labelMost {
		return name
	}
	return string(letters[:labelMost-1]) + "…"
}

// curve is a smooth SVG path through the points of a line.
func curve(points []gjson.Result) string {
	var b strings.Builder
	at := func(p gjson.Result) string { return fixed(p.Get("x").Num) + " " + fixed(p.Get("y").Num) }
	for i, p := range points {
		switch {
		case i == 0:
			b.WriteString("M" + at(p))
		case i == len(points)-1:
			b.WriteString(" L" + at(p))
		default:
			next := points[i+1]
			mx, my := (p.Get("x").Num+next.Get("x").Num)/2, (p.Get("y").Num+next.Get("y").Num)/2
			b.WriteString(" Q" + at(p) + " " + fixed(mx) + " " + fixed(my))
		}
	}
	return b.String()
}

func fixed(x float64) string { return strconv.FormatFloat(x, 'f', 1, 64) }

// Moving are the numbers of a subject in one second, or over the whole run.
type Moving struct {
	Availability, P99 string
	Attempts          float64 // a second
	Ratio             float64 // attempts a call
	Bad               bool
}

// InSecond is what a subject did in a second; a negative second is the whole run.
func InSecond(s *Subject, series *Series, second int, durationNs int64) Moving {
	m := &s.Measured
	if second < 0 {
		return Moving{
			Availability: Percent(m.Availability), P99: Duration(m.P99),
			Attempts: float64(m.Reached) / math.Max(float64(durationNs)/1e9, 1), Ratio: m.LoadMultiplier,
			Bad: m.Availability < 0.99,
		}
	}
	good, bad := At(series.Succeeded, second), series.Failed(second)
	out := Moving{Availability: "–", P99: "–", Attempts: At(series.Reached, second), Ratio: series.Amplification(second)}
	if good+bad > 0 {
		out.Availability = Percent(good / (good + bad))
		out.Bad = good/(good+bad) < 0.99
	}
	if p := At(series.P99, second); p > 0 {
		out.P99 = Duration(int64(p))
	}
	return out
}
