package view

import "testing"

func TestForemost(t *testing.T) {
	of := func(calls ...Measured) *Run {
		r := &Run{}
		for i, m := range calls {
			r.Calls = append(r.Calls, Subject{Name: string(rune('a' + i)), Measured: m})
		}
		return r
	}
	for _, c := range []struct {
		why  string
		run  *Run
		want string
	}{
		{"nothing was lost: the first", of(Measured{Calls: 10, Reached: 10}, Measured{Calls: 20, Reached: 20}), "a"},
		{"the storm is worst at the bottom", of(Measured{Calls: 100, Reached: 130, Failed: 16}, Measured{Calls: 130, Reached: 300, Failed: 60}), "b"},
		{"what a breaker held back is no gain", of(Measured{Calls: 100, Reached: 100, Failed: 5}, Measured{Calls: 100, Reached: 20, Failed: 4}), "a"},
		{"one more attempt counts as much as a failure", of(Measured{Calls: 10, Reached: 13}, Measured{Calls: 10, Reached: 10, Failed: 2}), "a"},
	} {
		if got := c.run.Foremost(); got.Name != c.want {
			t.Errorf("%s: %s, not %s", c.why, got.Name, c.want)
		}
	}
	if of().Foremost() != nil {
		t.Error("a run without calls has a foremost one")
	}
}
