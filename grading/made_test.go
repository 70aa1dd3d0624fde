package grading

import (
	"strconv"
	"testing"

	"squall/engine/ticks"
	"squall/engine/world"
	"squall/grading/recording"
)

// Times of made recordings.
const (
	us = 1_000
	ms = 1_000_000
	s  = 1_000_000_000
)

// made is a recording of service "svc" that a test puts together; its load ends after a minute.
type made struct {
	rec   recording.Recording
	rules []world.ChaosRule
	set   Settings
}

func newMade() *made {
	return &made{rec: recording.Recording{Service: "svc", LoadEndsNs: 60 * s, HasLoadEnds: true, Mocked: recording.Yes}}
}

// rule declares a status rule with a window; a length of 0 is a window without an end.
func (m *made) rule(id string, after, length int64) *world.ChaosRule {
	m.rules = append(m.rules, world.ChaosRule{ID: id, Percent: 100, MaxLatency: 30 * ticks.Second,
		StartAfter: ticks.Ticks(after / 100), Duration: ticks.Ticks(length / 100), HasDuration: length > 0})
	return &m.rules[len(m.rules)-1]
}

// in adds GET /e, answered with a status after a while; a status of 0 is no answer.
func (m *made) in(at, duration int64, status int) *recording.Inbound {
	m.rec.Inbound = append(m.rec.Inbound, recording.Inbound{ID: "r" + strconv.Itoa(len(m.rec.Inbound)), AtNs: at, DurationNs: duration,
		HasDuration: true, Method: "GET", Path: "/e", Status: status})
	return &m.rec.Inbound[len(m.rec.Inbound)-1]
}

// out adds GET /d to the host dep that takes a millisecond, perturbed by a rule unless that is empty.
func (m *made) out(at int64, rule string, effects ...string) *recording.Outbound {
	c := recording.Outbound{Host: "dep"}
	c.Inbound = recording.Inbound{ID: "c" + strconv.Itoa(len(m.rec.Outbound)), AtNs: at, DurationNs: ms, HasDuration: true,
		Method: "GET", Path: "/d", Status: 200}
	if rule != "" {
		c.Chaos = &recording.Chaos{Rule: rule, Effects: effects, HasDelay: true}
	}
	m.rec.Outbound = append(m.rec.Outbound, c)
	return &m.rec.Outbound[len(m.rec.Outbound)-1]
}

func (m *made) input() *Input {
	return &Input{Recordings: []recording.Recording{m.rec}, Rules: m.rules, Settings: m.set}
}

// grade grades it and gives the report of the service.
func (m *made) grade(t testing.TB) *ServiceReport {
	t.Helper()
	r := Grade(m.input())
	if len(r.Services) != 1 {
		t.Fatalf("%d services", len(r.Services))
	}
	return &r.Services[0]
}

func (s *ServiceReport) checks() string {
	text := ""
	for _, f := range s.Findings {
		text += f.Check.String() + " " + strconv.Itoa(f.Count) + ";"
	}
	return text
}
