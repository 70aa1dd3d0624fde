package charts

import (
	"encoding/json"
	"strings"
	"testing"

	"squall/site/view"
)

func sample() *view.Series {
	return &view.Series{
		Calls: []float64{10, 0, 12}, Reached: []float64{10, 3, 18}, Succeeded: []float64{10, 0, 5, 1},
		Budgetless: []float64{0, 0, 6}, P50: []float64{2e7, 0, 1.6e8, 2e7}, P99: []float64{2e8, 0, 1e9, 2e8},
		Budget: []float64{30, 30, 0.5, 1}, Ceiling: []float64{0, 0, 1.2e8, 1.2e8},
	}
}

func TestOptionsAreJSON(t *testing.T) {
	charts := Of(sample(), []view.Span{{Kind: "brownout", FromNs: 1e9, ToNs: 9e9, Slower: 8}}, 9)
	for i := range charts {
		c := &charts[i]
		for _, p := range []*Palette{&Light, &Dark} {
			var option, update struct {
				Series []struct {
					ID       string                      `json:"id"`
					Data     []*float64                  `json:"data"`
					MarkArea struct{ Data [][]struct{} } `json:"markArea"`
				} `json:"series"`
			}
			raw := c.Option(p)
			if err := json.Unmarshal(raw, &option); err != nil {
				t.Fatalf("%s: %v", c.ID, err)
			}
			if strings.Contains(string(raw), "null") {
				t.Errorf("%s: the option has null", c.ID)
			}
			if err := json.Unmarshal(c.Update(p), &update); err != nil {
				t.Fatalf("%s: %v\n%s", c.ID, err, c.Update(p))
			}
			if len(option.Series) != len(update.Series) {
				t.Fatalf("%s: %d series, %d updated", c.ID, len(option.Series), len(update.Series))
			}
			for k := range option.Series {
				if option.Series[k].ID != update.Series[k].ID || k < len(c.lines) && len(update.Series[k].Data) != 4 {
					t.Errorf("%s: series %d is %q and %q with %d points", c.ID, k, option.Series[k].ID, update.Series[k].ID, len(update.Series[k].Data))
				}
			}
			if len(update.Series[len(c.lines)].MarkArea.Data) != 1 {
				t.Errorf("%s: nothing is shaded", c.ID)
			}
		}
	}
}

func TestGaps(t *testing.T) {
	c := load(sample())
	c.length = 3
	if got := string(c.Update(&Light)); !strings.Contains(got, `"id":"ratio","data":[1,null,1.5]`) {
		t.Error(got)
	}
	if got := string(c.Option(&Dark)); !strings.Contains(got, Dark.Attempts) || strings.Contains(got, Light.Attempts) {
		t.Error("the dark chart has light colours")
	}
}

// TestAmplificationRunsBelow keeps the line of amplification off those of calls and attempts, which it
// would lie on when both axes ended at the same height.
func TestAmplificationRunsBelow(t *testing.T) {
	for most, end := range map[float64]string{1: "2", 1.1: "2", 1.5: "3", 3.14: "6", 27: "50", 400: "800"} {
		c := load(&view.Series{Calls: []float64{1, 0, 1}, Reached: []float64{1, 3, most}})
		c.length = 3
		if got := string(c.Update(&Light)); !strings.Contains(got, `"yAxis":[{},{"max":`+end+`}]`) {
			t.Errorf("%v: %.200s", most, got)
		}
	}
	all := Of(sample(), nil, 9)
	for _, c := range all[1:] {
		if strings.Contains(string(c.Update(&Light)), "yAxis") {
			t.Errorf("%s has an axis of amplification", c.ID)
		}
	}
}

func TestLargePage(t *testing.T) {
	c, large := load(sample()), Light
	large.Large = true
	if got := string(c.Option(&large)); !strings.Contains(got, `"fontSize":16`) || strings.Contains(got, `"fontSize":12`) {
		t.Error(got)
	}
}

func TestOnlyWhatHappened(t *testing.T) {
	c := outcome(sample())
	var ids []string
	for _, l := range c.lines {
		ids = append(ids, l.id)
	}
	if got := strings.Join(ids, " "); got != "succeeded budget" {
		t.Errorf("stacked %q", got)
	}
	for i, c := range Of(&view.Series{Calls: []float64{1}, Reached: []float64{1}}, nil, 9) {
		if c.ID != IDs[i] || c.Empty() != (i > 0) {
			t.Errorf("of a run without ends: chart %s, empty %v", c.ID, c.Empty())
		}
	}
}

func TestOnlyWhileLoadIsOffered(t *testing.T) {
	c := Of(sample(), nil, 2)[0]
	if got := string(c.Update(&Light)); !strings.Contains(got, `"id":"calls","data":[10,0]}`) {
		t.Error(got)
	}
}

func TestAlternative(t *testing.T) {
	c := load(sample())
	if got := c.Alternative(); !strings.Contains(got, "amplification: from 1 to 1.5, highest at 0:02.") {
		t.Error(got)
	}
}
