package measure

import (
	"strings"
	"testing"

	"squall/engine/policy"
	"squall/engine/ticks"
)

// TestAppendClock is the form [-][d.]hh:mm:ss[.fffffff] of simulator.md 10.
func TestAppendClock(t *testing.T) {
	for span, want := range map[ticks.Ticks]string{
		0:                                   "00:00:00",
		1:                                   "00:00:00.0000001",
		6885:                                "00:00:00.0006885",
		ticks.Second - 1:                    "00:00:00.9999999",
		ticks.Second:                        "00:00:01",
		ticks.Second + 5_000_000:            "00:00:01.5000000",
		59*ticks.Minute + 59*ticks.Second:   "00:59:59",
		24*ticks.Hour - 1:                   "23:59:59.9999999",
		24 * ticks.Hour:                     "1.00:00:00",
		26*ticks.Hour + 3*ticks.Minute + 4:  "1.02:03:00.0000004",
		400 * 24 * ticks.Hour:               "400.00:00:00",
		-90 * ticks.Second:                  "-00:01:30",
		-(25*ticks.Hour + ticks.Second + 1): "-1.01:00:01.0000001",
		ticks.Max:                           "10675199.02:48:05.4775807",
	} {
		if got := string(AppendClock(nil, span)); got != want {
			t.Errorf("%d ticks: %s, want %s", int64(span), got, want)
		}
	}
}

// TestMomentText is simulator.md 11: the hour is that of the day, tenths are rounded half up, and
// what is missing leaves no gap.
func TestMomentText(t *testing.T) {
	for _, c := range []struct {
		moment Moment
		policy string
		want   string
	}{
		{Moment{Kind: policy.EventSucceeded, Number: 1}, "", "00:00:00.0000000  Succeeded #1 Ok (0ms)"},
		{Moment{At: 2369622, Kind: policy.EventRetrying, Number: 2, Verdict: policy.Transient, Error: policy.IOException, Duration: 213000, Delay: 743000, HasDelay: true},
			"api", "00:00:00.2369622  [api] Retrying #2 Transient IOException (21.3ms) +74.3ms"},
		{Moment{At: 49*ticks.Hour + 1, Kind: policy.EventAttempt, Number: 10, Verdict: policy.Throttled, Error: policy.RateLimitedException, Duration: 499}, "",
			"01:00:00.0000001  Attempt #10 Throttled RateLimitedException (0ms)"},
		{Moment{Kind: policy.EventAttempt, Number: 1, Duration: 500}, "", "00:00:00.0000000  Attempt #1 Ok (0.1ms)"},
		{Moment{Kind: policy.EventAttempt, Number: 1, Duration: 10499}, "", "00:00:00.0000000  Attempt #1 Ok (1ms)"},
		{Moment{Kind: policy.EventAttempt, Number: 1, Duration: 9500}, "", "00:00:00.0000000  Attempt #1 Ok (1ms)"},
		{Moment{Kind: policy.EventAttemptCeilingAdapted, Number: 3, Delay: 0, HasDelay: true}, "", "00:00:00.0000000  AttemptCeilingAdapted #3 Ok (0ms) +0ms"},
		{Moment{Kind: policy.EventAttempt, Number: 1, Duration: ticks.Hour}, "", "00:00:00.0000000  Attempt #1 Ok (3600000ms)"},
	} {
		if got := string(c.moment.AppendText(nil, c.policy)); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// TestFixedTies: three and four decimals are rounded from the exact binary value, exact ties to even.
func TestFixedTies(t *testing.T) {
	for _, c := range []struct {
		x        float64
		decimals int
		want     string
	}{
		{0.0625, 3, "0.062"}, {0.1875, 3, "0.188"}, {0.03125, 4, "0.0312"}, {0.09375, 4, "0.0938"},
		{1.0005, 3, "1.000"}, {1.00050000000000017, 3, "1.001"}, {2.5, 3, "2.500"}, {0.99995, 4, "1.0000"}, {0, 4, "0.0000"},
	} {
		if got := string(lineFixed(nil, "", c.x, c.decimals)); got != c.want+"\n" {
			t.Errorf("%v in %d decimals: %swant %s", c.x, c.decimals, got, c.want)
		}
	}
	if got := (Range{0.0625, 0.03125, 1499.9996}).String(); got != "0.062 (0.031-1500.000)" {
		t.Errorf("a range: %s", got)
	}
}

// TestLevelsInText: the lines of levels are there once anything was not critical, and then for every
// level that was offered, in the order of the levels.
func TestLevelsInText(t *testing.T) {
	r := &Report{Seed: -7, Duration: ticks.Minute, Single: true, Calls: []CallReport{{}}}
	m := &r.Calls[0].Measured
	m.Calls, m.Succeeded = 10, 7
	m.Levels[policy.Critical] = LevelCount{10, 7}
	if got := r.Text(); !strings.HasPrefix(got, "Simulation seed -7 over 00:01:00\n") || strings.Contains(got, "available") || strings.Contains(got, "LimiterRefusals") {
		t.Errorf("got\n%s", got)
	}
	m.Levels[policy.Critical], m.Levels[policy.SheddablePlus], m.Levels[policy.CriticalPlus] = LevelCount{5, 5}, LevelCount{4, 1}, LevelCount{1, 1}
	m.RefusedByLimiter, m.Recovered, m.TimeToRecover = 3, true, 6885
	const want = `  LimiterRefusals  3
  TimeToRecover    00:00:00.0006885
  SheddablePlus    4 calls, 0.2500 available
  Critical         5 calls, 1.0000 available
  CriticalPlus     1 calls, 1.0000 available
`
	if got := r.Text(); !strings.HasSuffix(got, want) {
		t.Errorf("got\n%swant it to end with\n%s", got, want)
	}
}
