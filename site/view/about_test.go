package view

import (
	"fmt"
	"strings"
	"testing"
)

func TestAbout(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{"One\nline.\n\n\nAnother.", `{ One line.}|{ Another.}`},
		{"Set `budget` to **none** and *look*.", "{ Set }{code budget}{  to }{strong none}{  and }{em look}{ .}"},
		{"2 * 3 * 4 and a ** b", "{ 2 * 3 * 4 and a ** b}"},
		{"An [example](https://example.com/a?b=1).", "{ An }{link example https://example.com/a?b=1}{ .}"},
		{"[bad](javascript:alert(1)) `open", "{ [bad](javascript:alert(1)) `open}"},
		{"<b onclick=x>no</b>", "{ <b onclick=x>no</b>}"},
		{`[x](https://a"b)`, `{ [x](https://a"b)}`},
	} {
		var paragraphs []string
		for _, p := range About(c.text) {
			s := ""
			for _, i := range p {
				s += strings.TrimRight(fmt.Sprintf("{%s %s %s", i.Kind, i.Text, i.Address), " ")
				if strings.HasSuffix(i.Text, " ") {
					s += " "
				}
				s += "}"
			}
			paragraphs = append(paragraphs, s)
		}
		if got := strings.Join(paragraphs, "|"); got != c.want {
			t.Errorf("%q reads\n%s, not\n%s", c.text, got, c.want)
		}
	}
	if p := About(strings.Repeat("é", aboutMost)); len(p[0][0].Text) > aboutMost+8 {
		t.Error("a long text is not cut")
	}
}

func FuzzAbout(f *testing.F) {
	f.Add("a `b` [c](https://d) **e**")
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range About(text) {
			for _, i := range p {
				if i.Kind == "link" && !strings.HasPrefix(i.Address, "http") {
					t.Fatalf("%q links to %q", text, i.Address)
				}
			}
		}
	})
}
