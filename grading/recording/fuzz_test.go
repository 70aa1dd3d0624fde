package recording

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"squall/engine/document"
)

// fuzzReader feeds a reader with anything. It must say where a file is broken, or make an input
// document that our own form reads back to the same bytes.
func fuzzReader(f *testing.F, format string, patterns ...string) {
	for _, pattern := range patterns {
		paths, err := filepath.Glob("testdata/formats/" + pattern)
		if err != nil || len(paths) == 0 {
			f.Fatalf("no files %s", pattern)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	reader := Readers[0]
	for _, r := range Readers {
		if r.Name == format {
			reader = r
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		ReaderOf(data)
		m, err := reader.Read([]File{{Name: "f", Data: data}}, "")
		if err != nil {
			var broken *FileError
			if !errors.As(err, &broken) || broken.Line < 1 || broken.Column < 1 || broken.Message == "" || m != nil {
				t.Fatalf("error %#v with %v", err, m)
			}
			return
		}
		checkImported(t, m, data)
	})
}

func checkImported(t *testing.T, m *Imported, data []byte) {
	in, out := 0, 0
	for i := range m.Recordings {
		r := &m.Recordings[i]
		in += len(r.Inbound)
		out += len(r.Outbound)
		last := int64(0)
		for j := range r.Inbound {
			if c := &r.Inbound[j]; c.AtNs < last {
				t.Fatalf("%s is not in order", c.ID)
			} else {
				last = c.AtNs
			}
		}
	}
	if len(m.Recordings) == 0 || in != m.Inbound || out != m.Outbound {
		t.Fatalf("%d recordings with %d and %d calls, counted %d and %d", len(m.Recordings), in, out, m.Inbound, m.Outbound)
	}
	written := m.AppendJSON(nil)
	d, problems := document.Parse(written, document.Limits{Bytes: len(written)})
	if problems != nil {
		t.Fatalf("%s: %v", written, problems)
	}
	read := Decode(d.Root().Find("recording"))
	if problems := d.Problems(); problems != nil {
		t.Fatalf("%s: %v", written, problems)
	}
	again := Imported{m.Format, read, m.Inbound, m.Outbound, m.Skipped, m.Retimed}
	if got := again.AppendJSON(nil); !bytes.Equal(got, written) {
		t.Fatalf("read back\n%s\nfrom\n%s\nof\n%s", got, written, data)
	}
}

func FuzzOTLP(f *testing.F)   { fuzzReader(f, "otlp", "otlp/traces.json") }
func FuzzJaeger(f *testing.F) { fuzzReader(f, "jaeger", "jaeger/traces.json") }
func FuzzZipkin(f *testing.F) { fuzzReader(f, "zipkin", "zipkin/spans.json") }
func FuzzHAR(f *testing.F)    { fuzzReader(f, "har", "har/*.har") }
func FuzzRRPair(f *testing.F) {
	fuzzReader(f, "rrpair", "rrpair-jsonl/pairs.jsonl", "rrpair-markdown/*/*.md")
}
