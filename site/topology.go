package main

import (
	"math"
	"strconv"

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
func (c *Topology) width() string  { return pixels(c.App.Topology.Width) }
func (c *Topology) height() string { return pixels(c.App.Topology.Height) }

func pixels(x float64) string { return strconv.FormatFloat(math.Max(x, 1), 'f', 1, 64) }

// drawnEdge and drawnNode are what the picture says about a call and a box.
type drawnEdge struct{ Name, Class, Path, Thick, Label, LabelX, LabelY, Alternative, Chosen string }

type drawnNode struct {
	Name, Class, Label, Numbers, Left, Top, Wide, High, MiddleX, LineOne, LineTwo, Alternative, Chosen string
}

func (c *Topology) moving(s *view.Subject) view.Moving {
	return view.InSecond(s, c.App.seriesOf(s), c.App.Topology.second-1, c.App.Run.DurationNs)
}

func (c *Topology) edges() []drawnEdge {
	a := c.App
	chosen := a.subject()
	out := make([]drawnEdge, 0, len(a.Topology.Edges))
	for i, e := range a.Topology.Edges {
		if i >= len(a.Run.Calls) {
			break
		}
		m := c.moving(&a.Run.Calls[i])
		d := drawnEdge{Name: e.Name, Path: e.Path, Class: "edge", LabelX: pixels(e.X), LabelY: pixels(e.Y - 5), Label: view.Times(m.Ratio), Chosen: "false"}
		d.Thick = pixels(math.Min(1.5+math.Sqrt(m.Attempts)/6, 9))
		if m.Ratio >= 1.2 {
			d.Class += " warm"
		}
		if m.Ratio >= 1.5 {
			d.Class += " hot"
		}
		if chosen != nil && chosen.Name == e.Name {
			d.Class += " chosen"
			d.Chosen = "true"
		}
		d.Alternative = e.Name + ": " + d.Label + " attempts a call, " + strconv.FormatFloat(math.Round(m.Attempts), 'f', 0, 64) + " attempts a second"
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
		if n.Leaf {
			d.Class += " leaf"
		}
		if m.Bad {
			d.Class += " bad"
		}
		if chosen != nil && chosen.Name == n.Name {
			d.Class += " chosen"
			d.Chosen = "true"
		}
		d.Alternative = n.Name + ": availability " + m.Availability + ", p99 " + m.P99
		out = append(out, d)
	}
	return out
}
