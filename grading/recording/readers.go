package recording

// Readers are the foreign formats (grading.md 10). No file belongs to two of them.
var Readers = []Reader{
	{Name: "otlp", Detect: detectOTLP, Read: readOTLP},
	{Name: "jaeger", Detect: detectJaeger, Read: readJaeger},
	{Name: "zipkin", Detect: detectZipkin, Read: readZipkin},
	{Name: "har", Detect: detectHAR, Read: readHAR},
	{Name: "rrpair", Detect: detectRRPair, Read: readRRPair},
}

// ReaderOf is the reader that knows the content, or nil. It looks at the content once, which is
// cheaper than to ask each reader.
func ReaderOf(data []byte) *Reader {
	format := detect(data)
	for i := range Readers {
		if Readers[i].Name == format {
			return &Readers[i]
		}
	}
	return nil
}
