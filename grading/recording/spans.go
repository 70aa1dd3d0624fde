package recording

// spanKind is what a span did with HTTP; the formats have more kinds, but none that is a call.
type spanKind uint8

const (
	spanOther spanKind = iota
	spanServer
	spanClient
)

// span is what is kept of a span. It is small because traces have many that are no call, and all
// of them are needed to find the request that a call belongs to.
type span struct {
	// start and duration are nanoseconds; a start of 0 is none, a duration below 0 is none.
	start, duration int64
	// id and parent are ids within the trace; a parent of 0 is none.
	id, parent uint64
	// trace and service are numbers; next is the next span with the same trace and id, -1 for none.
	trace, service, next int32
	// call is what it says about HTTP, -1 for nothing.
	call int32
	kind spanKind
	// kept says that it became a call of a recording.
	kept bool
}

// spanCall is what a span says about its call.
type spanCall struct {
	method, path, route, host string
	chaos                     *Chaos
	status, resend            int32
}

// spanSet gathers the spans of all files, for the calls of one trace may lie anywhere in them.
type spanSet struct {
	collector
	texts  texts
	traces []traceID
	number map[traceID]int32
	spans  []span
	calls  []spanCall
	attrs  attributeSet
	// heads are the first spans of each id.
	heads map[spanKey]int32
	// hostless says that a call names no host itself.
	hostless bool
}

// spanKey is an id that two spans share when they are the two halves of one call.
type spanKey struct {
	id    uint64
	trace int32
}

// newSpanSet makes room for as many spans as the files seem to hold: growing would need twice
// the memory for a moment.
func newSpanSet(spans int) *spanSet {
	return &spanSet{
		texts:  make(texts),
		number: make(map[traceID]int32),
		spans:  make([]span, 0, spans),
		calls:  make([]spanCall, 0, spans),
	}
}

func (s *spanSet) trace(id traceID) int32 {
	if n := len(s.spans) - 1; n >= 0 && s.traces[s.spans[n].trace] == id {
		return s.spans[n].trace // most files hold the spans of a trace together
	}
	if n, ok := s.number[id]; ok {
		return n
	}
	n := int32(len(s.traces))
	s.number[id] = n
	s.traces = append(s.traces, id)
	return n
}

// add takes a span whose attributes are in attrs, and clears them.
func (s *spanSet) add(sp span) {
	sp.next, sp.call = -1, -1
	if sp.kind != spanOther && s.attrs.http() {
		a := &s.attrs
		c := spanCall{
			method: s.texts.of(a.method()),
			path:   s.texts.of(a.path()),
			route:  s.texts.of(a.values[attrRoute].text),
			status: int32(a.status()),
		}
		if sp.kind == spanClient {
			c.host = s.texts.of(a.host())
			s.hostless = s.hostless || c.host == ""
			c.resend = int32(a.resend())
			c.chaos = a.marker()
		}
		sp.call = int32(len(s.calls))
		s.calls = append(s.calls, c)
	}
	s.spans = append(s.spans, sp)
	s.attrs = attributeSet{}
}

// imported makes recordings of the spans.
func (s *spanSet) imported(format, pick string) (*Imported, error) {
	s.link()
	s.nameHosts()
	parents := s.parents()
	s.fill(parents)
	return s.collector.imported(format, pick)
}

// link decides which spans become calls, and ties those of one id together.
func (s *spanSet) link() {
	s.heads = make(map[spanKey]int32, len(s.spans))
	for i := range s.spans {
		sp := &s.spans[i]
		duplicate := s.tie(int32(i))
		if sp.kind == spanClient {
			s.services[sp.service].sent = true
		}
		switch {
		case sp.kind == spanOther:
			s.skipped.NotACall++
		case duplicate:
			s.skipped.Duplicate++
		case sp.start == 0:
			s.skipped.NoTime++
		case sp.call < 0:
			s.skipped.NonHTTP++
		default:
			sp.kept = true
		}
	}
}

// tie puts a span behind the others of its id, unless one of them says the same.
func (s *spanSet) tie(i int32) (duplicate bool) {
	sp := &s.spans[i]
	key := spanKey{sp.id, sp.trace}
	head, known := s.heads[key]
	if !known {
		s.heads[key] = i
		return false
	}
	last := head
	for j := head; j >= 0; j = s.spans[j].next {
		if o := &s.spans[j]; o.kind == sp.kind && o.service == sp.service {
			return true
		}
		last = j
	}
	s.spans[last].next = i
	return false
}

// head is the first span of an id in a trace, -1 for none.
func (s *spanSet) head(trace int32, id uint64) int32 {
	if id != 0 {
		if i, ok := s.heads[spanKey{id, trace}]; ok {
			return i
		}
	}
	return -1
}

// nameHosts gives a call without a host the service that answered it: the server span that shares
// its id, else the first that has it as parent.
func (s *spanSet) nameHosts() {
	if !s.hostless {
		return
	}
	// name gives the clients from i on the service that a server stands for.
	name := func(i int32, server *span) {
		for ; i >= 0; i = s.spans[i].next {
			if sp := &s.spans[i]; sp.kept && sp.kind == spanClient && s.calls[sp.call].host == "" {
				s.calls[sp.call].host = s.texts.of(hostPort([]byte(s.services[server.service].name), 0))
			}
		}
	}
	for i := range s.spans {
		if sp := &s.spans[i]; sp.kind == spanServer {
			name(s.head(sp.trace, sp.id), sp)
		}
	}
	for i := range s.spans {
		if sp := &s.spans[i]; sp.kind == spanServer {
			name(s.head(sp.trace, sp.parent), sp)
		}
	}
}

// unknownHost is the host of a call that nothing names.
const unknownHost = "unknown"

// fill writes the calls into the recordings of their services.
func (s *spanSet) fill(parents []int32) {
	counts := make([]struct{ in, out int }, len(s.services))
	for i := range s.spans {
		switch sp := &s.spans[i]; {
		case !sp.kept:
		case sp.kind == spanServer:
			counts[sp.service].in++
		default:
			counts[sp.service].out++
		}
	}
	for i, n := range counts {
		s.services[i].inbound = make([]Inbound, 0, n.in)
		s.services[i].outbound = make([]Outbound, 0, n.out)
	}
	ids := make([]string, len(s.spans)) // of the requests, for the calls to name them
	for i := range s.spans {
		if sp := &s.spans[i]; sp.kept && sp.kind == spanServer {
			in := s.inbound(sp)
			ids[i] = in.ID
			service := &s.services[sp.service]
			service.inbound = append(service.inbound, in)
		}
	}
	for i := range s.spans {
		sp := &s.spans[i]
		if !sp.kept || sp.kind != spanClient {
			continue
		}
		c := &s.calls[sp.call]
		out := Outbound{Inbound: s.inbound(sp), Host: c.host, Resend: int(c.resend), Chaos: c.chaos}
		if out.Host == "" {
			out.Host = unknownHost
		}
		if out.HasDuration {
			out.Status = c.chaos.sent(out.Status)
		}
		if p := parents[i]; p >= 0 {
			out.Parent = ids[p]
		}
		service := &s.services[sp.service]
		service.outbound = append(service.outbound, out)
	}
}

// inbound writes what the calls of both directions have in common.
func (s *spanSet) inbound(sp *span) Inbound {
	c := &s.calls[sp.call]
	trace := s.traces[sp.trace]
	var buffer [49]byte
	id := trace.append(buffer[:0])
	length := len(id)
	id = appendHex(append(id, '/'), sp.id)
	text := string(id)
	in := Inbound{ID: text, AtNs: sp.start, Protocol: "http", Method: c.method, Path: c.path, Route: c.route, TraceID: text[:length]}
	if sp.duration >= 0 {
		in.HasDuration, in.DurationNs, in.Status = true, sp.duration, int(c.status)
	}
	return in
}
