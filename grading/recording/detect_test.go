package recording

import (
	"errors"
	"testing"
)

func TestDetect(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{`{"resourceSpans":[]}`, "otlp"},
		{`{"resourceSpans":[{"resource":`, "otlp"},
		{"\uFEFF\n{\"resourceSpans\":null}", "otlp"},
		{`{"data":[]}`, "jaeger"},
		{`{"total":0,"errors":null,"data":[{"traceID":"1"}]}`, "jaeger"},
		{`{"data":{"traceID":"1"}}`, ""},
		{`{"log":{"entries":[]}}`, "har"},
		{`{"log":"text"}`, ""},
		{`[]`, "zipkin"},
		{`[[]]`, "zipkin"},
		{`[{"id":"1","traceId":"1"}]`, "zipkin"},
		{`[{"msgType":"rrpair"}]`, "rrpair"},
		{`{"msgType":"rrpair"}`, "rrpair"},
		{`{"ts":"x","direction":"IN"}` + "\n" + `{}`, "rrpair"},
		{"### REQUEST ###\n```\n```\n", "rrpair"},
		{"\n a note in front\n### METADATA ###\r\n", "rrpair"},
		{"### Request\n", ""},
		{"a note\n", ""},
		{`{"squall":1,"recording":{"service":"a"}}`, ""},
		{`{"squall":1,"data":[]}`, ""},
		{`{"recording":{},"log":{}}`, ""},
		{`{"seed":1}`, ""},
		{`[1]`, ""},
		{`[{"a":1}]`, ""},
		{`[`, ""},
		{`{"a":`, ""},
		{`7`, ""},
		{``, ""},
	} {
		for _, r := range Readers {
			if r.Detect([]byte(c.data)) != (r.Name == c.want) {
				t.Errorf("%s: %s says %v", c.data, r.Name, r.Name != c.want)
			}
		}
		got := ""
		if r := ReaderOf([]byte(c.data)); r != nil {
			got = r.Name
		}
		if got != c.want {
			t.Errorf("%s: got %q, want %q", c.data, got, c.want)
		}
	}
}

// TestBrokenFiles says for each reader where the second of two files is broken.
func TestBrokenFiles(t *testing.T) {
	for _, c := range []struct{ reader, good, bad, want string }{
		{"otlp", `{"resourceSpans":[]}`, "{\"resourceSpans\":[\n{\"scopeSpans\":{}}]}", "bad:2:15: a list is expected here, not an object"},
		{"otlp", ``, `{"resourceSpans":[{"scopeSpans":[{"spans":[ {"traceId":"1"}]}]}]}`, "bad:1:45: this span has no traceId or no spanId"},
		{"otlp", ``, `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"xyz","spanId":"1"}]}]}]}`, `bad:1:55: "xyz" is not the id of a trace or a span`},
		{"otlp", ``, `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":7,"spanId":"1"}]}]}]}`, `bad:1:55: 7 is not the id of a trace or a span`},
		{"otlp", ``, `{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"1","spanId":"12345678901234567"}]}]}]}`, `bad:1:68: "12345678901234567" is not the id of a trace or a span`},
		{"jaeger", `{"data":[]}`, `{"data":[{"spans":[{"spanID":"1"}]}]}`, "bad:1:20: this span has no traceID or no spanID"},
		{"jaeger", ``, `{"data":[{"spans":[{"traceID":"1","spanID":"1","references":[{"traceID":"-"}]}]}]}`, `bad:1:73: "-" is not the id of a trace or a span`},
		{"zipkin", `[]`, `[{"traceId":"1","id":"1"`, "bad:1:25: the file ends where } is expected"},
		{"zipkin", ``, `[{"traceId":"1","id":""}]`, "bad:1:2: this span has no traceId or no id"},
		{"zipkin", ``, `{"traceId":"1","id":"1"}`, "bad:1:1: a list is expected here, not an object"},
		{"har", `{"log":{}}`, "{\"log\":{\"entries\":[{},\n 5]}}", "bad:2:2: an object is expected here, not a number"},
		{"rrpair", `{"direction":"IN"}`, "{\"direction\":\"IN\"}\n{\"direction\"\n\"IN\"}", "bad:3:1: a colon behind the key is expected here, not '\"'"},
		{"rrpair", `### REQUEST ###`, "### METADATA ###\n```\nuuid: a\n", "bad:2:1: this block has no end"},
		{"rrpair", ``, "### INTERNAL ###\n```\njson: {\"direction\":}\n```\n", "bad:3:20: a value is expected here, not '}'"},
		{"rrpair", ``, "### INTERNAL ###\n```\njson: {\"direction\":\"IN\"\n```\n", "bad:4:1: the file ends where } is expected"},
		{"rrpair", ``, "### INTERNAL ###\n```\njson: {} more\n```\n", "bad:3:10: the end of the block is expected here, not 'm'"},
		{"rrpair", ``, "### REQUEST ###\n\x80", "bad:2:1: the file is not UTF-8 here"},
	} {
		for _, r := range Readers {
			if r.Name != c.reader {
				continue
			}
			m, err := r.Read([]File{{Name: "good", Data: []byte(c.good)}, {Name: "bad", Data: []byte(c.bad)}}, "")
			var broken *FileError
			if m != nil || !errors.As(err, &broken) || err.Error() != c.want {
				t.Errorf("%s %s: got %v, want %s", c.reader, c.bad, err, c.want)
			}
		}
	}
}
