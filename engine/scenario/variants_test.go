package scenario

import (
	"strings"
	"testing"

	"squall/engine/document"
)

// TestMerge has the cases of RFC 7386, appendix A, and the order of keys.
func TestMerge(t *testing.T) {
	for _, c := range []struct{ target, patch, want string }{
		{`{"a":"b"}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"b"}`, `{"b":"c"}`, `{"a":"b","b":"c"}`},
		{`{"a":"b"}`, `{"a":null}`, `{}`},
		{`{"a":"b","b":"c"}`, `{"a":null}`, `{"b":"c"}`},
		{`{"a":["b"]}`, `{"a":"c"}`, `{"a":"c"}`},
		{`{"a":"c"}`, `{"a":["b"]}`, `{"a":["b"]}`},
		{`{"a":{"b":"c"}}`, `{"a":{"b":"d","c":null}}`, `{"a":{"b":"d"}}`},
		{`{"a":[{"b":"c"}]}`, `{"a":[1]}`, `{"a":[1]}`},
		{`["a","b"]`, `["c","d"]`, `["c","d"]`},
		{`{"a":"b"}`, `["c"]`, `["c"]`},
		{`{"a":"foo"}`, `null`, `null`},
		{`{"a":"foo"}`, `"bar"`, `"bar"`},
		{`{"e":null}`, `{"a":1}`, `{"e":null,"a":1}`},
		{`[1,2]`, `{"a":"b","c":null}`, `{"a":"b"}`},
		{`{}`, `{"a":{"bb":{"ccc":null}}}`, `{"a":{"bb":{}}}`},
		{`{"z":1,"y":2, "x":3}`, `{"w":5,"y":{"b":1,"a":2}, /* c */ "z":0,}`, `{"z":0,"y":{"b":1,"a":2},"x":3,"w":5}`},
	} {
		target, _ := document.Parse([]byte(c.target), document.Limits{})
		patch, _ := document.Parse([]byte(c.patch), document.Limits{})
		if got := string(Merge(target.Root(), patch.Root())); got != c.want {
			t.Errorf("%s and %s\n got %s\nwant %s", c.target, c.patch, got, c.want)
		}
	}
}

func TestVariants(t *testing.T) {
	s := mustRead(t, everything)
	got := s.Variants()
	if len(got) != 2 || got[0].Name != "harder" || got[1].Name != "no breaker" {
		t.Fatalf("%+v", got)
	}
	if loads := got[0].Scenario.Topology.Loads; len(loads) != 1 || loads[0].Load.PerSecond != 100 {
		t.Errorf("a list is replaced as a whole: %+v", loads)
	}
	if got[1].Scenario.Topology.Calls[0].Policy.Breaker != nil || s.Topology.Calls[0].Policy.Breaker == nil {
		t.Error("a variant changes itself and nothing else")
	}
	if got[0].Scenario.Seed != -3 || len(got[0].Scenario.Variants()) != 0 {
		t.Errorf("%+v", got[0].Scenario)
	}
	want := strings.Replace(string(s.Canonical), `"load":[`, `"load":{"at":"front","perSecond":100}!`, 1)
	if before, _, _ := strings.Cut(want, "!"); !strings.HasPrefix(string(got[0].Scenario.Canonical), before) {
		t.Errorf("the canonical form is\n%s", got[0].Scenario.Canonical)
	}
	if strings.Contains(string(got[0].Scenario.Canonical), `"variants"`) {
		t.Error("a variant has no variants")
	}
}
