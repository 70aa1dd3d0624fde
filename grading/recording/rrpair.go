package recording

import (
	"bytes"
	"strconv"
	"time"
)

// rrpairReader gathers the pairs of all files. They are one set, of one service.
type rrpairReader struct {
	texts           texts
	name            string
	pairs           int64
	seenIn, seenOut map[string]struct{}
	inbound         []Inbound
	outbound        []Outbound
	sent            bool
	skipped         Skipped
	retimed         int
}

// readRRPair reads request and response pairs: JSON objects, lists of them, JSON lines, Markdown.
func readRRPair(files []File, service string) (*Imported, error) {
	half := countAll(files, `"direction"`) / 2 // room for as many calls in each direction
	r := &rrpairReader{
		texts:  make(texts),
		seenIn: make(map[string]struct{}, half), seenOut: make(map[string]struct{}, half),
		inbound: make([]Inbound, 0, half), outbound: make([]Outbound, 0, half),
	}
	for _, f := range files {
		s := newScanner(f)
		if isMarkdown(s.data) {
			r.markdown(s)
		} else {
			for s.more() {
				r.value(s)
			}
		}
		if s.err != nil {
			return nil, s.err
		}
	}
	name := first([]byte(service), []byte(r.name), []byte(noServiceName))
	c := collector{skipped: r.skipped, retimed: r.retimed}
	set := &c.services[c.service(name)]
	set.inbound, set.outbound, set.sent = r.inbound, r.outbound, r.sent
	return c.imported("rrpair", service)
}

func (r *rrpairReader) value(s *scanner) {
	if s.peek() == list {
		for range s.list {
			r.value(s)
		}
		return
	}
	var p pair
	s.pair(&p)
	if s.err == nil {
		r.add(&p)
	}
}

// pair is what is read of a request and its response.
type pair struct {
	direction, id, service, resource []byte
	at                               []byte
	// duration is nanoseconds.
	duration            int64
	protocol            []byte
	hasHTTP, hasRes     bool
	method, command     []byte
	uri, url, place     []byte
	host, address       []byte
	statusCode, status  scalar
	headers             traceHeaders
	tagMark, headerMark []byte
	// opened and established are the start of the connection, as two recorders of it say.
	opened, established []byte
}

// pair reads the JSON form.
func (s *scanner) pair(p *pair) {
	for key := range s.object {
		switch string(key) {
		case "direction":
			p.direction = s.value().text
		case "ts":
			p.at = s.value().text
		case "duration":
			p.duration, _ = s.value().scaled(6)
		case "uuid":
			p.id = s.value().text
		case "l7protocol":
			p.protocol = s.value().text
		case "service":
			p.service = s.value().text
		case "resource":
			p.resource = s.value().text
		case "command":
			p.command = s.value().text
		case "location":
			p.place = s.value().text
		case "network_address":
			p.address = s.value().text
		case "status":
			p.status = s.value()
		case "tags":
			for key := range s.object {
				if foldEqual(key, markerName) {
					p.tagMark = s.attribute().text
				}
			}
		case "netinfo":
			s.netinfo(p)
		case "http":
			p.hasHTTP = s.peek() == object
			for key := range s.object {
				switch string(key) {
				case "req":
					s.httpRequest(p)
				case "res":
					p.hasRes = s.peek() == object
					s.httpResponse(p)
				}
			}
		}
	}
}

func (s *scanner) netinfo(p *pair) {
	for key := range s.object {
		switch string(key) {
		case "startTime":
			p.opened = s.value().text
		case "downstream":
			for key := range s.object {
				if string(key) == "established" {
					p.established = s.value().text
				}
			}
		}
	}
}

func (s *scanner) httpRequest(p *pair) {
	for key := range s.object {
		switch string(key) {
		case "method":
			p.method = s.value().text
		case "uri":
			p.uri = s.value().text
		case "url":
			p.url = s.value().text
		case "host":
			p.host = s.value().text
		case "headers":
			for name := range s.object {
				s.headerValues(func(value []byte) { p.headers.add(name, value) })
			}
		}
	}
}

func (s *scanner) httpResponse(p *pair) {
	for key := range s.object {
		switch string(key) {
		case "statusCode":
			p.statusCode = s.value()
		case "headers":
			for name := range s.object {
				if foldEqual(name, markerName) {
					s.headerValues(func(value []byte) { p.headerMark = first(p.headerMark, value) })
				}
			}
		}
	}
}

// headerValues reads the values of a header, which are a list or a single text.
func (s *scanner) headerValues(each func([]byte)) {
	if s.peek() != list {
		if v := s.value(); v.said() {
			each(v.text)
		}
		return
	}
	for range s.list {
		each(s.value().text)
	}
}

// add makes a call of a pair.
func (r *rrpairReader) add(p *pair) {
	r.pairs++
	if r.name == "" {
		r.name = string(first(named(p.service), named(p.resource)))
	}
	out := bytes.EqualFold(p.direction, []byte("OUT"))
	if !out && !bytes.EqualFold(p.direction, []byte("IN")) {
		r.skipped.NotACall++
		return
	}
	r.sent = r.sent || out
	seen := r.seenIn
	if out {
		seen = r.seenOut
	}
	id := uuid(p.id)
	if id == "" {
		id = strconv.FormatInt(r.pairs, 10)
	}
	if _, again := seen[id]; again {
		r.skipped.Duplicate++
		return
	}
	seen[id] = struct{}{}
	at, ok := instant(p.at)
	switch {
	case !ok:
		r.skipped.NoTime++
		return
	case !p.http():
		r.skipped.NonHTTP++
		return
	}
	call := r.call(p, id, at)
	if !out {
		r.inbound = append(r.inbound, call)
		return
	}
	r.retime(p, &call)
	chaos := parseMarker(first(p.tagMark, p.headerMark))
	call.Status = chaos.sent(call.Status)
	r.outbound = append(r.outbound, Outbound{Inbound: call, Host: r.texts.of(p.outboundHost()), Chaos: chaos})
}

// named drops the word that recorders write for no name.
func named(name []byte) []byte {
	if string(name) == "undefined" {
		return nil
	}
	return name
}

func (p *pair) http() bool {
	if len(p.protocol) == 0 {
		return p.hasHTTP
	}
	return bytes.EqualFold(p.protocol, []byte("http")) || bytes.EqualFold(p.protocol, []byte("https"))
}

func (p *pair) location() location { return locate(first(p.uri, p.url, p.place)) }

func (p *pair) outboundHost() []byte {
	for _, host := range [][]byte{p.location().host, p.host, p.headers.host, p.address, locate(p.url).host, locate(p.place).host} {
		if h := hostPort(host, 0); len(h) > 0 {
			return h
		}
	}
	return []byte(unknownHost)
}

func (r *rrpairReader) call(p *pair, id string, at int64) Inbound {
	call := Inbound{
		ID: id, AtNs: at, DurationNs: max(p.duration, 0), HasDuration: true, Protocol: "http",
		Method:  r.texts.of(bytes.ToUpper(first(p.method, p.command, []byte(noMethod)))),
		Path:    r.texts.of(rooted(p.location().path)),
		TraceID: string(p.headers.traceID()),
	}
	status, ok := statusCode(p.statusCode)
	if !ok && p.hasRes {
		status, _ = statusCode(p.status)
	}
	call.Status = status
	return call
}

// retime repairs a call of a recorder that writes the time of the response and a duration that
// means nothing. The first call of a connection can be told by its start; on a connection that is
// used again the start says nothing.
func (r *rrpairReader) retime(p *pair, call *Inbound) {
	opened, ok := instant(p.opened)
	established, ok2 := instant(p.established)
	if !ok || !ok2 || opened != established {
		return
	}
	const slack = int64(time.Millisecond)
	if ran := call.AtNs - opened; ran > 0 && ran-slack > call.DurationNs {
		call.AtNs, call.DurationNs = opened, ran
		r.retimed++
	}
}
