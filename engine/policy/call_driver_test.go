package policy_test

import (
	"fmt"
	"slices"

	"squall/engine/policy"
	"squall/engine/ticks"
)

// driver runs calls on virtual time with callbacks that follow a script. It is the smallest driver
// that obeys the rules: package engine does the same with pools, permits and dependencies in between,
// and call_realtime_test.go does it with real timers.
type driver struct {
	now    ticks.Ticks
	timers []timer // in the order of their creation
	calls  []*call
	legs   []*leg
	// draws is what the jitter stream gives next; it goes on with 0.5.
	draws []float64
	// note, if not nil, hears what happens, in words.
	note func(c *call, line string)
	// wrong hears what must not happen.
	wrong func(format string, args ...any)
	// left is how many attempts may still start: a runaway call is a finding, not a hanging test.
	left int
}

func newDriver(wrong func(string, ...any)) *driver { return &driver{wrong: wrong, left: 100_000} }

// draw is the jitter stream.
func (d *driver) draw() float64 {
	x := 0.5
	if len(d.draws) > 0 {
		x, d.draws = d.draws[0], d.draws[1:]
	}
	d.say(nil, "-> draw %v", x)
	return x
}

func (d *driver) say(c *call, format string, args ...any) {
	if d.note != nil {
		d.note(c, fmt.Sprintf(format, args...))
	}
}

// callback is what an attempt does.
type callback struct {
	takes   ticks.Ticks
	hangs   bool // it only ends when its token is cancelled
	deaf    bool // it never looks at its token
	notices bool // a deaf one finds its token cancelled at its end, and gives up
	outcome policy.Outcome
}

// call is a call and its script. The last callback of the script is used again and again.
type call struct {
	policy.Call
	name    string
	live    *policy.Live
	script  []callback
	started int
	armed   uint32 // which of the call's hedge timers counts
	done    bool
	audit   audit
}

type leg struct {
	policy.Leg
	of        *call
	does      callback
	sleep     uint32 // which of the leg's sleeping timers count
	sleeping  bool
	cancelled bool
	over      bool
	outcome   policy.Outcome
}

// timer is one scheduled instant. Timers fire in the order of (due, creation). One is stopped by
// changing what its stamp is compared with.
type timer struct {
	due   ticks.Ticks
	what  purpose
	i     int // of a call or a leg
	stamp uint32
}

// purpose is what a timer is for.
type purpose uint8

const (
	onDelay purpose = iota
	onHedge
	onSleep
	onWake
	onCeiling
)

func (d *driver) at(due ticks.Ticks, what purpose, i int, stamp uint32) {
	d.timers = append(d.timers, timer{due, what, i, stamp})
}

// next takes the timer that fires next.
func (d *driver) next(until ticks.Ticks) (t timer, ok bool) {
	d.timers = slices.DeleteFunc(d.timers, func(t timer) bool { return !d.stands(t) })
	first := -1
	for i, t := range d.timers {
		if t.due <= until && (first < 0 || t.due < d.timers[first].due) {
			first = i
		}
	}
	if first < 0 {
		return timer{}, false
	}
	t = d.timers[first]
	d.timers = slices.Delete(d.timers, first, first+1)
	return t, true
}

// live is a copy of a policy whose events the driver checks and tells.
func (d *driver) live(s *policy.Settings, shared *policy.Bucket) *policy.Live {
	l := policy.NewLive(s, shared, d.now, d.draw)
	l.Listen = func(e policy.Event) {
		c := d.calls[e.Call]
		if problem := c.audit.hear(c, e, d.now); problem != "" {
			d.wrong("%s: %s", describe(e), problem)
		}
		d.say(c, "%s", describe(e))
	}
	return l
}

// begin begins a call and runs it up to its first wait.
func (d *driver) begin(l *policy.Live, name string, level policy.Level, script []callback) *call {
	c := &call{name: name, live: l, script: script}
	d.calls = append(d.calls, c)
	d.step(c, l.Begin(&c.Call, d.now, level, len(d.calls)-1))
	return c
}

// run lets time pass until then; with ticks.Max until nothing is left to happen.
func (d *driver) run(until ticks.Ticks) {
	for {
		t, ok := d.next(until)
		if !ok {
			break
		}
		d.now = t.due
		d.fire(t)
	}
	if until != ticks.Max {
		d.now = until
	}
}

// stands says whether a timer was not stopped.
func (d *driver) stands(t timer) bool {
	switch t.what {
	case onHedge:
		return d.calls[t.i].armed == t.stamp
	case onSleep, onWake:
		return d.legs[t.i].sleep == t.stamp
	case onCeiling:
		return !d.legs[t.i].over
	}
	return true
}

func (d *driver) fire(t timer) {
	switch t.what {
	case onDelay:
		c := d.calls[t.i]
		d.step(c, c.live.Elapsed(&c.Call, d.now))
	case onHedge:
		c := d.calls[t.i]
		c.armed++
		d.step(c, c.live.HedgeDue(&c.Call, d.now))
	case onSleep:
		d.slept(d.legs[t.i], true)
	case onWake:
		d.slept(d.legs[t.i], false)
	case onCeiling:
		d.cancel(d.legs[t.i])
	}
}

// step does what the machine asks for until the call has to wait.
func (d *driver) step(c *call, act policy.Action) {
	var last *leg
	for {
		if c.done {
			d.wrong("call %s: action %d after Done", c.name, act)
			return
		}
		if act != policy.Returned {
			c.armed++
		}
		switch act {
		case policy.Start:
			if d.left--; d.left < 0 {
				d.wrong("call %s: no end of attempts", c.name)
				return
			}
			last = d.launch(c)
			switch {
			case c.live.Hedges():
				act = c.live.Started(&c.Call, &last.Leg, last.over, d.now)
			case last.over:
				act = policy.Returned
			default:
				return
			}
		case policy.Returned:
			act = d.ended(c, last)
		case policy.Wait:
			d.say(c, "-> wait %s", c.Delay)
			d.whole(c, c.Delay)
			d.at(d.now+c.Delay, onDelay, c.ID, 0)
			return
		case policy.Arm:
			d.say(c, "-> arm %s", c.Delay)
			d.whole(c, c.Delay)
			d.at(d.now+c.Delay, onHedge, c.ID, c.armed)
			return
		case policy.Race:
			return
		case policy.Done:
			c.done = true
			cancelled := ""
			for g := c.Discarded(); g != nil; g = g.Next() {
				cancelled += fmt.Sprintf(", cancel #%d", g.Number)
			}
			surfaced := ""
			if c.Surfaced != policy.NoFailure {
				surfaced = ", " + c.Surfaced.String()
			}
			d.say(c, "-> done %s%s%s", stopNames[c.Stop], surfaced, cancelled)
			if problem := c.audit.end(c); problem != "" {
				d.wrong("call %s: %s", c.name, problem)
			}
			for g := c.Discarded(); g != nil; g = g.Next() {
				d.cancel(d.legs[g.ID])
			}
			return
		}
	}
}

// whole holds a wait to 1.4: whole milliseconds, and at least one.
func (d *driver) whole(c *call, wait ticks.Ticks) {
	if wait < ticks.Millisecond || wait%ticks.Millisecond != 0 {
		d.wrong("call %s: waits %s", c.name, wait)
	}
}

// launch runs an attempt up to its first wait. Its ceiling is scheduled before its sleep.
func (d *driver) launch(c *call) *leg {
	g := &leg{Leg: c.Launch, of: c, does: c.script[min(c.started, len(c.script)-1)]}
	g.ID = len(d.legs)
	d.legs = append(d.legs, g)
	c.started++
	manner := ""
	if g.Hedged {
		manner += " as a hedge"
	}
	if g.Probe {
		manner += " as a probe"
	}
	d.say(c, "-> start #%d%s, bound %s", g.Number, manner, g.Bound)
	if g.Bound != ticks.Infinite {
		if g.Bound < 0 {
			d.wrong("call %s: bound %s", c.name, g.Bound)
		}
		d.at(ticks.Add(d.now, g.Bound.WholeMilliseconds()), onCeiling, g.ID, 0)
	}
	switch {
	case g.does.hangs:
		g.sleeping = true
	case g.does.takes > 0:
		g.sleeping = true
		d.at(d.now+g.does.takes, onSleep, g.ID, g.sleep)
	default:
		g.over, g.outcome = true, g.does.outcome
	}
	return g
}

// cancel cancels a leg's token: what sleeps with it is woken by a timer that is due now.
func (d *driver) cancel(g *leg) {
	g.cancelled = true
	if g.sleeping && !g.does.deaf {
		d.at(d.now, onWake, g.ID, g.sleep)
	}
}

// slept ends a leg, whose sleep was had in full or cut short.
func (d *driver) slept(g *leg, full bool) {
	g.sleep++
	g.sleeping, g.over = false, true
	g.outcome = g.does.outcome
	if !full || g.cancelled && g.does.notices {
		g.outcome = policy.Outcome{Cut: true}
	}
	c := g.of
	if g.Discarded {
		how := "cut short"
		if full {
			how = "in full"
		}
		d.say(c, "-> discarded #%d is back, %s", g.Number, how)
		c.live.EndedDiscarded(&g.Leg)
		return
	}
	d.step(c, d.ended(c, g))
}

func (d *driver) ended(c *call, g *leg) policy.Action {
	act := c.live.Ended(&c.Call, &g.Leg, g.outcome, d.now)
	if g.Probe {
		d.wrong("call %s: attempt %d was recorded and still owes the breaker its slot", c.name, g.Number)
	}
	return act
}

// describe is the text form of an event (executor.md 17) with exact times and without the policy's
// name.
func describe(e policy.Event) string {
	s := fmt.Sprintf("%s #%d %s", e.Kind, e.Number, e.Verdict)
	if e.Error != policy.NoFailure {
		s += " " + e.Error.String()
	}
	s += " (" + e.Duration.String() + ")"
	if e.HasDelay {
		s += " +" + e.Delay.String()
	}
	return s
}

var stopNames = [policy.Stops]string{
	"Succeeded", "Permanent", "AttemptsExhausted", "DeadlineExceeded", "BudgetExhausted", "DependencyUnavailable", "Draining",
}
