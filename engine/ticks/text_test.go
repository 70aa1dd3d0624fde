package ticks

import (
	"math"
	"strings"
	"testing"
	"time"
)

func TestString(t *testing.T) {
	for _, tt := range []struct {
		span Ticks
		want string
	}{
		{0, "0s"},
		{1, "100ns"},
		{9, "900ns"},
		{Microsecond, "1us"},
		{800, "80us"},
		{15, "1.5us"},
		{250 * Millisecond, "250ms"},
		{Millisecond + 1, "1.0001ms"},
		{Second - 1, "999.9999ms"},
		{Second, "1s"},
		{15 * Second / 10, "1.5s"},
		{Second + 1, "1.0000001s"},
		{90 * Second, "1m30s"},
		{5 * Minute, "5m"},
		{90 * Minute, "1h30m"},
		{Hour + Second, "1h1s"},
		{-5 * Millisecond, "-5ms"},
		{-90 * Second, "-1m30s"},
		{Infinite, "none"},
		{Max, "256204778h48m5.4775807s"},
		{math.MinInt64, "-256204778h48m5.4775808s"},
	} {
		if got := tt.span.String(); got != tt.want {
			t.Errorf("%d ticks: %q, want %q", int64(tt.span), got, tt.want)
		}
	}
}

// FuzzString holds what is written against what Go reads of it.
func FuzzString(f *testing.F) {
	for _, n := range []int64{0, 1, -1, 9_999, 10_000, 9_999_999, 10_000_001, 36_000_000_000} {
		f.Add(n)
	}
	f.Fuzz(func(t *testing.T, n int64) {
		text := Ticks(n).String()
		if n > math.MaxInt64/100 || n < math.MinInt64/100 || Ticks(n) == Infinite {
			return // outside of what time.Duration holds
		}
		d, err := time.ParseDuration(text)
		if err != nil || d.Nanoseconds() != n*100 || strings.Contains(text, "µ") {
			t.Errorf("%d ticks: %q is %d ns, %v", n, text, d.Nanoseconds(), err)
		}
	})
}
