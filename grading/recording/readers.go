package recording

// Readers are the foreign formats in the order in which they are tried.
var Readers = []Reader{
	{Name: "otlp", Detect: detectOTLP, Read: readOTLP},
	{Name: "jaeger", Detect: detectJaeger, Read: readJaeger},
	{Name: "zipkin", Detect: detectZipkin, Read: readZipkin},
	{Name: "har", Detect: detectHAR, Read: readHAR},
	{Name: "rrpair", Detect: detectRRPair, Read: readRRPair},
}

// ReaderOf is the first reader that knows the content, or nil.
func ReaderOf(data []byte) *Reader {
	for i := range Readers {
		if Readers[i].Detect(data) {
			return &Readers[i]
		}
	}
	return nil
}
