package document

import "unicode/utf8"

// AppendText appends s as JSON. Only what must be escaped is, in the short form where there is
// one, as JSON.stringify does; bytes that are no UTF-8 become the replacement character.
func AppendText(b []byte, s string) []byte {
	b = append(b, '"')
	for i := 0; i < len(s); {
		c := s[i]
		if c >= utf8.RuneSelf {
			r, n := utf8.DecodeRuneInString(s[i:])
			b = utf8.AppendRune(b, r)
			i += n
			continue
		}
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c >= ' ':
			b = append(b, c)
		case c == '\n':
			b = append(b, '\\', 'n')
		case c == '\t':
			b = append(b, '\\', 't')
		case c == '\r':
			b = append(b, '\\', 'r')
		case c == '\b':
			b = append(b, '\\', 'b')
		case c == '\f':
			b = append(b, '\\', 'f')
		default:
			b = append(append(b, `\u`...), hex4(rune(c))...)
		}
		i++
	}
	return append(b, '"')
}

// quote is a word for a message; long ones are cut.
func quote(s string) string {
	if len(s) > 60 {
		cut := 60
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "..."
	}
	return string(AppendText(nil, s))
}

// Canonical is the document without comments and insignificant space, keys in written order,
// numbers as written and texts with the fewest escapes (scenario.md 1).
func (d *Document) Canonical() []byte { return d.Root().AppendCanonical(nil) }

// AppendCanonical appends the value in canonical form. The text was checked, so it suffices to
// drop spaces between tokens and to write each text again.
func (v Value) AppendCanonical(b []byte) []byte {
	if v.kind == Missing {
		return b
	}
	raw := v.raw()
	for i := 0; i < len(raw); {
		switch c := raw[i]; c {
		case ' ', '\t', '\n', '\r':
			i++
		case '"':
			end := i + 1
			for raw[end] != '"' {
				if raw[end] == '\\' {
					end++
				}
				end++
			}
			text := Value{doc: v.doc, kind: Text, offset: v.offset + int32(i), end: v.offset + int32(end) + 1}
			b = AppendText(b, text.parsed().Str)
			i = end + 1
		default:
			b = append(b, c)
			i++
		}
	}
	return b
}
