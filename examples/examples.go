// Package examples holds the scenarios that teach, one failure mode each (the files beside this
// one), and in Go the one that everything opens with.
package examples

import _ "embed"

// Brownout is a dependency that is eight times slower for a minute, under the policy of an HTTP client.
//
//go:embed brownout.json
var Brownout string
