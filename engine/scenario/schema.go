package scenario

import (
	"strings"

	"squall/engine/document"
)

// durationPattern is what Duration reads, as far as a pattern can say it: not how fine or long.
const durationPattern = `^\+?(0|(([0-9]+(\.[0-9]*)?|\.[0-9]+)(ns|us|µs|μs|ms|s|m|h))+)$`

// Schema is the JSON Schema (draft 7) of a scenario, as canonical JSON: for completion, help and
// early squiggles in editors. Every document that Read accepts is valid under it, once comments and
// trailing commas are gone; what it cannot say is left to Read.
func Schema() []byte {
	objects := Objects()
	w := &schemaWriter{}
	w.open('{')
	w.text("$schema", "http://json-schema.org/draft-07/schema#")
	w.text("title", "Squall scenario")
	w.object(objects[0])
	w.raw("anyOf", `[{"required":["services","dependencies"]},{"required":["dependency"]}]`)
	w.key("definitions")
	w.open('{')
	for _, o := range objects[1:] {
		w.key(o.Name)
		w.open('{')
		w.object(o)
		w.close('}')
	}
	w.close('}')
	w.close('}')
	return w.b
}

// schemaWriter writes JSON member by member.
type schemaWriter struct{ b []byte }

func (w *schemaWriter) comma() {
	if last := w.b[len(w.b)-1]; last != '{' && last != '[' && last != ':' {
		w.b = append(w.b, ',')
	}
}

func (w *schemaWriter) open(bracket byte)  { w.b = append(w.b, bracket) }
func (w *schemaWriter) close(bracket byte) { w.b = append(w.b, bracket) }

func (w *schemaWriter) key(name string) {
	w.comma()
	w.b = append(document.AppendText(w.b, name), ':')
}

func (w *schemaWriter) text(key, value string) {
	w.key(key)
	w.b = document.AppendText(w.b, value)
}

func (w *schemaWriter) raw(key, value string) {
	w.key(key)
	w.b = append(w.b, value...)
}

func (w *schemaWriter) texts(key string, values []string) {
	w.key(key)
	w.open('[')
	for _, v := range values {
		w.comma()
		w.b = document.AppendText(w.b, v)
	}
	w.close(']')
}

// object writes the members of an object's schema.
func (w *schemaWriter) object(o Object) {
	w.text("description", o.Doc)
	w.text("type", "object")
	var required []string
	w.key("properties")
	w.open('{')
	for _, k := range o.Keys {
		if k.Refused {
			continue
		}
		w.key(k.Name)
		w.open('{')
		w.property(k)
		w.close('}')
		if k.Required {
			required = append(required, k.Name)
		}
	}
	w.close('}')
	if len(required) > 0 {
		w.texts("required", required)
	}
	w.raw("additionalProperties", "false")
}

func (w *schemaWriter) property(k Key) {
	about := k.Doc
	if words := RangeInWords(k.Type.Range); words != "" {
		about += " " + words
	}
	w.text("description", about)
	if k.Default != "" {
		w.raw("default", k.Default)
	}
	switch {
	case len(k.Type.Or) > 0:
		w.key("anyOf")
		w.open('[')
		for _, t := range append([]Type{k.Type}, k.Type.Or...) {
			w.comma()
			w.open('{')
			w.kind(t)
			w.close('}')
		}
		w.close(']')
	case k.Type.Kind == ObjectType:
		// what stands beside a $ref is ignored, so the reference gets an object of its own
		w.raw("allOf", `[{"$ref":"#/definitions/`+k.Type.Object+`"}]`)
	default:
		w.kind(k.Type)
	}
}

// kind writes the members that say what a value may be.
func (w *schemaWriter) kind(t Type) {
	switch t.Kind {
	case TextType:
		w.text("type", "string")
	case DurationType:
		w.text("type", "string")
		w.text("pattern", durationPattern)
		w.texts("examples", []string{"250ms", "10s", "5m"})
	case IntegerType:
		w.text("type", "integer")
		w.interval(t.Range)
	case NumberType:
		w.text("type", "number")
		w.interval(t.Range)
	case BoolType:
		w.text("type", "boolean")
	case NullType:
		w.text("type", "null")
	case WordsType:
		w.texts("enum", t.Words)
	case ObjectType:
		w.text("$ref", "#/definitions/"+t.Object)
	case ListType:
		w.text("type", "array")
		w.key("items")
		w.open('{')
		w.kind(*t.Of)
		w.close('}')
	case MapType:
		w.text("type", "object")
		w.key("additionalProperties")
		w.open('{')
		w.kind(*t.Of)
		w.close('}')
	case AnyType:
		w.text("type", "object")
	}
}

// interval writes the bounds of "[1,)".
func (w *schemaWriter) interval(interval string) {
	low, high := ends(interval)
	switch {
	case low == "":
	case interval[0] == '[':
		w.raw("minimum", low)
	default:
		w.raw("exclusiveMinimum", low)
	}
	switch {
	case high == "":
	case strings.HasSuffix(interval, "]"):
		w.raw("maximum", high)
	default:
		w.raw("exclusiveMaximum", high)
	}
}

// ends are the two numbers of an interval, empty where it has none.
func ends(interval string) (low, high string) {
	low, high, _ = strings.Cut(strings.Trim(interval, "[()]"), ",")
	return low, high
}

// RangeInWords says what interval a value must lie in: "Above 0, at most 1." It is empty for no
// interval.
func RangeInWords(interval string) string {
	low, high := ends(interval)
	if low == "" && high == "" || strings.HasPrefix(low, "-2147") {
		return ""
	}
	if low == high {
		return "Always " + low + "."
	}
	var words []string
	if low != "" {
		words = append(words, map[bool]string{true: "at least ", false: "above "}[interval[0] == '[']+low)
	}
	if high != "" {
		words = append(words, map[bool]string{true: "at most ", false: "below "}[strings.HasSuffix(interval, "]")]+high)
	}
	sentence := strings.Join(words, ", ") + "."
	return strings.ToUpper(sentence[:1]) + sentence[1:]
}
