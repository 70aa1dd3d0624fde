package module

import (
	"squall/engine/policy"
)

// explain walks through the worst case of the policy of a call: the one of an index, else the first.
func (a *asked) explain() string {
	s, reply := a.scenario()
	if s == nil {
		return reply
	}
	i := int(a.request.Get("call").Int())
	if i < 0 || i >= len(s.Topology.Calls) {
		return a.failed("the scenario has no such call")
	}
	e := policy.Explain(&s.Topology.Calls[i].Policy, policy.Readings{})
	b := append(a.ok(), `,"explanation":`...)
	return string(append(e.AppendJSON(b), '}'))
}
