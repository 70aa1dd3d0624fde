package main

import (
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// nestedStorm is a graph small enough to look at every event of.
const nestedStorm = `{ "duration": "6s", "seed": 3,
  "services": {
    "shop": { "calls": [ { "to": "cart" } ] },
    "cart": { "calls": [ { "to": "store", "policy": { "attempts": 2, "backoff": "none" } } ] } },
  "dependencies": { "store": { "p50": "10ms", "p99": "40ms", "failing": 0.3, "impairments": [ { "outage": { "after": "2s", "lasting": "1s" } } ] } },
  "load": { "perSecond": 50 } }`

// openPanelOver is a page with a panel open over a document.
func openPanelOver(t *testing.T, panel, text string) (*App, *fake) {
	t.Helper()
	a, b := begin(t, nil)
	a.typed(text)
	b.settle()
	if len(a.Problems) > 0 {
		t.Fatalf("the document has problems: %v", a.Problems)
	}
	a.openPanel(panel)
	b.settle()
	return a, b
}

func TestTimelineLists(t *testing.T) {
	a, b := openPanelOver(t, "timeline", nestedStorm)
	a.choose("cart → store")
	b.settle()
	all := b.list.total
	counted := int64(0)
	for _, k := range a.Timeline.Kinds {
		counted += k.N
	}
	if all == 0 || int64(all) != counted || len(gjson.Parse(b.list.rows).Array()) != min(all, 200) {
		t.Fatalf("%d events in the list, %d counted, %d rows", all, counted, len(gjson.Parse(b.list.rows).Array()))
	}
	has(t, b.html(), `id="t-slide"`, "Retrying ", strconv.Itoa(all%1000)+" events, whole run.", "<squall-list")

	a.toggleKind("Retrying")
	b.settle()
	retries := b.list.total
	for _, row := range gjson.Parse(b.list.rows).Array() {
		if row.Get("1").Str != "Retrying" {
			t.Fatalf("row %s", row.Raw)
		}
	}
	a.setFilter("t-slide", "2")
	b.settle()
	if b.list.total == 0 || b.list.total >= retries {
		t.Errorf("%d retries in second 2, of %d", b.list.total, retries)
	}
	has(t, b.html(), "0:02 to 0:03", `aria-pressed="true"`)
	a.clearTimeline()
	b.settle()
	if b.list.total != all {
		t.Errorf("%d events again, not %d", b.list.total, all)
	}
	a.setFilter("t-second", "9999")
	b.settle()
	if a.Timeline.second != 6 { // the last one, with one added
		t.Errorf("second %d of a run of 6 s", a.Timeline.second-1)
	}
}

func TestTimelineGoesWithTheChart(t *testing.T) {
	a, b := openPanelOver(t, "numbers", nestedStorm)
	a.pickSecond(2)
	b.settle()
	if a.Panel != "timeline" || a.Timeline.second != 3 || b.list.total == 0 {
		t.Errorf("panel %s, second %d, %d events", a.Panel, a.Timeline.second-1, b.list.total)
	}
	for _, row := range gjson.Parse(b.list.rows).Array() {
		if !strings.HasPrefix(row.Get("0").Str, "0:02.") {
			t.Fatalf("row %s", row.Raw)
		}
	}
}

func TestTimelineTrace(t *testing.T) {
	a, b := openPanelOver(t, "timeline", nestedStorm)
	if a.Subject != "cart → store" {
		t.Errorf("the page is about %s, not about where the storm is", a.Subject)
	}
	a.choose("shop → cart")
	b.settle()
	a.openTrace(110) // begins in the outage
	b.settle()
	has(t, b.html(), `id="trace"`, "Call 110 of shop → cart", "→ store, call ", "attempt 1", "fall failed")
	if b.list.opened != 110 {
		t.Errorf("call %d is marked", b.list.opened)
	}
	(&Timeline{a}).step(1)
	b.settle()
	if a.Timeline.Trace.Number != 111 {
		t.Errorf("the next call is %d", a.Timeline.Trace.Number)
	}
	a.openTrace(1e9)
	b.settle()
	if a.Timeline.Trace.Number != 111 || a.Notice == "" {
		t.Error("a call that there is not was opened, or nothing was said")
	}
	a.closeTrace()
	if strings.Contains(b.html(), `id="trace"`) || b.list.opened != -1 {
		t.Error("the waterfall is still there")
	}
}

func TestTimelineFollowsTheText(t *testing.T) {
	a, b := openPanelOver(t, "timeline", nestedStorm)
	before := b.list.total
	a.typed(strings.Replace(nestedStorm, `"perSecond": 50`, `"perSecond": 100`, 1))
	b.settle()
	if b.list.total < before*3/2 {
		t.Errorf("%d events after twice the load, %d before", b.list.total, before)
	}
	a.typed(strings.Replace(nestedStorm, `"seed": 3`, `"seed": "x"`, 1))
	b.settle()
	if a.Timeline.Why != "" || b.list.total < before*3/2 {
		t.Error("a mistake in the text took the timeline away")
	}
	a.typed(nestedStorm)
	b.settle()
	a.choose("store")
	b.settle()
	has(t, b.html(), "Only calls have events", `data-choose="cart → store"`)
	a.choose("cart → store")
	b.settle()
	if a.Timeline.Why != "" || b.list.total == 0 {
		t.Errorf("%q, %d events", a.Timeline.Why, b.list.total)
	}
}

func TestTimelineSurvivesACrash(t *testing.T) {
	a, b := openPanelOver(t, "numbers", nestedStorm)
	b.crash = 1
	a.openPanel("timeline")
	b.settle()
	has(t, b.html(), "could not be recorded")
	a.openPanel("numbers")
	a.openPanel("timeline")
	b.settle()
	if a.Timeline.Why != "" || b.list.total == 0 {
		t.Errorf("after a crash: %q, %d events", a.Timeline.Why, b.list.total)
	}
}
