package scenario

import (
	"strings"
	"testing"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
)

func TestParseExpectation(t *testing.T) {
	for _, text := range []string{"p99 < 1s", "p99<1s", "  p99.9   <=  1.5s ", "max > 0", "availability >= 99.9%", "availability>=0.999", "availability(sheddable) == 1", "availability( criticalPlus ) >= 1e-3",
		"loadMultiplier <= 1.2", "loadMultiplier <= 120%", "calls == 10", "count(RejectedByBreaker) > 3", "median(p50) < 1ms", "median(count(Attempt)) < 4", "median( availability(critical) ) < 4",
		"timeToRecover < 5s", "a -> b: p50 < 1s", "a: failed == 0", "a: b -> c: failed == 0", "breakerOpens == 0", "refusedByLimiter == 0", "reached < 5", "succeeded > 5", "p90 < 1s", "p95 < 1s", "amplification < 2"} {
		if e, err := ParseExpectation(text); err != nil || e.Text != text {
			t.Errorf("%q: %v", text, err)
		}
	}
	for text, want := range map[string]string{
		"":                         "there is no comparison",
		"p99":                      "there is no comparison",
		"p99 = 1s":                 `"=" is no comparison`,
		"< 1s":                     "no measure before the comparison",
		": p99 < 1s":               "the subject before the colon is empty",
		"p99 < 1":                  `"1" has a number without a unit`,
		"p99 < ":                   `"" is no duration`,
		"p99 <> 1s":                `"> 1s" is no duration`,
		"p99 < -1s":                "negative",
		"calls < 5%":               "is a percentage, but this measure is a count",
		"calls < 1s":               `"1s" is no number; `,
		"calls < 0x10":             `"0x10" is no number`,
		"calls < 1_000":            `"1_000" is no number`,
		"calls < 1e999":            `"1e999" is no number`,
		"calls < inf":              `"inf" is no number`,
		"availability < five":      `"five" is no number or percentage`,
		"availability < e-2":       "no number",
		"p999 < 1s":                "did you mean p99?",
		"availabilty > 1":          "did you mean availability?",
		"availability(low) > 1":    `"low" is no level; the levels are sheddable, sheddablePlus, critical, criticalPlus`,
		"count(Attempts) > 1":      `"Attempts" is no event; did you mean Attempt?`,
		"mean(p50) < 1s":           `"mean(p50)" is no measure`,
		"median(median(p50)) < 1s": `"median(p50)" is no measure`,
		strings.Repeat("x", 501):   "the line has 501 bytes",
		"p99 <\n1s":                "holds a control character",
		"\x1b[2Jx: p99 < 1s":       "holds a control character",
	} {
		want = strings.TrimSuffix(want, "; ")
		if _, err := ParseExpectation(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	// a percentage is the decimal with its point moved, not a quotient
	if e, _ := ParseExpectation("availability >= 99.9%"); e.number != 0.999 {
		t.Errorf("99.9%% is %v", e.number)
	}
}

func TestResolve(t *testing.T) {
	graph := &engine.Topology{Calls: []engine.Call{{From: "a b", To: "c"}, {From: "c", To: "x -> y"}, {From: "c", To: "d:1"}, {From: "c", To: "d: 1"}}}
	for subject, want := range map[string]string{"c -> d: 1": "c|d: 1|", "c->d: 1": "c|d: 1|", "c  ->  d: 1": "c|d:1|", "a b -> c": "a b|c|", "a b->c": "a b|c|", "c -> x -> y": "c|x -> y|", "c -> d:1": "c|d:1|", "c": "||c", "d:1": "||d:1", "x -> y": "||x -> y"} {
		e, err := ParseExpectation(subject + ": calls > 1")
		if err == nil {
			err = e.Resolve(graph)
		}
		if got := e.From + "|" + e.To + "|" + e.Service; err != nil || got != want {
			t.Errorf("%s is %s, %v; want %s", subject, got, err, want)
		}
	}
	for text, want := range map[string]string{
		"calls > 1":         `the graph has 4 calls; say which one is meant, such as "a b -> c: calls > 1"`,
		"c -> d: calls > 1": `"c -> d" is no call and no service of the graph; did you mean c -> d:1?`,
		"a: calls > 1":      `"a" is no call and no service of the graph`,
		// of a service these are always 0: the line would hold whatever happens
		"c: breakerOpens == 0":      `"c" is a service or a dependency, and this measure is of a call; name one, such as "a b -> c"`,
		"c: refusedByLimiter < 5":   `this measure is of a call`,
		"d:1: count(Exhausted) < 5": `this measure is of a call`,
	} {
		e, _ := ParseExpectation(text)
		if err := e.Resolve(graph); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// run makes a report of one call.
func run(seed int32, change func(m *measure.Measured)) *measure.Report {
	r := &measure.Report{Seed: seed, Calls: []measure.CallReport{{From: "a", To: "b"}}, Services: []measure.ServiceReport{{Name: "a"}, {Name: "b", Leaf: true}}}
	r.Services[1].Measured.Calls = 7
	m := &r.Calls[0].Measured
	*m = measure.Measured{Calls: 200, Succeeded: 190, Reached: 220, RefusedByLimiter: 3, Amplification: 1.5, TimeToRecover: 2 * ticks.Second, Recovered: true,
		Latency: measure.Quantiles{P50: 1, P90: 2, P95: 3, P99: ticks.Second, P999: 5, Max: 6}}
	m.Events[policy.EventAttempt], m.Events[policy.EventBreakerOpened] = 220, 2
	m.Levels[policy.Sheddable] = measure.LevelCount{Calls: 4, Succeeded: 3}
	change(m)
	return r
}

func same(*measure.Measured) {}

func expect(t *testing.T, text string) *Expectation {
	t.Helper()
	e, err := ParseExpectation(text)
	if err == nil {
		err = e.Resolve(&engine.Topology{Calls: []engine.Call{{From: "a", To: "b"}}})
	}
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return &e
}

func TestJudge(t *testing.T) {
	report := run(1, same)
	for _, c := range []struct {
		text, actual string
		holds        bool
	}{
		{"calls == 200", "200", true}, {"calls < 200", "200", false}, {"calls <= 200", "200", true}, {"calls > 200", "200", false}, {"calls >= 200", "200", true}, {"calls == 201", "200", false},
		{"succeeded == 190", "190", true}, {"failed == 10", "10", true}, {"reached > 200", "220", true}, {"refusedByLimiter < 3", "3", false},
		{"availability >= 95%", "0.95", true}, {"availability > 95%", "0.95", false}, {"availability(sheddable) == 0.75", "0.75", true}, {"availability(criticalPlus) == 0", "0", true},
		{"loadMultiplier <= 1.1", "1.1", true}, {"amplification < 1.5", "1.5", false}, {"breakerOpens == 2", "2", true}, {"count(Attempt) == 220", "220", true}, {"count(Draining) == 0", "0", true},
		{"p50 == 100ns", "100", true}, {"p90 == 200ns", "200", true}, {"p95 == 300ns", "300", true}, {"p99 < 1s", "1000000000", false}, {"p99 <= 1s", "1000000000", true}, {"p99.9 == 500ns", "500", true},
		{"max > 500ns", "600", true}, {"timeToRecover < 3s", "2000000000", true}, {"median(p99) <= 1s", "1000000000", true},
		{"a -> b: calls == 200", "200", true}, {"b: calls == 7", "7", true}, {"a: calls == 0", "0", true}, {"a: timeToRecover < 1h", "null", false},
	} {
		got := expect(t, c.text).Judge(report)
		if got.Text != c.text || got.Holds != c.holds || got.Actual != c.actual {
			t.Errorf("%s: %+v, want %v, %s", c.text, got, c.holds, c.actual)
		}
	}
	never := run(1, func(m *measure.Measured) { m.Recovered, m.TimeToRecover = false, 0 })
	for _, op := range []string{"<", "<=", ">", ">=", "=="} {
		if got := expect(t, "timeToRecover "+op+" 0").Judge(never); got.Holds || got.Actual != "null" {
			t.Errorf("a recovery that never was %s 0: %+v", op, got)
		}
	}
	if got := expect(t, "calls > 0").Judge(&measure.Report{}); got.Holds || got.Actual != "null" {
		t.Errorf("a report without the call: %+v", got)
	}
}

func TestJudgeBand(t *testing.T) {
	with := func(seed int32, opens int, recovers ticks.Ticks) *measure.Report {
		return run(seed, func(m *measure.Measured) {
			m.Events[policy.EventBreakerOpened] = opens
			m.TimeToRecover, m.Recovered = max(recovers, 0), recovers >= 0
		})
	}
	band := measure.NewBand([]*measure.Report{with(1, 3, 30), with(2, 1, 10), with(3, 2, 20), with(4, 9, 90)})
	mixed := measure.NewBand([]*measure.Report{with(1, 3, 30), with(2, 1, -1), with(3, 2, 20)})
	never := measure.NewBand([]*measure.Report{with(1, 3, -1)})
	for _, c := range []struct {
		text, actual string
		holds        bool
		band         *measure.Band
	}{
		{"breakerOpens <= 9", "9", true, band}, {"breakerOpens < 9", "9", false, band}, {"breakerOpens >= 1", "1", true, band}, {"breakerOpens > 1", "1", false, band},
		{"breakerOpens == 3", "1", false, band}, {"calls == 200", "200", true, band},
		{"median(breakerOpens) == 2", "2", true, band}, {"median(timeToRecover) == 2us", "2000", true, band}, {"timeToRecover <= 9us", "9000", true, band},
		{"timeToRecover < 1h", "null", false, mixed}, {"timeToRecover > 0", "null", false, mixed}, {"median(timeToRecover) <= 2us", "2000", true, mixed},
		{"median(timeToRecover) < 1h", "null", false, never}, {"median(p99) == 1s", "1000000000", true, never},
	} {
		if got := expect(t, c.text).JudgeBand(c.band); got.Text != c.text || got.Holds != c.holds || got.Actual != c.actual {
			t.Errorf("%s: %+v, want %v, %s", c.text, got, c.holds, c.actual)
		}
	}
	s := &Scenario{Expect: []Expectation{*expect(t, "calls == 200"), *expect(t, "calls == 1")}}
	if got := s.JudgeBand(band); len(got) != 2 || !got[0].Holds || got[1].Holds {
		t.Errorf("%+v", got)
	}
	if got := s.Judge(band.Reports[0]); len(got) != 2 || !got[0].Holds || got[1].Holds {
		t.Errorf("%+v", got)
	}
}

func FuzzExpectation(f *testing.F) {
	f.Add("a -> b: median(count(Attempt)) >= 1.5%")
	f.Add("timeToRecover == 0")
	report := run(1, same)
	f.Fuzz(func(t *testing.T, text string) {
		e, err := ParseExpectation(text)
		if err != nil {
			return
		}
		e.Subject = ""
		if err := e.Resolve(&engine.Topology{Calls: []engine.Call{{From: "a", To: "b"}}}); err != nil {
			t.Fatal(err)
		}
		if got := e.Judge(report); got.Text != text || got.Actual == "" {
			t.Fatalf("%+v", got)
		}
	})
}
