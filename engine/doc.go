// Package engine runs a scenario: one topology and one seed in, one report out, the same bytes on
// every platform. Simulate and Graph describe a run in Go; package scenario reads one from JSON.
package engine

// Version is the engine's version, part of every report. Runs of one version are comparable to
// the last bit.
const Version = "1.0.0"
