package grading

import (
	"strconv"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/world"
	"squall/grading/recording"
)

// FromRun is a simulated run as an input (grading.md 1, 4): each service that sent calls is a
// recording, its requests arrive at GET /SERVICE, and every call names the request it belongs to.
// The run must have kept its calls ([engine.Topology.RecordCalls]); else there are no recordings.
func FromRun(report *measure.Report, t *engine.Topology, settings Settings) *Input {
	in := &Input{Settings: settings}
	if t.Chaos != nil {
		in.Rules = t.Chaos.Rules
	}
	in.Recordings = recorded(report, in.Rules)
	return in
}

func recorded(report *measure.Report, rules []world.ChaosRule) []recording.Recording {
	if report.Recording == nil {
		return nil
	}
	var all []recording.Recording
	for i := range report.Recording.Services {
		s := &report.Recording.Services[i]
		if len(s.Outbound) > 0 {
			all = append(all, recordedService(s, report.Duration.Nanoseconds(), rules))
		}
	}
	return all
}

func recordedService(s *measure.ServiceRecording, loadEnds int64, rules []world.ChaosRule) recording.Recording {
	r := recording.Recording{Service: s.Service, LoadEndsNs: loadEnds, HasLoadEnds: true, Mocked: recording.Yes}
	for i, n := range s.Matched {
		if i < len(rules) {
			r.Matched = append(r.Matched, recording.Match{Rule: rules[i].ID, Count: n})
		}
	}
	r.Inbound = make([]recording.Inbound, len(s.Inbound))
	for i := range s.Inbound {
		c := &s.Inbound[i]
		r.Inbound[i] = recording.Inbound{ID: requestID(i), AtNs: c.At.Nanoseconds(), DurationNs: c.Duration.Nanoseconds(),
			HasDuration: true, Protocol: "http", Method: "GET", Route: "/" + s.Service, Status: c.Status}
	}
	r.Outbound = make([]recording.Outbound, len(s.Outbound))
	for i := range s.Outbound {
		c := &s.Outbound[i]
		out := recording.Outbound{Host: c.To, Parent: requestID(c.Parent)}
		out.Inbound = recording.Inbound{ID: "c" + strconv.Itoa(i+1), AtNs: c.At.Nanoseconds(), DurationNs: c.Duration.Nanoseconds(),
			HasDuration: true, Protocol: "http", Method: "GET", Route: "/" + c.To, Status: c.Status}
		if 0 <= c.Rule && c.Rule < len(rules) {
			out.Chaos = recordedChaos(c, &rules[c.Rule])
		}
		r.Outbound[i] = out
	}
	return r
}

func requestID(index int) string { return "r" + strconv.Itoa(index+1) }

func recordedChaos(c *measure.OutboundCall, rule *world.ChaosRule) *recording.Chaos {
	mark := &recording.Chaos{Rule: rule.ID, Status: c.ChaosStatus, HasStatus: c.ChaosStatus != 0,
		DelayNs: c.Delay.Nanoseconds(), HasDelay: true}
	for _, i := range c.Effects {
		if 0 <= i && i < len(rule.Effects) {
			mark.Effects = append(mark.Effects, rule.Effects[i].Kind.String())
		}
	}
	return mark
}
