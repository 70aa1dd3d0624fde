package recording

import (
	"bytes"
	"unicode/utf8"

	"squall/engine/problem"
)

// FileError says what is wrong with a file and where. Line and Column count from 1, columns in
// bytes.
type FileError struct {
	File         string
	Line, Column int
	Message      string
}

func (e *FileError) Error() string {
	return problem.Sprintf("%s:%d:%d: %s", e.File, e.Line, e.Column, e.Message)
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
		Message: problem.Sprintf(format, args...),
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
		s.unexpected(problem.Sprintf("a comma or %c", end))
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

func (s *scanner) unexpected(want string) {
	if s.pos >= len(s.data) {
		s.fail(s.pos, "the file ends where %s is expected", want)
		return
	}
	r, _ := utf8.DecodeRune(s.data[s.pos:])
	s.fail(s.pos, "%s is expected here, not %q", want, r)
}
