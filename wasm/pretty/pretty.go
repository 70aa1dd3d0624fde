// Package pretty stands in for the module that gjson lays out JSON with when a path asks for it by
// the modifiers "@pretty" and "@ugly". No path in this repository asks, but the module would link
// encoding/json, and with it package reflect, into every WebAssembly binary: a third of its weight.
// go.mod replaces it by this one; docs/RATIONALE.md, "Weight", has the measurements.
//
// Layout is the only thing that is lost: every function returns JSON of the same value.
package pretty

// Options are accepted and have no effect.
type Options struct {
	Width    int
	Prefix   string
	Indent   string
	SortKeys bool
}

// DefaultOptions are the zero value.
var DefaultOptions = &Options{}

// Pretty returns json as it is.
func Pretty(json []byte) []byte { return json }

// PrettyOptions returns json as it is.
func PrettyOptions(json []byte, _ *Options) []byte { return json }

// Ugly returns json as it is.
func Ugly(json []byte) []byte { return json }
