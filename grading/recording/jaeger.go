package recording

import "bytes"

// readJaeger reads the JSON of Jaeger's query service and its exports.
func readJaeger(files []File, service string) (*Imported, error) {
	set := newSpanSet(countAll(files, `"spanID"`)) // references count too, which does no harm
	for _, f := range files {
		s := newScanner(f)
		for s.more() {
			for key := range s.object {
				if string(key) == "data" {
					for range s.list {
						set.jaegerTrace(s)
					}
				}
			}
		}
		if s.err != nil {
			return nil, s.err
		}
	}
	return set.imported("jaeger", service)
}

// jaegerTrace reads a trace. Its processes stand behind the spans that name them.
func (set *spanSet) jaegerTrace(s *scanner) {
	first := len(set.spans)
	var processes texts // from a process to its service
	var names []string  // the processes that spans name, in the order of their numbers
	numbers := make(map[string]int32)
	process := func(id []byte) int32 {
		n, known := numbers[string(id)]
		if !known {
			n = int32(len(names))
			names = append(names, string(id))
			numbers[names[n]] = n
		}
		return n
	}
	for key := range s.object {
		switch string(key) {
		case "spans":
			for range s.list {
				set.jaegerSpan(s, process)
			}
		case "processes":
			processes = s.jaegerProcesses()
		}
	}
	services := make([]int32, len(names))
	for i := range services {
		services[i] = -1
	}
	for i := range set.spans[first:] {
		sp := &set.spans[first+i]
		n := sp.service
		if services[n] < 0 {
			name := processes[names[n]]
			if name == "" {
				name = unknownService
			}
			services[n] = set.service([]byte(name))
		}
		sp.service = services[n]
	}
}

func (s *scanner) jaegerProcesses() texts {
	processes := make(texts)
	for id := range s.object {
		for key := range s.object {
			if string(key) == "serviceName" {
				processes[string(id)] = string(s.value().text)
			}
		}
	}
	return processes
}

// reference is a link from a span to an earlier one.
type reference struct {
	childOf, followsFrom bool
	trace                traceID
	hasTrace             bool
	id                   uint64
}

func (set *spanSet) jaegerSpan(s *scanner, process func([]byte) int32) {
	at := s.begin()
	sp := span{service: -1, duration: -1}
	var trace traceID
	var parent uint64
	var references []reference
	hasTrace, hasID := false, false
	for key := range s.object {
		switch string(key) {
		case "traceID":
			trace, hasTrace = idOf(s, parseTraceID)
		case "spanID":
			sp.id, hasID = idOf(s, hexNumber)
		case "parentSpanID":
			parent, _ = idOf(s, hexNumber)
		case "operationName":
			set.attrs.name = s.value().text
		case "references":
			for range s.list {
				references = append(references, s.jaegerReference())
			}
		case "startTime":
			sp.start = timestamp(s.value(), 3)
		case "duration":
			sp.duration = microseconds(s.value())
		case "processID":
			sp.service = process(s.value().text)
		case "tags":
			for range s.list {
				set.jaegerTag(s)
			}
		}
	}
	if !hasTrace || !hasID {
		s.fail(at, "this span has no traceID or no spanID")
		return
	}
	if sp.service < 0 {
		sp.service = process(nil)
	}
	sp.trace = set.trace(trace)
	sp.parent = jaegerParent(trace, references, parent)
	switch kind := set.attrs.values[attrKind].text; {
	case bytes.EqualFold(kind, []byte("server")):
		sp.kind = spanServer
	case bytes.EqualFold(kind, []byte("client")):
		sp.kind = spanClient
	}
	set.attrs.failed = bytes.EqualFold(set.attrs.values[attrError].text, []byte("true"))
	set.add(sp)
}

// jaegerParent is the first CHILD_OF into the same trace, else the first FOLLOWS_FROM into it,
// else what the span names itself.
func jaegerParent(trace traceID, references []reference, named uint64) uint64 {
	follows := uint64(0)
	for _, r := range references {
		switch {
		case r.hasTrace && !r.trace.same(trace):
		case r.childOf && r.id != 0:
			return r.id
		case r.followsFrom && follows == 0:
			follows = r.id
		}
	}
	if follows != 0 {
		return follows
	}
	return named
}

func (s *scanner) jaegerReference() (r reference) {
	for key := range s.object {
		switch string(key) {
		case "refType":
			v := s.value().text
			r.childOf, r.followsFrom = string(v) == "CHILD_OF", string(v) == "FOLLOWS_FROM"
		case "traceID":
			r.trace, r.hasTrace = idOf(s, parseTraceID)
		case "spanID":
			r.id, _ = idOf(s, hexNumber)
		}
	}
	return r
}

func (set *spanSet) jaegerTag(s *scanner) {
	var name []byte
	var v scalar
	for key := range s.object {
		switch string(key) {
		case "key":
			name = s.value().text
		case "value":
			v = s.attribute()
		}
	}
	if attr, ok := attributeOf(name); ok {
		set.attrs.set(attr, v)
	}
}

// microseconds is a duration in nanoseconds, -1 for none. Below zero it is 0: the end came before
// the start.
func microseconds(v scalar) int64 {
	n, ok := v.scaled(3)
	if !ok {
		return -1
	}
	return max(n, 0)
}
