package module

import (
	"context"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
)

// explain walks through the worst case of the policy of a call: the one of an index, else the first.
// With "after" true it is the policy as it is after a run, with what that has measured.
func (a *asked) explain() string {
	if alone := a.request.Get("policy"); alone.Exists() {
		return a.explainPolicy(alone.Str)
	}
	s, reply := a.scenario()
	if s == nil {
		return reply
	}
	i := int(a.request.Get("call").Int())
	if i < 0 || i >= len(s.Topology.Calls) {
		return a.failed("the scenario has no such call")
	}
	var readings policy.Readings
	if a.request.Get("after").Bool() {
		report, err := engine.Run(context.Background(), &s.Topology, a.seed(s), engine.Options{Progress: a.progress, Unsealed: true})
		if err != nil {
			return a.failed(err.Error())
		}
		readings = report.Calls[i].Readings
	}
	return a.explained(policy.Explain(&s.Topology.Calls[i].Policy, readings))
}

func (a *asked) explained(e policy.Explanation) string {
	b := append(a.ok(), `,"text":`...)
	b = measure.AppendText(b, e.String())
	b = append(b, `,"explanation":`...)
	return string(append(e.AppendJSON(b), '}'))
}
