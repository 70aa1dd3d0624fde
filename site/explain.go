package main

import (
	"strconv"

	"github.com/tidwall/gjson"

	"squall/site/view"
)

// Explain walks through the worst case of the policy of the call that the result is about.
type Explain struct{ App *App }

type explainState struct {
	view.Explanation
	Why string // why there is nothing to explain
}

// followExplain asks for the explanation of the call that is shown.
func (a *App) followExplain() {
	i := a.callIndex()
	if i < 0 {
		a.Explain.Why = "Choose a call: services and dependencies have no policy."
		return
	}
	a.clerk.ask("explain", `"op":"explain","call":`+strconv.Itoa(i)+`,"text":`+quote(a.Text), func(r gjson.Result) {
		a.Explain = explainState{}
		switch {
		case r.Get("ok").Bool():
			a.Explain.Explanation = view.ParseExplanation(r.Get("explanation"))
		case r.Get("problems").IsArray():
			a.Explain.Why = "The text has problems; the policy is explained when it has none."
		default:
			a.Explain.Why = r.Get("error").String()
		}
	})
}

// callIndex is the place of the subject among the declared calls, -1 for a service or dependency.
func (a *App) callIndex() int {
	s := a.subject()
	if s == nil {
		return -1
	}
	for i := range a.Run.Calls {
		if a.Run.Calls[i].Name == s.Name {
			return i
		}
	}
	return -1
}
