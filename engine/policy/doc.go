// Package policy is what would ship: a policy is a value (Settings), its live state a few small
// machines (Live: bucket, latency windows, breaker, backoff curve), and one call under it a state
// machine (Call) that is stepped from outside. Nothing in here waits, draws, prints or reads a
// clock: time comes in as an argument, a random draw as a function that is asked when it is needed.
//
// A driver makes a call like this: Begin says what to do first, and every later step answers with
// the next Action. Start asks for an attempt, described by Call.Launch; Wait for a delay of
// Call.Delay; Arm for a delay beside the attempts that are running, after which a hedge may
// start; Race for patience until an attempt comes back; Done says how the call ended.
package policy
