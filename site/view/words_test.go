package view

import (
	"math"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestWords(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{Integer(0), "0"}, {Integer(999), "999"}, {Integer(1000), "1,000"}, {Integer(-1234567), "-1,234,567"},
		{Percent(0), "0%"}, {Percent(1), "100%"}, {Percent(0.5), "50.0%"}, {Percent(0.0004), "0.04%"},
		{Percent(0.99951), "99.95%"}, {Percent(0.9999996), "99.99996%"}, {Percent(1 - 1e-12), "over 99.999999%"}, {Percent(math.NaN()), "–"},
		{Times(1), "1.00×"}, {Times(1234.4), "1,234×"}, {Times(math.Inf(1)), "–"},
		{Duration(0), "0 s"}, {Duration(100), "0.1 µs"}, {Duration(688_500), "688 µs"}, {Duration(999_600), "1 ms"}, {Duration(25_526_500), "25.5 ms"},
		{Duration(434_109_000), "434 ms"}, {Duration(999_700_000), "1 s"}, {Duration(1_245_000_000), "1.25 s"}, {Duration(99_940_000_000), "99.9 s"},
		{Duration(99_960_000_000), "1 min 40 s"}, {Duration(3_600_000_000_000), "1 h"}, {Duration(-5_000_000), "-5 ms"},
		{Clock(0), "0:00"}, {Clock(89), "1:29"}, {Clock(3725), "1:02:05"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestActual(t *testing.T) {
	for _, c := range []struct{ expectation, value, want string }{
		{"loadMultiplier <= 1.2", "1.0164816818260742", "1.016"},
		{"p99 < 1s", "434109000", "434 ms"},
		{"p99.9 < 1s", "1200000000", "1.2 s"},
		{"median(max) < 2s", "5000000", "5 ms"},
		{"shop -> cart: availability >= 99%", "0.875", "87.5%"},
		{"cart: availability(sheddable) >= 99%", "1", "100%"},
		{"timeToRecover < 1s", "null", "never recovered"},
		{"timeToRecover < 1s", "688500", "688 µs"},
		{"count(Retrying) > 3", "12345", "12,345"},
		{"breakerOpens == 0", "null", "nothing measured"},
	} {
		if got := actual(c.expectation, gjson.Parse(c.value)); got != c.want {
			t.Errorf("%s with %s reads %q, not %q", c.expectation, c.value, got, c.want)
		}
	}
}

func TestSeconds(t *testing.T) {
	s := &Series{Calls: []float64{4, 0}, Reached: []float64{6, 1}, Succeeded: []float64{3, 1, 2}, P99: []float64{5e7}, Budget: []float64{29.5, 30, 30}}
	rows := Seconds(s)
	if len(rows) != 3 {
		t.Fatalf("%d rows", len(rows))
	}
	for i, want := range [][]string{
		{"0", "4", "6", "1.5000", "3", "", "", "", "", "", "", "50", "", "29.5", "", "", "", ""},
		{"1", "0", "1", "", "1", "", "", "", "", "", "", "", "", "30", "", "", "", ""},
		{"2", "0", "0", "", "2", "", "", "", "", "", "", "", "", "30", "", "", "", ""},
	} {
		for k := range want {
			if rows[i][k] != want[k] {
				t.Errorf("second %d, %s is %q, not %q", i, SecondsColumns[k], rows[i][k], want[k])
			}
		}
	}
	if s.Worst() != 0 || (&Series{}).Worst() != -1 {
		t.Error("another worst second")
	}
}

func TestExportsSurviveAnyText(t *testing.T) {
	r := &Run{Seed: -3, Digest: "sha256:ab"}
	command := Command("x.json", "{ \"a\": \"SCENARIO\" }\n\n", r)
	if want := "cat > x.json <<'SCENARIO_'\n{ \"a\": \"SCENARIO\" }\nSCENARIO_\nsquall run x.json --seed=-3   # sha256:ab\n"; command != want {
		t.Errorf("got %s", command)
	}
	test := GoTest("retry storm 2", "{ \"a\": \"`\" }", r)
	for _, part := range []string{"func TestRetryStorm2(", "`{ \"a\": \"` + \"`\" + `\" }`", `want := "sha256:ab"`} {
		if !strings.Contains(test, part) {
			t.Errorf("the test has no %s:\n%s", part, test)
		}
	}
	if !strings.Contains(GoTest("…", "{}", r), "func TestScenario(") {
		t.Error("a title without letters has no name")
	}
}
