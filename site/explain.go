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
	// Cold asks for the policy as it is before its first call, not as it is after the run.
	Cold bool

	question string // that was asked last
}

// followExplain asks for the explanation of the call that is shown. The one before stays until the
// answer is there.
func (a *App) followExplain() {
	x := &a.Explain
	i := a.callIndex()
	if i < 0 {
		*x = explainState{Cold: x.Cold, Why: "Choose a call: services and dependencies have no policy."}
		return
	}
	if a.engine.busy() || len(a.Problems) > 0 {
		return
	}
	question := `"op":"explain","call":` + strconv.Itoa(i) + `,"after":` + strconv.FormatBool(!x.Cold) + `,"text":` + quote(a.Text)
	if question == x.question {
		return
	}
	x.question = question
	a.clerk.ask("explain", question, func(r gjson.Result) {
		if a.Explain.question != question {
			return
		}
		answer := explainState{Cold: a.Explain.Cold, question: question}
		switch {
		case r.Get("ok").Bool():
			answer.Explanation = view.ParseExplanation(r.Get("explanation"))
		case r.Get("problems").IsArray():
			answer.Why = "The text has problems; the policy is explained when it has none."
		default:
			answer.Why = "The policy could not be explained: " + r.Get("error").String()
		}
		a.Explain = answer
	})
}

// explainCold goes from the policy after the run to the one before its first call, and back.
func (a *App) explainCold(cold bool) {
	a.Explain.Cold = cold
	a.followExplain()
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

func (c *Explain) class() string {
	if len(c.App.Problems) > 0 {
		return "stale-all"
	}
	return "explained"
}

// when names the instant that the measured terms are of.
func (c *Explain) when() string {
	if c.App.Explain.Cold {
		return "Measured before the first call"
	}
	return "Measured when the run ended"
}

func measuredClass(m view.Measurement) string {
	if m.Known {
		return "known"
	}
	return "unknown"
}
