package policy

import (
	"math"
	"slices"
	"strings"
	"testing"

	"squall/engine/ticks"
)

func TestDecimals(t *testing.T) {
	for _, tt := range []struct {
		x           float64
		least, most int
		want        string
	}{
		{0, 0, 2, "0"},
		{0, 2, 2, "0.00"},
		{3, 0, 2, "3"},
		{3, 1, 2, "3.0"},
		{1.1, 1, 2, "1.1"},
		{1.25, 1, 2, "1.25"},
		{10, 0, 2, "10"},
		{1200, 0, 2, "1200"},
		{97.2, 0, 2, "97.2"},
		// Ties: away from zero, and on 15 digits, which the doubles of these do not reach exactly.
		{0.125, 0, 2, "0.13"},
		{0.375, 0, 2, "0.38"},
		{-0.125, 0, 2, "-0.13"},
		{2.675, 0, 2, "2.68"},
		{1.005, 0, 2, "1.01"},
		{1.115, 0, 2, "1.12"},
		{0.005, 0, 2, "0.01"},
		{2.5, 0, 0, "3"},
		{0.5, 0, 0, "1"},
		// Just below a tie that 15 digits still see.
		{2.67499999999999, 0, 2, "2.67"},
		{0.00499999999999999, 0, 2, "0"},
		{-0.004, 0, 2, "0"},
		// Carries.
		{9.995, 0, 2, "10"},
		{99.995, 2, 2, "100.00"},
		{999.999, 0, 2, "1000"},
		{0.995, 0, 2, "1"},
		// The ends of the range.
		{1e21, 0, 2, "1000000000000000000000"},
		{1e-300, 0, 2, "0"},
		{123456789.125, 0, 2, "123456789.13"},
		{0.1 + 0.2, 0, 17, "0.3"},
		{math.NaN(), 0, 2, "NaN"},
		{math.Inf(-1), 0, 2, "-Inf"},
	} {
		if got := decimals(tt.x, tt.least, tt.most); got != tt.want {
			t.Errorf("decimals(%v, %d, %d) = %q, want %q", tt.x, tt.least, tt.most, got, tt.want)
		}
	}
	if got := len(decimals(math.MaxFloat64, 0, 2)); got != 309 {
		t.Errorf("the largest number has %d digits", got)
	}
}

func TestSpansOfAnExplanation(t *testing.T) {
	for _, tt := range []struct {
		span           ticks.Ticks
		compact, since string
	}{
		{0, "0ms", "0.00s"},
		{1, "0ms", "0.00s"},
		{50, "0.01ms", "0.00s"},
		{250 * ticks.Millisecond, "250ms", "0.25s"},
		{5 * ticks.Millisecond, "5ms", "0.01s"},
		{ticks.Second - 1, "1000ms", "1.00s"},
		{ticks.Second, "1s", "1.00s"},
		{16 * ticks.Second / 10, "1.6s", "1.60s"},
		{ticks.Minute - 1, "60s", "60.00s"},
		{ticks.Minute, "1m", "60.00s"},
		{90 * ticks.Second, "1.5m", "90.00s"},
		{10*ticks.Minute - 1, "10m", "600.00s"},
		{10 * ticks.Minute, "10m", "10.00m"},
		{ticks.Hour, "1h", "60.00m"},
		{36 * ticks.Hour, "36h", "2160.00m"},
		{-5 * ticks.Millisecond, "-5ms", "-0.01s"},
		{ticks.Infinite, "no limit", ""},
		{math.MinInt64, "-256204778.8h", ""},
	} {
		if got := compact(tt.span); got != tt.compact {
			t.Errorf("compact(%d) = %q, want %q", int64(tt.span), got, tt.compact)
		}
		if got := since(tt.span); tt.since != "" && got != tt.since {
			t.Errorf("since(%d) = %q, want %q", int64(tt.span), got, tt.since)
		}
	}
}

func TestShares(t *testing.T) {
	for _, tt := range []struct{ got, want string }{
		{percent(0.1), "10%"},
		{percent(0.97), "97%"},
		{percent(1.0 / 3), "33.33%"},
		{percent(0.12345), "12.35%"}, // a tie at the second decimal
		{percentile(0.95), "p95"},
		{percentile(0.999), "p99.9"},
		{times(3), "3x"},
		{times(1.5), "1.5x"},
		{count(1, "attempt"), "1 attempt"},
		{count(0, "attempt"), "0 attempts"},
		{count(2, "success"), "2 successes"},
		{count(2, "box"), "2 boxes"},
		{count(2, "batch"), "2 batches"},
		{ordinals("attempt", 3, 3), "attempt 3"},
		{ordinals("attempt", 2, 3), "attempts 2-3"},
	} {
		if tt.got != tt.want {
			t.Errorf("%q, want %q", tt.got, tt.want)
		}
	}
}

func TestWrapped(t *testing.T) {
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"", []string{""}},
		{"ten wide x", []string{"ten wide x"}},
		{"ten wide xy", []string{"ten wide", "xy"}},
		{"exactly te n", []string{"exactly te", "n"}},
		{"one two three four five", []string{"one two", "three four", "five"}},
		{"unbreakable-word after", []string{"unbreakable-word", "after"}},
		{"a unbreakable-word", []string{"a", "unbreakable-word"}},
		{"äöü äöü äöü", []string{"äöü äöü", "äöü"}},
		{" leading", []string{" leading"}},
	} {
		if got := wrapped(tt.text, 10); !slices.Equal(got, tt.want) {
			t.Errorf("%q: %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestColumns(t *testing.T) {
	got := strings.Join(columns([][]string{
		{"a", "bb", "c"},
		{"aaa", "a second cell that ends its row"},
		{"a first cell that is alone"},
		{"aa", "bbb", "cc"},
	}), "\n")
	want := "a    bb   c\n" +
		"aaa  a second cell that ends its row\n" +
		"a first cell that is alone\n" +
		"aa   bbb  cc"
	if got != want {
		t.Errorf("columns:\n%s\nwant\n%s", got, want)
	}
}
