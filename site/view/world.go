package view

import (
	"slices"
	"strconv"

	"github.com/tidwall/gjson"
)

// World is what a run was made in, as far as the page shows it. Times are nanoseconds.
type World struct {
	Calls    []Call
	Leaves   []Leaf
	Loads    []Load
	Stalls   []Span // of pools
	Seeds    []int64
	Variants []string
	// Graph tells a scenario with services from the shorthand.
	Graph bool
	// Chaos tells that faults are injected.
	Chaos bool
}

// Call is a declared call with the bounds of its policy; 0 is no bound.
type Call struct {
	From, To, Policy           string
	Attempts                   int64
	DeadlineNs, TimeoutNs      int64
	Ceiling, Breaker, Hedge    bool
	Budget, Optional, Limiting bool
}

// Leaf is a dependency at the bottom.
type Leaf struct {
	Name         string
	P50Ns, P99Ns int64
	Capacity     int64
	Impairments  []Span
}

// Load is what arrives at a service.
type Load struct {
	At        string
	PerSecond int64
	Peers     int64
}

// Span is a stretch of a run in which something is wrong.
type Span struct {
	// Kind is "brownout", "outage" or "stall"; At the dependency, or the service whose pool stalls.
	Kind, At     string
	FromNs, ToNs int64
	// Slower is a brownout's factor.
	Slower float64
	// DelayNs is what a stall adds.
	DelayNs int64
}

// Label names the span beside a shaded stretch of a chart.
func (s Span) Label() string {
	switch s.Kind {
	case "brownout":
		return "brownout " + strconv.FormatFloat(s.Slower, 'g', 4, 64) + "×"
	case "stall":
		return "pool stall +" + Duration(s.DelayNs)
	}
	return s.Kind
}

func parseWorld(w gjson.Result) World {
	out := World{Graph: w.Get("graph").Bool(), Chaos: w.Get("chaos").Bool()}
	each := func(key string, read func(gjson.Result)) {
		w.Get(key).ForEach(func(_, v gjson.Result) bool {
			read(v)
			return true
		})
	}
	each("calls", func(c gjson.Result) {
		out.Calls = append(out.Calls, Call{
			From: c.Get("from").Str, To: c.Get("to").Str, Policy: c.Get("policy").Str, Attempts: c.Get("attempts").Int(),
			DeadlineNs: c.Get("deadlineNs").Int(), TimeoutNs: c.Get("attemptTimeoutNs").Int(),
			Ceiling: c.Get("ceiling").Bool(), Breaker: c.Get("breaker").Bool(), Hedge: c.Get("hedge").Bool(),
			Budget: c.Get("budget").Bool(), Optional: c.Get("optional").Bool(), Limiting: c.Get("limiter").Bool(),
		})
	})
	each("leaves", func(l gjson.Result) {
		leaf := Leaf{Name: l.Get("name").Str, P50Ns: l.Get("p50Ns").Int(), P99Ns: l.Get("p99Ns").Int(), Capacity: l.Get("capacity").Int()}
		l.Get("impairments").ForEach(func(_, v gjson.Result) bool {
			leaf.Impairments = append(leaf.Impairments, parseSpan(v, leaf.Name))
			return true
		})
		out.Leaves = append(out.Leaves, leaf)
	})
	each("loads", func(l gjson.Result) {
		out.Loads = append(out.Loads, Load{l.Get("at").Str, l.Get("perSecond").Int(), l.Get("peers").Int()})
	})
	each("stalls", func(v gjson.Result) { out.Stalls = append(out.Stalls, parseSpan(v, v.Get("at").Str)) })
	each("seeds", func(v gjson.Result) { out.Seeds = append(out.Seeds, v.Int()) })
	each("variants", func(v gjson.Result) { out.Variants = append(out.Variants, v.Str) })
	return out
}

func parseSpan(v gjson.Result, at string) Span {
	return Span{
		Kind: v.Get("kind").Str, At: at, FromNs: v.Get("fromNs").Int(), ToNs: v.Get("toNs").Int(),
		Slower: v.Get("slower").Float(), DelayNs: v.Get("delayNs").Int(),
	}
}

// Call is the declared call of a name "from → to", or nil.
func (w *World) Call(from, to string) *Call {
	for i := range w.Calls {
		if w.Calls[i].From == from && w.Calls[i].To == to {
			return &w.Calls[i]
		}
	}
	return nil
}

// Leaf is the dependency of a name, or nil for a service.
func (w *World) Leaf(name string) *Leaf {
	for i := range w.Leaves {
		if w.Leaves[i].Name == name {
			return &w.Leaves[i]
		}
	}
	return nil
}

// Below are the services and dependencies that a call to a name can end at, itself included.
func (w *World) Below(name string) []string {
	reached := []string{name}
	for i := 0; i < len(reached); i++ {
		for _, c := range w.Calls {
			if c.From == reached[i] && !slices.Contains(reached, c.To) {
				reached = append(reached, c.To)
			}
		}
	}
	return reached
}

// Spans are what is wrong in the sight of a call: with anything below it, and with the pool of the
// service that makes it.
func (w *World) Spans(from, to string) []Span {
	below := w.Below(to)
	var out []Span
	for _, l := range w.Leaves {
		if slices.Contains(below, l.Name) {
			out = append(out, l.Impairments...)
		}
	}
	for _, s := range w.Stalls {
		if s.At == from || slices.Contains(below, s.At) {
			out = append(out, s)
		}
	}
	return out
}
