package squalltest_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/policy"
	"squall/engine/ticks"
	"squall/squalltest"
)

// spy is a test that notes what it is told instead of failing.
type spy struct {
	testing.TB
	said []string
}

func (s *spy) Helper() {}
func (s *spy) Errorf(format string, args ...any) {
	s.said = append(s.said, fmt.Sprintf(format, args...))
}

// ended is what Fatalf panics with, as a test would stop there.
type ended struct{}

func (s *spy) Fatalf(format string, args ...any) {
	s.Errorf("fatal: "+format, args...)
	panic(ended{})
}

// watch tells what an assertion says.
func watch(assert func(t testing.TB)) (said []string) {
	s := &spy{}
	defer func() {
		if r := recover(); r != nil {
			if _, ok := r.(ended); !ok {
				panic(r)
			}
		}
		said = s.said
	}()
	assert(s)
	return s.said
}

func simulation() engine.Simulation {
	p := policy.HTTP()
	p.Deadline = 10 * ticks.Second
	return engine.Simulate(p).
		Against(engine.Healthy(20*ticks.Millisecond, 200*ticks.Millisecond).Brownout(2*ticks.Second, 8, 2*ticks.Second).WithFailing(0.01)).
		Under(engine.Constant(100)).
		For(10 * ticks.Second)
}

// TestAssertions: each assertion is silent about what holds, and says what was measured otherwise.
func TestAssertions(t *testing.T) {
	report := squalltest.Run(t, simulation(), 42)
	band := squalltest.RunAll(t, simulation(), 1, 2, 3)
	m := squalltest.Only(t, report)
	graph := &measure.Report{Calls: make([]measure.CallReport, 2)}
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const run = `{"squall": 1, "dependency": {"p50": "20ms", "p99": "50ms"}, "load": {"perSecond": 50}, "duration": "2s", `
	good := file("good.json", run+`"expect": ["availability >= 99%", "p99 < 1s"]}`)
	bad := file("bad.json", run+`"expect": ["p99 < 1ms"]}`)
	many := file("many.json", run+`"seeds": [1, 2], "expect": ["p50 < 1ms"]}`)
	broken := file("broken.json", `{"squall": 1}`)
	for _, c := range []struct {
		name   string
		assert func(t testing.TB)
		want   string // how what it says begins, empty for nothing
	}{
		{"load multiplier", func(t testing.TB) { squalltest.LoadMultiplierAtMost(t, report, m.LoadMultiplier()) }, ""},
		{"load multiplier", func(t testing.TB) { squalltest.LoadMultiplierAtMost(t, report, 1) }, "the load multiplier is 1."},
		{"amplification", func(t testing.TB) { squalltest.AmplificationAtMost(t, report, m.Amplification) }, ""},
		{"amplification", func(t testing.TB) { squalltest.AmplificationAtMost(t, report, 1) }, "the amplification is 1."},
		{"availability", func(t testing.TB) { squalltest.AvailabilityAtLeast(t, report, m.Availability()) }, ""},
		{"availability", func(t testing.TB) { squalltest.AvailabilityAtLeast(t, report, 1.1) }, "the availability is "},
		{"p99", func(t testing.TB) { squalltest.P99Below(t, report, m.Latency.P99+1) }, ""},
		{"p99", func(t testing.TB) { squalltest.P99Below(t, report, m.Latency.P99) }, "p99 is "},
		{"recovery", func(t testing.TB) { squalltest.RecoversWithin(t, report, m.TimeToRecover) }, ""},
		{"recovery", func(t testing.TB) { squalltest.RecoversWithin(t, report, m.TimeToRecover-1) }, "it recovered after "},
		{"recovery", func(t testing.TB) {
			squalltest.RecoversWithin(t, squalltest.Run(t, simulation().For(2*ticks.Second), 1), ticks.Minute)
		}, "it never recovered"},
		{"separates", func(t testing.TB) { squalltest.Separates(t, measure.Range{Maximum: 1}, measure.Range{Minimum: 2}) }, ""},
		{"separates", func(t testing.TB) { squalltest.Separates(t, measure.Range{Maximum: 2}, measure.Range{Minimum: 2}) }, "0.000 (0.000-2.000) and "},
		{"reproduces", func(t testing.TB) { squalltest.Reproduces(t, simulation(), 3) }, ""},
		{"expect", func(t testing.TB) {
			squalltest.Expect(t, report, "calls > 0", "client -> dependency: availability > 50%", "dependency: calls > 900")
		}, ""},
		{"expect", func(t testing.TB) { squalltest.Expect(t, report, "p99 < 1ms") }, "p99 < 1ms does not hold: it is "},
		{"expect", func(t testing.TB) { squalltest.Expect(t, report, "p99 is good") }, "fatal: "},
		{"expect", func(t testing.TB) { squalltest.Expect(t, report, "client -> bank: calls > 0") }, "fatal: "},
		{"expect all", func(t testing.TB) { squalltest.ExpectAll(t, band, "calls > 0", "median(calls) > 0") }, ""},
		{"expect all", func(t testing.TB) { squalltest.ExpectAll(t, band, "p99 < 1ms") }, "p99 < 1ms does not hold: "},
		{"a graph", func(t testing.TB) { squalltest.LoadMultiplierAtMost(t, graph, 1) }, "fatal: the report has 2 calls"},
		{"run", func(t testing.TB) { squalltest.Run(t, simulation().For(0), 1) }, "fatal: the run failed: "},
		{"run all", func(t testing.TB) { squalltest.RunAll(t, simulation()) }, "fatal: the runs failed: "},
		{"scenario", func(t testing.TB) { squalltest.Scenario(t, good) }, ""},
		{"scenario", func(t testing.TB) { squalltest.Scenario(t, bad) }, "p99 < 1ms does not hold: it is "},
		{"scenario", func(t testing.TB) { squalltest.Scenario(t, many) }, "p50 < 1ms does not hold: it is "},
		{"scenario", func(t testing.TB) { squalltest.Scenario(t, broken) }, broken + ": "},
		{"scenario", func(t testing.TB) { squalltest.Scenario(t, filepath.Join(dir, "none.json")) }, "fatal: the scenario cannot be read"},
	} {
		said := watch(c.assert)
		if c.want == "" && len(said) > 0 || c.want != "" && (len(said) == 0 || !strings.HasPrefix(said[0], c.want)) {
			t.Errorf("%s says %q, want %q", c.name, said, c.want)
		}
	}
}
