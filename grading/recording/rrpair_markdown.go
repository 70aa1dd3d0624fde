package recording

import (
	"bytes"
	"strings"
	"time"
)

// The Markdown form of a pair is sections "### NAME ###" of fenced blocks. INTERNAL holds the JSON
// form and is the base; METADATA and the first block of REQUEST and RESPONSE win over it.

// isMarkdown tells the Markdown form from JSON.
func isMarkdown(data []byte) bool {
	data = bytes.TrimLeft(data, " \t\r\n")
	if len(data) == 0 || data[0] == '{' || data[0] == '[' {
		return false
	}
	for line := range bytes.Lines(data[:min(len(data), 1<<16)]) {
		switch sectionName(line) {
		case "REQUEST", "RESPONSE", "METADATA", "INTERNAL":
			return true
		}
	}
	return false
}

// sectionName is the first word of a line "### NAME ###", or nothing.
func sectionName(line []byte) string {
	inner, ok := bytes.CutPrefix(bytes.TrimSpace(line), []byte("### "))
	if !ok {
		return ""
	}
	inner, ok = bytes.CutSuffix(inner, []byte(" ###"))
	if !ok {
		return ""
	}
	word, _, _ := bytes.Cut(bytes.TrimSpace(inner), []byte(" "))
	return string(word)
}

// sections are the first blocks of one pair; at is where a block begins in the file.
type sections struct {
	request, response, metadata, internal []byte
	internalAt                            int
	any                                   bool
}

// markdown reads a file of the Markdown form. A section that comes again begins another pair.
func (r *rrpairReader) markdown(s *scanner) {
	var found sections
	seen := make(map[string]bool)
	name, blocks := "", 0
	for s.err == nil && s.pos < len(s.data) {
		at := s.pos
		line := s.line()
		if fence := fenceOf(line); fence > 0 {
			begin, end := s.block(at, fence)
			if blocks++; blocks == 1 {
				found.take(name, s.data[begin:end], begin)
			}
			continue
		}
		if next := sectionName(line); next != "" {
			if seen[next] {
				r.markdownPair(s, &found)
				found = sections{}
				clear(seen)
			}
			seen[next] = true
			name, blocks = next, 0
		}
	}
	r.markdownPair(s, &found)
}

// line reads up to the next line and gives this one without its end.
func (s *scanner) line() []byte {
	rest := s.data[s.pos:]
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	s.pos = min(s.pos+len(line)+1, len(s.data))
	return bytes.TrimSuffix(line, []byte("\r"))
}

// fenceOf is how many backticks a fence has, 0 for a line that is none.
func fenceOf(line []byte) int {
	n := len(line) - len(bytes.TrimLeft(line, "`"))
	if n < 3 || bytes.IndexByte(line[n:], '`') >= 0 {
		return 0
	}
	return n
}

// block reads up to the end of a block whose fence stands at fenceAt.
func (s *scanner) block(fenceAt, fence int) (begin, end int) {
	begin = s.pos
	for s.pos < len(s.data) {
		end = s.pos
		line := s.line()
		if n := fenceOf(line); n >= fence && len(bytes.TrimSpace(line[n:])) == 0 {
			return begin, end
		}
	}
	s.fail(fenceAt, "this block has no end")
	return begin, begin
}

func (f *sections) take(name string, block []byte, at int) {
	switch name {
	case "REQUEST":
		f.request = block
	case "RESPONSE":
		f.response = block
	case "METADATA":
		f.metadata = block
	case "INTERNAL":
		f.internal, f.internalAt = block, at
	default:
		return
	}
	f.any = true
}

func (r *rrpairReader) markdownPair(s *scanner, f *sections) {
	if s.err != nil || !f.any {
		return
	}
	var p pair
	if at := bytes.IndexByte(f.internal, '{'); at >= 0 {
		base := scanner{file: s.file, data: s.data[:f.internalAt+len(f.internal)], pos: f.internalAt + at}
		base.pair(&p)
		if base.err == nil && base.more() {
			base.unexpected("the end of the block")
		}
		if s.err = base.err; s.err != nil {
			return
		}
	}
	p.readMetadata(f.metadata)
	p.readRequest(f.request)
	p.readResponse(f.response)
	r.add(&p)
}

// readMetadata reads lines "key: value".
func (p *pair) readMetadata(block []byte) {
	for line := range bytes.Lines(block) {
		key, value, ok := bytes.Cut(bytes.TrimSpace(line), []byte(":"))
		if value = bytes.TrimSpace(value); !ok || len(value) == 0 {
			continue
		}
		switch string(key) {
		case "direction":
			p.direction = value
		case "uuid":
			p.id = value
		case "ts":
			p.at = value
		case "duration":
			if d, err := time.ParseDuration(string(value)); err == nil {
				p.duration = int64(d)
			}
		case "service":
			p.service = value
		case "resource":
			p.resource = value
		case "tags":
			for _, tag := range splitValues(value) {
				if name, v, _ := bytes.Cut(tag, []byte("=")); foldEqual(name, markerName) {
					p.tagMark = v
				}
			}
		}
	}
}

// readRequest reads "METHOD URL HTTP/x" and headers.
func (p *pair) readRequest(block []byte) {
	line, headers := firstLine(block)
	if words := bytes.Fields(line); len(words) > 0 {
		p.hasHTTP = true
		p.method = words[0]
		words = words[1:]
		if n := len(words); n > 0 && bytes.HasPrefix(words[n-1], []byte("HTTP/")) {
			words = words[:n-1]
		}
		if len(words) > 0 {
			p.uri = bytes.Join(words, []byte(" "))
		}
	}
	said := make(map[string]bool)
	eachHeader(headers, func(name, value []byte) {
		if lower := strings.ToLower(string(name)); !said[lower] {
			said[lower] = true
			p.headers.reset(name)
		}
		p.headers.add(name, value)
	})
}

// readResponse reads "HTTP/x STATUS ..." and headers.
func (p *pair) readResponse(block []byte) {
	line, headers := firstLine(block)
	if words := bytes.Fields(line); len(words) > 1 && bytes.HasPrefix(words[0], []byte("HTTP/")) {
		if v := (scalar{text, words[1]}); isNumber(v) {
			p.hasHTTP, p.hasRes, p.statusCode = true, true, v
		}
	}
	var mark []byte
	eachHeader(headers, func(name, value []byte) {
		if foldEqual(name, markerName) {
			mark = first(mark, value)
		}
	})
	p.headerMark = first(mark, p.headerMark)
}

func isNumber(v scalar) bool {
	_, ok := v.integer()
	return ok
}

func firstLine(block []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(block, []byte("\n"))
	return bytes.TrimSpace(line), rest
}

// eachHeader reads lines "Name: value, value" up to an empty one.
func eachHeader(lines []byte, each func(name, value []byte)) {
	for line := range bytes.Lines(lines) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			return
		}
		name, values, ok := bytes.Cut(line, []byte(":"))
		if !ok {
			continue
		}
		for _, value := range splitValues(bytes.TrimSpace(values)) {
			each(bytes.TrimSpace(name), value)
		}
	}
}

// splitValues parts a list at each comma and space; a backslash makes a comma or a backslash part
// of a value.
func splitValues(s []byte) (values [][]byte) {
	var value []byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && i+1 < len(s) && (s[i+1] == ',' || s[i+1] == '\\'):
			i++
			value = append(value, s[i])
		case c == ',' && i+1 < len(s) && s[i+1] == ' ':
			i++
			values = append(values, value)
			value = nil
		default:
			value = append(value, c)
		}
	}
	return append(values, value)
}
