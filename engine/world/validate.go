package world

import (
	"math"
	"strconv"

	"squall/engine/problem"
	"squall/engine/ticks"
)

// Validate is everything that is wrong with a dependency (simulator.md 6). Paths here and below
// are the keys of a scenario, and a path with its message behind it is a sentence.
func (d *Dependency) Validate() problem.List {
	var l problem.List
	l.Positive("p50", d.P50)
	if d.P99 < d.P50 {
		l.Add("p99", problem.Sprintf("is %s; it must be at least p50, which is %s", d.P99, d.P50))
	}
	if !isShare(d.Failing) {
		l.Add("failing", problem.Sprintf("is %v; it must be between 0 and 1", d.Failing))
	}
	if d.Capacity < 0 {
		l.Add("capacity", problem.Sprintf("is %d; it must be at least 1, or 0 for no bound", d.Capacity))
	}
	for i := range d.Impairments {
		m := &d.Impairments[i]
		l.Under("impairments["+strconv.Itoa(i)+"]."+m.word(), m.validate())
	}
	return l
}

// word is the key of an impairment.
func (m *Impairment) word() string {
	if m.Outage {
		return "outage"
	}
	return "brownout"
}

func (m *Impairment) validate() problem.List {
	var l problem.List
	notNegative(&l, "after", m.After)
	l.Positive("lasting", m.Lasting)
	if !m.Outage && !(m.Slower >= 1 && m.Slower <= math.MaxFloat64) {
		l.Add("slower", problem.Sprintf("is %v; a brownout multiplies latency by at least 1", m.Slower))
	}
	return l
}

// PerSecondMax is the most that one load may offer in a second. Time goes in steps of 100 ns: with a
// mean gap below one of them more and more arrive in the same step, until time stands still.
const PerSecondMax = int(ticks.Second)

// Validate is everything that is wrong with a load (simulator.md 5).
func (o *Load) Validate() problem.List {
	var l problem.List
	l.AtLeastOne("perSecond", o.PerSecond)
	if o.PerSecond > PerSecondMax {
		l.Add("perSecond", problem.Sprintf("is %d; at most %d may arrive in a second, one in each 100ns, the smallest step of time", o.PerSecond, PerSecondMax))
	}
	l.AtLeastOne("peers", o.Peers)
	for _, s := range []struct {
		key, name string
		share     float64
	}{
		{"sheddable", "Sheddable", o.Sheddable},
		{"sheddablePlus", "SheddablePlus", o.SheddablePlus},
		{"criticalPlus", "CriticalPlus", o.CriticalPlus},
	} {
		if !isShare(s.share) {
			l.Add("mix."+s.key, problem.Sprintf("is %v; the %s share must be between 0 and 1", s.share, s.name))
		}
	}
	if sum := (o.Sheddable + o.SheddablePlus) + o.CriticalPlus; sum > 1 {
		l.Add("mix", "gives out "+strconv.FormatFloat(sum, 'f', 3, 64)+" of the load; the shares may add up to 1, and Critical takes the remainder")
	}
	return l
}

// Validate is everything that is wrong with a pool (simulator.md 7.1).
func (p *Pool) Validate() problem.List {
	var l problem.List
	l.Positive("healthy", p.Healthy)
	for i, s := range p.Stalls {
		at := "stalls[" + strconv.Itoa(i) + "]."
		notNegative(&l, at+"after", s.After)
		l.Positive(at+"lasting", s.Lasting)
		l.Positive(at+"delay", s.Delay)
	}
	return l
}

// Validate is everything that is wrong with a limiter (simulator.md 8).
func (m *Limiter) Validate() problem.List {
	var l problem.List
	if m.Adaptive != nil {
		l.Under("adaptive", m.Adaptive.Validate())
	} else {
		l.AtLeastOne("concurrency", m.Concurrency)
	}
	return l
}

// Validate is everything that is wrong with the bounds of an adaptive limit (simulator.md 8).
func (a *Adaptive) Validate() problem.List {
	var l problem.List
	l.AtLeastOne("minimum", a.Minimum)
	if a.Maximum < a.Minimum {
		l.Add("maximum", problem.Sprintf("is %d; it must be at least minimum, which is %d", a.Maximum, a.Minimum))
	}
	if a.Initial < a.Minimum || a.Initial > a.Maximum {
		l.Add("initial", problem.Sprintf("is %d; it must lie between minimum %d and maximum %d", a.Initial, a.Minimum, a.Maximum))
	}
	if !(a.Multiple > 1) {
		l.Add("multiple", problem.Sprintf("is %v; it must be above 1", a.Multiple))
	}
	if !(a.Decrease > 0 && a.Decrease < 1) {
		l.Add("decrease", problem.Sprintf("is %v; it must be above 0 and below 1", a.Decrease))
	}
	return l
}

// Validate is everything that is wrong with a list of rules (grading.md 3).
func (c *Chaos) Validate() problem.List {
	var l problem.List
	seen := map[string]int{}
	for i := range c.Rules {
		r := &c.Rules[i]
		at := "rules[" + strconv.Itoa(i) + "]"
		if first, again := seen[r.ID]; again && r.ID != "" {
			l.Add(at+".id", problem.Sprintf("is %q, which rule %d has already; the id of a rule is its own", r.ID, first+1))
		} else {
			seen[r.ID] = i
		}
		l.Under(at, r.Validate())
	}
	return l
}

// latencyCeiling is the longest that a rule may hold a call (grading.md 3).
const latencyCeiling = 60 * ticks.Second

// Validate is everything that is wrong with one rule.
func (r *ChaosRule) Validate() problem.List {
	var l problem.List
	if r.ID == "" {
		l.Add("id", "is empty; a rule needs an id")
	}
	percent(&l, "percent", r.Percent)
	notNegative(&l, "startAfter", r.StartAfter)
	if r.HasDuration {
		l.Positive("duration", r.Duration)
	}
	if r.MaxLatency <= 0 || r.MaxLatency > latencyCeiling {
		l.Add("maxLatency", problem.Sprintf("is %s; it must be positive and at most %s", r.MaxLatency, latencyCeiling))
	}
	for i := range r.Effects {
		l.Under("effects["+strconv.Itoa(i)+"]", r.Effects[i].validate())
	}
	return l
}

func (e *ChaosEffect) validate() problem.List {
	var l problem.List
	switch {
	case e.Kind == EffectStatus && (e.Status < 100 || e.Status > 599):
		l.Add("status", problem.Sprintf("is %d; an HTTP status lies between 100 and 599", e.Status))
	case e.Kind != EffectLatency:
	case e.LatencyFactor != 0 && !(e.LatencyFactor >= 1 && e.LatencyFactor <= math.MaxFloat64):
		l.Add("latency", problem.Sprintf("is %vx; latency is multiplied by at least 1", e.LatencyFactor))
	case e.LatencyFactor == 0 && (e.LatencyLow < 0 || e.LatencyHigh < e.LatencyLow):
		l.Add("latency", problem.Sprintf("is %s-%s; a range begins at its shorter end", e.LatencyLow, e.LatencyHigh))
	}
	if e.HasPercent {
		percent(&l, "percent", e.Percent)
	}
	return l
}

func isShare(x float64) bool { return x >= 0 && x <= 1 }

func percent(l *problem.List, path string, x float64) {
	if !(x >= 0 && x <= 100) {
		l.Add(path, problem.Sprintf("is %v; it must be between 0 and 100", x))
	}
}

func notNegative(l *problem.List, path string, t ticks.Ticks) {
	if t < 0 {
		l.Add(path, problem.Sprintf("is %s; it must not be negative", t))
	}
}
