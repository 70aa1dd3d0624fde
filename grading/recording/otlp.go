package recording

import (
	"bytes"
	"strings"
)

// readOTLP reads OTLP/JSON traces.
func readOTLP(files []File, service string) (*Imported, error) {
	set := newSpanSet(countAll(files, `"spanId"`))
	for _, f := range files {
		s := newScanner(f)
		for s.more() {
			for key := range s.object {
				if string(key) == "resourceSpans" {
					for range s.list {
						set.otlpResource(s)
					}
				}
			}
		}
		if s.err != nil {
			return nil, s.err
		}
	}
	return set.imported("otlp", service)
}

// countAll is how often a key stands in files, to make room for what it stands in.
func countAll(files []File, key string) (n int) {
	for _, f := range files {
		n += bytes.Count(f.Data, []byte(key))
	}
	return n
}

// unknownService is the service of a resource that names none.
const unknownService = "unknown"

// otlpResource reads the spans of one resource. Its name may stand behind them.
func (set *spanSet) otlpResource(s *scanner) {
	first := len(set.spans)
	var name []byte
	for key := range s.object {
		switch string(key) {
		case "resource":
			for key := range s.object {
				if string(key) == "attributes" {
					for range s.list {
						if key, v := s.otlpAttribute(); string(key) == "service.name" && len(name) == 0 {
							name = v.text
						}
					}
				}
			}
		case "scopeSpans":
			for range s.list {
				for key := range s.object {
					if string(key) == "spans" {
						for range s.list {
							set.otlpSpan(s)
						}
					}
				}
			}
		}
	}
	if len(name) == 0 {
		if len(set.spans) == first {
			return
		}
		name = []byte(unknownService)
	}
	number := set.service(name)
	for i := range set.spans[first:] {
		set.spans[first+i].service = number
	}
}

func (set *spanSet) otlpSpan(s *scanner) {
	at := s.begin()
	var sp span
	var trace traceID
	var end int64
	hasTrace, hasID := false, false
	for key := range s.object {
		switch string(key) {
		case "traceId":
			trace, hasTrace = idOf(s, otlpTraceID)
		case "spanId":
			sp.id, hasID = idOf(s, otlpSpanID)
		case "parentSpanId":
			sp.parent, _ = idOf(s, otlpSpanID)
		case "name":
			set.attrs.name = s.value().text
		case "kind":
			sp.kind = otlpKind(s.value())
		case "startTimeUnixNano":
			sp.start = timestamp(s.value(), 0)
		case "endTimeUnixNano":
			end = timestamp(s.value(), 0)
		case "attributes":
			for range s.list {
				key, v := s.otlpAttribute()
				if attr, ok := attributeOf(key); ok {
					set.attrs.set(attr, v)
				}
			}
		case "status":
			for key := range s.object {
				if string(key) == "code" {
					v := s.value()
					n, _ := v.integer()
					set.attrs.failed = n == 2 || string(v.text) == "STATUS_CODE_ERROR"
				}
			}
		}
	}
	if !hasTrace || !hasID {
		s.fail(at, "this span has no traceId or no spanId")
		return
	}
	sp.trace = set.trace(trace)
	sp.duration = -1
	if end != 0 {
		sp.duration = max(end-sp.start, 0)
	}
	set.add(sp)
}

// otlpAttribute reads {"key": ..., "value": {...}}.
func (s *scanner) otlpAttribute() (key []byte, v scalar) {
	for k := range s.object {
		switch string(k) {
		case "key":
			key = s.value().text
		case "value":
			v = s.otlpValue()
		}
	}
	return key, v
}

// otlpValue reads {"stringValue": ...} and its kin; a list is its first value that says something.
func (s *scanner) otlpValue() (found scalar) {
	for key := range s.object {
		switch string(key) {
		case "stringValue", "intValue", "boolValue", "doubleValue":
			found = s.value()
		case "arrayValue":
			for key := range s.object {
				if string(key) == "values" {
					for range s.list {
						if v := s.otlpValue(); found.empty() {
							found = v
						}
					}
				}
			}
		}
	}
	return found
}

// otlpKind reads an enum that is a number or a name.
func otlpKind(v scalar) spanKind {
	n, _ := v.integer()
	switch name := string(v.text); {
	case n == 2 || name == "SPAN_KIND_SERVER":
		return spanServer
	case n == 3 || name == "SPAN_KIND_CLIENT":
		return spanClient
	}
	return spanOther
}

// timestamp is a time since 1970 in nanoseconds, of a value in units of ten to the power of shift
// of them; 0 is none, for that is what recorders write that know no time.
func timestamp(v scalar, shift int) int64 {
	n, _ := v.scaled(shift)
	return max(n, 0)
}

// begin is where the next value begins, for a message about all of it.
func (s *scanner) begin() int {
	s.space()
	return s.pos
}

// idOf reads an id; ok is false for none, and one that is not well formed is an error.
func idOf[ID any](s *scanner, parse func([]byte) (ID, bool)) (id ID, ok bool) {
	at := s.begin()
	v := s.value()
	if v.empty() {
		return id, false
	}
	if id, ok = parse(v.text); !ok || v.kind != text {
		s.fail(at, "%s is not the id of a trace or a span", strings.TrimSpace(string(s.data[at:s.pos])))
		return id, false
	}
	return id, true
}
