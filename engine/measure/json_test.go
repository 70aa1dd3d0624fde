package measure

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"squall/engine/policy"
	"squall/engine/ticks"

	"pgregory.net/rapid"
)

// TestAppendNumber: the shortest digits that read back, plain where a person would write it plain.
func TestAppendNumber(t *testing.T) {
	for x, want := range map[float64]string{
		0: "0", 1: "1", 0.30000000000000004: "0.30000000000000004", 0.1: "0.1", 1e-6: "0.000001", 9.99e-7: "9.99e-7", 1.5e-10: "1.5e-10",
		1e20: "100000000000000000000", 1e21: "1e+21", 123456789: "123456789", 5e-324: "5e-324", math.MaxFloat64: "1.7976931348623157e+308", -2.5: "-2.5",
	} {
		if got := string(AppendNumber(nil, x)); got != want {
			t.Errorf("%v is written %s, want %s", x, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := math.Float64frombits(rapid.Uint64().Draw(t, "bits"))
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return
		}
		b := AppendNumber(nil, x)
		if back, err := strconv.ParseFloat(string(b), 64); err != nil || back != x || !json.Valid(b) {
			t.Fatalf("%v is written %s", x, b)
		}
	})
}

func TestAppendText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		var back string
		b := AppendText(nil, text)
		if err := json.Unmarshal(b, &back); err != nil || utf8.ValidString(text) && back != text {
			t.Fatalf("%q is written %s and read %q: %v", text, b, back, err)
		}
	})
}

// TestReportJSON: every key is always there, what never happened is null, and what is empty is empty.
func TestReportJSON(t *testing.T) {
	r := &Report{Engine: "1.0.0", Seed: 3, Duration: ticks.Second, Calls: []CallReport{{From: "a\"b", To: "c"}},
		Services: []ServiceReport{{Name: "c", Leaf: true}, {Name: "d", HasOptional: true, Degraded: 2}}}
	r.Seal()
	text := string(r.AppendJSON(nil))
	if !json.Valid([]byte(text)) {
		t.Fatalf("no JSON: %s", text)
	}
	for _, want := range []string{
		`{"squall":1,"engine":"1.0.0","seed":3,"durationNs":1000000000,"calls":[{"from":"a\"b","to":"c","measured":{"calls":0,`,
		`"availability":0,"loadMultiplier":0,"amplification":0,"latencyNs":{"p50":0,"p90":0,"p95":0,"p99":0,"p999":0,"max":0},"breakerOpens":0,"timeToRecoverNs":null,` +
			`"events":{},"levels":{},"limiter":null,"seconds":{"calls":[],"reached":[]`,
		`"timeline":null}}],"services":[{"name":"c","entry":false,"leaf":true,"measured":`,
		`{"name":"d","entry":false,"leaf":false,"degraded":2,"measured":`,
		`],"expect":[],"digest":"sha256:`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	m := &r.Calls[0].Measured
	m.Timeline = []Moment{{At: 1, Kind: policy.EventAttempt, Number: 1, Verdict: policy.Transient, Error: policy.IOException, Duration: 2}, {At: 3, Kind: policy.EventRetrying, Number: 2, Delay: 0, HasDelay: true}}
	m.Limiter = &LimiterReport{Limit: 13, Changes: []LimitChange{{5, 14}, {9, 13}}}
	m.Events[policy.EventRetrying], m.Events[policy.EventAttempt] = 1, 2
	m.Levels[policy.CriticalPlus], m.Levels[policy.Sheddable] = LevelCount{1, 0}, LevelCount{2, 1}
	text = string(r.AppendJSON(nil))
	for _, want := range []string{
		`"events":{"Attempt":2,"Retrying":1},"levels":{"Sheddable":{"calls":2,"succeeded":1},"CriticalPlus":{"calls":1,"succeeded":0}}`,
		`"limiter":{"limit":13,"changes":[{"atNs":500,"limit":14},{"atNs":900,"limit":13}]}`,
		`[{"atNs":100,"kind":"Attempt","number":1,"verdict":"Transient","error":"IOException","durationNs":200,"delayNs":null},` +
			`{"atNs":300,"kind":"Retrying","number":2,"verdict":"Ok","error":null,"durationNs":0,"delayNs":0}]`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
}

// TestDigest: the digest is over what was measured, and over nothing else.
func TestDigest(t *testing.T) {
	r := func(change func(*Report)) string {
		r := &Report{Engine: "1.0.0", Seed: 3, Duration: ticks.Second, Calls: []CallReport{{From: "a", To: "b"}}}
		change(r)
		r.Seal()
		return r.Digest
	}
	plain := r(func(*Report) {})
	for name, change := range map[string]func(*Report){
		"engine": func(r *Report) { r.Engine = "2.0.0" },
		"expect": func(r *Report) { r.Expect = []Expectation{{Text: "calls > 0", Actual: "0"}} },
		"digest": func(r *Report) { r.Digest = "x" },
		"policy": func(r *Report) { r.Calls[0].Policy = "api" },
	} {
		if r(change) != plain {
			t.Errorf("%s is in the digest", name)
		}
	}
	for name, change := range map[string]func(*Report){
		"seed":     func(r *Report) { r.Seed = 4 },
		"duration": func(r *Report) { r.Duration++ },
		"second":   func(r *Report) { r.Calls[0].Measured.Seconds.Calls = []int{0} },
		"timeline": func(r *Report) { r.Calls[0].Measured.Timeline = []Moment{} },
	} {
		if r(change) == plain {
			t.Errorf("%s is not in the digest", name)
		}
	}
}
