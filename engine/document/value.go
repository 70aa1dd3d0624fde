package document

import (
	"iter"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"squall/engine/problem"
)

// Kind is what sort of JSON a value is.
type Kind uint8

// The kinds. The zero Value is Missing: a key that nobody wrote.
const (
	Missing Kind = iota
	Null
	Bool
	Number
	Text
	List
	Object
)

func (k Kind) String() string {
	return [...]string{"nothing", "null", "true or false", "a number", "text", "a list", "an object"}[k]
}

// kindOf is the kind of the value that begins with c.
func kindOf(c byte) Kind {
	switch c {
	case '{':
		return Object
	case '[':
		return List
	case '"':
		return Text
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// Value is one value of a document and where it stands. It is small: copy it.
type Value struct {
	doc       *Document
	up        *Value // what holds it, nil for the root
	key       string // its key, when keyOffset is not negative
	keyOffset int32
	index     int32 // its place in a list
	offset    int32
	end       int32
	kind      Kind
}

// Kind is Missing for a value that was not written.
func (v Value) Kind() Kind { return v.kind }

// Exists tells whether the value was written.
func (v Value) Exists() bool { return v.kind != Missing }

// Document is what the value belongs to; nil for the zero Value.
func (v Value) Document() *Document { return v.doc }

// Offset is the first byte of the value in the text, and End the first behind it.
func (v Value) Offset() int { return int(v.offset) }

// End is the first byte behind the value.
func (v Value) End() int { return int(v.end) }

// Key is the key that the value stands under, empty in a list and at the root.
func (v Value) Key() string { return v.key }

// KeyOffset is where the key stands, quotes included, or -1.
func (v Value) KeyOffset() int { return int(v.keyOffset) }

// Member is the first value under a key of an object, Missing when there is none. Object is the
// way to read an object; this is for a look ahead.
func (v Value) Member(key string) Value {
	if member, ok := v.child(key, -1); ok {
		return member
	}
	return Value{doc: v.doc}
}

// Raw is the value as written, with comments inside it blanked.
func (v Value) Raw() string {
	if v.kind == Missing {
		return ""
	}
	return v.raw()
}

func (v Value) raw() string { return v.doc.clean[v.offset:v.end] }

// parsed is the value as gjson sees it.
func (v Value) parsed() gjson.Result {
	r := gjson.Parse(v.raw())
	r.Index = int(v.offset)
	return r
}

// Members are the keys and values of an object in written order, repeated keys included; there
// are none in anything else.
func (v Value) Members() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.kind != Object {
			return
		}
		up := v
		v.parsed().ForEach(func(key, value gjson.Result) bool {
			return yield(key.Str, Value{doc: v.doc, up: &up, key: key.Str, keyOffset: int32(key.Index), kind: kindOf(value.Raw[0]),
				offset: int32(value.Index), end: int32(value.Index + len(value.Raw))})
		})
	}
}

// Items are the values of a list in order; there are none in anything else.
func (v Value) Items() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.kind != List {
			return
		}
		up := v
		i := int32(-1)
		v.parsed().ForEach(func(_, value gjson.Result) bool {
			i++
			return yield(Value{doc: v.doc, up: &up, keyOffset: -1, index: i, kind: kindOf(value.Raw[0]),
				offset: int32(value.Index), end: int32(value.Index + len(value.Raw))})
		})
	}
}

// Problem reports that something is wrong with the value.
func (v Value) Problem(message string) { v.at("", message) }

// KeyProblem reports that something is wrong with the key of the value.
func (v Value) KeyProblem(message string) {
	if v.keyOffset < 0 {
		v.Problem(message)
		return
	}
	v.doc.add(int(v.keyOffset), v.keyLength(), v.Path(), message)
}

// keyLength is the length of the key as written.
func (v Value) keyLength() int {
	return strings.LastIndexByte(v.doc.clean[v.keyOffset:v.offset], '"') + 1
}

// at reports a problem of a part that may not be written: the position is the value's.
func (v Value) at(part, message string) {
	if v.doc == nil {
		return
	}
	if v.doc.full() {
		v.doc.more++
		return
	}
	length := int(v.end - v.offset)
	if v.kind == Object || v.kind == List {
		length = 1 // the bracket: a whole object underlined hides what is wrong inside
	}
	v.doc.add(int(v.offset), length, problem.Join(v.Path(), part), message)
}

// Report adds the problems that a check found; their paths are relative to the value.
func (v Value) Report(list problem.List) {
	for _, p := range list {
		found := v.Find(p.Path)
		rest := problem.Join(v.Path(), p.Path)[len(found.Path()):]
		found.at(strings.TrimPrefix(rest, "."), p.Message)
	}
}

// Members of an object by their keys.
type Members struct {
	of     Value
	known  []string
	values []Value
}

// Object reads an object whose keys are known. Anything that is no object, an unknown key and a
// key that stands twice are problems; of two the first is kept.
func (v Value) Object(known ...string) Members {
	m := Members{of: v, known: known}
	if v.kind == Missing {
		return m
	}
	if v.kind != Object {
		v.wrongKind("an object")
		return m
	}
	m.values = make([]Value, len(known))
next:
	for key, value := range v.Members() {
		for i, k := range known {
			if k != key {
				continue
			}
			if m.values[i].Exists() {
				value.twice(m.values[i])
			} else {
				m.values[i] = value
			}
			continue next
		}
		value.unknown(known)
	}
	return m
}

func (v Value) twice(first Value) {
	if v.doc.full() {
		v.doc.more++
		return
	}
	line, column := v.doc.Position(int(first.keyOffset))
	v.KeyProblem(quote(v.key) + " is written twice; the first stands at " + strconv.Itoa(line) + ":" + strconv.Itoa(column))
}

func (v Value) unknown(known []string) {
	if v.doc.full() {
		v.doc.more++
		return
	}
	message := quote(v.key) + " is not a key here"
	if near := Nearest(v.key, known); near != "" {
		message += "; did you mean " + quote(near) + "?"
	} else if len(known) > 0 {
		message += "; the keys are " + strings.Join(known, ", ")
	}
	v.KeyProblem(message)
}

// Map reads an object whose keys are names, in written order. A name that stands twice is a
// problem, and only its first value is given.
func (v Value) Map() iter.Seq2[string, Value] {
	return func(yield func(string, Value) bool) {
		if v.kind != Object {
			if v.kind != Missing {
				v.wrongKind("an object")
			}
			return
		}
		seen := map[string]Value{}
		for key, value := range v.Members() {
			if first, again := seen[key]; again {
				value.twice(first)
				continue
			}
			seen[key] = value
			if !yield(key, value) {
				return
			}
		}
	}
}

// List reads a list; anything else is a problem.
func (v Value) List() iter.Seq[Value] {
	if v.kind != List && v.kind != Missing {
		v.wrongKind("a list")
	}
	return v.Items()
}

// Exists tells whether there was an object to read.
func (m Members) Exists() bool { return m.values != nil }

// Get is the value of a known key; it is Missing when nobody wrote it.
func (m Members) Get(key string) Value {
	for i, k := range m.known {
		if k == key && m.values != nil {
			return m.values[i]
		}
	}
	return Value{doc: m.of.doc}
}

// Need is Get for a key that must be written.
func (m Members) Need(key string) Value {
	v := m.Get(key)
	if m.values != nil && !v.Exists() {
		m.of.at(pathOf(key), quote(key)+" is missing")
	}
	return v
}

// pathOf is a key as the first part of a path.
func pathOf(key string) string { return stepOf(&Value{}, key) }
