package view

import "strings"

// Paragraph is a paragraph of a scenario's "about". It comes from anywhere, so it is never HTML: the
// page makes an element of each piece.
type Paragraph []Inline

// Inline is a piece of a paragraph: plain text, or one of a few kinds of Markdown.
type Inline struct {
	// Kind is "", "code", "strong", "em" or "link".
	Kind, Text string
	// Address is that of a link, always http or https.
	Address string
}

// aboutMost is how much of an "about" is shown.
const aboutMost = 4000

// About reads the little Markdown that a description needs: paragraphs, `code`, **strong**, *em* and
// [links](https://...). Anything else stands as it was written.
func About(text string) []Paragraph {
	if len(text) > aboutMost {
		text = strings.ToValidUTF8(text[:aboutMost], "") + " …"
	}
	var out []Paragraph
	for _, block := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n\n") {
		if block = strings.Join(strings.Fields(block), " "); block != "" {
			out = append(out, inline(block))
		}
	}
	return out
}

func inline(s string) Paragraph {
	var out Paragraph
	plain := 0
	for i := 0; i < len(s); {
		piece, length := mark(s[i:])
		if length == 0 {
			i++
			continue
		}
		if plain < i {
			out = append(out, Inline{Text: s[plain:i]})
		}
		out = append(out, piece)
		i += length
		plain = i
	}
	if plain < len(s) {
		out = append(out, Inline{Text: s[plain:]})
	}
	return out
}

// mark is the piece of Markdown that s begins with, and its length; 0 for none.
func mark(s string) (Inline, int) {
	for _, m := range [...]struct{ sign, kind string }{{"`", "code"}, {"**", "strong"}, {"*", "em"}} {
		if !strings.HasPrefix(s, m.sign) {
			continue
		}
		end := strings.Index(s[len(m.sign):], m.sign)
		if end <= 0 || m.kind != "code" && (s[len(m.sign)] == ' ' || s[len(m.sign)+end-1] == ' ') {
			return Inline{}, 0
		}
		return Inline{Kind: m.kind, Text: s[len(m.sign) : len(m.sign)+end]}, 2*len(m.sign) + end
	}
	if !strings.HasPrefix(s, "[") {
		return Inline{}, 0
	}
	middle := strings.Index(s, "](")
	if middle < 2 {
		return Inline{}, 0
	}
	end := strings.IndexByte(s[middle:], ')')
	if end < 0 {
		return Inline{}, 0
	}
	address := s[middle+2 : middle+end]
	if !strings.HasPrefix(address, "https://") && !strings.HasPrefix(address, "http://") || strings.ContainsAny(address, " \"'<>\\") {
		return Inline{}, 0
	}
	return Inline{Kind: "link", Text: s[1:middle], Address: address}, middle + end + 1
}
