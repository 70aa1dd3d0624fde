package recording

import (
	"bytes"
	"strconv"
)

// harReader gathers the entries of all files, which are numbered over all of them.
type harReader struct {
	collector
	texts   texts
	service string
	entries int64
	file    Direction
	// half is room for as many calls in each direction.
	half int
}

// readHAR reads HTTP archives. An entry that does not say its direction takes that of its file,
// else it came in.
func readHAR(files []File, service string) (*Imported, error) {
	r := &harReader{texts: make(texts), service: service, half: countAll(files, `"startedDateTime"`) / 2}
	if service != "" {
		r.collector.service([]byte(service))
	}
	for _, f := range files {
		r.file = f.Direction
		s := newScanner(f)
		for s.more() {
			for key := range s.object {
				if string(key) == "log" {
					for key := range s.object {
						if string(key) == "entries" {
							for range s.list {
								r.entry(s)
							}
						}
					}
				}
			}
		}
		if s.err != nil {
			return nil, s.err
		}
	}
	return r.imported("har", service)
}

// harEntry is what is read of an entry.
type harEntry struct {
	direction, service, traceID, marker scalar
	start, duration                     scalar
	method, url                         scalar
	status                              scalar
	headers                             traceHeaders
	headerMarker                        []byte
}

func (r *harReader) entry(s *scanner) {
	var e harEntry
	for key := range s.object {
		switch string(key) {
		case "startedDateTime":
			e.start = s.value()
		case "time":
			e.duration = s.value()
		case "_direction":
			e.direction = s.value()
		case "_service":
			e.service = s.value()
		case "_traceId":
			e.traceID = s.value()
		case "_chaos":
			e.marker = s.attribute()
		case "request":
			for key := range s.object {
				switch string(key) {
				case "method":
					e.method = s.value()
				case "url":
					e.url = s.value()
				case "headers":
					for range s.list {
						e.headers.add(s.harHeader())
					}
				}
			}
		case "response":
			for key := range s.object {
				switch string(key) {
				case "status":
					e.status = s.value()
				case "headers":
					for range s.list {
						if name, value := s.harHeader(); foldEqual(name, markerName) {
							e.headerMarker = first(e.headerMarker, value)
						}
					}
				}
			}
		}
	}
	if s.err == nil {
		r.add(&e)
	}
}

func (s *scanner) harHeader() (name, value []byte) {
	for key := range s.object {
		switch string(key) {
		case "name":
			name = s.value().text
		case "value":
			value = s.value().text
		}
	}
	return name, value
}

// add makes a call of an entry.
func (r *harReader) add(e *harEntry) {
	r.entries++
	name := []byte(r.service)
	if len(name) == 0 {
		name = first(e.service.text, []byte(noServiceName))
	}
	service := &r.services[r.collector.service(name)]
	if service.inbound == nil && len(r.services) == 1 { // nearly every archive is of one service
		service.inbound, service.outbound = make([]Inbound, 0, r.half), make([]Outbound, 0, r.half)
	}
	out := r.outbound(e)
	service.sent = service.sent || out
	start, hasStart := instant(e.start.text)
	l := locate(e.url.text)
	switch {
	case e.start.kind != text || !hasStart:
		r.skipped.NoTime++
		return
	case !l.http():
		r.skipped.NonHTTP++
		return
	}
	duration, _ := e.duration.scaled(6)
	status, _ := statusCode(e.status)
	call := Inbound{
		ID: strconv.FormatInt(r.entries, 10), AtNs: start, DurationNs: max(duration, 0), HasDuration: true, Protocol: "http",
		Method: r.texts.of(first(bytes.ToUpper(e.method.text), []byte(noMethod))), Path: r.texts.of(rooted(l.path)), Status: status,
		TraceID: string(first(e.traceID.text, e.headers.traceID())),
	}
	if !out {
		service.inbound = append(service.inbound, call)
		return
	}
	chaos := parseMarker(first(e.marker.text, e.headerMarker))
	call.Status = chaos.sent(status)
	host := first(hostPort(l.host, 0), hostPort(e.headers.host, 0), []byte(unknownHost))
	service.outbound = append(service.outbound, Outbound{Inbound: call, Host: r.texts.of(host), Chaos: chaos})
}

func (r *harReader) outbound(e *harEntry) bool {
	switch {
	case bytes.EqualFold(e.direction.text, []byte("out")):
		return true
	case bytes.EqualFold(e.direction.text, []byte("in")):
		return false
	}
	return r.file == DirectionOut
}
