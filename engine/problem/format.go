package problem

import (
	"strconv"
	"strings"
)

// Sprintf formats as package fmt does, for the few verbs and types that messages are made of: %s,
// %v, %d, %q, %c and %% of strings, integers, doubles, errors and types with a String method. Any
// other argument, a missing one and an unknown verb stand as "%!" in the text.
//
// Package fmt itself would bring reflection into every WebAssembly module, half its weight.
func Sprintf(format string, a ...any) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(format, '%')
		if i < 0 || i+1 == len(format) {
			b.WriteString(format)
			return b.String()
		}
		b.WriteString(format[:i])
		verb := format[i+1]
		format = format[i+2:]
		if verb == '%' {
			b.WriteByte('%')
			continue
		}
		if len(a) == 0 {
			b.WriteString("%!")
			continue
		}
		b.WriteString(one(verb, a[0]))
		a = a[1:]
	}
}

// one formats an argument.
func one(verb byte, a any) string {
	if verb == 'w' || verb == 's' || verb == 'v' || verb == 'q' {
		text, ok := "", true
		switch a := a.(type) {
		case string:
			text = a
		case error:
			text = a.Error()
		case interface{ String() string }:
			text = a.String()
		default:
			ok = false
		}
		if ok && verb == 'q' {
			return strconv.Quote(text)
		}
		if ok {
			return text
		}
	}
	if x, ok := a.(float64); ok && verb == 'v' {
		return strconv.FormatFloat(x, 'g', -1, 64)
	}
	n, ok := integer(a)
	switch {
	case ok && (verb == 'd' || verb == 'v'):
		return strconv.FormatInt(n, 10)
	case ok && verb == 'c':
		return string(rune(n))
	case ok && verb == 'q':
		return strconv.QuoteRune(rune(n))
	}
	return "%!" + string(rune(verb))
}

// integer is the value of any of the integer types that messages have.
func integer(a any) (int64, bool) {
	switch a := a.(type) {
	case int:
		return int64(a), true
	case int32:
		return int64(a), true
	case int64:
		return a, true
	case uint8:
		return int64(a), true
	case uint32:
		return int64(a), true
	case uint64:
		return int64(a), a <= 1<<63-1
	}
	return 0, false
}

// Errorf is an error with the text of Sprintf. It wraps the first argument that is an error, which
// stands at %w.
func Errorf(format string, a ...any) error {
	e := &wrapped{text: Sprintf(format, a...)}
	for _, x := range a {
		if err, ok := x.(error); ok {
			e.err = err
			break
		}
	}
	return e
}

type wrapped struct {
	text string
	err  error
}

func (e *wrapped) Error() string { return e.text }
func (e *wrapped) Unwrap() error { return e.err }
