package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestTopologyBySecond(t *testing.T) {
	a, b := openPanelOver(t, "topology", nestedStorm)
	a.choose("cart → store")
	whole := b.html()
	has(t, whole, `data-choose="shop → cart"`, `data-choose="store"`, `aria-pressed="true"`, "/s", "whole run")
	if strings.Contains(whole, "node leaf bad ill") {
		t.Error("the whole run is said to be impaired")
	}
	a.set("scrub", "2")
	during := b.html()
	has(t, during, "node leaf bad ill", "impaired now", "edge hot", `aria-valuetext="0:02"`, "The same as a table, second 0:02")
	a.set("scrub", "0")
	before := b.html()
	if strings.Contains(before, " ill") || before == during {
		t.Error("second 0 looks like the outage")
	}
	a.set("scrub", "-1")
	if b.html() != whole {
		t.Error("the whole run looks different the second time")
	}
}

func TestTopologyReplay(t *testing.T) {
	a, b := openPanelOver(t, "topology", nestedStorm)
	a.play()
	if a.Topology.second != 1 {
		t.Errorf("the replay begins in second %d", a.Topology.second-1)
	}
	has(t, b.html(), "Stop the replay")
	for range 20 {
		b.pass(playEvery)
	}
	if a.Topology.second != 6 || a.Topology.playing != nil {
		t.Errorf("the replay ended in second %d", a.Topology.second-1)
	}
	a.play()
	b.pass(playEvery)
	a.play()
	at := a.Topology.second
	b.pass(playEvery)
	if a.Topology.second != at {
		t.Error("the replay did not stop")
	}
}

func TestTopologyOfThirty(t *testing.T) {
	var s strings.Builder
	s.WriteString(`{ "duration": "3s", "seed": 1, "load": { "at": "a-service-with-a-long-name-0", "perSecond": 20 }, "services": {`)
	for i := range 29 {
		if i > 0 {
			s.WriteString(",")
		}
		to := fmt.Sprint("a-service-with-a-long-name-", i+1)
		if i == 28 {
			to = "db"
		}
		fmt.Fprintf(&s, `"a-service-with-a-long-name-%d": { "calls": [ { "to": %q } ] }`, i, to)
	}
	s.WriteString(`}, "dependencies": { "db": { "p50": "1ms", "p99": "2ms" } } }`)
	a, b := openPanelOver(t, "topology", s.String())
	if !a.Topology.Crowded || len(a.Topology.Nodes) != 30 || len(a.Topology.Edges) != 29 {
		t.Fatalf("%d nodes, %d edges", len(a.Topology.Nodes), len(a.Topology.Edges))
	}
	has(t, b.html(), "a-service-with-…", "a-service-with-a-long-name-28: availability", "graph-svg crowded")
}
