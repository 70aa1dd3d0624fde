package ticks

// FromFloat truncates toward zero and saturates; NaN is 0. WebAssembly's own instruction does just
// that. A comparison before it would make a branch of it, and of two conversions in one function
// engines make one before the branch, on every way through.
func FromFloat(x float64) Ticks { return Ticks(x) }
