// Package examples holds the scenarios that teach, one failure mode each (the files beside this
// one), and in Go the one that everything opens with and the order that a gallery shows them in.
//
// Each says in its "about" what to look for and what to change. What it claims is in its "expect",
// what the change achieves in the "expect" of a variant, so that a test holds both to it.
package examples

import _ "embed"

// Brownout is a dependency that is eight times slower for a minute, under the policy of an HTTP client.
//
//go:embed brownout.json
var Brownout string

// AboutBrownout is what to look for in Brownout and what to change; the file itself is the one of
// the reference and says nothing of its own.
const AboutBrownout = "For a minute every answer takes eight times as long, and the ceiling that was measured on good days cuts most of them off: " +
	"look at how little the dependency feels of it, and at who pays. Drag “slower” or the attempts, or set the ceiling's multiple to 10."

// Group is some examples about the same thing: names of files without ".json".
type Group struct {
	Title string
	Names []string
}

// Gallery is every example, in the order that teaches.
var Gallery = []Group{
	{"Retries", []string{"brownout", "retry-storm", "budget-saves-the-day", "no-jitter", "criticality"}},
	{"Timeouts", []string{"fixed-timeout", "deadline-too-short"}},
	{"Breakers", []string{"breaker-never-opens", "breaker-flaps", "half-open-cliff"}},
	{"Hedges", []string{"hedging-helps", "hedging-hurts"}},
	{"Limits and pools", []string{"bulkhead", "adaptive-limit", "pool-stall", "fifty-peers"}},
	{"Grades", []string{
		"fails-its-grade", "passes-faults-through", "retries-without-bound", "waits-three-times", "never-recovers", "does-everything-right",
	}},
}
