package grading

import (
	"math"
	"testing"
)

func TestShare(t *testing.T) {
	custom := Ladder{A: 99_000, B: 95_000, C: 66_670, D: 50_000}
	for _, c := range []struct {
		ladder           Ladder
		handled, windows int
		want             string
		letter           Letter
	}{
		{DefaultLadder, 12, 13, "92.31%", C},
		{DefaultLadder, 9, 10, "90%", C},
		{DefaultLadder, 8, 9, "88.89%", D},
		{DefaultLadder, 1, 2, "50%", F},
		{DefaultLadder, 94_996, 100_000, "94.996%", C},
		{DefaultLadder, 99_999, 100_000, "99.999%", A},
		{DefaultLadder, 1, 100_000, "0.001%", F},
		{DefaultLadder, 0, 7, "0%", F},
		{DefaultLadder, 7, 7, "100%", A},
		{DefaultLadder, 79_999, 100_000, "79.999%", F},
		{DefaultLadder, 199_999, 200_000, "99.9995%", A},
		{custom, 2, 3, "66.667%", D},
		{Ladder{A: 99_000, B: 95_000, C: 66_666, D: 50_000}, 2, 3, "66.67%", C},
	} {
		if got := c.ladder.share(c.handled, c.windows); got != c.want {
			t.Errorf("%d of %d: %s, want %s", c.handled, c.windows, got, c.want)
		}
		if got := c.ladder.letter(c.handled, c.windows); got != c.letter {
			t.Errorf("%d of %d: %s, want %s", c.handled, c.windows, got, c.letter)
		}
	}
}

func TestRatio(t *testing.T) {
	for _, c := range []struct {
		num, den uint64
		bound    Thousandths
		want     string
	}{
		{31, 10, 2000, "3.1x"},
		{3, 1, 2000, "3x"},
		{204, 100, 2000, "2.04x"},
		{225, 100, 2000, "2.3x"},
		{2_000_001, 1_000_000, 2000, "2.000001x"},
		{math.MaxUint64, math.MaxUint64 / 2, 2000, "2.0000000000000000001x"},
	} {
		if got := ratio(fraction{c.num, c.den}, c.bound); got != c.want {
			t.Errorf("%d/%d over %s: %s, want %s", c.num, c.den, c.bound, got, c.want)
		}
	}
}

func TestDuration(t *testing.T) {
	for _, c := range []struct {
		ns     int64
		near   string
		within string
	}{
		{0, "0 ms", "0 ms"},
		{250_000, "250 us", "250 us"},
		{950_000, "950 us", "950 us"},
		{999_940, "999.9 us", "1 ms"},
		{999_950, "1 ms", "1 ms"},
		{100_000_000, "100 ms", "100 ms"},
		{999_960_000, "1 s", "1 s"},
		{999_940_000, "999.9 ms", "1 s"},
		{2_010_000_000, "2 s", "2.1 s"},
		{2_050_000_000, "2.1 s", "2.1 s"},
		{2_100_000_000, "2.1 s", "2.1 s"},
		{3_200_000_000, "3.2 s", "3.2 s"},
		{5_120_000_000, "5.1 s", "5.2 s"},
		{90_000_000_000, "90 s", "90 s"},
		{math.MaxInt64, "9223372036.9 s", "9223372036.9 s"},
	} {
		if got := duration(c.ns); got != c.near {
			t.Errorf("%d: %s, want %s", c.ns, got, c.near)
		}
		if got := durationWithin(c.ns); got != c.within {
			t.Errorf("%d rounded up: %s, want %s", c.ns, got, c.within)
		}
	}
	// a median of 1 ms and 1.0001 ms lies between two nanoseconds' tenths
	if got := halves(2*1_049_999+1, false); got != "1 ms" {
		t.Errorf("1049999.5 ns: %s", got)
	}
	if got := halves(2*1_050_000, false); got != "1.1 ms" {
		t.Errorf("1050000 ns: %s", got)
	}
}

func TestThousandths(t *testing.T) {
	for value, want := range map[Thousandths]string{0: "0", 1: "0.001", 1500: "1.5", 2000: "2", 66_670: "66.67", 99_999: "99.999", -1250: "-1.25"} {
		if got := value.String(); got != want {
			t.Errorf("%d: %s, want %s", int64(value), got, want)
		}
	}
	if half(3) != "1.5" || half(2) != "1" {
		t.Error(half(3), half(2))
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		numbers []uint64
		twice   uint64
	}{{[]uint64{5}, 10}, {[]uint64{2, 1}, 3}, {[]uint64{9, 1, 4}, 8}, {[]uint64{4, 1, 2, 3}, 5},
		{[]uint64{math.MaxInt64, math.MaxInt64}, 2 * math.MaxInt64}} {
		if got := medianOf(c.numbers); !got.known || got.twice != c.twice {
			t.Errorf("%v: %+v", c.numbers, got)
		}
	}
	if medianOf(nil).known {
		t.Error("a median of nothing")
	}
}

func TestFraction(t *testing.T) {
	big := fraction{math.MaxUint64, 3}
	for _, c := range []struct {
		a, b fraction
		more bool
	}{
		{fraction{2, 1}, fraction{2000, 1000}, false},
		{fraction{2001, 1000}, fraction{2, 1}, true},
		{big, fraction{math.MaxUint64 - 1, 3}, true},
		{fraction{math.MaxUint64 - 1, 3}, big, false},
		{fraction{math.MaxUint64 - 1, math.MaxUint64}, fraction{1, 1}, false},
	} {
		if c.a.more(c.b) != c.more {
			t.Errorf("%v more than %v: not %t", c.a, c.b, c.more)
		}
	}
	if got := (fraction{31, 10}).float(); got != 3.1 {
		t.Error(got)
	}
	if (fraction{2, 1}).above(2000) || !(fraction{2_000_001, 1_000_000}).above(2000) {
		t.Error("a bound is not strict")
	}
}
