// Package ticks is the unit of time that every other package counts in: one tick is 100 ns
// (executor.md 1.1). All arithmetic is on signed 64-bit integers, so it is exact everywhere.
package ticks

import "math"

// Ticks is an instant or a span, counted in units of 100 ns.
type Ticks int64

// The spans that rules are written in.
const (
	Microsecond Ticks = 10
	Millisecond Ticks = 10_000
	Second      Ticks = 10_000_000
	Minute            = 60 * Second
	Hour              = 60 * Minute

	// Infinite means "no bound". It is negative, so it must be tested for before any comparison.
	Infinite = -Millisecond

	// Max is the latest instant; due times saturate there (simulator.md 1).
	Max Ticks = math.MaxInt64
)

// Nanoseconds converts to the unit of a report (scenario.md 9). Spans beyond 292 years saturate.
func (t Ticks) Nanoseconds() int64 {
	if t > math.MaxInt64/100 {
		return math.MaxInt64 / 100 * 100
	}
	return int64(t) * 100
}

// WholeMilliseconds drops what a platform timer cannot wait for (executor.md 1.4).
func (t Ticks) WholeMilliseconds() Ticks { return t / Millisecond * Millisecond }

// Add is a+b for b >= 0, at most Max.
func Add(a, b Ticks) Ticks {
	if s := a + b; s >= a {
		return s
	}
	return Max
}
