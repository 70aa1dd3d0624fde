package module

import (
	"strconv"

	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/scenario"
	"squall/engine/ticks"
)

// appendWorld appends what a page shows of the world that a scenario describes: who calls whom
// with which bounds, what goes wrong and when, the seeds and variants. Times are nanoseconds, 0 for
// no bound.
func appendWorld(b []byte, s *scenario.Scenario) []byte {
	t := &s.Topology
	b = append(b, `{"title":`...)
	b = measure.AppendText(b, s.Title)
	b = append(b, `,"about":`...)
	b = measure.AppendText(b, s.About)
	b = append(b, `,"graph":`...)
	b = strconv.AppendBool(b, !t.Single)
	b = append(b, `,"chaos":`...)
	b = strconv.AppendBool(b, t.Chaos != nil && len(t.Chaos.Rules) > 0)
	b = append(b, `,"durationNs":`...)
	b = appendBound(b, t.Duration)

	b = append(b, `,"calls":[`...)
	for i := range t.Calls {
		c := &t.Calls[i]
		_, ceiling := c.Policy.EffectiveCeiling()
		b = comma(b, i)
		b = append(b, `{"from":`...)
		b = measure.AppendText(b, c.From)
		b = append(b, `,"to":`...)
		b = measure.AppendText(b, c.To)
		b = append(b, `,"policy":`...)
		b = measure.AppendText(b, c.Policy.Name)
		b = append(b, `,"attempts":`...)
		b = strconv.AppendInt(b, int64(c.Policy.Attempts), 10)
		b = append(b, `,"deadlineNs":`...)
		b = appendBound(b, c.Policy.Deadline)
		b = append(b, `,"attemptTimeoutNs":`...)
		b = appendBound(b, c.Policy.AttemptTimeout)
		for _, f := range []struct {
			key string
			on  bool
		}{
			{"ceiling", ceiling}, {"breaker", c.Policy.Breaker != nil}, {"hedge", c.Policy.Hedge != nil},
			{"budget", c.Policy.Budget.Kind != policy.NoBudget}, {"optional", c.Optional}, {"limiter", c.Limiter != nil},
		} {
			b = append(b, `,"`+f.key+`":`...)
			b = strconv.AppendBool(b, f.on)
		}
		b = append(b, '}')
	}

	b = append(b, `],"leaves":[`...)
	for i := range t.Leaves {
		l := &t.Leaves[i]
		b = comma(b, i)
		b = append(b, `{"name":`...)
		b = measure.AppendText(b, l.Name)
		b = append(b, `,"p50Ns":`...)
		b = appendBound(b, l.Dependency.P50)
		b = append(b, `,"p99Ns":`...)
		b = appendBound(b, l.Dependency.P99)
		b = append(b, `,"capacity":`...)
		b = strconv.AppendInt(b, int64(l.Dependency.Capacity), 10)
		b = append(b, `,"impairments":[`...)
		for k, m := range l.Dependency.Impairments {
			kind := "brownout"
			if m.Outage {
				kind = "outage"
			}
			b = comma(b, k)
			b = appendSpan(b, kind, m.After, m.Lasting)
			b = append(b, `,"slower":`...)
			b = append(measure.AppendNumber(b, m.Slower), '}')
		}
		b = append(b, `]}`...)
	}

	b = append(b, `],"loads":[`...)
	for i := range t.Loads {
		l := &t.Loads[i]
		b = comma(b, i)
		b = append(b, `{"at":`...)
		b = measure.AppendText(b, l.At)
		b = append(b, `,"perSecond":`...)
		b = strconv.AppendInt(b, int64(l.Load.PerSecond), 10)
		b = append(b, `,"peers":`...)
		b = append(strconv.AppendInt(b, int64(l.Load.Peers), 10), '}')
	}

	b = append(b, `],"stalls":[`...)
	first := true
	for i := range t.Pools {
		for _, m := range t.Pools[i].Pool.Stalls {
			if !first {
				b = append(b, ',')
			}
			first = false
			b = appendSpan(b, "stall", m.After, m.Lasting)
			b = append(b, `,"delayNs":`...)
			b = appendBound(b, m.Delay)
			b = append(b, `,"at":`...)
			b = append(measure.AppendText(b, t.Pools[i].Service), '}')
		}
	}

	b = append(b, `],"seed":`...)
	b = strconv.AppendInt(b, int64(s.Seed), 10)
	b = append(b, `,"seeds":[`...)
	for i, seed := range s.Seeds {
		b = strconv.AppendInt(comma(b, i), int64(seed), 10)
	}
	b = append(b, `],"variants":[`...)
	for i, v := range s.Variants() {
		b = measure.AppendText(comma(b, i), v.Name)
	}
	return append(b, `]}`...)
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		b = append(b, ',')
	}
	return b
}

// appendSpan begins the object of a stretch; the caller ends it.
func appendSpan(b []byte, kind string, after, lasting ticks.Ticks) []byte {
	b = append(b, `{"kind":"`+kind+`","fromNs":`...)
	b = strconv.AppendInt(b, after.Nanoseconds(), 10)
	b = append(b, `,"toNs":`...)
	return strconv.AppendInt(b, (after + lasting).Nanoseconds(), 10)
}

func appendBound(b []byte, t ticks.Ticks) []byte {
	if t == ticks.Infinite {
		return append(b, '0')
	}
	return strconv.AppendInt(b, t.Nanoseconds(), 10)
}
