package recording

// readZipkin reads Zipkin v2 JSON: lists of spans, or lists of such lists.
func readZipkin(files []File, service string) (*Imported, error) {
	set := newSpanSet(countAll(files, `"traceId"`))
	for _, f := range files {
		s := newScanner(f)
		for s.more() {
			for range s.list {
				if s.peek() != list {
					set.zipkinSpan(s)
					continue
				}
				for range s.list {
					set.zipkinSpan(s)
				}
			}
		}
		if s.err != nil {
			return nil, s.err
		}
	}
	return set.imported("zipkin", service)
}

func (set *spanSet) zipkinSpan(s *scanner) {
	at := s.begin()
	sp := span{duration: -1}
	var trace traceID
	var service []byte
	hasTrace, hasID := false, false
	set.attrs.zipkin = true
	for key := range s.object {
		switch string(key) {
		case "traceId":
			trace, hasTrace = idOf(s, parseTraceID)
		case "id":
			sp.id, hasID = idOf(s, hexNumber)
		case "parentId":
			sp.parent, _ = idOf(s, hexNumber)
		case "kind":
			switch string(s.value().text) {
			case "SERVER":
				sp.kind = spanServer
			case "CLIENT":
				sp.kind = spanClient
			}
		case "name":
			set.attrs.name = s.value().text
		case "timestamp":
			sp.start = timestamp(s.value(), 3)
		case "duration":
			sp.duration = microseconds(s.value())
		case "localEndpoint":
			service = s.zipkinEndpoint().name
		case "remoteEndpoint":
			remote := s.zipkinEndpoint()
			set.attrs.peerName = remote.name
			set.attrs.peerAddress = first(remote.ipv4, remote.ipv6)
			set.attrs.peerPort = remote.port
		case "tags":
			for key := range s.object {
				if attr, ok := attributeOf(key); ok {
					v := s.attribute()
					set.attrs.set(attr, v)
					set.attrs.failed = set.attrs.failed || attr == attrError && v.said()
				}
			}
		}
	}
	if !hasTrace || !hasID {
		s.fail(at, "this span has no traceId or no id")
		return
	}
	sp.trace = set.trace(trace)
	sp.service = set.service(first(service, []byte(unknownService)))
	set.add(sp)
}

// endpoint is where one side of a call ran.
type endpoint struct {
	name, ipv4, ipv6 []byte
	port             int64
}

func (s *scanner) zipkinEndpoint() (e endpoint) {
	for key := range s.object {
		switch string(key) {
		case "serviceName":
			e.name = s.value().text
		case "ipv4":
			e.ipv4 = s.value().text
		case "ipv6":
			e.ipv6 = s.value().text
		case "port":
			e.port, _ = s.value().integer()
		}
	}
	return e
}
