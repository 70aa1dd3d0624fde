package module

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"squall/engine/document"
	"squall/examples"
)

func ask(t *testing.T, m *Module, fields string) gjson.Result {
	t.Helper()
	reply := m.Answer(`{"id":7,`+fields+`}`, nil)
	if !gjson.Valid(reply) {
		t.Fatalf("no JSON: %.200s", reply)
	}
	r := gjson.Parse(reply)
	if r.Get("id").Int() != 7 {
		t.Errorf("another id: %.80s", reply)
	}
	return r
}

func text(scenario string) string { return `"text":` + string(document.AppendText(nil, scenario)) }

const storm = `{ "duration": "4s", "seed": 3,
  "services": {
    "shop": { "calls": [ { "to": "cart" } ], "pool": { "healthy": "80us", "stalls": [ { "after": "1s", "delay": "50ms", "lasting": "1s" } ] } },
    "cart": { "calls": [ { "to": "store", "policy": { "attempts": 2, "backoff": "none" } } ] } },
  "dependencies": { "store": { "p50": "10ms", "p99": "40ms", "failing": 0.3, "impairments": [ { "outage": { "after": "2s", "lasting": "500ms" } } ] } },
  "load": { "perSecond": 50 },
  "expect": [ "shop -> cart: availability > 0.99" ],
  "variants": { "three": { "services": { "cart": { "calls": [ { "to": "store", "policy": { "attempts": 3 } } ] } } } } }`

func TestRun(t *testing.T) {
	r := ask(t, &Module{}, `"op":"run",`+text(examples.Brownout))
	want, err := os.ReadFile("../../engine/testdata/golden/brownout-seed42.txt")
	if err != nil {
		t.Skip(err)
	}
	if got := r.Get("text").Str; got != string(want) {
		t.Errorf("got\n%s", got)
	}
	for path, want := range map[string]string{
		"report.expect.0.holds": "true", "report.calls.0.measured.calls": "149742", "report.calls.0.measured.seconds.calls.#": "300",
		"world.graph": "false", "world.leaves.0.impairments.0": `{"kind":"brownout","fromNs":30000000000,"toNs":90000000000,"slower":8}`,
		"world.calls.0.deadlineNs": "10000000000",
	} {
		if got := r.Get(path).Raw; got != want {
			t.Errorf("%s is %s, not %s", path, got, want)
		}
	}
}

func TestVariantsAndSeeds(t *testing.T) {
	m := &Module{}
	base := ask(t, m, `"op":"scalars",`+text(storm))
	variant := ask(t, m, `"op":"scalars","variant":"three",`+text(storm))
	other := ask(t, m, `"op":"scalars","seed":4,`+text(storm))
	whole := ask(t, m, `"op":"run",`+text(storm))
	digest := "report.digest"
	if base.Get(digest).Str != whole.Get(digest).Str || base.Get("report.calls.0.measured.seconds.calls.#").Int() != 0 {
		t.Error("the scalars are of another run, or have series")
	}
	if variant.Get(digest).Str == base.Get(digest).Str || other.Get(digest).Str == base.Get(digest).Str || other.Get("report.seed").Int() != 4 {
		t.Error("variant or seed changed nothing")
	}
	if got := whole.Get("world.variants").Raw; got != `["three"]` {
		t.Errorf("variants %s", got)
	}
	if got := whole.Get("world.stalls.0").Raw; got != `{"kind":"stall","fromNs":1000000000,"toNs":2000000000,"delayNs":50000000,"at":"shop"}` {
		t.Errorf("stall %s", got)
	}
	band := ask(t, m, `"op":"band","seeds":[3,4],`+text(storm))
	if band.Get("band.runs.0.digest").Str != base.Get(digest).Str || band.Get("band.runs.1.digest").Str != other.Get(digest).Str {
		t.Error("the band has other runs than the seeds alone")
	}
	if band.Get("expect.0.holds").Bool() {
		t.Error("an expectation of the band holds that cannot")
	}
}

// TestWrongChoices: an answer is never of another seed or variant than was asked for.
func TestWrongChoices(t *testing.T) {
	m := &Module{}
	for fields, says := range map[string]string{
		`"op":"run","seed":4294967299`:           "a seed is a whole number",
		`"op":"run","seed":-2147483649`:          "a seed is a whole number",
		`"op":"run","seed":1e300`:                "a seed is a whole number",
		`"op":"run","seed":3.5`:                  "a seed is a whole number",
		`"op":"run","seed":"3"`:                  "a seed is a whole number",
		`"op":"scalars","seed":true`:             "a seed is a whole number",
		`"op":"band","seeds":[1,"2"]`:            "a seed is a whole number",
		`"op":"band","seeds":[1,4294967297]`:     "a seed is a whole number",
		`"op":"band","seeds":"1-20"`:             "must be a list",
		`"op":"band","seeds":{"0":1}`:            "must be a list",
		`"op":"run","variant":5`:                 "must be the name",
		`"op":"run","variant":["three"]`:         "must be the name",
		`"op":"run","variant":"four"`:            "has no variant",
		`"op":"grade","seed":{"$gt":1}`:          "a seed is a whole number",
		`"op":"explain","after":true,"seed":0.5`: "a seed is a whole number",
	} {
		if r := ask(t, m, fields+","+text(storm)); r.Get("ok").Bool() || !strings.Contains(r.Get("error").Str, says) {
			t.Errorf("%s: %.200s", fields, r.Raw)
		}
	}
	own := ask(t, m, `"op":"run","seed":null,"seeds":null,"variant":null,`+text(storm))
	if own.Get("report.seed").Int() != 3 {
		t.Errorf("null is not as good as missing: %.200s", own.Raw)
	}
	if r := ask(t, m, `"op":"run","seed":-2147483648,`+text(storm)); r.Get("report.seed").Int() != -1<<31 {
		t.Errorf("the lowest seed: %.200s", r.Raw)
	}
}

func TestTimeline(t *testing.T) {
	m := &Module{}
	if r := ask(t, m, `"op":"moments","call":0`); r.Get("ok").Bool() {
		t.Error("a timeline without a recorded run")
	}
	run := ask(t, m, `"op":"run","record":true,`+text(storm))
	if run.Get("report.calls.0.measured.timeline").Type != gjson.Null {
		t.Error("the timeline was sent, but not asked for")
	}
	all := ask(t, m, `"op":"moments","call":1,"offset":0,"limit":5`)
	total := int64(0)
	run.Get("report.calls.1.measured.events").ForEach(func(_, n gjson.Result) bool {
		total += n.Int()
		return true
	})
	if all.Get("total").Int() != total || len(all.Get("rows").Array()) != 5 {
		t.Errorf("%d events of %d, %d rows", all.Get("total").Int(), total, len(all.Get("rows").Array()))
	}
	second := ask(t, m, `"op":"moments","call":1,"kinds":["Retrying"],"from":2000000000,"to":3000000000,"offset":2,"limit":3`)
	for _, row := range second.Get("rows").Array() {
		if at := row.Get("0").Int(); row.Get("1").Str != "Retrying" || at < 2e9 || at >= 3e9 {
			t.Errorf("row %s", row.Raw)
		}
	}
	if n := second.Get("total").Int(); n < 10 || n >= run.Get("report.calls.1.measured.events.Retrying").Int() {
		t.Errorf("%d retries in one second", n)
	}

	again := ask(t, m, `"op":"moments","call":1,"kinds":["Retrying"],"from":2000000000,"to":3000000000,"offset":5,"limit":3,"pulse":true`)
	if again.Get("total").Int() != second.Get("total").Int() || again.Get("rows.0").Raw == second.Get("rows.0").Raw {
		t.Errorf("the next page: %.200s", again.Raw)
	}
	if got := again.Get("pulse.#").Int(); got != 4 {
		t.Errorf("%d seconds in a run of 4", got)
	}
	if got := again.Get("pulse.2").Int(); got != again.Get("total").Int() {
		t.Errorf("the pulse has %d events in second 2, the list %d", got, again.Get("total").Int())
	}
	one := ask(t, m, `"op":"moments","call":1,"number":3,"offset":0,"limit":100`)
	one.Get("rows").ForEach(func(_, row gjson.Result) bool {
		if row.Get("7").Int() != 3 {
			t.Errorf("of another call: %s", row.Raw)
		}
		return true
	})
	if one.Get("total").Int() < 2 || one.Get("total").Int() > 12 {
		t.Errorf("call 3 has %d events", one.Get("total").Int())
	}
	if r := ask(t, m, `"op":"moments","call":0,"offset":1000000000,"limit":5`); len(r.Get("rows").Array()) != 0 || r.Get("total").Int() == 0 {
		t.Errorf("behind the end: %s", r.Raw)
	}

	trace := ask(t, m, `"op":"trace","call":0,"number":0`)
	if trace.Get("calls.0.to").Str != "cart" || trace.Get("calls.1.to").Str != "store" || trace.Get("calls.1.depth").Int() != 1 ||
		trace.Get("calls.1.parent").Int() != 0 || trace.Get("calls.1.attempt").Int() != 1 || trace.Get("calls.0.parent").Int() != -1 || trace.Get("of").Int() < 100 {
		t.Errorf("trace %s", trace.Get("calls").Raw)
	}
	for _, c := range trace.Get("calls").Array() {
		events := c.Get("events").Array()
		if len(events) < 2 || events[len(events)-1].Get("0").Int() < c.Get("atNs").Int() {
			t.Errorf("call %s", c.Raw)
		}
	}
}

func TestRecord(t *testing.T) {
	m := &Module{}
	r := ask(t, m, `"op":"record","seed":4,`+text(storm))
	other := ask(t, m, `"op":"scalars","seed":4,`+text(storm))
	if r.Get("seed").Int() != 4 || r.Get("events.#").Int() != 2 {
		t.Errorf("recorded: %s", r.Raw)
	}
	for i, call := range other.Get("report.calls").Array() {
		total := int64(0)
		call.Get("measured.events").ForEach(func(_, n gjson.Result) bool {
			total += n.Int()
			return true
		})
		if got := r.Get("events").Array()[i].Int(); got != total {
			t.Errorf("call %d has %d events, counted were %d", i, got, total)
		}
	}
	if bad := ask(t, m, `"op":"record",`+text(`{ "duration": 5 }`)); !bad.Get("problems").IsArray() {
		t.Errorf("a bad text was recorded: %s", bad.Raw)
	}
	if kept := ask(t, m, `"op":"moments","call":0,"limit":1`); !kept.Get("ok").Bool() {
		t.Error("a bad text made the module forget the recorded run")
	}
}

func TestExplainAndGrade(t *testing.T) {
	m := &Module{}
	e := ask(t, m, `"op":"explain","call":1,`+text(storm))
	if rows := e.Get("explanation.walk.rows").Array(); len(rows) < 2 {
		t.Errorf("explained as %s", e.Raw)
	}
	cold, warm := ask(t, m, `"op":"explain",`+text(examples.Brownout)), ask(t, m, `"op":"explain","after":true,`+text(examples.Brownout))
	const ceiling = "explanation.measured.0.valueNs"
	if cold.Get(ceiling).Int() != 0 || warm.Get(ceiling).Int() < 50e6 {
		t.Errorf("the measured ceiling is %s before a run and %s after it", cold.Get(ceiling).Raw, warm.Get(ceiling).Raw)
	}
	g := ask(t, m, `"op":"grade",`+text(`{ "duration": "20s", "load": { "perSecond": 20 }, "policy": { "attempts": 3, "backoff": "none" },
		"dependency": { "p50": "10ms", "p99": "40ms" },
		"chaos": { "rules": [ { "id": "down", "scope": { "to": "dependency" }, "percent": 20, "effects": [ { "status": 503 } ] } ] } }`))
	if !g.Get("ok").Bool() || g.Get("grade.services.0.letter").Str == "" {
		t.Errorf("graded as %.600s", g.Raw)
	}
	bad := ask(t, m, `"op":"grade","files":[{"name":"x.json","text":"hello"}]`)
	if bad.Get("ok").Bool() {
		t.Error("a file that is no recording was graded")
	}
}

func TestRefusals(t *testing.T) {
	m := &Module{}
	r := ask(t, m, `"op":"run",`+text("{\n  \"duration\": 5 }"))
	if p := r.Get(`problems.#(path=="duration")`); p.Get("line").Int() != 2 || p.Get("path").Str != "duration" {
		t.Errorf("problems %s", r.Raw)
	}
	for _, fields := range []string{`"op":"fly"`, `"op":"explain","call":9,` + text(storm), `"op":"run","variant":"none",` + text(storm)} {
		if r := ask(t, m, fields); r.Get("ok").Bool() || r.Get("error").Str == "" {
			t.Errorf("%.40s: %s", fields, r.Raw)
		}
	}
	for _, request := range []string{``, `{`, `[]`, `null`, `{"op":1}`} {
		if reply := m.Answer(request, nil); !gjson.Valid(reply) || gjson.Get(reply, "ok").Bool() {
			t.Errorf("%q: %s", request, reply)
		}
	}
}

func TestProgress(t *testing.T) {
	var told []float64
	m := &Module{}
	m.Answer(`{"id":1,"op":"run",`+text(examples.Brownout)+`}`, func(done float64) { told = append(told, done) })
	for i, done := range told {
		if done < 0 || done > 1 || i > 0 && done < told[i-1] {
			t.Fatalf("progress %v", told)
		}
	}
	if got := Progress(`{"id":"a"}`, 0.5); got != `{"id":"a","progress":0.5}` {
		t.Error(got)
	}
	if !strings.Contains(Greeting(), `"ready":true`) {
		t.Error(Greeting())
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add(`{"id":1,"op":"explain","text":"{}"}`)
	f.Add(`{"id":1,"op":"check",` + text(storm) + `}`)
	f.Fuzz(func(t *testing.T, request string) {
		switch gjson.Get(request, "op").Str {
		case "run", "band", "scalars", "grade":
			t.Skip("what a run costs is for the engine's tests")
		}
		if reply := new(Module).Answer(request, nil); !gjson.Valid(reply) {
			t.Fatalf("no JSON: %q", reply)
		}
	})
}

func TestBounds(t *testing.T) {
	for name, tt := range map[string]struct {
		module Module
		want   string
	}{
		"calls":    {Module{CallsMax: 100}, "problems.0.message"},
		"attempts": {Module{AttemptsMax: 100}, "error"},
	} {
		for _, op := range []string{"run", "band", "scalars"} {
			if r := ask(t, &tt.module, `"op":"`+op+`",`+text(storm)); r.Get("ok").Bool() || r.Get(tt.want).Str == "" {
				t.Errorf("%s of %s: %.200s", name, op, r.Raw)
			}
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, op := range []string{"run", "band"} {
		reply := new(Module).AnswerContext(ctx, `{"op":"`+op+`",`+text(examples.Brownout)+`}`, nil)
		if gjson.Get(reply, "ok").Bool() || !strings.Contains(reply, "cancel") {
			t.Errorf("%s went on: %.200s", op, reply)
		}
	}
}
