package recording

// Readers are the foreign formats in the order in which they are tried.
var Readers = []Reader{}

// ReaderOf is the first reader that knows the content, or nil.
func ReaderOf(data []byte) *Reader {
	for i := range Readers {
		if Readers[i].Detect(data) {
			return &Readers[i]
		}
	}
	return nil
}
