package module

// TEMPORARY until engine/scenario lands: reads the shorthand only.

import (
	"time"

	"squall/engine"
	"squall/engine/document"
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/engine/world"
)

type scenarioT struct {
	Title    string
	Topology engine.Topology
	Seed     int32
}

func readScenario(text string) (*scenarioT, []document.Problem) {
	doc, problems := document.Parse([]byte(text), document.Limits{})
	if len(problems) > 0 {
		return nil, problems
	}
	s := &scenarioT{Seed: 1}
	o := doc.Root().Object("squall", "title", "about", "duration", "seed", "policy", "dependency", "load", "expect", "record")
	dur := func(v document.Value) ticks.Ticks {
		t, ok := v.Text()
		if !ok {
			return 0
		}
		d, err := time.ParseDuration(t)
		if err != nil {
			v.Problem("no duration")
		}
		return ticks.Ticks(d / 100)
	}
	s.Title, _ = o.Get("title").Text()
	s.Topology.Duration = dur(o.Need("duration"))
	p := policy.HTTP()
	po := o.Get("policy").Object("preset", "deadline", "name", "attempts")
	if po.Get("deadline").Exists() {
		p.Deadline = dur(po.Get("deadline"))
	}
	if n, ok := po.Get("attempts").Int(1, 100); ok && po.Get("attempts").Exists() {
		p.Attempts = int(n)
	}
	p.Name = "api"
	d := o.Need("dependency").Object("p50", "p99", "impairments", "capacity", "failing")
	dep := world.Dependency{P50: dur(d.Need("p50")), P99: dur(d.Need("p99"))}
	for it := range d.Get("impairments").List() {
		b := it.Object("brownout").Get("brownout").Object("after", "slower", "lasting")
		slow, _ := b.Need("slower").Float()
		dep.Impairments = append(dep.Impairments, world.Impairment{After: dur(b.Need("after")), Lasting: dur(b.Need("lasting")), Slower: slow})
	}
	l := o.Need("load").Object("perSecond", "peers", "mix")
	n, _ := l.Need("perSecond").Int(1, 100000)
	if seed, ok := o.Get("seed").Int(-2147483648, 2147483647); ok && o.Get("seed").Exists() {
		s.Seed = int32(seed)
	}
	if problems := doc.Problems(); len(problems) > 0 {
		return nil, problems
	}
	s.Topology.Single = true
	s.Topology.Calls = []engine.Call{{From: "client", To: "dependency", Policy: p}}
	s.Topology.Leaves = []engine.Leaf{{Name: "dependency", Dependency: dep}}
	s.Topology.Loads = []engine.Entry{{At: "client", Load: world.Load{PerSecond: int(n), Peers: 1}}}
	return s, nil
}
