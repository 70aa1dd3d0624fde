package module

import (
	"strings"

	"squall/engine/document"
	"squall/engine/policy"
	"squall/engine/scenario"
)

// A policy without a world is explained in the smallest world that there is. The line ends, because
// a policy's text may end with a comment.
const (
	beforePolicy = `{"policy":`
	afterPolicy  = "\n" + `,"duration":"1s","dependency":{"p50":"1ms","p99":"2ms"},"load":{"perSecond":1}}`
)

// explainPolicy walks through the worst case of a policy alone. Problems stand where they do in the
// text of the policy.
func (a *asked) explainPolicy(text string) string {
	if _, problems := document.Parse([]byte(text), document.Limits{}); len(problems) > 0 {
		return a.refused(problems)
	}
	s, problems := scenario.Read([]byte(beforePolicy+text+afterPolicy), scenario.Options{})
	if len(problems) > 0 {
		own := make([]document.Problem, 0, len(problems))
		for _, p := range problems {
			p.Path = strings.TrimPrefix(strings.TrimPrefix(p.Path, "policy"), ".")
			if p.Offset = max(p.Offset-len(beforePolicy), 0); p.Line == 1 {
				p.Column = max(p.Column-len(beforePolicy), 1)
			}
			own = append(own, p)
		}
		return a.refused(own)
	}
	return a.explained(policy.Explain(&s.Topology.Calls[0].Policy, policy.Readings{}))
}
