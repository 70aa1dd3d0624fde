package scenario

import (
	"squall/engine/document"
	"squall/engine/ticks"
	"squall/engine/world"
)

var brownoutTable = newTable("brownout",
	"A stretch in which a dependency is slower.",
	span("after", "", "s", "[0,)", "When it begins.", "simulator.md 6", func(m *world.Impairment) *ticks.Ticks { return &m.After }).required(),
	number("slower", "", "[1,)", "How many times longer everything takes; brownouts that overlap multiply.", "simulator.md 6", func(m *world.Impairment) *float64 { return &m.Slower }).required(),
	span("lasting", "", "s", "(0,)", "How long it lasts.", "simulator.md 6", func(m *world.Impairment) *ticks.Ticks { return &m.Lasting }).required(),
)

var outageTable = newTable("outage",
	"A stretch in which a dependency fails at once.",
	span("after", "", "s", "[0,)", "When it begins.", "simulator.md 6", func(m *world.Impairment) *ticks.Ticks { return &m.After }).required(),
	span("lasting", "", "s", "(0,)", "How long it lasts.", "simulator.md 6", func(m *world.Impairment) *ticks.Ticks { return &m.Lasting }).required(),
)

// impairment is one entry of impairments while it is read: it must hold one of its two keys.
type impairment struct {
	world.Impairment
	kinds int
}

var impairmentTable = newTable("impairment",
	"One brownout or one outage.",
	custom(Key{Name: "brownout", Type: Type{Kind: ObjectType, Object: brownoutTable.name}, Doc: "Slower for a while.", Section: "simulator.md 6"},
		func(r *reader, v document.Value, m *impairment) {
			m.kinds++
			brownoutTable.read(r, v, &m.Impairment)
		}),
	custom(Key{Name: "outage", Type: Type{Kind: ObjectType, Object: outageTable.name}, Doc: "Down for a while.", Section: "simulator.md 6"},
		func(r *reader, v document.Value, m *impairment) {
			m.kinds++
			m.Outage = true
			outageTable.read(r, v, &m.Impairment)
		}),
)

var dependencyTable = newTable("dependency",
	"What is at the bottom: answers with a latency around p50, or fails.",
	span("p50", "", "ms", "(0,)", "Half of the answers take at most this long.", "simulator.md 6", func(d *world.Dependency) *ticks.Ticks { return &d.P50 }).required(),
	span("p99", "", "ms", "(0,)", "99 of 100 answers take at most this long; at least p50.", "simulator.md 6", func(d *world.Dependency) *ticks.Ticks { return &d.P99 }).required(),
	number("failing", "0", "[0,1]", "The share of calls that fail while nothing else is wrong.", "simulator.md 6", func(d *world.Dependency) *float64 { return &d.Failing }),
	integer("capacity", "0", "[0,)", "How many calls it serves at once before it slows down; it sheds what is above three times that. 0 is no bound.", "simulator.md 6", func(d *world.Dependency) *int { return &d.Capacity }),
	custom(Key{Name: "impairments", Type: Type{Kind: ListType, Of: &Type{Kind: ObjectType, Object: impairmentTable.name}}, Default: "[]",
		Doc: "What goes wrong and when: an outage wins, brownouts multiply.", Section: "simulator.md 6"}, readImpairments),
)

func readImpairments(r *reader, v document.Value, d *world.Dependency) {
	n := 0
	for item := range v.List() {
		if n++; n > StretchesMax {
			tooMany(v, "impairments", StretchesMax)
			return
		}
		var m impairment
		impairmentTable.read(r, item, &m)
		if item.Kind() == document.Object && m.kinds != 1 {
			item.Problem(`must hold either "brownout" or "outage"`)
		}
		d.Impairments = append(d.Impairments, m.Impairment)
	}
}

var stallTable = newTable("stall",
	"A stretch in which work waits longer for a thread.",
	span("after", "", "s", "[0,)", "When it begins.", "simulator.md 7.1", func(s *world.Stall) *ticks.Ticks { return &s.After }).required(),
	span("delay", "", "ms", "(0,)", "How long work waits.", "simulator.md 7.1", func(s *world.Stall) *ticks.Ticks { return &s.Delay }).required(),
	span("lasting", "", "s", "(0,)", "How long it lasts.", "simulator.md 7.1", func(s *world.Stall) *ticks.Ticks { return &s.Lasting }).required(),
)

var poolTable = newTable("pool",
	"The thread pool of one process: every attempt queues in it first.",
	span("healthy", "", "us", "(0,)", "How long work waits while nothing is wrong.", "simulator.md 7.1", func(p *world.Pool) *ticks.Ticks { return &p.Healthy }).required(),
	list("stalls", StretchesMax, stallTable, "When the pool stalls; of stalls that overlap the longest delay counts.", "simulator.md 7.1",
		func() world.Stall { return world.Stall{} }, func(p *world.Pool, s world.Stall) { p.Stalls = append(p.Stalls, s) }),
)

const (
	refills = "refills against the wall clock, which a virtual run does not have; use concurrency or adaptive"
	queues  = "attempts that wait for a permit are not modelled; write queueLimit 0, or leave it out"
)

// queueLimitRow is known, and refused above 0, wherever the reference has it (simulator.md 8).
func queueLimitRow[T any]() row[T] {
	return custom(Key{Name: "queueLimit", Type: Type{Kind: IntegerType, Range: "[0,0]"}, Default: "0",
		Doc: "Always 0: attempts that wait for a permit are not modelled.", Section: "simulator.md 8"},
		func(_ *reader, v document.Value, _ *T) {
			if n, ok := v.Int(-IntegerMax-1, IntegerMax); ok && n != 0 {
				v.Problem("is " + v.Raw() + "; " + queues)
			}
		})
}

var adaptiveTable = newTable("adaptive",
	"A concurrency limit that discovers itself from latency.",
	integer("minimum", "4", "[1,)", "The lowest limit.", "simulator.md 8", func(a *world.Adaptive) *int { return &a.Minimum }),
	integer("maximum", "200", "[1,)", "The highest limit; at least minimum.", "simulator.md 8", func(a *world.Adaptive) *int { return &a.Maximum }),
	integer("initial", "20", "[1,)", "The limit that it begins with, from minimum to maximum.", "simulator.md 8", func(a *world.Adaptive) *int { return &a.Initial }),
	number("multiple", "2", "(1,)", "How many times the baseline the fastest of a round must take for the limit to go down.", "simulator.md 8", func(a *world.Adaptive) *float64 { return &a.Multiple }),
	number("decrease", "0.9", "(0,1)", "What the limit is multiplied by when it goes down.", "simulator.md 8", func(a *world.Adaptive) *float64 { return &a.Decrease }),
	queueLimitRow[world.Adaptive](),
)

// limiter is a limiter while it is read: it must hold one of its two kinds.
type limiter struct {
	world.Limiter
	kinds int
}

var limiterTable = newTable("limiter",
	"Bounds what leaves a process: a number of permits, or a limit that adapts. An attempt that gets none fails at once.",
	custom(Key{Name: "concurrency", Type: Type{Kind: IntegerType, Range: "[1,)"}, Doc: "How many attempts may be out at once.", Section: "simulator.md 8"},
		func(_ *reader, v document.Value, m *limiter) {
			m.kinds++
			if n, ok := v.Int(-IntegerMax-1, IntegerMax); ok {
				m.Concurrency = int(n)
			}
		}),
	custom(Key{Name: "adaptive", Type: Type{Kind: ObjectType, Object: adaptiveTable.name}, Doc: "A limit that discovers itself; {} has every default.", Section: "simulator.md 8"},
		func(r *reader, v document.Value, m *limiter) {
			m.kinds++
			a := world.DefaultAdaptive()
			adaptiveTable.read(r, v, &a)
			m.Adaptive = &a
		}),
	queueLimitRow[limiter](),
	refusedRow("perSecond"),
	refusedRow("perWindow"),
)

// refusedRow is a key that people know from elsewhere and that a virtual run cannot have.
func refusedRow(name string) row[limiter] {
	return custom(Key{Name: name, Type: Type{Kind: AnyType}, Refused: true, Doc: "Refused: it " + refills + ".", Section: "simulator.md 8"},
		func(_ *reader, v document.Value, m *limiter) {
			m.kinds = 1
			m.Concurrency = 1
			v.KeyProblem(refills)
		})
}

// readLimiter reads a limiter; it is nil when there is none.
func readLimiter(r *reader, v document.Value) *world.Limiter {
	if !v.Exists() || v.Kind() == document.Null {
		return nil
	}
	var m limiter
	limiterTable.read(r, v, &m)
	if v.Kind() == document.Object && m.kinds != 1 {
		v.Problem(`must hold either "concurrency" or "adaptive"`)
		return nil
	}
	return &m.Limiter
}

func readPool(r *reader, v document.Value) (p world.Pool, ok bool) {
	if !v.Exists() || v.Kind() == document.Null {
		return p, false
	}
	poolTable.read(r, v, &p)
	return p, true
}

var mixTable = newTable("mix",
	"The shares of the levels; what is left is critical.",
	number("sheddable", "0", "[0,1]", "The share that goes first.", "simulator.md 5", func(o *world.Load) *float64 { return &o.Sheddable }),
	number("sheddablePlus", "0", "[0,1]", "The share that goes next.", "simulator.md 5", func(o *world.Load) *float64 { return &o.SheddablePlus }),
	number("criticalPlus", "0", "[0,1]", "The share that goes last.", "simulator.md 5", func(o *world.Load) *float64 { return &o.CriticalPlus }),
	custom(Key{Name: "critical", Type: Type{Kind: AnyType}, Refused: true, Doc: "Refused: critical is the remainder of the other shares.", Section: "simulator.md 5"},
		func(_ *reader, v document.Value, _ *world.Load) {
			v.KeyProblem("is not written: critical is the remainder of the other shares")
		}),
)

// entry is a load while it is read.
type entry struct {
	world.Load
	at      string
	atValue document.Value
}

var loadTable = newTable("load",
	"Requests that arrive at a service, at random moments.",
	custom(Key{Name: "at", Type: Type{Kind: TextType}, Doc: "The service they arrive at; may be left out when exactly one service makes calls and is called by nobody.", Section: "scenario.md 6"},
		func(_ *reader, v document.Value, e *entry) {
			e.at, _ = v.Text()
			e.atValue = v
		}),
	integer("perSecond", "", "[1,10000000]", "How many arrive in a second, on average.", "simulator.md 5", func(e *entry) *int { return &e.PerSecond }).required(),
	integer("peers", "1", "[1,)", "How many processes like this one offer the same load to the same dependency, this one included; only with a single call.", "simulator.md 5", func(e *entry) *int { return &e.Peers }),
	custom(Key{Name: "mix", Type: Type{Kind: ObjectType, Object: mixTable.name, Or: []Type{{Kind: NullType}}}, Default: "{}", Doc: "The shares of the levels of criticality.", Section: "simulator.md 5"},
		func(r *reader, v document.Value, e *entry) { mixTable.read(r, v, &e.Load) }),
)
