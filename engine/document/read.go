package document

import (
	"errors"
	"math"
	"strconv"
	"strings"

	"squall/engine/ticks"
)

// wrongKind reports a value of another kind than a key takes.
func (v Value) wrongKind(wanted string) {
	v.Problem("must be " + wanted + ", not " + v.shown())
}

// shown is the value for a message: short ones as written, long ones by their kind.
func (v Value) shown() string {
	if v.kind == Object || v.kind == List || v.end-v.offset > 40 {
		return v.kind.String()
	}
	return v.raw()
}

// Text is the value of a text. Like every reader here it reports a value of another kind, and
// gives false then, and for a value that is Missing.
func (v Value) Text() (string, bool) {
	if v.kind == Text {
		return v.parsed().Str, true
	}
	if v.kind != Missing {
		v.wrongKind("text in double quotes")
	}
	return "", false
}

// Bool is true or false.
func (v Value) Bool() (value, ok bool) {
	if v.kind == Bool {
		return v.doc.clean[v.offset] == 't', true
	}
	if v.kind != Missing {
		v.wrongKind("true or false")
	}
	return false, false
}

// Float is a finite number.
func (v Value) Float() (float64, bool) {
	if v.kind != Number {
		if v.kind != Missing {
			v.wrongKind("a number")
		}
		return 0, false
	}
	x, err := strconv.ParseFloat(v.raw(), 64)
	if err != nil {
		v.Problem(v.shown() + " is too large for a number")
		return 0, false
	}
	return x + 0, true // -0 becomes 0
}

// Int is a whole number from lowest to highest, both included.
func (v Value) Int(lowest, highest int64) (int64, bool) {
	if v.kind != Number {
		if v.kind != Missing {
			v.wrongKind("a whole number")
		}
		return 0, false
	}
	n, err := strconv.ParseInt(v.raw(), 10, 64)
	if errors.Is(err, strconv.ErrSyntax) {
		// 5.0 and 1e3 are whole numbers too, as far as a double counts them exactly.
		x, wrong := strconv.ParseFloat(v.raw(), 64)
		if wrong == nil && x != math.Trunc(x) {
			v.Problem("must be a whole number, not " + v.shown())
			return 0, false
		}
		if err = wrong; wrong == nil && math.Abs(x) > 1<<53 {
			err = strconv.ErrRange
		}
		n = int64(ticks.FromFloat(x))
	}
	if err != nil || n < lowest || n > highest {
		v.Problem("must be " + between(lowest, highest) + ", not " + v.shown())
		return 0, false
	}
	return n, true
}

func between(lowest, highest int64) string {
	switch {
	case highest == math.MaxInt64:
		return "at least " + strconv.FormatInt(lowest, 10)
	case lowest == math.MinInt64:
		return "at most " + strconv.FormatInt(highest, 10)
	}
	return "a whole number from " + strconv.FormatInt(lowest, 10) + " to " + strconv.FormatInt(highest, 10)
}

// Enum is the index of a text among some words.
func (v Value) Enum(words ...string) (int, bool) {
	if v.kind == Missing {
		return 0, false
	}
	if v.kind != Text {
		v.wrongKind(oneOf(words))
		return 0, false
	}
	text := v.parsed().Str
	for i, w := range words {
		if w == text {
			return i, true
		}
	}
	message := "must be " + oneOf(words) + ", not " + v.shown()
	if near := Nearest(text, words); near != "" {
		message += "; did you mean " + quote(near) + "?"
	}
	v.Problem(message)
	return 0, false
}

func oneOf(words []string) string {
	var b strings.Builder
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1:
			b.WriteString(" or ")
		case i > 0:
			b.WriteString(", ")
		}
		b.WriteString(quote(w))
	}
	return b.String()
}

// Duration is a span of time, written as text with units. usual is the unit that a bare number
// probably meant ("ms"); a number is refused with that guess.
func (v Value) Duration(usual string) (ticks.Ticks, bool) {
	switch v.kind {
	case Missing:
		return 0, false
	case Number:
		v.Problem(`a duration is text with a unit; did you mean "` + v.short() + usual + `"?`)
		return 0, false
	case Text:
	default:
		v.wrongKind(`a duration such as "250ms"`)
		return 0, false
	}
	text := v.parsed().Str
	d, err := ParseDuration(text)
	switch {
	case err == nil:
		return d, true
	case errors.Is(err, ErrUnit) && isDecimal(text):
		v.Problem(v.shown() + ` has no unit; did you mean "` + text + usual + `"?`)
	default:
		v.Problem(v.shown() + " " + err.Error())
	}
	return 0, false
}

// short is the value as written, or a stand-in when it is too long to repeat.
func (v Value) short() string {
	if v.end-v.offset > 20 {
		return "..."
	}
	return v.raw()
}

func isDecimal(text string) bool {
	return text != "" && len(text) <= 20 && strings.Trim(text, "0123456789.") == ""
}
