// Package recording is the calls that a grade is made of: our own form (grading.md 2) and readers
// for the forms that people already have (grading.md 10).
package recording

// Recording is what one service answered and sent, as grading.md 2 writes it. Times are
// nanoseconds from the start of the recording.
type Recording struct {
	Service      string
	LoadStartsNs int64
	// LoadEndsNs counts only when HasLoadEnds is true; without it the end of the recording holds.
	LoadEndsNs  int64
	HasLoadEnds bool
	Mocked      Tri
	// Matched is how many calls each rule matched, in written order; a rule may be missing.
	Matched  []Match
	Inbound  []Inbound
	Outbound []Outbound
}

// Tri is yes, no or not said.
type Tri uint8

// The three answers.
const (
	Unsaid Tri = iota
	Yes
	No
)

// Match is how many calls one rule matched.
type Match struct {
	Rule  string
	Count int
}

// Inbound is one request that the service answered.
type Inbound struct {
	ID         string
	AtNs       int64
	DurationNs int64
	// HasDuration is false when the recording does not say when the call ended.
	HasDuration bool
	// Protocol is "http" when it was not said.
	Protocol, Method, Path, Route string
	// Status is 0 for no answer.
	Status  int
	TraceID string
}

// Outbound is one call that the service sent.
type Outbound struct {
	Inbound
	Host string
	// Parent is an inbound id, empty for none.
	Parent string
	Resend int
	// Chaos is nil for a call that was left alone.
	Chaos *Chaos
}

// Chaos is what was done to one call.
type Chaos struct {
	Rule    string
	Effects []string
	// Status is what was really sent; it counts only when HasStatus is true.
	Status    int
	HasStatus bool
	// DelayNs is the delay really injected; it counts only when HasDelay is true.
	DelayNs  int64
	HasDelay bool
}
