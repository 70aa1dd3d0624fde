package view

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestMomentRows(t *testing.T) {
	got := MomentRows(gjson.Parse(`[[90042100000,"Retrying",2,"Transient","AttemptTimeoutException",122000000,74300000,12],
		[0,"Succeeded",1,"Ok","",1000,null,3],[1,"SaturationDetected",1,"Ok","",0,5,3]]`))
	want := `[["1:30.0421","Retrying","#2","Transient, attempt timeout","122 ms","+74.3 ms","12",12,"bad"],` +
		`["0:00.0000","Succeeded","#1","Ok","1 µs","","3",3,""],["0:00.0000","SaturationDetected","#1","Ok","0 s","+0.01 µs","3",3,"note"]]`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := MomentRows(gjson.Result{}); got != "[]" {
		t.Errorf("no rows are %s", got)
	}
}

func TestPulse(t *testing.T) {
	if got := Pulse([]float64{0, 2, 4, 0}); got != "M250.0 32.0v-16.0h250.0v16.0zM500.0 32.0v-32.0h250.0v32.0z" {
		t.Error(got)
	}
	if Pulse(nil) != "" || Pulse(make([]float64, 9)) != "" {
		t.Error("a pulse of nothing")
	}
	// an hour and a half must stay short enough for one attribute of the page
	long := make([]float64, 5400)
	for i := range long {
		long[i] = float64(i)
	}
	if got := Pulse(long); len(got) > 16000 || strings.Count(got, "M") > pulseBins {
		t.Errorf("%d bytes, %d bars", len(got), strings.Count(got, "M"))
	}
}

func TestIll(t *testing.T) {
	w := World{
		Leaves: []Leaf{{Name: "db", Impairments: []Span{{Kind: "outage", FromNs: 2.5e9, ToNs: 4e9}}}},
		Stalls: []Span{{Kind: "stall", At: "shop", FromNs: 1e9, ToNs: 2e9}},
	}
	for _, tt := range []struct {
		name   string
		second int
		want   bool
	}{
		{"db", 1, false}, {"db", 2, true}, {"db", 3, true}, {"db", 4, false}, {"db", -1, true},
		{"shop", 0, false}, {"shop", 1, true}, {"shop", 2, false}, {"other", -1, false},
	} {
		if got := w.Ill(tt.name, tt.second); got != tt.want {
			t.Errorf("%s in second %d: %v", tt.name, tt.second, got)
		}
	}
}

func TestTopologyLines(t *testing.T) {
	r := &Run{Services: []Subject{{Name: "a"}, {Name: "b-with-a-name-that-goes-on-and-on", Leaf: true}}, Calls: []Subject{{Name: "a → b", From: "a", To: "b-with-a-name-that-goes-on-and-on"}}}
	asked := ""
	got := NewTopology(r, func(json string) string {
		asked = json
		return `{"width":500,"height":90,"nodes":[{"x":61,"y":40},{"x":400,"y":20}],"edges":[{"x":200,"y":30,"points":[{"x":122,"y":40},{"x":200,"y":30},{"x":300,"y":20}]}]}`
	})
	if !gjson.Valid(asked) || gjson.Get(asked, "nodes.#").Int() != 2 || gjson.Get(asked, "edges.0.from").Str != "a" {
		t.Errorf("asked for %s", asked)
	}
	if got.Nodes[1].Label != "b-with-a-name-that-go…" || got.Crowded {
		t.Errorf("%+v", got.Nodes[1])
	}
	e := got.Edges[0]
	if !strings.HasPrefix(e.Path, "M122.0 40.0 C") || strings.Count(e.Path, "C") != 2 || e.TipX != 400-got.Nodes[1].Width/2 || e.TipY != 20 {
		t.Errorf("%+v", e)
	}
	if a := e.Arrow(2); !strings.HasPrefix(a, "M"+fixed(e.TipX)+" 20.0L") {
		t.Errorf("arrow %s", a)
	}
	broken := NewTopology(r, func(string) string { return `{"edges":[{},{},{}]}` })
	if len(broken.Nodes) != 2 {
		t.Error("a layout that failed lost the nodes")
	}
}

func TestFindings(t *testing.T) {
	sample := func(name string, load ...float64) Sample {
		s := Sample{Name: name}
		for i, l := range load {
			s.Runs = append(s.Runs, &Measured{LoadMultiplier: l, Availability: 0.9 + float64(i)/100, P50: 5})
		}
		return s
	}
	rows := CompareBands([]Sample{sample("base", 1.2, 1.1, 1.3, 1.15), sample("worse", 1.6, 1.5, 1.7, 1.4), sample("same", 1.3, 1.5, 1.6, 1.4), {Name: "elsewhere", Runs: make([]*Measured, 4)}})
	if rows[0].Measure != "load multiplier" || rows[0].Median != "1.150" || rows[0].Low != "1.100" || rows[0].High != "1.300" || rows[0].Verdict != "" {
		t.Errorf("base is %+v", rows[0])
	}
	if rows[1].Verdict != "separates, higher" || rows[1].Median != "1.500" {
		t.Errorf("worse is %+v", rows[1])
	}
	if rows[2].Verdict != "cannot tell apart" { // it touches base at 1.3
		t.Errorf("same is %+v", rows[2])
	}
	if rows[3].Median != "not there" || rows[3].Verdict != "cannot be compared" {
		t.Errorf("elsewhere is %+v", rows[3])
	}
	got := strings.Join(Findings(rows), "\n")
	for _, want := range []string{
		"“worse” separates from base in load multiplier (1.500 against 1.150); it cannot be told apart in availability and p50.",
		"“same” cannot be told apart from base in anything.",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}
