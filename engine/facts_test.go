package engine_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// facts writes what a report says as lines of text, from nothing but its JSON: the form whose hash
// the golden files hold, so that a difference in one second or one event shows.
type facts struct{ strings.Builder }

// factsHash is the hash of the facts of a report or a band.
func factsHash(report []byte) string {
	sum := sha256.Sum256([]byte(factsOf(report)))
	return "sha256:" + hex.EncodeToString(sum[:])
}

func factsOf(report []byte) string {
	var f facts
	f.report(gjson.ParseBytes(report))
	return f.String()
}

func (f *facts) line(words ...string) { f.WriteString(strings.Join(words, " ") + "\n") }

func (f *facts) report(r gjson.Result) {
	if runs := r.Get("runs"); runs.Exists() {
		f.WriteString("seeds")
		for _, seed := range r.Get("seeds").Array() {
			f.WriteString(" " + number(seed))
		}
		f.WriteString("\n")
		for _, run := range runs.Array() {
			f.report(run)
		}
		for _, c := range r.Get("calls").Array() {
			f.band("band call "+c.Get("from").Str+" -> "+c.Get("to").Str, c.Get("band"))
		}
		for _, s := range r.Get("services").Array() {
			f.band("band service "+s.Get("name").Str, s.Get("band"))
		}
		return
	}
	f.line("seed", number(r.Get("seed")))
	f.line("duration", inTicks(r.Get("durationNs")))
	for _, c := range r.Get("calls").Array() {
		f.measured("call "+c.Get("from").Str+" -> "+c.Get("to").Str, c.Get("measured"))
	}
	for _, s := range r.Get("services").Array() {
		name := "service " + s.Get("name").Str
		f.line(name, "entry", s.Get("entry").Raw, "leaf", s.Get("leaf").Raw)
		f.measured(name, s.Get("measured"))
	}
}

var (
	scalars   = []string{"calls", "succeeded", "failed", "reached", "refusedByLimiter", "availability", "loadMultiplier", "amplification"}
	quantiles = []string{"p50", "p90", "p95", "p99", "p999", "max"}
)

func (f *facts) measured(of string, m gjson.Result) {
	for _, key := range scalars {
		f.line(of, key, number(m.Get(key)))
	}
	for _, q := range quantiles {
		f.line(of, "latency", q, inTicks(m.Get("latencyNs."+q)))
	}
	f.line(of, "breakerOpens", number(m.Get("breakerOpens")))
	f.line(of, "timeToRecover", ticksOr(m.Get("timeToRecoverNs"), "never"))
	m.Get("events").ForEach(func(kind, n gjson.Result) bool {
		f.line(of, "event", kind.Str, number(n))
		return true
	})
	m.Get("levels").ForEach(func(name, level gjson.Result) bool {
		f.line(of, "level", name.Str, "calls", number(level.Get("calls")), "succeeded", number(level.Get("succeeded")))
		return true
	})
	if limiter := m.Get("limiter"); limiter.IsObject() {
		f.line(of, "limiter", number(limiter.Get("limit")))
		for _, c := range limiter.Get("changes").Array() {
			f.line(of, "limiter at", inTicks(c.Get("atNs")), number(c.Get("limit")))
		}
	}
	calls, reached := m.Get("seconds.calls").Array(), m.Get("seconds.reached").Array()
	for i := range max(len(calls), len(reached)) {
		n := func(series []gjson.Result) string {
			if i < len(series) {
				return number(series[i])
			}
			return "null"
		}
		f.line(of, "second", strconv.Itoa(i), "calls", n(calls), "reached", n(reached))
	}
	for _, e := range m.Get("timeline").Array() {
		failure := "-"
		if v := e.Get("error"); v.Type == gjson.String {
			failure = v.Str
		}
		f.line(of, "moment", inTicks(e.Get("atNs")), e.Get("kind").Str, "#"+number(e.Get("number")), e.Get("verdict").Str, failure,
			inTicks(e.Get("durationNs")), ticksOr(e.Get("delayNs"), "-"))
	}
}

func (f *facts) band(of string, b gjson.Result) {
	three := func(show func(gjson.Result) string, key string, words ...string) {
		r := b.Get(key)
		f.line(append(append([]string{of}, words...), show(r.Get("median")), show(r.Get("minimum")), show(r.Get("maximum")))...)
	}
	for _, key := range scalars {
		three(number, key, key)
	}
	for _, q := range quantiles {
		three(inTicks, "latencyNs."+q, "latency", q)
	}
	three(number, "breakerOpens", "breakerOpens")
	if b.Get("timeToRecoverNs").Type == gjson.Null {
		f.line(of, "timeToRecover never")
	} else {
		three(inTicks, "timeToRecoverNs", "timeToRecover")
	}
	f.line(of, "recovered", number(b.Get("recovered")))
}

// number is a JSON number in its shortest form.
func number(r gjson.Result) string {
	x := r.Num
	if size := max(x, -x); size == 0 || size >= 1e-6 && size < 1e21 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', -1, 64), "e")
	n, _ := strconv.Atoi(exponent)
	return mantissa + "e" + strconv.Itoa(n)
}

// inTicks is a time in ticks.
func inTicks(r gjson.Result) string {
	if ns := r.Int(); ns%100 == 0 {
		return strconv.FormatInt(ns/100, 10)
	}
	return "no whole ticks: " + r.Raw
}

func ticksOr(r gjson.Result, none string) string {
	if r.Type == gjson.Null {
		return none
	}
	return inTicks(r)
}

// TestFacts pins the form on a run that is small enough to be read.
func TestFacts(t *testing.T) {
	document, err := os.ReadFile("testdata/golden/adaptive-limiter-21.json")
	if err != nil {
		t.Fatal(err)
	}
	report, _ := runScenario(t, document)
	got := factsOf(report)
	for _, want := range []string{
		"seed 3\nduration 150000\ncall client -> dependency calls 23\ncall client -> dependency succeeded 23\n",
		"call client -> dependency availability 1\n",
		"call client -> dependency latency p50 100000\n",
		"call client -> dependency breakerOpens 0\ncall client -> dependency timeToRecover never\ncall client -> dependency event Attempt 23\n",
		"call client -> dependency level Critical calls 23 succeeded 23\ncall client -> dependency limiter 21\ncall client -> dependency limiter at 229790 21\n",
		"call client -> dependency second 0 calls 23 reached 23\ncall client -> dependency moment 101418 Attempt #1 Ok - 100000 -\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("the facts lack\n%s", want)
		}
	}
	if got := number(gjson.Parse("1.5e-7")); got != "1.5e-7" {
		t.Errorf("1.5e-7 is written %s", got)
	}
}
