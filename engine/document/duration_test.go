package document

import (
	"errors"
	"testing"

	"squall/engine/ticks"
)

func TestParseDuration(t *testing.T) {
	for _, c := range []struct {
		text string
		want ticks.Ticks
		err  error
	}{
		{"0", 0, nil}, {"-0", 0, nil}, {"0s", 0, nil}, {"-0s", 0, nil},
		{"100ns", 1, nil}, {"80us", 800, nil}, {"80µs", 800, nil}, {"80μs", 800, nil}, {"250ms", 2_500_000, nil},
		{"1.5s", 15_000_000, nil}, {".5s", 5_000_000, nil}, {"1.s", 10_000_000, nil}, {"1m30s", 900_000_000, nil},
		{"+2h", 2 * ticks.Hour, nil}, {"60999900ns", 609_999, nil}, {"0.000000000250h", 9, nil},
		{"50ns50ns", 1, nil}, {"1.10000000000000000000s", 11_000_000, nil}, {"000000000000000000000001s", ticks.Second, nil},
		{"87600h", durationMax, nil},
		{"", 0, ErrDuration}, {"s", 0, ErrDuration}, {"1d", 0, ErrDuration}, {"1 s", 0, ErrDuration}, {".s", 0, ErrDuration}, {"--1s", 0, ErrDuration}, {"1S", 0, ErrDuration},
		{"5", 0, ErrUnit}, {"1m30", 0, ErrUnit}, {"1.2.3s", 0, ErrUnit},
		{"1ns", 0, ErrFine}, {"150ns", 0, ErrFine}, {"0.00000001s", 0, ErrFine}, {"1.00000000001s", 0, ErrFine}, {"0.5ns", 0, ErrFine},
		{"87600h100ns", 0, ErrLong}, {"99999999999999999999h", 0, ErrLong}, {"9223372036854775807ns", 0, ErrLong}, {"9223372036854775808ns", 0, ErrLong}, {"87600h87600h", 0, ErrLong},
		{"-1ms", 0, ErrNegative},
	} {
		got, err := ParseDuration(c.text)
		if got != c.want || !errors.Is(err, c.err) || (c.err == nil) != (err == nil) {
			t.Errorf("ParseDuration(%q) = %d, %v; want %d, %v", c.text, got, err, c.want, c.err)
		}
	}
}

func FuzzDuration(f *testing.F) {
	f.Add("1m30.5s")
	f.Add("99999999999999999999h")
	f.Fuzz(func(t *testing.T, text string) {
		d, err := ParseDuration(text)
		if err != nil {
			return
		}
		if d < 0 || d > durationMax {
			t.Fatalf("%q is %d", text, d)
		}
		if back, err := ParseDuration(d.String()); back != d || err != nil {
			t.Fatalf("%q is %d, again %d, %v", text, d, back, err)
		}
	})
}
