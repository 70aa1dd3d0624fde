// Package scenario is the contract of scenario.md: how a run is written down.
//
// Read turns the JSON text of a scenario into a topology that the engine runs, and says everything
// that is wrong with it at once, each problem with its path, line and column. Problems come in the
// order of the text; those of one place in the order of their rules.
//
// One set of tables drives all that knows the keys: the reader, its hints, the JSON Schema and the
// reference. Adding a setting is one row: see table.go for what a row says, and keys_policy.go,
// keys_breaker.go, keys_world.go, keys_graph.go and keys_chaos.go for the rows.
package scenario
