package recording

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

func (s *scanner) word(w string) {
	if !bytes.HasPrefix(s.data[s.pos:], []byte(w)) {
		s.unexpected("a value")
		return
	}
	s.pos += len(w)
}

func (s *scanner) number() {
	start := s.pos
	if s.data[s.pos] == '-' {
		s.pos++
	}
	whole := s.digits()
	ok := whole == 1 || whole > 1 && s.data[s.pos-whole] != '0'
	if ok && s.at('.') {
		s.pos++
		ok = s.digits() > 0
	}
	if ok && (s.at('e') || s.at('E')) {
		s.pos++
		if s.at('+') || s.at('-') {
			s.pos++
		}
		ok = s.digits() > 0
	}
	if !ok {
		s.fail(start, "this is not a number of JSON")
	}
}

func (s *scanner) at(c byte) bool { return s.pos < len(s.data) && s.data[s.pos] == c }

func (s *scanner) digits() int {
	start := s.pos
	for s.pos < len(s.data) && isDigit(s.data[s.pos]) {
		s.pos++
	}
	return s.pos - start
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// text reads a text that begins here. Without decode it only checks it, which needs no memory.
func (s *scanner) text(decode bool) []byte {
	start := s.pos + 1
	for i, c := range s.data[start:] {
		if !special[c] {
			continue
		}
		switch i += start; c {
		case '"':
			s.pos = i + 1
			return s.data[start:i]
		case '\\':
			return s.escaped(start, i, decode)
		}
		s.fail(i, "a control character stands in a text; write it as an escape")
		return nil
	}
	s.fail(len(s.data), "the file ends inside a text")
	return nil
}

// special are the bytes that do not stand for themselves in a text. Most of a file is text, so
// one look at a table must do for a byte.
var special = func() (t [256]bool) {
	for c := range ' ' {
		t[c] = true
	}
	t['"'], t['\\'] = true, true
	return t
}()

// escaped reads on from the first backslash of a text that begins at start.
func (s *scanner) escaped(start, i int, decode bool) []byte {
	var out []byte
	if decode {
		out = append(out, s.data[start:i]...)
	}
	for i < len(s.data) {
		c := s.data[i]
		switch {
		case c == '"':
			s.pos = i + 1
			return out
		case c < ' ':
			s.fail(i, "a control character stands in a text; write it as an escape")
			return nil
		case c != '\\':
			if decode {
				out = append(out, c)
			}
			i++
		default:
			r, size := s.escape(i)
			if size == 0 {
				s.fail(i, "this is not an escape of JSON")
				return nil
			}
			if decode {
				out = utf8.AppendRune(out, r)
			}
			i += size
		}
	}
	s.fail(len(s.data), "the file ends inside a text")
	return nil
}

// escape is the character behind the backslash at i and how long its escape is, 0 for none.
// Half a surrogate pair is U+FFFD.
func (s *scanner) escape(i int) (r rune, size int) {
	if i+1 >= len(s.data) {
		return 0, 0
	}
	switch c := s.data[i+1]; c {
	case '"', '\\', '/':
		return rune(c), 2
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	}
	r, ok := s.unit(i)
	if !ok {
		return 0, 0
	}
	if utf16.IsSurrogate(r) {
		if low, ok := s.unit(i + 6); ok {
			if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return utf8.RuneError, 6
	}
	return r, 6
}

// unit reads \uXXXX.
func (s *scanner) unit(i int) (rune, bool) {
	if i+6 > len(s.data) || s.data[i] != '\\' || s.data[i+1] != 'u' {
		return 0, false
	}
	n, ok := hexNumber(s.data[i+2 : i+6])
	return rune(n), ok
}
