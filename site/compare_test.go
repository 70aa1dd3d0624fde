package main

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

const withVariants = `{ "title": "Two ways", "duration": "3s", "seed": 5, "load": { "perSecond": 50 }, "policy": { "attempts": 3, "backoff": "none" },
  "dependency": { "p50": "10ms", "p99": "40ms", "failing": 0.4 }, "variants": { "once": { "policy": { "attempts": 1 } } } }`

func TestCompareVariants(t *testing.T) {
	a, b := openPanelOver(t, "compare", withVariants)
	has(t, b.html(), "2 × 20 = 40 runs", "+ no budget")
	a.set("seeds", "5")
	a.compareNow()
	if !a.Compare.Running {
		t.Fatal("nothing runs")
	}
	has(t, b.html(), "0 of 10 runs")
	b.settle()
	if a.Compare.Running || a.Compare.done != 10 {
		t.Fatalf("%d of %d runs", a.Compare.done, a.Compare.total)
	}
	has(t, b.html(), "client → dependency over 5 seeds from 5", "“once” separates from base in load multiplier", "separates, lower", "band-box", "10 runs in ")
	if (&Compare{a}).stale() {
		t.Error("the table is said to be about another text")
	}
	a.choose("dependency")
	b.settle()
	has(t, b.html(), "dependency over 5 seeds from 5")
	a.typed(strings.Replace(withVariants, `0.4`, `0.5`, 1))
	b.settle()
	if !(&Compare{a}).stale() {
		t.Error("the table is said to be about the text that is there now")
	}
}

func TestCompareOtherTexts(t *testing.T) {
	a, b := openPanelOver(t, "compare", withVariants)
	a.pin()
	a.pin()
	b.fields["c-text"] = strings.Replace(withVariants, `Two ways`, `once`, 1) // a name that is taken
	a.addWritten()
	var names []string
	for _, o := range a.Compare.Others {
		names = append(names, o.Name)
	}
	if got := strings.Join(names, ", "); got != "as it was, as it was 2, once 2" {
		t.Errorf("other texts: %s", got)
	}
	a.Drafts.cancel = func() {}
	a.Drafts.save()
	a.set("c-draft", a.Drafts.List[0].ID)
	if len(a.Compare.Others) != 4 || a.Compare.Others[3].Name != "Two ways" {
		t.Errorf("%+v", a.Compare.Others)
	}
	a.removeOther("as it was 2")
	a.set("seeds", "5")
	a.compareNow()
	b.settle()
	has(t, b.html(), "“as it was” cannot be told apart from base in anything.", "cannot tell apart")

	a.addOther("broken", `{ "duration": 5 }`)
	a.compareNow()
	b.settle()
	if a.Compare.Running || !strings.Contains(a.Compare.Status, "“broken” could not be run: ") || !strings.Contains(a.Compare.Status, "(line 1)") {
		t.Errorf("status %q", a.Compare.Status)
	}
	for range 2 * othersMax {
		a.pin()
	}
	if len(a.Compare.Others) != othersMax {
		t.Errorf("%d other texts", len(a.Compare.Others))
	}
}

func TestCompareStops(t *testing.T) {
	a, b := openPanelOver(t, "compare", withVariants)
	a.compareNow()
	a.stopCompare()
	b.settle()
	if a.Compare.Running || len(a.Compare.Table) != 0 || a.Compare.Status != "Stopped after 0 of 40 runs." {
		t.Errorf("%q, %d rows", a.Compare.Status, len(a.Compare.Table))
	}
	a.compareNow()
	b.settle()
	if len(a.Compare.Table) == 0 {
		t.Error("nothing can be compared after a stop")
	}
}

func TestPoolSurvivesCrashes(t *testing.T) {
	for _, tt := range []struct {
		crashes int
		broken  bool
	}{{0, false}, {1, false}, {2, false}, {9, true}} {
		b := newFake(t)
		b.crash = tt.crashes
		p := pool{b: b}
		heard, done, broken := map[int]bool{}, false, ""
		p.run([]string{`"op":"fly"`, `"op":"fly"`, `"op":"fly"`, `"op":"fly"`, `"op":"fly"`},
			func(i int, r gjson.Result) {
				if heard[i] {
					t.Errorf("%d was answered twice", i)
				}
				heard[i] = true
			},
			func() { done = true }, func(why string) { broken = why })
		b.settle()
		if (broken != "") != tt.broken || done == tt.broken || !tt.broken && len(heard) != 5 {
			t.Errorf("%d crashes: %d answered, done %v, broken %q", tt.crashes, len(heard), done, broken)
		}
		if len(p.workers) != 0 {
			t.Errorf("%d crashes: %d workers are left", tt.crashes, len(p.workers))
		}
	}
}
