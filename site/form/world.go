package form

import (
	"strconv"

	"squall/engine/document"
	"squall/site/edit"
)

// Ranges of sliders. They are what people try, not what the engine takes.
var (
	runLong    = &Slider{Low: 10e9, High: 1800e9, Log: true}
	moment     = &Slider{Low: 0, High: 600e9}
	span       = &Slider{Low: 1e9, High: 600e9, Log: true}
	latency    = &Slider{Low: 100e3, High: 10e9, Log: true}
	bounds     = &Slider{Low: 1e6, High: 120e9, Log: true}
	wait       = &Slider{Low: 1e6, High: 60e9, Log: true}
	window     = &Slider{Low: 1e9, High: 900e9, Log: true}
	rate       = &Slider{Low: 1, High: 3000, Log: true}
	many       = &Slider{Low: 1, High: 200, Log: true}
	permits    = &Slider{Low: 1, High: 500, Log: true}
	slower     = &Slider{Low: 1, High: 50, Log: true}
	multiple   = &Slider{Low: 1.1, High: 20, Log: true}
	few        = &Slider{Low: 1, High: 10}
	share      = &Slider{Low: 0, High: 1}
	part       = &Slider{Low: 0.01, High: 0.99} // a share that cannot be nothing or all
	tail       = &Slider{Low: 0.5, High: 0.99}
	half       = &Slider{Low: 0.05, High: 0.5}
	capacities = &Slider{Low: 0, High: 500}
)

// run is what a scenario says about itself.
func (b *builder) run() {
	s := b.section(Section{ID: "run", Title: "Run"})
	b.add(s, "title", Text, "Title", "", "what this scenario is called", nil)
	b.add(s, "duration", Duration, "Duration", "", "how long load is offered", runLong)
}

// load is one load at a path; remove is its path when it can be taken away.
func (b *builder) load(path, title, remove string) {
	s := b.section(Section{ID: path, Title: title, Remove: remove})
	if services := b.names("services"); len(services) > 1 {
		b.pick(s, edit.Key(path, "at"), "Arrives at", b.word(edit.Key(path, "at")), "the service that is asked", references(services)...)
	}
	b.add(s, edit.Key(path, "perSecond"), Count, "Calls a second", "", "how many calls begin in a second, at random instants", rate)
	if peers := edit.Key(path, "peers"); !b.has("services") || b.has(peers) { // in a graph other callers are services
		b.add(s, peers, Count, "Peers", "1", "how many processes offer the same load to the same dependency", many)
	}
	mix := edit.Key(path, "mix")
	if b.has(mix) {
		b.add(s, edit.Key(mix, "sheddable"), Share, "Sheddable", "0%", "calls that may be dropped first", share)
		b.add(s, edit.Key(mix, "sheddablePlus"), Share, "Sheddable plus", "0%", "calls that may be dropped next", share)
		b.add(s, edit.Key(mix, "criticalPlus"), Share, "Critical plus", "0%", "calls that are dropped last; the rest is critical", share)
	} else {
		s.Adds = append(s.Adds, Add{"levels of importance", mix, `{ "sheddable": 0.2, "sheddablePlus": 0 }`})
	}
}

// dependency is a leaf at a path.
func (b *builder) dependency(path, title string) {
	s := b.section(Section{ID: path, Title: title})
	b.add(s, edit.Key(path, "p50"), Duration, "p50", "", "half of its answers take no longer", latency)
	b.add(s, edit.Key(path, "p99"), Duration, "p99", "", "99 of 100 answers take no longer", latency)
	b.add(s, edit.Key(path, "failing"), Share, "Failing", "0%", "answers that are errors while nothing else is wrong", share)
	b.add(s, edit.Key(path, "capacity"), Count, "Capacity", "0", "how many it serves at once before it slows down; 0 is no bound", capacities)
	list := edit.Key(path, "impairments")
	s.Adds = append(s.Adds,
		Add{"brownout", list, `{ "brownout": { "after": "30s", "slower": 8, "lasting": "1m" } }`},
		Add{"outage", list, `{ "outage": { "after": "30s", "lasting": "30s" } }`})
	v, _ := b.value(list)
	i := 0
	for range v.Items() {
		at := list + "[" + strconv.Itoa(i) + "]"
		i++
		kind, title := "brownout", "Brownout"
		if b.has(at + ".outage") {
			kind, title = "outage", "Outage"
		}
		in := at + "." + kind
		s := b.section(Section{ID: at, Title: title, Remove: at, Level: 1})
		b.add(s, in+".after", Duration, "Begins after", "", "from the start of the run", moment)
		if kind == "brownout" {
			b.add(s, in+".slower", Factor, "Slower", "", "how many times longer its answers take", slower)
		}
		b.add(s, in+".lasting", Duration, "Lasts", "", "", span)
	}
}

// pool is a thread pool at a path.
func (b *builder) pool(path string) {
	s, on := b.feature(path, "Thread pool of the caller", "what a work item waits for a thread; a stall makes a healthy dependency look slow", `{ "healthy": "80us" }`, "", 0)
	if !on {
		return
	}
	list := edit.Key(path, "stalls")
	s.Adds = append(s.Adds, Add{"stall", list, `{ "after": "30s", "delay": "500ms", "lasting": "30s" }`})
	b.add(s, edit.Key(path, "healthy"), Duration, "Healthy delay", "", "what an item usually waits", &Slider{Low: 1e3, High: 10e6, Log: true})
	v, _ := b.value(list)
	i := 0
	for range v.Items() {
		at := list + "[" + strconv.Itoa(i) + "]"
		i++
		s := b.section(Section{ID: at, Title: "Stall", Remove: at, Level: 1})
		b.add(s, at+".after", Duration, "Begins after", "", "from the start of the run", moment)
		b.add(s, at+".delay", Duration, "Delay", "", "what an item waits then", wait)
		b.add(s, at+".lasting", Duration, "Lasts", "", "", span)
	}
}

// limiter is a limiter at a path.
func (b *builder) limiter(path string, level int) {
	s := b.section(Section{ID: path, Title: "Limiter", Level: level})
	which := "none"
	switch {
	case b.has(edit.Key(path, "concurrency")):
		which = "concurrency"
	case b.has(edit.Key(path, "adaptive")):
		which = "adaptive"
	}
	none := ""
	b.pick(s, path, "Kind", which, "how many attempts may be out at once",
		Option{"none", none}, Option{"concurrency", `{ "concurrency": 60 }`}, Option{"adaptive", `{ "adaptive": {} }`})
	switch which {
	case "concurrency":
		b.add(s, edit.Key(path, "concurrency"), Count, "Permits", "", "attempts at once; more are refused", permits)
	case "adaptive":
		in := edit.Key(path, "adaptive")
		b.add(s, in+".initial", Count, "Begins at", "20", "", permits)
		b.add(s, in+".minimum", Count, "Minimum", "4", "", permits)
		b.add(s, in+".maximum", Count, "Maximum", "200", "", permits)
		b.add(s, in+".multiple", Factor, "Multiple", "2", "of the usual latency, above which the limit falls", multiple)
		b.add(s, in+".decrease", Factor, "Decrease", "0.9", "what the limit is multiplied with then", part)
	}
	if which == "none" {
		s.Help = "off"
	}
}

// names are the keys of a map of the document, in written order.
func (b *builder) names(path string) []string {
	v, ok := b.value(path)
	if !ok || v.Kind() != document.Object {
		return nil
	}
	var names []string
	for key := range v.Members() {
		names = append(names, key)
	}
	return names
}

// references are options that name something.
func references(names []string) []Option {
	options := make([]Option, len(names))
	for i, name := range names {
		options[i] = Option{name, quoted(name)}
	}
	return options
}
