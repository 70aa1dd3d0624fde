package main

import (
	"math"
	"strconv"
	"strings"

	"squall/site/view"
)

// Topology is the graph of calls, replayed second by second.
type Topology struct{ App *App }

type topologyState struct {
	view.Topology
	key     string // of what was laid out
	digest  string // of what series holds
	series  map[string]*view.Series
	second  int // shown second and one, 0 for the whole run
	playing func()
}

// followTopology lays the graph out when who calls whom has changed.
func (a *App) followTopology() {
	if a.Run == nil {
		return
	}
	t := &a.Topology
	key := ""
	for i := range a.Run.Services {
		key += a.Run.Services[i].Name + "\n"
	}
	for i := range a.Run.Calls {
		key += a.Run.Calls[i].Name + "\n"
	}
	if key != t.key {
		t.Topology, t.key = view.NewTopology(a.Run, a.b.layout), key
	}
	if t.digest != a.Run.Digest {
		t.series, t.digest = map[string]*view.Series{}, a.Run.Digest
	}
}

// seriesOf are the numbers of a subject by second, read when they are needed first.
func (a *App) seriesOf(s *view.Subject) *view.Series {
	if a.Topology.second == 0 {
		return nil
	}
	if a.Topology.series[s.Name] == nil {
		a.Topology.series[s.Name] = s.Measured.Series()
	}
	return a.Topology.series[s.Name]
}

func (t *topologyState) position() string { return strconv.Itoa(t.second - 1) }

func (a *App) lastSecond() string { return strconv.FormatInt(max(a.Run.DurationNs/1e9-1, 0), 10) }

func (a *App) secondName() string {
	if a.Topology.second == 0 {
		return "whole run"
	}
	return view.Clock(a.Topology.second - 1)
}

// scrub shows another second; -1 is the whole run.
func (a *App) scrub(value string) {
	if n, err := strconv.Atoi(value); err == nil && a.Run != nil {
		a.Topology.second = max(n, -1) + 1
	}
}

// wholeRun leaves the second that is shown; its button goes, so the focus moves on.
func (a *App) wholeRun() {
	a.scrub("-1")
	a.b.focus("#scrub")
}

// playEvery is how many milliseconds a second of the run is shown for.
const playEvery = 120

// play replays the run from the second that is shown, or stops that.
func (a *App) play() {
	t := &a.Topology
	if t.playing != nil {
		t.playing()
		t.playing = nil
		return
	}
	if a.Run == nil {
		return
	}
	if last := int(a.Run.DurationNs/1e9) - 1; t.second == 0 || t.second > last {
		t.second = 1
	}
	var tick func()
	tick = func() {
		last := int(a.Run.DurationNs/1e9) - 1
		if a.Panel != "topology" || t.second > last {
			t.playing = nil
			return
		}
		t.second++
		t.playing = a.b.later(playEvery, tick)
	}
	t.playing = a.b.later(playEvery, tick)
}

func (c *Topology) playLabel() string {
	if c.App.Topology.playing != nil {
		return "Stop the replay"
	}
	return "Replay the run"
}

func (c *Topology) playMark() string {
	if c.App.Topology.playing != nil {
		return "❚❚"
	}
	return "▶"
}

func (c *Topology) box() string {
	t := &c.App.Topology
	return "0 0 " + pixels(t.Width) + " " + pixels(t.Height)
}

func (c *Topology) class() string {
	if c.App.Topology.Crowded {
		return "graph-svg crowded"
	}
	return "graph-svg"
}

// size lets the graph shrink to what there is room for, but not so far that it could not be read.
func (c *Topology) size() string {
	wide := c.App.Topology.Width
	return "width:max(" + pixels(wide*legible) + "px,min(100%," + pixels(wide) + "px))"
}

// legible is how much a graph may shrink.
const legible = 0.75

func pixels(x float64) string { return strconv.FormatFloat(math.Max(x, 1), 'f', 1, 64) }

// drawnEdge and drawnNode are what the picture says about a call and a box.
type drawnEdge struct{ Name, Class, Path, Arrow, Thick, Halo, Label, Rate, LabelX, LabelY, RateY, Alternative, Chosen string }

type drawnNode struct {
	Name, Class, Label, Numbers, Left, Top, Wide, High, MiddleX, LineOne, LineTwo, Alternative, Chosen string
}

func (c *Topology) moving(s *view.Subject) view.Moving {
	return view.InSecond(s, c.App.seriesOf(s), c.App.Topology.second-1, c.App.Run.DurationNs)
}

// busiest is the most attempts a second that any call makes over the run: the measure of thickness,
// the same for every second.
func (c *Topology) busiest() float64 {
	most := 1.0
	for i := range c.App.Run.Calls {
		most = math.Max(most, view.InSecond(&c.App.Run.Calls[i], nil, -1, c.App.Run.DurationNs).Attempts)
	}
	return most
}

// rate is a number a second.
func rate(x float64) string {
	if x > 0 && x < 10 {
		return strconv.FormatFloat(x, 'f', 1, 64) + "/s"
	}
	return view.Integer(int64(math.Round(math.Min(x, 1e15)))) + "/s"
}

func (c *Topology) edges() []drawnEdge {
	a := c.App
	chosen, busiest := a.subject(), c.busiest()
	out := make([]drawnEdge, 0, len(a.Topology.Edges))
	for i := range a.Topology.Edges {
		e := &a.Topology.Edges[i]
		if i >= len(a.Run.Calls) {
			break
		}
		m := c.moving(&a.Run.Calls[i])
		heavy := 5.0
		if a.Topology.Crowded {
			heavy = 3
		}
		thick := math.Min(1.4+heavy*math.Sqrt(m.Attempts/busiest), 12)
		if m.Attempts == 0 {
			thick = 1
		}
		d := drawnEdge{
			Name: e.Name, Path: e.Path, Arrow: e.Arrow(thick), Thick: pixels(thick), Halo: pixels(thick + 8), Class: "edge", Chosen: "false",
			LabelX: pixels(e.X), LabelY: pixels(e.Y - 6 - thick/2), RateY: pixels(e.Y + 14 + thick/2), Label: view.Times(m.Ratio),
		}
		if !a.Topology.Crowded {
			d.Rate = rate(m.Attempts)
		}
		switch {
		case m.Attempts == 0:
			d.Class += " idle"
			d.Label = ""
		case m.Ratio >= 1.5 || m.Failing >= 0.1:
			d.Class += " hot"
		case m.Ratio >= 1.2 || m.Failing >= 0.01:
			d.Class += " warm"
		}
		if chosen != nil && chosen.Name == e.Name {
			d.Class += " chosen"
			d.Chosen = "true"
		} else if a.Topology.Crowded && !(m.Ratio >= 1.05) {
			d.Label = ""
		}
		// what is seen comes first: who speaks to the page says that
		d.Alternative = strings.TrimSpace(d.Label+" "+d.Rate) + ", " + e.Name + ": " + view.Times(m.Ratio) + " attempts a call, " + rate(m.Attempts) + " attempts, availability " + m.Availability
		out = append(out, d)
	}
	return out
}

func (c *Topology) nodes() []drawnNode {
	a := c.App
	chosen := a.subject()
	out := make([]drawnNode, 0, len(a.Topology.Nodes))
	for i, n := range a.Topology.Nodes {
		if i >= len(a.Run.Services) {
			break
		}
		m := c.moving(&a.Run.Services[i])
		d := drawnNode{
			Name: n.Name, Label: n.Label, Class: "node", Numbers: m.Availability + " · " + m.P99, Chosen: "false",
			Left: pixels(n.X - n.Width/2), Top: pixels(n.Y - n.Height/2), Wide: pixels(n.Width), High: pixels(n.Height),
			MiddleX: pixels(n.X), LineOne: pixels(n.Y - 3), LineTwo: pixels(n.Y + 14),
		}
		d.Alternative = n.Label + " " + d.Numbers + ", " + n.Name + ": availability " + m.Availability + ", p99 " + m.P99
		if n.Leaf {
			d.Class += " leaf"
		}
		if m.Bad {
			d.Class += " bad"
		}
		if a.Topology.second > 0 && a.Run.World.Ill(n.Name, a.Topology.second-1) {
			d.Class += " ill"
			d.Alternative += ", impaired now"
		}
		if chosen != nil && chosen.Name == n.Name {
			d.Class += " chosen"
			d.Chosen = "true"
		}
		out = append(out, d)
	}
	return out
}

// topologyRow is a call, service or dependency in the table.
type topologyRow struct{ Name, Calls, Attempts, Ratio, Availability, P99 string }

func (c *Topology) rows() []topologyRow {
	var out []topologyRow
	for _, list := range [][]view.Subject{c.App.Run.Calls, c.App.Run.Services} {
		for i := range list {
			s := &list[i]
			m := c.moving(s)
			row := topologyRow{s.Name, rate(m.Calls), rate(m.Attempts), view.Times(m.Ratio), m.Availability, m.P99}
			if s.Leaf {
				row.Attempts, row.Ratio = "", ""
			}
			out = append(out, row)
		}
	}
	return out
}

// caption says what the picture shows just now.
func (c *Topology) caption() string {
	if c.App.Topology.second == 0 {
		return "the whole run"
	}
	return "second " + c.App.secondName()
}

// failures are the failed calls of each second of what is chosen, as a path.
func (c *Topology) failures() string {
	series := c.App.series
	if series == nil {
		return ""
	}
	bySecond := make([]float64, c.App.Run.DurationNs/1e9)
	for i := range bySecond {
		bySecond[i] = series.Failed(i)
	}
	return view.Pulse(bySecond)
}

// shades are where something is wrong in the sight of what is chosen, as places on the strip.
func (c *Topology) shades() []string { return c.App.shades() }

// cursor is where the shown second is on the strip.
func (c *Topology) cursor() string {
	last := max(c.App.Run.DurationNs/1e9, 1)
	return view.Bar(int64(c.App.Topology.second-1), int64(c.App.Topology.second), 0, last)
}

// fullScreen shows the graph alone.
func (a *App) fullScreen() {
	a.b.fullScreen("graph-frame", func(ok bool) {
		if !ok {
			a.say("This browser does not show a part of a page alone.")
		}
	})
}
