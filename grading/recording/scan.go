package recording

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// FileError says what is wrong with a file and where. Line and Column count from 1, columns in
// bytes.
type FileError struct {
	File         string
	Line, Column int
	Message      string
}

func (e *FileError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
}

// depthMax is how deep values may lie in one another; recordings stay below twenty.
const depthMax = 1000

// kind is what a JSON value is.
type kind uint8

const (
	nothing kind = iota // no value: the file ended or is broken here
	null
	boolean
	number
	text
	list
	object
)

var kindNames = [...]string{"nothing", "null", "a boolean", "a number", "a text", "a list", "an object"}

// scalar is a JSON value: the characters of a text, or a number or boolean as it is written; null,
// lists and objects have none. Its bytes belong to the file unless the text had escapes.
type scalar struct {
	kind kind
	text []byte
}

// said tells a value from null and from none.
func (v scalar) said() bool { return v.kind > null }

// empty tells a value that says nothing.
func (v scalar) empty() bool { return v.kind <= null || len(v.text) == 0 }

// scanner reads the JSON values of a file one behind the other, without a copy of it. After an
// error it reads nothing more, so that a reader asks for the error once, at its end.
type scanner struct {
	file  string
	data  []byte
	pos   int
	depth int
	err   *FileError
}

// newScanner drops a byte-order mark and refuses what is not UTF-8.
func newScanner(f File) *scanner {
	s := &scanner{file: f.Name, data: bytes.TrimPrefix(f.Data, []byte("\uFEFF"))}
	if !utf8.Valid(s.data) {
		at := 0
		for at < len(s.data) {
			r, size := utf8.DecodeRune(s.data[at:])
			if r == utf8.RuneError && size <= 1 {
				break
			}
			at += size
		}
		s.fail(at, "the file is not UTF-8 here")
	}
	return s
}

// fail keeps the first error.
func (s *scanner) fail(at int, format string, args ...any) {
	if s.err != nil {
		return
	}
	at = min(at, len(s.data))
	before := s.data[:at]
	line := bytes.LastIndexByte(before, '\n') + 1
	s.err = &FileError{
		File:    s.file,
		Line:    bytes.Count(before, []byte("\n")) + 1,
		Column:  len(before) - line + 1,
		Message: fmt.Sprintf(format, args...),
	}
}

// more tells whether another value follows at the top of the file.
func (s *scanner) more() bool {
	s.space()
	return s.err == nil && s.pos < len(s.data)
}

func (s *scanner) space() {
	for s.pos < len(s.data) && s.data[s.pos] <= ' ' {
		switch s.data[s.pos] {
		case ' ', '\n', '\r', '\t':
			s.pos++
		default:
			return
		}
	}
}

// peek is the kind of the next value, which is not read.
func (s *scanner) peek() kind {
	s.space()
	if s.err != nil || s.pos >= len(s.data) {
		return nothing
	}
	switch c := s.data[s.pos]; c {
	case '{':
		return object
	case '[':
		return list
	case '"':
		return text
	case 't', 'f':
		return boolean
	case 'n':
		return null
	default:
		if c == '-' || isDigit(c) {
			return number
		}
	}
	return nothing
}

// object reads the next value and yields its keys; the body of the loop reads the value of a key
// or leaves it. Null has no keys, and anything else but an object is an error.
func (s *scanner) object(yield func(key []byte) bool) {
	if !s.open(object) {
		return
	}
	for first := true; s.next('}', first); first = false {
		if s.peek() != text {
			s.unexpected("a key in quotes")
			return
		}
		key := s.text(true)
		s.space()
		if s.err != nil {
			return
		}
		if s.pos >= len(s.data) || s.data[s.pos] != ':' {
			s.unexpected("a colon behind the key")
			return
		}
		s.pos++
		if !s.item(func() bool { return yield(key) }) {
			return
		}
	}
}

// list reads the next value and yields once for each of its elements, which the body of the loop
// reads or leaves. Null has no elements, and anything else but a list is an error.
func (s *scanner) list(yield func() bool) {
	if !s.open(list) {
		return
	}
	for first := true; s.next(']', first); first = false {
		if !s.item(yield) {
			return
		}
	}
}

// open steps into a list or an object.
func (s *scanner) open(want kind) bool {
	switch got := s.peek(); {
	case got == want:
		if s.depth++; s.depth > depthMax {
			s.fail(s.pos, "values lie more than %d deep in one another", depthMax)
			return false
		}
		s.pos++
		return true
	case got == nothing:
		s.unexpected(kindNames[want])
	case got == null:
		s.skip()
	default:
		s.fail(s.pos, "%s is expected here, not %s", kindNames[want], kindNames[got])
	}
	return false
}

// next steps over a comma to the next element, or over the end.
func (s *scanner) next(end byte, first bool) bool {
	s.space()
	switch {
	case s.err != nil:
	case s.pos >= len(s.data):
		s.unexpected(string(end))
	case s.data[s.pos] == end:
		s.pos++
		s.depth--
	case first:
		return true
	case s.data[s.pos] == ',':
		s.pos++
		return true
	default:
		s.unexpected(fmt.Sprintf("a comma or %c", end))
	}
	return false
}

// item lets the body of a loop read one value, and reads over it when the body did not.
func (s *scanner) item(body func() bool) bool {
	s.space()
	before := s.pos
	if !body() {
		return false
	}
	if s.pos == before {
		s.skip()
	}
	return s.err == nil
}

// skip reads over the next value.
func (s *scanner) skip() {
	switch s.peek() {
	case object:
		for range s.object {
		}
	case list:
		for range s.list {
		}
	case text:
		s.text(false)
	default:
		s.value()
	}
}

// value reads the next value; of a list or an object it gives the kind alone.
func (s *scanner) value() scalar {
	k := s.peek()
	start := s.pos
	switch k {
	case text:
		return scalar{text, s.text(true)}
	case number:
		s.number()
	case boolean:
		if s.data[s.pos] == 't' {
			s.word("true")
		} else {
			s.word("false")
		}
	case null:
		s.word("null")
	case list, object:
		s.skip()
	default:
		s.unexpected("a value")
	}
	switch {
	case s.err != nil:
		return scalar{}
	case k == null || k == list || k == object:
		return scalar{kind: k}
	}
	return scalar{k, s.data[start:s.pos]}
}

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

func (s *scanner) unexpected(want string) {
	if s.pos >= len(s.data) {
		s.fail(s.pos, "the file ends where %s is expected", want)
		return
	}
	r, _ := utf8.DecodeRune(s.data[s.pos:])
	s.fail(s.pos, "%s is expected here, not %q", want, r)
}
