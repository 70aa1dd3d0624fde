package squalltest

import (
	"context"
	"os"
	"testing"

	"squall/engine"
	"squall/engine/measure"
	"squall/engine/scenario"
	"squall/engine/ticks"
)

// Runner is a description of a run: engine.Simulation or engine.CallGraph.
type Runner interface {
	Run(seed int32) (*measure.Report, error)
	RunAll(seeds ...int32) (*measure.Band, error)
}

// Run runs a description with one seed; a run that fails ends the test.
func Run(t testing.TB, r Runner, seed int32) *measure.Report {
	t.Helper()
	report, err := r.Run(seed)
	if err != nil {
		t.Fatalf("the run failed: %v", err)
	}
	return report
}

// RunAll runs a description with several seeds; a run that fails ends the test.
func RunAll(t testing.TB, r Runner, seeds ...int32) *measure.Band {
	t.Helper()
	band, err := r.RunAll(seeds...)
	if err != nil {
		t.Fatalf("the runs failed: %v", err)
	}
	return band
}

// Scenario runs the scenario in a file and holds it to its own expectations, for every seed that it
// names. A file that is no scenario ends the test.
func Scenario(t testing.TB, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("the scenario cannot be read: %v", err)
	}
	s, problems := scenario.Read(text, scenario.Options{})
	for _, p := range problems {
		t.Errorf("%s: %v", file, p)
	}
	if s == nil {
		t.Fatalf("%s is no scenario", file)
	}
	if len(s.Seeds) > 0 {
		band, err := engine.RunBand(context.Background(), &s.Topology, s.Seeds, engine.BandOptions{})
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		judge(t, s.JudgeBand(band), band.Text())
		return
	}
	report, err := engine.Run(context.Background(), &s.Topology, s.Seed, engine.Options{})
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	judge(t, s.Judge(report), report.Text())
}

// Expect holds a report to expectations in the words of a scenario (scenario.md 7), such as
// "p99 < 250ms" or "checkout -> payments: loadMultiplier <= 1.2". A line that is no expectation, or
// names what the report does not have, ends the test.
func Expect(t testing.TB, r *measure.Report, lines ...string) {
	t.Helper()
	for _, line := range lines {
		e := read(t, r, line)
		judge(t, []measure.Expectation{e.Judge(r)}, r.Text())
	}
}

// ExpectAll holds every run of a band to expectations, or their median where it is asked for:
// "median(p99) < 250ms".
func ExpectAll(t testing.TB, b *measure.Band, lines ...string) {
	t.Helper()
	for _, line := range lines {
		e := read(t, b.Reports[0], line)
		judge(t, []measure.Expectation{e.JudgeBand(b)}, b.Text())
	}
}

// read reads a line about the calls of a report.
func read(t testing.TB, r *measure.Report, line string) scenario.Expectation {
	t.Helper()
	var graph engine.Topology
	for i := range r.Calls {
		graph.Calls = append(graph.Calls, engine.Call{From: r.Calls[i].From, To: r.Calls[i].To})
	}
	e, err := scenario.ParseExpectation(line)
	if err == nil {
		err = e.Resolve(&graph)
	}
	if err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	return e
}

// judge reports what does not hold, with the whole block behind it.
func judge(t testing.TB, judged []measure.Expectation, block string) {
	t.Helper()
	for _, e := range judged {
		if !e.Holds {
			t.Errorf("%s does not hold: %s\n%s", e.Text, e.Measured(), block)
		}
	}
}

// Only is what the one call of a report measured; a report of a graph with more ends the test.
func Only(t testing.TB, r *measure.Report) *measure.Measured {
	t.Helper()
	if len(r.Calls) != 1 {
		t.Fatalf("the report has %d calls: say which one is meant, with Expect", len(r.Calls))
	}
	return &r.Calls[0].Measured
}

// LoadMultiplierAtMost holds the attempts that reached the dependency to so many for each call.
func LoadMultiplierAtMost(t testing.TB, r *measure.Report, most float64) {
	t.Helper()
	if x := Only(t, r).LoadMultiplier(); !(x <= most) {
		t.Errorf("the load multiplier is %v, above %v\n%s", x, most, r.Text())
	}
}

// AmplificationAtMost holds the worst second to so many attempts for each call.
func AmplificationAtMost(t testing.TB, r *measure.Report, most float64) {
	t.Helper()
	if x := Only(t, r).Amplification; !(x <= most) {
		t.Errorf("the amplification is %v in the worst second, above %v\n%s", x, most, r.Text())
	}
}

// AvailabilityAtLeast holds the share of calls that succeeded, from 0 to 1.
func AvailabilityAtLeast(t testing.TB, r *measure.Report, least float64) {
	t.Helper()
	if x := Only(t, r).Availability(); !(x >= least) {
		t.Errorf("the availability is %v, below %v\n%s", x, least, r.Text())
	}
}

// P99Below holds the latency that one caller in a hundred exceeds.
func P99Below(t testing.TB, r *measure.Report, bound ticks.Ticks) {
	t.Helper()
	if x := Only(t, r).Latency.P99; x >= bound {
		t.Errorf("p99 is %v, not below %v\n%s", x, bound, r.Text())
	}
}

// RecoversWithin holds the time from the end of the last impairment to the first full second in
// which every call succeeds.
func RecoversWithin(t testing.TB, r *measure.Report, bound ticks.Ticks) {
	t.Helper()
	switch m := Only(t, r); {
	case !m.Recovered:
		t.Errorf("it never recovered, and should within %v\n%s", bound, r.Text())
	case m.TimeToRecover > bound:
		t.Errorf("it recovered after %v, later than %v\n%s", m.TimeToRecover, bound, r.Text())
	}
}

// Separates holds that two ranges over the same seeds do not overlap: the difference is no chance.
func Separates(t testing.TB, a, b measure.Range) {
	t.Helper()
	if !a.Separates(b) {
		t.Errorf("%v and %v overlap: these seeds cannot tell them apart", a, b)
	}
}

// Reproduces holds that a run gives the same report a second time, to the last byte.
func Reproduces(t testing.TB, r Runner, seed int32) {
	t.Helper()
	if a, b := Run(t, r, seed), Run(t, r, seed); string(a.AppendJSON(nil)) != string(b.AppendJSON(nil)) {
		t.Errorf("seed %d gives %s, then %s", seed, a.Digest, b.Digest)
	}
}
