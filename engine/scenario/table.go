package scenario

import (
	"slices"

	"squall/engine/document"
	"squall/engine/ticks"
)

// Object documents one sort of object of a scenario.
type Object struct {
	// Name is what the schema and the reference call it: "policy", "hedge".
	Name string
	Doc  string
	Keys []Key
}

// Key documents one key of an object.
type Key struct {
	Name string
	Type Type
	// Default is the value that a missing key takes, as JSON; empty when there is none.
	Default  string
	Required bool
	// Refused keys are known only to say why they cannot be written.
	Refused bool
	// Doc says in a sentence or two what the key does. Section is where the rule stands.
	Doc, Section string
}

// TypeKind is what sort of value a key takes.
type TypeKind uint8

// The kinds of type.
const (
	TextType TypeKind = iota
	DurationType
	IntegerType
	NumberType
	BoolType
	NullType
	WordsType  // one of Words
	ObjectType // the object called Object
	ListType   // a list of Of
	MapType    // an object with names of the document's own as keys, each holding Of
	AnyType    // any JSON object: a patch
)

// Type is what a key takes. A value may be of any of Or, too.
type Type struct {
	Kind   TypeKind
	Words  []string
	Object string
	Of     *Type
	// Range is the interval that a number or duration must lie in: "[1,)", "(0,1]".
	Range string
	Or    []Type
}

// row is one key of a T: its documentation and how it is read into a T.
type row[T any] struct {
	Key
	// takesNull rows read null themselves; elsewhere null is refused, or means "missing" when the
	// value is an object or a list (scenario.md 1).
	takesNull bool
	read      func(r *reader, v document.Value, into *T)
}

// table is every key of one sort of object.
type table[T any] struct {
	name, doc string
	rows      []row[T]
	known     []string
	loose     bool
}

func newTable[T any](name, doc string, rows ...row[T]) *table[T] {
	t := &table[T]{name: name, doc: doc, rows: rows}
	for _, f := range rows {
		t.known = append(t.known, f.Name)
	}
	return t
}

// read reads an object into a value that holds the defaults. Rows are read in the order of the
// table, whatever the order of the document, so that a row may start from what an earlier one set.
func (t *table[T]) read(r *reader, v document.Value, into *T) document.Members {
	m := v.Object(t.known...)
	for i := range t.rows {
		f := &t.rows[i]
		value := m.Get(f.Name)
		if f.Required {
			value = m.Need(f.Name)
		}
		// what must be written is not missing with impunity: its reader refuses the null
		unset := value.Kind() == document.Null && !f.takesNull && !f.Required && (f.Type.nested() || t.loose)
		if value.Exists() && !unset {
			f.read(r, value, into)
		}
	}
	return m
}

// loosely lets null mean "missing" for every key that is not required (grading.md 2).
func (t *table[T]) loosely() *table[T] {
	t.loose = true
	return t
}

// nested tells the types for which null means "missing".
func (t *Type) nested() bool { return t.Kind >= ObjectType }

// object is the table's documentation.
func (t *table[T]) object() Object {
	o := Object{Name: t.name, Doc: t.doc}
	for i := range t.rows {
		k := t.rows[i].Key
		null := func(t Type) bool { return t.Kind == NullType }
		if t.loose && !k.Required && !slices.ContainsFunc(k.Type.Or, null) {
			k.Type.Or = append(slices.Clone(k.Type.Or), Type{Kind: NullType})
		}
		o.Keys = append(o.Keys, k)
	}
	return o
}

// required marks a row whose key must be written.
func (f row[T]) required() row[T] {
	f.Required = true
	return f
}

func integer[T any](name, usual, interval, doc, section string, at func(*T) *int) row[T] {
	return row[T]{Key: Key{Name: name, Type: Type{Kind: IntegerType, Range: interval}, Default: usual, Doc: doc, Section: section},
		read: func(_ *reader, v document.Value, into *T) {
			if n, ok := v.Int(-IntegerMax-1, IntegerMax); ok {
				*at(into) = int(n)
			}
		}}
}

func number[T any](name, usual, interval, doc, section string, at func(*T) *float64) row[T] {
	return row[T]{Key: Key{Name: name, Type: Type{Kind: NumberType, Range: interval}, Default: usual, Doc: doc, Section: section},
		read: func(_ *reader, v document.Value, into *T) {
			if x, ok := v.Float(); ok {
				*at(into) = x
			}
		}}
}

// span is a duration. unit is what a bare number probably meant.
func span[T any](name, usual, unit, interval, doc, section string, at func(*T) *ticks.Ticks) row[T] {
	return row[T]{Key: Key{Name: name, Type: Type{Kind: DurationType, Range: interval}, Default: quoted(usual), Doc: doc, Section: section},
		read: func(_ *reader, v document.Value, into *T) {
			if d, ok := v.Duration(unit); ok {
				*at(into) = d
			}
		}}
}

// bound is a duration or "none", which is no bound.
func bound[T any](name, usual, interval, doc, section string, at func(*T) *ticks.Ticks) row[T] {
	f := span(name, usual, "s", interval, doc, section, at)
	f.Type.Or = []Type{{Kind: WordsType, Words: []string{"none"}}}
	duration := f.read
	f.read = func(r *reader, v document.Value, into *T) {
		if isWord(v, "none") {
			*at(into) = ticks.Infinite
			return
		}
		duration(r, v, into)
	}
	return f
}

func flag[T any](name, usual, doc, section string, at func(*T) *bool) row[T] {
	return row[T]{Key: Key{Name: name, Type: Type{Kind: BoolType}, Default: usual, Doc: doc, Section: section},
		read: func(_ *reader, v document.Value, into *T) {
			if b, ok := v.Bool(); ok {
				*at(into) = b
			}
		}}
}

func text[T any](name, doc, section string, at func(*T) *string) row[T] {
	return row[T]{Key: Key{Name: name, Type: Type{Kind: TextType}, Doc: doc, Section: section},
		read: func(_ *reader, v document.Value, into *T) {
			if s, ok := v.Text(); ok {
				*at(into) = s
			}
		}}
}

// oneLine refuses control characters in a text that is printed as a name.
func (f row[T]) oneLine() row[T] {
	given := f.read
	f.read = func(r *reader, v document.Value, into *T) {
		given(r, v, into)
		if v.Kind() != document.Text {
			return
		}
		if name, _ := v.Text(); holdsControl(name) {
			v.Problem(controlInName)
		}
	}
	return f
}

// choice is one of some words; set is told which.
func choice[T any](name, usual string, words []string, doc, section string, set func(into *T, index int)) row[T] {
	return row[T]{Key: Key{Name: name, Type: Type{Kind: WordsType, Words: words}, Default: quoted(usual), Doc: doc, Section: section},
		read: func(_ *reader, v document.Value, into *T) {
			if i, ok := v.Enum(words...); ok {
				set(into, i)
			}
		}}
}

// part is an optional object of another table; give takes what was read, with defaults filled in.
func part[T, U any](name string, of *table[U], doc, section string, start func() U, give func(into *T, value U)) row[T] {
	return row[T]{Key: Key{Name: name, Type: Type{Kind: ObjectType, Object: of.name, Or: []Type{{Kind: NullType}}}, Default: "null", Doc: doc, Section: section},
		read: func(r *reader, v document.Value, into *T) {
			u := start()
			of.read(r, v, &u)
			give(into, u)
		}}
}

// list is a list of objects of another table, with a bound on their number.
func list[T, U any](name string, most int, of *table[U], doc, section string, start func() U, give func(into *T, value U)) row[T] {
	return row[T]{Key: Key{Name: name, Type: Type{Kind: ListType, Of: &Type{Kind: ObjectType, Object: of.name}}, Default: "[]", Doc: doc, Section: section},
		read: func(r *reader, v document.Value, into *T) {
			n := 0
			for item := range v.List() {
				if n++; n > most {
					tooMany(v, name, most)
					return
				}
				u := start()
				of.read(r, item, &u)
				give(into, u)
			}
		}}
}

// custom is a row that reads its value itself.
func custom[T any](key Key, read func(r *reader, v document.Value, into *T)) row[T] {
	return row[T]{Key: key, read: read}
}

// threeValued is an object that a missing key derives and null switches off.
func threeValued[T, U any](name, usual string, of *table[U], doc, section string, start func() U, give func(into *T, value U), off func(into *T)) row[T] {
	f := part(name, of, doc, section, start, give)
	f.Default = usual
	f.takesNull = true
	given := f.read
	f.read = func(r *reader, v document.Value, into *T) {
		if v.Kind() == document.Null {
			off(into)
			return
		}
		given(r, v, into)
	}
	return f
}

// orNull lets null switch a row off.
func (f row[T]) orNull(off func(into *T)) row[T] {
	f.takesNull = true
	f.Type.Or = append(f.Type.Or, Type{Kind: NullType})
	f.Default = "null"
	given := f.read
	f.read = func(r *reader, v document.Value, into *T) {
		if v.Kind() == document.Null {
			off(into)
			return
		}
		given(r, v, into)
	}
	return f
}

// isWord tells a text without reporting anything else.
func isWord(v document.Value, word string) bool {
	if v.Kind() != document.Text {
		return false
	}
	s, _ := v.Text()
	return s == word
}

func quoted(word string) string {
	if word == "" {
		return ""
	}
	return string(document.AppendText(nil, word))
}
