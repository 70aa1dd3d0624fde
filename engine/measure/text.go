package measure

import (
	"strconv"

	"squall/engine/policy"
	"squall/engine/ticks"
)

// Text is the report as one block: simulator.md 10 for a single run, 14.6 for a graph.
func (r *Report) Text() string {
	if r.Single {
		return string(r.appendSingle(nil))
	}
	return string(r.appendGraph(nil))
}

func (r *Report) appendSingle(b []byte) []byte {
	m := &r.Calls[0].Measured
	b = append(b, "Simulation seed "...)
	b = strconv.AppendInt(b, int64(r.Seed), 10)
	b = append(b, " over "...)
	b = append(AppendClock(b, r.Duration), '\n')
	b = lineInt(b, "  Calls            ", m.Calls)
	b = lineInt(b, "  Succeeded        ", m.Succeeded)
	b = lineInt(b, "  Failed           ", m.Failed())
	b = lineFixed(b, "  Availability     ", m.Availability(), 4)
	b = lineFixed(b, "  LoadMultiplier   ", m.LoadMultiplier(), 3)
	b = lineFixed(b, "  Amplification    ", m.Amplification, 3)
	b = lineTime(b, "  Latency p50      ", m.Latency.P50)
	b = lineTime(b, "  Latency p99      ", m.Latency.P99)
	b = lineInt(b, "  BreakerOpens     ", m.BreakerOpens())
	if m.RefusedByLimiter > 0 {
		b = lineInt(b, "  LimiterRefusals  ", m.RefusedByLimiter)
	}
	b = lineRecovery(b, "  TimeToRecover    ", m)
	if m.Levels[policy.Critical].Calls == m.Calls {
		return b
	}
	for level, n := range m.Levels {
		if n.Calls == 0 {
			continue
		}
		name := policy.Level(level).String()
		b = append(append(b, "  "...), name...)
		for range 16 - len(name) {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(append(b, ' '), int64(n.Calls), 10)
		b = append(b, " calls, "...)
		b = strconv.AppendFloat(b, m.AvailabilityAt(policy.Level(level)), 'f', 4, 64)
		b = append(b, " available\n"...)
	}
	return b
}

func (r *Report) appendGraph(b []byte) []byte {
	b = append(b, "Topology seed "...)
	b = strconv.AppendInt(b, int64(r.Seed), 10)
	b = append(b, " over "...)
	b = append(AppendClock(b, r.Duration), '\n')
	for _, name := range r.Entries {
		b = append(append(append(b, "  "...), name...), '\n')
		m := r.At(name)
		b = lineInt(b, "    Requests       ", m.Calls)
		b = lineFixed(b, "    Availability   ", m.Availability(), 4)
		b = lineTime(b, "    Latency p50    ", m.Latency.P50)
		b = lineTime(b, "    Latency p99    ", m.Latency.P99)
	}
	for i := range r.Calls {
		c := &r.Calls[i]
		m := &c.Measured
		b = appendArrow(b, c.From, c.To)
		b = lineInt(b, "    Calls          ", m.Calls)
		b = lineFixed(b, "    Availability   ", m.Availability(), 4)
		b = lineFixed(b, "    LoadMultiplier ", m.LoadMultiplier(), 3)
		b = lineFixed(b, "    Amplification  ", m.Amplification, 3)
		b = lineInt(b, "    BreakerOpens   ", m.BreakerOpens())
		b = lineRecovery(b, "    TimeToRecover  ", m)
	}
	return b
}

// On is what one declared call measured, nil if there is no such call.
func (r *Report) On(from, to string) *Measured {
	for i := range r.Calls {
		if c := &r.Calls[i]; c.From == from && c.To == to {
			return &c.Measured
		}
	}
	return nil
}

// At is what one service or leaf measured, nil if there is none of that name.
func (r *Report) At(service string) *Measured {
	for i := range r.Services {
		if s := &r.Services[i]; s.Name == service {
			return &s.Measured
		}
	}
	return nil
}

// Timeline is the recorded events of one call as text, a line each (simulator.md 11).
func (c *CallReport) Timeline() string {
	var b []byte
	for i := range c.Measured.Timeline {
		b = append(c.Measured.Timeline[i].AppendText(b, c.Policy), '\n')
	}
	return string(b)
}

// AppendText appends the entry text of simulator.md 11 under a policy's name, empty for none.
func (m *Moment) AppendText(b []byte, policyName string) []byte {
	day := m.At % (24 * ticks.Hour)
	b = appendHours(b, day)
	b = appendFraction(b, day%ticks.Second)
	b = append(b, "  "...)
	if policyName != "" {
		b = append(append(append(b, '['), policyName...), "] "...)
	}
	b = append(append(b, m.Kind.String()...), " #"...)
	b = strconv.AppendInt(b, int64(m.Number), 10)
	b = append(append(b, ' '), m.Verdict.String()...)
	if m.Error != policy.NoFailure {
		b = append(append(b, ' '), m.Error.String()...)
	}
	b = append(appendTenths(append(b, " ("...), m.Duration), "ms)"...)
	if m.HasDelay {
		b = append(appendTenths(append(b, " +"...), m.Delay), "ms"...)
	}
	return b
}

// appendTenths appends milliseconds with at most one decimal, half away from zero.
func appendTenths(b []byte, t ticks.Ticks) []byte {
	tenths := int64(ticks.Add(t, 500) / 1000)
	b = strconv.AppendInt(b, tenths/10, 10)
	if tenths%10 != 0 {
		b = append(b, '.', byte('0'+tenths%10))
	}
	return b
}

// AppendClock appends a span as [-][d.]hh:mm:ss[.fffffff] (simulator.md 10).
func AppendClock(b []byte, t ticks.Ticks) []byte {
	if t < 0 {
		b, t = append(b, '-'), -t
	}
	if days := t / (24 * ticks.Hour); days > 0 {
		b = append(strconv.AppendInt(b, int64(days), 10), '.')
	}
	b = appendHours(b, t%(24*ticks.Hour))
	if f := t % ticks.Second; f != 0 {
		b = appendFraction(b, f)
	}
	return b
}

func appendHours(b []byte, t ticks.Ticks) []byte {
	two := func(n ticks.Ticks) { b = append(b, byte('0'+n/10), byte('0'+n%10)) }
	two(t / ticks.Hour)
	b = append(b, ':')
	two(t / ticks.Minute % 60)
	b = append(b, ':')
	two(t / ticks.Second % 60)
	return b
}

func appendFraction(b []byte, f ticks.Ticks) []byte {
	b = append(b, '.')
	for unit := ticks.Second / 10; unit > 0; unit /= 10 {
		b = append(b, byte('0'+f/unit%10))
	}
	return b
}

func appendArrow(b []byte, from, to string) []byte {
	b = append(append(b, "  "...), from...)
	b = append(append(b, " -> "...), to...)
	return append(b, '\n')
}

func lineInt(b []byte, label string, n int) []byte {
	return append(strconv.AppendInt(append(b, label...), int64(n), 10), '\n')
}

func lineFixed(b []byte, label string, x float64, decimals int) []byte {
	return append(strconv.AppendFloat(append(b, label...), x, 'f', decimals, 64), '\n')
}

func lineTime(b []byte, label string, t ticks.Ticks) []byte {
	return append(AppendClock(append(b, label...), t), '\n')
}

func lineRecovery(b []byte, label string, m *Measured) []byte {
	if !m.Recovered {
		return append(append(b, label...), "never\n"...)
	}
	return lineTime(b, label, m.TimeToRecover)
}
