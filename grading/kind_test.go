package grading

import (
	"slices"
	"testing"
)

func TestIsScenario(t *testing.T) {
	tests := []struct {
		name, text string
		want       bool
	}{
		{"shorthand", `{"duration":"1s","dependency":{},"load":{}}`, true},
		{"a scenario that is broken is one", `{"load":{"perSecond":-1}}`, true},
		{"comments", "// a run\n{\"services\":{},}", true},
		{"an input document", `{"squall":1,"recording":{}}`, false},
		{"a grade lists services too", `{"squall":1,"overall":null,"services":[]}`, false},
		{"both", `{"recording":{},"load":{}}`, false},
		{"rules alone", `{"chaos":{"rules":[]}}`, false},
		{"an RRPair has a duration too", `{"msgType":"rrpair","duration":3}`, false},
		{"a list", `[{"duration":"1s"}]`, false},
		{"no JSON", `duration`, false},
		{"nothing", ``, false},
	}
	for _, tt := range tests {
		if got := IsScenario([]byte(tt.text)); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.name, got, tt.want)
		}
	}
}

func TestReadAcceptances(t *testing.T) {
	one := Acceptance{Check: NoRecovery, Endpoint: "GET /x", Rule: "down", Reason: "known"}
	text := `{"check":"no_recovery","endpoint":"GET /x","rule":"down","reason":"known"}`
	tests := []struct {
		name, text string
		want       []Acceptance
		problem    string
	}{
		{"a list", "[" + text + "]", []Acceptance{one}, ""},
		{"under its key", `{"accept":[` + text + `]}`, []Acceptance{one}, ""},
		{"an empty list", "[]", nil, ""},
		{"no reason", `[{"check":"no_recovery","endpoint":"GET /x","rule":"down"}]`, nil, "[0].reason"},
		{"another check", `[{"check":"speed","endpoint":"GET /x","rule":"down","reason":"known"}]`, nil, "[0].check"},
		{"no list", `{"reason":"known"}`, nil, "accept"},
		{"no JSON", `[`, nil, ""},
	}
	for _, tt := range tests {
		got, problems := ReadAcceptances([]byte(tt.text))
		if !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.name, got, tt.want)
		}
		if wrong := len(problems) > 0; wrong != (tt.want == nil && tt.name != "an empty list") {
			t.Errorf("%s: problems %v", tt.name, problems)
		} else if wrong && tt.problem != "" && problems[0].Path != tt.problem {
			t.Errorf("%s: problem at %q, want %q", tt.name, problems[0].Path, tt.problem)
		}
	}
}
