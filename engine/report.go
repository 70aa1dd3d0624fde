package engine

import (
	"slices"

	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/world"
)

// report puts together what a finished run measured (simulator.md 10, 14.6).
func (r *run) report() *measure.Report {
	t := r.topology
	out := &measure.Report{Engine: Version, Seed: r.seed, Duration: t.Duration, Single: t.Single}
	for i := range t.Loads {
		out.Entries = append(out.Entries, t.Loads[i].At)
	}
	for i := range r.edges {
		e := &r.edges[i]
		m := e.meter.Measured(t.Duration)
		m.Events = e.live.Counts
		m.Timeline = e.timeline
		m.Limiter = limiterReport(e.gate, e.limits)
		out.Calls = append(out.Calls, measure.CallReport{
			From: e.call.From, To: e.call.To, Policy: e.call.Policy.Name, Measured: m, Readings: e.live.Readings(r.now), Traces: e.traces,
		})
	}
	for i := range r.services {
		s := &r.services[i]
		out.Services = append(out.Services, measure.ServiceReport{
			Name: s.name, Entry: slices.Contains(out.Entries, s.name),
			Degraded: s.degraded, HasOptional: s.optional, Measured: r.measuredService(s, out),
		})
	}
	for i := range r.leaves {
		l := &r.leaves[i]
		m := l.meter.Measured(t.Duration)
		out.Services = append(out.Services, measure.ServiceReport{Name: l.name, Leaf: true, Measured: m})
	}
	if t.RecordCalls {
		out.Recording = r.recording()
	}
	if !r.options.Unsealed {
		out.Seal()
	}
	return out
}

// measuredService is a service's part. A service with one call measures what that call measures,
// without what belongs to a call alone.
func (r *run) measuredService(s *service, out *measure.Report) measure.Measured {
	var m measure.Measured
	if s.meter != nil {
		m = s.meter.Measured(r.topology.Duration)
	} else {
		for i := range r.edges {
			if &r.edges[i] == s.calls[0] {
				m = out.Calls[i].Measured
			}
		}
		m.RefusedByLimiter, m.TimeToRecover, m.Recovered = 0, 0, false
		m.Events, m.Timeline = [policy.EventKinds]int{}, nil
		m.Seconds.Budget, m.Seconds.Breaker, m.Seconds.Ceiling, m.Seconds.Permits = nil, nil, nil, nil
	}
	m.Limiter = limiterReport(s.gate, s.limits)
	return m
}

func limiterReport(g *world.Gate, moves []measure.LimitChange) *measure.LimiterReport {
	if g == nil {
		return nil
	}
	return &measure.LimiterReport{Limit: g.Limit(), Changes: moves}
}

func (r *run) recording() *measure.Recording {
	out := &measure.Recording{}
	if r.injector != nil {
		out.Matched, out.Fired = r.injector.Matched, r.injector.Fired
	}
	for i := range r.services {
		s := &r.services[i]
		if r.injector != nil {
			s.recorded.Matched = make([]int, len(r.injector.Matched))
			for _, e := range s.calls {
				for k, n := range e.site.Matched {
					s.recorded.Matched[k] += n
				}
			}
		}
		out.Services = append(out.Services, *s.recorded)
	}
	return out
}

// recordSent keeps an attempt that got through.
func (r *run) recordSent(a *attempt) {
	s := a.edge.from.recorded
	a.sent = len(s.Outbound)
	sent := measure.OutboundCall{At: r.now, To: a.edge.call.To, Parent: a.parent, Rule: -1}
	if f := a.fault; f != nil {
		sent.Rule, sent.Effects, sent.ChaosStatus = f.Rule, f.Effects, f.Status
	}
	s.Outbound = append(s.Outbound, sent)
}

// recordEnded completes it. What the rule added is its whole delay, whether or not the caller
// waited for all of it (grading.md 3).
func (r *run) recordEnded(a *attempt) {
	sent := &a.edge.from.recorded.Outbound[a.sent]
	sent.Duration = r.now - sent.At
	sent.Status = a.answer()
	if a.fault != nil {
		sent.Delay = a.added
	}
}

// answer is the status that an attempt saw, 0 for none.
func (a *attempt) answer() int {
	o := a.outcome
	switch {
	case o.Cut:
		return 0
	case o.Status != 0:
		return o.Status
	case o.Failure == policy.NoFailure:
		return 200
	case a.edge.leaf != nil, a.fault != nil && a.fault.Failure:
		return 0
	}
	return statusOf(o.Failure)
}
