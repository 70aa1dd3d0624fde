package recording

// Direction says which way the calls of a file go, for formats that do not say it themselves.
type Direction uint8

// The directions of a HAR file (grading.md 10).
const (
	DirectionUnsaid Direction = iota
	DirectionIn
	DirectionOut
)

// File is one input file; Name is for messages only.
type File struct {
	Name string
	Data []byte
	// Direction is what the caller said in front of the name ("in:FILE", "out:FILE").
	Direction Direction
}

// Reader reads one foreign format.
type Reader struct {
	// Name is the format's name in the output: "otlp", "jaeger", "zipkin", "har" or "rrpair".
	Name string
	// Detect looks at the content alone and is cheap.
	Detect func(data []byte) bool
	// Read reads files of this format as one recording or more. service picks the service (spans)
	// or names it (HAR, RRPair); it is empty when the caller did not say.
	Read func(files []File, service string) (*Imported, error)
}

// Imported is what a reader made of foreign files (grading.md 10).
type Imported struct {
	Format string
	// Recordings is never empty.
	Recordings []Recording
	// Inbound and Outbound count the calls that were kept, over all services.
	Inbound, Outbound int
	Skipped           Skipped
	// Retimed counts the calls whose start was repaired.
	Retimed int
}

// Skipped is what a reader left out; a call counts under the first reason, from top to bottom of
// NotACall, Duplicate, NoTime, NonHTTP, OtherService, that holds.
type Skipped struct {
	NonHTTP, NotACall, Duplicate, NoTime, OtherService int
}
