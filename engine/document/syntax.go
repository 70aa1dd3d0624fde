package document

import (
	"strconv"
	"unicode/utf8"
)

// scanner checks a text and turns what plain JSON does not know into spaces. It keeps its own
// stack, so depth costs one byte a level and is bounded.
type scanner struct {
	text     []byte
	at       int
	depthMax int
	stack    []byte // the closing bracket of every open list and object
	comma    int    // offset of the last comma, to blank it when a bracket closes behind it
	// begin and end are where the root value stands.
	begin, end int
}

// mistake is the first thing that makes a text no JSON.
type mistake struct {
	offset, length int
	message        string
}

func (s *scanner) fail(offset int, message string) *mistake {
	length := 1
	if offset < len(s.text) {
		_, length = utf8.DecodeRune(s.text[offset:])
	} else {
		length = 0
	}
	return &mistake{offset, length, message}
}

// expected says what should stand here instead of what does.
func (s *scanner) expected(what string) *mistake {
	return s.fail(s.at, "expected "+what+", found "+s.here())
}

// here describes what stands at the current byte.
func (s *scanner) here() string {
	if s.at >= len(s.text) {
		return "the end of the document"
	}
	if w := s.word(); w != "" {
		return w
	}
	r, n := utf8.DecodeRune(s.text[s.at:])
	if r == utf8.RuneError && n <= 1 {
		return "a byte that is no UTF-8"
	}
	return strconv.QuoteRune(r)
}

// word is the identifier or number that begins at the current byte, cut after 30 bytes.
func (s *scanner) word() string {
	i := s.at
	for i < len(s.text) && i < s.at+30 && isWord(s.text[i]) {
		i++
	}
	return string(s.text[s.at:i])
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '.' || c == '+' || c == '-' || c == '$'
}

// What may stand at the current byte.
const (
	wantValue  = iota
	wantFirst  // a value or the end of the list
	wantKey    // a key, behind a comma
	wantMember // a key or the end of the object
	wantNext   // a comma or the end of what is open
)

// scan checks the whole text.
func (s *scanner) scan() *mistake {
	if len(s.text) >= 3 && string(s.text[:3]) == "\ufeff" {
		s.blank(0, 3)
	}
	s.comma = -1
	want := wantValue
	for {
		if m := s.space(); m != nil {
			return m
		}
		if len(s.stack) == 0 && want == wantNext {
			if s.at < len(s.text) {
				return s.expected("nothing more after the end of the value")
			}
			return nil
		}
		if s.at >= len(s.text) {
			return s.cut(want)
		}
		c := s.text[s.at]
		if want != wantValue && want != wantKey || s.comma >= 0 {
			if len(s.stack) > 0 && c == s.stack[len(s.stack)-1] {
				s.close()
				want = wantNext
				continue
			}
		}
		var m *mistake
		switch want {
		case wantNext:
			if c != ',' {
				return s.expected("',' or '" + string(s.stack[len(s.stack)-1]) + "'")
			}
			s.comma = s.at
			s.at++
			want = wantValue
			if s.stack[len(s.stack)-1] == '}' {
				want = wantKey
			}
			continue
		case wantKey, wantMember:
			if m = s.key(); m != nil {
				return m
			}
			want = wantValue
		default:
			if want, m = s.value(); m != nil {
				return m
			}
		}
		s.comma = -1
	}
}

// close ends the innermost list or object; a comma just before it is a trailing one.
func (s *scanner) close() {
	if s.comma >= 0 {
		s.text[s.comma] = ' '
		s.comma = -1
	}
	s.stack = s.stack[:len(s.stack)-1]
	s.at++
	if len(s.stack) == 0 {
		s.end = s.at
	}
}

// cut says that the text ends too early.
func (s *scanner) cut(want int) *mistake {
	if len(s.stack) == 0 {
		return s.fail(s.at, "the document is empty: expected a value")
	}
	switch closing := "'" + string(s.stack[len(s.stack)-1]) + "'"; want {
	case wantNext:
		return s.expected("',' or " + closing)
	case wantKey, wantMember:
		return s.expected("a key in double quotes or " + closing)
	case wantFirst:
		return s.expected("a value or " + closing)
	}
	return s.expected("a value")
}

// key reads a key and its colon.
func (s *scanner) key() *mistake {
	switch c := s.text[s.at]; {
	case c == '"':
	case c == '\'', c != ',' && c != ':' && isWord(c):
		return s.expected("a key in double quotes")
	default:
		return s.expected("a key in double quotes or '}'")
	}
	if m := s.quoted(); m != nil {
		return m
	}
	if m := s.space(); m != nil {
		return m
	}
	if s.at >= len(s.text) || s.text[s.at] != ':' {
		return s.expected("':' after the key")
	}
	s.at++
	return nil
}

// value reads a value, or the beginning of one, and says what comes next.
func (s *scanner) value() (want int, m *mistake) {
	if len(s.stack) == 0 {
		s.begin = s.at
	}
	want = wantNext
	switch c := s.text[s.at]; {
	case c == '{' || c == '[':
		if len(s.stack) == s.depthMax {
			return 0, s.fail(s.at, "lists and objects stand more than "+strconv.Itoa(s.depthMax)+" deep inside each other")
		}
		s.at++
		if c == '{' {
			s.stack = append(s.stack, '}')
			return wantMember, nil
		}
		s.stack = append(s.stack, ']')
		return wantFirst, nil
	case c == '"':
		m = s.quoted()
	case c == '-' || c >= '0' && c <= '9':
		m = s.number()
	default:
		m = s.literal()
	}
	if len(s.stack) == 0 {
		s.end = s.at
	}
	return want, m
}

// space skips white space and blanks comments.
func (s *scanner) space() *mistake {
	for s.at < len(s.text) {
		switch s.text[s.at] {
		case ' ', '\t', '\n', '\r':
			s.at++
		case '/':
			if m := s.comment(); m != nil {
				return m
			}
		default:
			return nil
		}
	}
	return nil
}

func (s *scanner) comment() *mistake {
	begin := s.at
	if begin+1 == len(s.text) {
		return s.fail(begin, "expected '/' or '*' after '/': a comment is // to the end of the line or /* to */")
	}
	switch s.text[begin+1] {
	case '/':
		for s.at < len(s.text) && s.text[s.at] != '\n' {
			s.at++
		}
	case '*':
		for s.at = begin + 2; ; s.at++ {
			if s.at+1 >= len(s.text) {
				return s.fail(begin, "the comment that begins here is not closed: expected */")
			}
			if s.text[s.at] == '*' && s.text[s.at+1] == '/' {
				s.at += 2
				break
			}
		}
	default:
		return s.fail(begin, "expected '/' or '*' after '/': a comment is // to the end of the line or /* to */")
	}
	if i := firstInvalid(s.text[begin:s.at]); i >= 0 {
		return s.fail(begin+i, "a byte that is no UTF-8")
	}
	s.blank(begin, s.at)
	return nil
}

// firstInvalid is the offset of the first byte that is no UTF-8, or -1.
func firstInvalid(b []byte) int {
	if utf8.Valid(b) {
		return -1
	}
	for i := 0; i < len(b); {
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return i
		}
		i += n
	}
	return -1
}

// blank overwrites bytes with spaces and keeps the line breaks.
func (s *scanner) blank(from, to int) {
	for i := from; i < to; i++ {
		if s.text[i] != '\n' {
			s.text[i] = ' '
		}
	}
}
