package measure

import (
	"strings"
	"testing"

	"squall/engine/policy"
	"squall/engine/ticks"
)

// bandOf is a band of one call whose runs differ in offered calls, attempts and recovery.
func bandOf(runs ...Measured) *Band {
	var reports []*Report
	for i, m := range runs {
		reports = append(reports, &Report{Engine: "1.0.0", Seed: int32(i + 1), Duration: ticks.Minute,
			Calls: []CallReport{{From: "client", To: "dependency", Measured: m}}})
	}
	return NewBand(reports)
}

func measured(calls, reached int, recover ticks.Ticks) Measured {
	m := Measured{Calls: calls, Succeeded: calls, Reached: reached, TimeToRecover: recover, Recovered: recover > 0}
	m.Levels[policy.Critical] = LevelCount{calls, calls}
	return m
}

func TestCompare(t *testing.T) {
	c := &Comparison{
		Names: []string{"base", "no budget", "other"},
		Bands: []*Band{
			bandOf(measured(100, 110, ticks.Second), measured(102, 112, 2*ticks.Second)),
			bandOf(measured(101, 300, 0), measured(100, 310, 0)),
			bandOf(measured(103, 120, 3*ticks.Second), measured(200, 210, 0)),
		},
	}
	want := `Comparison over 00:01:00, 2 seeds from 1
  client -> dependency
    Calls          base       100.000 (100.000-102.000)
                   no budget  100.000 (100.000-101.000)  cannot tell apart
                   other      103.000 (103.000-200.000)  separates
`
	if got := c.Text(); !strings.HasPrefix(got, want) {
		t.Errorf("got\n%swant it to begin with\n%s", got, want)
	}
	tests := []struct {
		measure string
		want    []Verdict
	}{
		{"Calls", []Verdict{CannotTell, CannotTell, Separates}},
		{"Availability", []Verdict{CannotTell, CannotTell, CannotTell}},
		{"LoadMultiplier", []Verdict{CannotTell, Separates, CannotTell}},
		{"TimeToRecover", []Verdict{CannotTell, NotComparable, Separates}},
	}
	rows := c.Rows("client", "dependency")
	for _, tt := range tests {
		for _, row := range rows {
			if row.Measure != tt.measure {
				continue
			}
			for i, v := range row.Verdicts {
				if v != tt.want[i] {
					t.Errorf("%s of %s: %v, want %v (%v)", tt.measure, c.Names[i], v, tt.want[i], row.Values)
				}
			}
		}
	}
	for _, row := range c.Rows("client", "nobody") {
		if row.Values[0] != "" || row.Verdicts[1] != NotComparable {
			t.Errorf("a call that is not there: %v", row)
		}
	}
	if got := string(c.AppendJSON(nil)); !strings.Contains(got, `{"measure":"TimeToRecover","verdicts":[null,"cannot be compared","separates"]}`) {
		t.Error(got)
	}
}
