package engine

import (
	"strings"
	"testing"

	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/world"
)

// chain is a graph that is fine: checkout -> payments -> bank.
func chain() *Topology {
	call := func(from, to string) Call { return Call{From: from, To: to, Policy: policy.Default()} }
	return &Topology{
		Duration: ticks.Second,
		Calls:    []Call{call("checkout", "payments"), call("payments", "bank")},
		Leaves:   []Leaf{{"bank", world.Dependency{P50: ticks.Millisecond, P99: ticks.Second}}},
		Loads:    []Entry{{"checkout", world.Load{PerSecond: 1, Peers: 1}}},
	}
}

// TestGraph holds each row of simulator.md 14.2 to its words.
func TestGraph(t *testing.T) {
	call := func(from, to string) Call { return Call{From: from, To: to, Policy: policy.Default()} }
	pool := func(service string) ServicePool { return ServicePool{service, world.Pool{Healthy: 1}} }
	limiter := func(service string) ServiceLimiter { return ServiceLimiter{service, world.Limiter{Concurrency: 1}} }
	for _, c := range []struct {
		row    string
		change func(*Topology)
		want   []string
	}{
		{"fine", func(t *Topology) {
			t.Pools, t.ServiceLimiters = append(t.Pools, pool("payments")), append(t.ServiceLimiters, limiter("payments"))
		}, nil},
		{"1 2 3", func(t *Topology) { *t = Topology{} }, []string{
			"calls: is empty: the graph has no calls", "loads: is empty: the graph has no load", "duration: is 0s: the run has no duration"}},
		{"4", func(t *Topology) { t.Leaves = append(t.Leaves, t.Leaves[0]) }, []string{`leaves[1].name: is "bank", declared as a leaf more than once`}},
		{"5 19", func(t *Topology) { t.Calls = append(t.Calls, call("payments", "payments")) }, []string{
			`calls[2].to: is "payments", so that "payments" calls itself and would never finish`,
			`calls[2].to: is "payments", and so these calls form a cycle: payments -> payments`}},
		{"6", func(t *Topology) { t.Calls = append(t.Calls, call("payments", "bank")) }, []string{`calls[2].to: is "bank", which "payments" calls more than once`}},
		{"7", func(t *Topology) { t.Calls = append(t.Calls, call("bank", "bank")) }, []string{
			`calls[2].to: is "bank", so that "bank" calls itself`,
			`calls[2].from: is "bank", which is declared as a leaf and also makes calls`,
			`form a cycle: bank -> bank`}},
		{"8", func(t *Topology) { t.Calls = append(t.Calls, call("payments", "bink")) }, []string{`calls[2].to: is "bink", which is called but never declared`}},
		{"9", func(t *Topology) { t.Loads[0].At = "bank" }, []string{`loads[0].at: is "bank", which makes no calls`}},
		{"10", func(t *Topology) { t.Loads[0].Load.Peers = 3 }, []string{`loads[0].peers: is 3 in a graph of 2 calls. Peers approximate processes that have no policies`}},
		{"13", func(t *Topology) { t.ServiceLimiters = append(t.ServiceLimiters, limiter("bank")) }, []string{`serviceLimiters[0].service: is "bank", which is a leaf and cannot have a limiter`}},
		{"14", func(t *Topology) { t.ServiceLimiters = append(t.ServiceLimiters, limiter("x")) }, []string{`serviceLimiters[0].service: is "x", which makes no calls`}},
		{"15", func(t *Topology) {
			t.ServiceLimiters = append(t.ServiceLimiters, limiter("payments"), limiter("payments"))
		}, []string{`serviceLimiters[1].service: is "payments" a second time. One service, one process-wide limiter`}},
		{"16", func(t *Topology) { t.Pools = append(t.Pools, pool("bank")) }, []string{`pools[0].service: is "bank", which is a leaf and cannot have a pool`}},
		{"17", func(t *Topology) { t.Pools = append(t.Pools, pool("x")) }, []string{`pools[0].service: is "x", which makes no calls`}},
		{"18", func(t *Topology) { t.Pools = append(t.Pools, pool("payments"), pool("payments")) }, []string{`pools[1].service: is "payments" a second time. One service, one process, one pool`}},
		{"19", func(t *Topology) {
			t.Calls = append(t.Calls, call("payments", "ledger"), call("ledger", "checkout"), call("ledger", "payments"))
		}, []string{
			`calls[3].to: is "checkout", and so these calls form a cycle: checkout -> payments -> ledger -> checkout`,
			`calls[4].to: is "payments", and so these calls form a cycle: payments -> ledger -> payments`}},
		{"a diamond is no cycle", func(t *Topology) { t.Calls = append(t.Calls, call("checkout", "bank")) }, nil},
		{"values", func(t *Topology) {
			t.Calls[1].Policy.Attempts = 0
			t.Calls[0].Limiter = &world.Limiter{}
			t.Leaves[0].Dependency.P99 = 0
			t.Loads[0].Load.PerSecond = 0
			t.Pools = append(t.Pools, ServicePool{Service: "payments"})
			t.ServiceLimiters = append(t.ServiceLimiters, ServiceLimiter{Service: "payments"})
			t.Chaos = &world.Chaos{Rules: []world.ChaosRule{{ID: "x", Percent: 200, MaxLatency: 1}}}
		}, []string{"calls[1].policy.attempts: is 0", "leaves[0].p99: is 0s", "pools[0].healthy: is 0s", "loads[0].perSecond: is 0",
			"serviceLimiters[0].concurrency: is 0", "calls[0].limiter.concurrency: is 0", "chaos.rules[0].percent: is 200"}},
	} {
		topology := chain()
		c.change(topology)
		got := topology.Validate()
		if len(got) != len(c.want) {
			t.Errorf("row %s: %d problems, want %d\n%s", c.row, len(got), len(c.want), got)
			continue
		}
		for i, p := range got {
			if line := p.Path + ": " + p.Message; !strings.Contains(line, c.want[i]) {
				t.Errorf("row %s\n got %s\nwant %s", c.row, line, c.want[i])
			}
		}
	}
}

func TestLongChainIsWalked(t *testing.T) {
	topology := chain()
	topology.Calls = nil
	name := func(i int) string {
		return strings.Repeat("x", i%7) + string(rune('a'+i%26)) + strings.Repeat("y", i/26)
	}
	for i := range 3000 {
		topology.Calls = append(topology.Calls, Call{From: name(i), To: name(i + 1), Policy: policy.Default()})
	}
	topology.Leaves[0].Name = name(3000)
	topology.Loads[0].At = name(0)
	if got := topology.Validate(); len(got) != 0 {
		t.Error(got)
	}
}
