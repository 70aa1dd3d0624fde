package module

import (
	"strings"
	"testing"

	"squall/examples"
)

func TestExplainPolicy(t *testing.T) {
	m := &Module{}
	whole := ask(t, m, `"op":"explain",`+text(examples.Brownout))
	alone := ask(t, m, `"op":"explain","policy":"{ \"preset\": \"http\", \"deadline\": \"10s\", \"name\": \"api\" } // mine"`)
	if !alone.Get("ok").Bool() || alone.Get("explanation").Raw != whole.Get("explanation").Raw || alone.Get("text").Str == "" {
		t.Errorf("the policy alone is explained as %s", alone.Raw)
	}
}

// Problems of a policy alone stand where they do in its own text.
func TestProblemsOfPolicy(t *testing.T) {
	for name, c := range map[string]struct {
		policy, path         string
		line, column, offset int64
	}{
		"first line":  {`{"attempts": "two"}`, "attempts", 1, 14, 13},
		"later line":  {"{\n  \"attempts\": \"two\"}", "attempts", 2, 15, 16},
		"no object":   {`7`, "", 1, 1, 0},
		"not closed":  {`{"attempts": 2`, "", 1, 15, 14},
		"smuggled":    {`{}, "duration": "2s"`, "", 1, 3, 2},
		"empty":       {``, "", 1, 1, 0},
		"unknown key": {`{"attempt": 2}`, "attempt", 1, 2, 1},
	} {
		r := ask(t, &Module{}, `"op":"explain","policy":`+strings.TrimPrefix(text(c.policy), `"text":`))
		p := r.Get("problems.0")
		if r.Get("ok").Bool() || p.Get("path").Str != c.path || p.Get("line").Int() != c.line || p.Get("column").Int() != c.column || p.Get("offset").Int() != c.offset {
			t.Errorf("%s: %s", name, r.Raw)
		}
	}
}

// A panic becomes a reply that says so, and the module answers on.
func TestDefect(t *testing.T) {
	m := &Module{}
	reply := m.Answer(`{"id":7,"op":"run",`+text(examples.Brownout)+`}`, func(float64) { panic("broken") })
	if reply != `{"id":7,"ok":false,"error":"the engine has a defect: broken","defect":true}` {
		t.Errorf("the reply is %.200s", reply)
	}
	if !ask(t, m, `"op":"check",`+text(examples.Brownout)).Get("ok").Bool() {
		t.Error("it does not answer any more")
	}
}
