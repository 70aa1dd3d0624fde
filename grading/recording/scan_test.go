package recording

import (
	"fmt"
	"strings"
	"testing"
)

// outline reads a whole file and writes what it saw.
func outline(s *scanner) string {
	var b strings.Builder
	var value func()
	value = func() {
		switch s.peek() {
		case object:
			b.WriteByte('{')
			for key := range s.object {
				fmt.Fprintf(&b, "%s=", key)
				value()
			}
			b.WriteByte('}')
		case list:
			b.WriteByte('[')
			for range s.list {
				value()
			}
			b.WriteByte(']')
		default:
			v := s.value()
			fmt.Fprintf(&b, "%d:%s ", v.kind, v.text)
		}
	}
	for s.more() {
		value()
	}
	return b.String()
}

func TestScannerReads(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{``, ``},
		{"\uFEFF 1 ", `3:1 `},
		{"1 \"a\"\n{\"k\":null}", `3:1 4:a {k=1: }`},
		{`{"a":[1,-2.5e+3,true,false,[]],"b":{}}`, `{a=[3:1 3:-2.5e+3 2:true 2:false []]b={}}`},
		{`"\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00é"`, "4:\"\\/\b\f\n\r\tä😀é "},
		{`"\ud83d|\ude00|\ud83dx"`, "4:\uFFFD|\uFFFD|\uFFFDx "},
		{`{"a\nb":1}`, "{a\nb=3:1 }"},
	} {
		s := newScanner(File{Data: []byte(c.data)})
		if got := outline(s); got != c.want || s.err != nil {
			t.Errorf("%s: got %q, error %v, want %q", c.data, got, s.err, c.want)
		}
	}
}

func TestScannerSkips(t *testing.T) {
	s := newScanner(File{Data: []byte(`{"a":{"x":[1,"\u0041",{"y":null}]},"b":"q","c":[[]],"d":7}`)})
	var keys []string
	for key := range s.object {
		keys = append(keys, string(key))
		if string(key) == "d" {
			if n, ok := s.value().integer(); !ok || n != 7 {
				t.Errorf("d is %d", n)
			}
		}
	}
	if got := strings.Join(keys, ""); got != "abcd" || s.err != nil || s.more() {
		t.Errorf("keys %s, error %v", got, s.err)
	}
}

func TestScannerErrors(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{`{`, `f:1:2: the file ends where } is expected`},
		{`{"a":1`, `f:1:7: the file ends where } is expected`},
		{"[1,\n  2,,3]", `f:2:5: a value is expected here, not ','`},
		{`[1 2]`, `f:1:4: a comma or ] is expected here, not '2'`},
		{`{"a" 1}`, `f:1:6: a colon behind the key is expected here, not '1'`},
		{`{a:1}`, `f:1:2: a key in quotes is expected here, not 'a'`},
		{`[01]`, `f:1:2: this is not a number of JSON`},
		{`[1.]`, `f:1:2: this is not a number of JSON`},
		{`[-]`, `f:1:2: this is not a number of JSON`},
		{`[1e]`, `f:1:2: this is not a number of JSON`},
		{`[tru]`, `f:1:2: a value is expected here, not 't'`},
		{`["a` + "\n" + `"]`, `f:1:4: a control character stands in a text; write it as an escape`},
		{`["\x"]`, `f:1:3: this is not an escape of JSON`},
		{`["\u12g4"]`, `f:1:3: this is not an escape of JSON`},
		{`["\`, `f:1:3: this is not an escape of JSON`},
		{`["abc`, `f:1:6: the file ends inside a text`},
		{`["a\nbc`, `f:1:8: the file ends inside a text`},
		{"\"ok\"\n\"\xff\"", `f:2:2: the file is not UTF-8 here`},
		{strings.Repeat("[", depthMax+1), fmt.Sprintf("f:1:%d: values lie more than %d deep in one another", depthMax+1, depthMax)},
	} {
		s := newScanner(File{Name: "f", Data: []byte(c.data)})
		outline(s)
		if s.err == nil || s.err.Error() != c.want {
			t.Errorf("%s: got %v, want %s", c.data, s.err, c.want)
		}
		skipping := newScanner(File{Name: "f", Data: []byte(c.data)})
		for skipping.more() {
			skipping.skip()
		}
		if skipping.err == nil || skipping.err.Error() != c.want {
			t.Errorf("%s, skipped: got %v, want %s", c.data, skipping.err, c.want)
		}
	}
}

func TestScannerWantsKinds(t *testing.T) {
	for _, c := range []struct{ data, want string }{
		{`null`, ``},
		{`"x"`, `f:1:1: a list is expected here, not a text`},
		{` {}`, `f:1:2: a list is expected here, not an object`},
		{`nul`, `f:1:1: a value is expected here, not 'n'`},
	} {
		s := newScanner(File{Name: "f", Data: []byte(c.data)})
		for range s.list {
			t.Errorf("%s has an element", c.data)
		}
		if got := fmt.Sprint(s.err); got != c.want && (c.want != "" || s.err != nil) {
			t.Errorf("%s: got %s, want %s", c.data, got, c.want)
		}
	}
}
