// Package grading says what a service did with the faults that chaos rules injected: calls in,
// letter out (grading.md).
//
// [Grade] is a pure function of an [Input]: the recorded calls of one service or more, the chaos
// rules, and the settings of the grade. Every perturbed call is paired with the inbound request
// that the service was answering (pair.go), every such request is judged by three questions
// (judge.go), every affected endpoint by a fourth (recovery.go), and the share of requests that
// were handled gives the letter (letter.go). All comparisons are between integers; doubles appear
// in the report alone.
package grading
