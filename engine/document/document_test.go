package document

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"squall/engine/problem"
)

func first(t *testing.T, text string, limits Limits) string {
	t.Helper()
	_, problems := Parse([]byte(text), limits)
	if len(problems) == 0 {
		return ""
	}
	if len(problems) > 1 {
		t.Errorf("%q has %d syntax problems; only the first can be trusted", text, len(problems))
	}
	return problems[0].String()
}

func TestSyntax(t *testing.T) {
	const comment = `1:1: expected '/' or '*' after '/': a comment is // to the end of the line or /* to */`
	for _, c := range []struct{ text, want string }{
		{``, `1:1: the document is empty: expected a value`},
		{" // nothing\n", `2:1: the document is empty: expected a value`},
		{`{`, `1:2: expected a key in double quotes or '}', found the end of the document`},
		{`{"a"`, `1:5: expected ':' after the key, found the end of the document`},
		{`{"a":`, `1:6: expected a value, found the end of the document`},
		{`{"a":1`, `1:7: expected ',' or '}', found the end of the document`},
		{`{"a":1,`, `1:8: expected a key in double quotes or '}', found the end of the document`},
		{`[`, `1:2: expected a value or ']', found the end of the document`},
		{`[1,`, `1:4: expected a value, found the end of the document`},
		{"{\n  \"a\": 1\n  \"b\": 2\n}", `3:3: expected ',' or '}', found '"'`},
		{`{"a" 1}`, `1:6: expected ':' after the key, found 1`},
		{`{"a":1 ]`, `1:8: expected ',' or '}', found ']'`},
		{`[1 }`, `1:4: expected ',' or ']', found '}'`},
		{`{a:1}`, `1:2: expected a key in double quotes, found a`},
		{`{'a':1}`, `1:2: expected a key in double quotes, found '\''`},
		{`{,}`, `1:2: expected a key in double quotes or '}', found ','`},
		{`[,]`, `1:2: expected a value, found ','`},
		{`[1,,2]`, `1:4: expected a value, found ','`},
		{`{"a":1,,}`, `1:8: expected a key in double quotes or '}', found ','`},
		{`{"a":}`, `1:6: expected a value, found '}'`},
		{`{"b":1,"a":}`, `1:12: expected a value, found '}'`},
		{`{} {}`, `1:4: expected nothing more after the end of the value, found '{'`},
		{`1 2`, `1:3: expected nothing more after the end of the value, found 2`},
		{`"é" ü`, `1:6: expected nothing more after the end of the value, found 'ü'`},
		{`[01]`, `1:2: 01 is no number: leading zeros are not written`},
		{`[-]`, `1:2: - is no number as JSON writes it; text stands in double quotes`},
		{`[1.]`, `1:2: 1. is no number as JSON writes it; text stands in double quotes`},
		{`[.5]`, `1:2: .5 is no value: expected a text in double quotes, a number, true, false, null, a list or an object`},
		{`[+1]`, `1:2: +1 is no value: expected a text in double quotes, a number, true, false, null, a list or an object`},
		{`[1e]`, `1:2: 1e is no number as JSON writes it; text stands in double quotes`},
		{`[250ms]`, `1:2: 250ms is no number as JSON writes it; text stands in double quotes`},
		{`[0x10]`, `1:2: 0x10 is no number as JSON writes it; text stands in double quotes`},
		{`[NaN]`, `1:2: NaN is no number of JSON; only finite numbers can be written`},
		{`[-Infinity]`, `1:2: -Infinity is no number as JSON writes it; text stands in double quotes`},
		{`[True]`, `1:2: True is written true or false in JSON`},
		{`[None]`, `1:2: None is written null in JSON`},
		{`[nul]`, `1:2: nul is no value: expected a text in double quotes, a number, true, false, null, a list or an object`},
		{`'a'`, `1:1: expected a value, found '\''`},
		{`"a`, `1:1: the text that begins here is not closed: expected "`},
		{"[\"a\nb\"]", `1:2: the text that begins here is not closed on its line: expected " (a line break inside is written \n)`},
		{"\"a\tb\"", `1:3: a control character inside text is written \u0009`},
		{`"\x"`, `1:2: unknown escape: expected one of \" \\ \/ \b \f \n \r \t \uXXXX`},
		{`"\u12"`, `1:2: expected four hexadecimal digits after \u`},
		{`"\u12g4"`, `1:2: expected four hexadecimal digits after \u`},
		{`"\ud800"`, `1:2: \ud800 is half of a character: expected a pair such as \ud83d\ude00`},
		{`"a\udc00\ud800"`, `1:3: \udc00 is half of a character: expected a pair such as \ud83d\ude00`},
		{`"\ud800\u0041"`, `1:2: \ud800 is half of a character: expected a pair such as \ud83d\ude00`},
		{"\"a\xff\"", `1:3: a byte that is no UTF-8`},
		{"\xff", `1:1: expected a value, found a byte that is no UTF-8`},
		{"1 // \xfe", `1:6: a byte that is no UTF-8`},
		{`/`, comment},
		{`/x`, comment},
		{`1 /* a`, `1:3: the comment that begins here is not closed: expected */`},
		{`1 /*/`, `1:3: the comment that begins here is not closed: expected */`},
		{`[[[1]]]`, `1:3: lists and objects stand more than 2 deep inside each other`},
		{"\x00", `1:1: expected a value, found '\x00'`},
	} {
		if got := first(t, c.text, Limits{Depth: 2}); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
	}
}

// What is accepted has one canonical form, the same that a second reading gives.
func TestCanonical(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{" null ", "null"},
		{"\ufeff{}", "{}"},
		{"{ \"b\" : 1 , \"a\" : [ ] }", `{"b":1,"a":[]}`},
		{"[1, // one\n 2, /* two */ /**/ 3,\n]", "[1,2,3]"},
		{`{"a": {"b": [true,false,],},}`, `{"a":{"b":[true,false]}}`},
		{`["// no comment", "/* nor this */", "a,]"]`, `["// no comment","/* nor this */","a,]"]`},
		{`["\u0041\/\ud83d\ude00\u00e9\u0001\b\f\n\r\t\"\\"]`, `["A/😀é\u0001\b\f\n\r\t\"\\"]`},
		{`{"\u0061": 1.50e+3}`, `{"a":1.50e+3}`},
		{"\"\x7f\u2028\"", "\"\x7f\u2028\""},
		{"[-0,0.0,1E5]", "[-0,0.0,1E5]"},
	} {
		d, problems := Parse([]byte(c.text), Limits{})
		if len(problems) > 0 {
			t.Errorf("%q: %v", c.text, problems)
			continue
		}
		if got := string(d.Canonical()); got != c.want {
			t.Errorf("%q\n got %s\nwant %s", c.text, got, c.want)
		}
		again, problems := Parse([]byte(c.want), Limits{})
		if len(problems) > 0 || string(again.Canonical()) != c.want {
			t.Errorf("%s is not its own canonical form", c.want)
		}
	}
}

func TestTextIsNotTouched(t *testing.T) {
	text := []byte("[1,] // x")
	if _, problems := Parse(text, Limits{}); len(problems) > 0 || string(text) != "[1,] // x" {
		t.Errorf("the caller's text became %q, %v", text, problems)
	}
}

func TestPosition(t *testing.T) {
	d, _ := Parse([]byte("[\n  \"é\",\r\n\n/* ü */ 7]"), Limits{})
	var got []string
	for v := range d.Root().Items() {
		line, column := d.Position(v.Offset())
		got = append(got, fmt.Sprintf("%s %d:%d", v.Path(), line, column))
	}
	if want := []string{"[0] 2:3", "[1] 4:10"}; !slices.Equal(got, want) {
		t.Errorf("positions %v, want %v", got, want)
	}
	for _, outside := range []int{-1, 1 << 20} {
		if line, column := d.Position(outside); line < 1 || column < 1 {
			t.Errorf("Position(%d) = %d:%d", outside, line, column)
		}
	}
}

func TestPath(t *testing.T) {
	d, _ := Parse([]byte(`{"services": {"a b": {"calls": [0, {"x-y": 1}]}, "c\"]d": [[2]]}, "": 3}`), Limits{})
	for _, path := range []string{`services["a b"].calls[1].x-y`, `services["c\"]d"]`, `services["c\"]d"][0][0]`, `[""]`, `services`, ``} {
		if got := d.Root().Find(path).Path(); got != path {
			t.Errorf("Find(%s) stands at %s", path, got)
		}
	}
	for path, deepest := range map[string]string{
		`services["a b"].limiter.adaptive`: `services["a b"]`,
		`services["a b"].calls[2].to`:      `services["a b"].calls`,
		`services["a b`:                    `services`,
		`services[x]`:                      `services`,
		`services..a`:                      `services`,
	} {
		if got := d.Root().Find(path).Path(); got != deepest {
			t.Errorf("Find(%s) stands at %s, want %s", path, got, deepest)
		}
	}
}

func TestReportPlacesProblems(t *testing.T) {
	d, _ := Parse([]byte("{\"p\": {\n \"ceiling\": {\"floor\": \"1s\"}}}"), Limits{})
	p := d.Root().Find("p")
	p.Report(problem.List{
		{Path: "ceiling.floor", Message: "one"}, {Path: "ceiling.multiple", Message: "two"},
		{Path: "attempts", Message: "three"}, {Path: "", Message: "four"}})
	want := []string{"1:7: p.attempts: three", "1:7: p: four", "2:13: p.ceiling.multiple: two", "2:23: p.ceiling.floor: one"}
	var got []string
	for _, p := range d.Problems() {
		got = append(got, p.String())
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestReaders(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{"text":"a","bool":true,"int":5,"float":-0,"enum":"full","span":"1m30s","list":[],"map":{"x":1},"object":{}}`, ""},
		{`{"text":1}`, `1:9: text: must be text in double quotes, not 1`},
		{`{"text":null}`, `1:9: text: must be text in double quotes, not null`},
		{`{"bool":"true"}`, `1:9: bool: must be true or false, not "true"`},
		{`{"int":1.5}`, `1:8: int: must be a whole number, not 1.5`},
		{`{"int":5.0}`, ``},
		{`{"int":1e1}`, ``},
		{`{"int":11}`, `1:8: int: must be a whole number from -3 to 10, not 11`},
		{`{"int":-4}`, `1:8: int: must be a whole number from -3 to 10, not -4`},
		{`{"int":99999999999999999999}`, `1:8: int: must be a whole number from -3 to 10, not 99999999999999999999`},
		{`{"int":1e999}`, `1:8: int: must be a whole number from -3 to 10, not 1e999`},
		{`{"int":1e17}`, `1:8: int: must be a whole number from -3 to 10, not 1e17`},
		{`{"int":"5"}`, `1:8: int: must be a whole number, not "5"`},
		{`{"float":1e999}`, `1:10: float: 1e999 is too large for a number`},
		{`{"float":[]}`, `1:10: float: must be a number, not a list`},
		{`{"enum":"fill"}`, `1:9: enum: must be "full", "equal" or "none", not "fill"; did you mean "full"?`},
		{`{"enum":"zzzzz"}`, `1:9: enum: must be "full", "equal" or "none", not "zzzzz"`},
		{`{"enum":3}`, `1:9: enum: must be "full", "equal" or "none", not 3`},
		{`{"span":250}`, `1:9: span: a duration is text with a unit; did you mean "250ms"?`},
		{`{"span":"250"}`, `1:9: span: "250" has no unit; did you mean "250ms"?`},
		{`{"span":"2 s"}`, `1:9: span: "2 s" is no duration; write numbers with units, such as "1m30s", "250ms" or "80us"`},
		{`{"span":"150ns"}`, `1:9: span: "150ns" is finer than 100ns, the smallest step of time`},
		{`{"span":"-1ms"}`, `1:9: span: "-1ms" is negative; a duration is at least 0`},
		{`{"span":{}}`, `1:9: span: must be a duration such as "250ms", not an object`},
		{`{"list":{}}`, `1:9: list: must be a list, not an object`},
		{`{"map":[]}`, `1:8: map: must be an object, not a list`},
		{`{"map":{"x":1,"y":2,"x":3}}`, `1:21: map.x: "x" is written twice; the first stands at 1:9`},
		{`{"object":3}`, `1:11: object: must be an object, not 3`},
		{`{"txt":3}`, `1:2: txt: "txt" is not a key here; did you mean "text"?`},
		{`{"something else":3}`, `1:2: ["something else"]: "something else" is not a key here; the keys are text, bool, int, float, enum, span, list, map, object`},
		{`{"bool":true,"bool":1}`, `1:14: bool: "bool" is written twice; the first stands at 1:2`},
		{`[]`, `1:1: must be an object, not a list`},
	} {
		d, _ := Parse([]byte(c.text), Limits{})
		o := d.Root().Object("text", "bool", "int", "float", "enum", "span", "list", "map", "object")
		o.Get("text").Text()
		o.Get("bool").Bool()
		o.Get("int").Int(-3, 10)
		o.Get("float").Float()
		o.Get("enum").Enum("full", "equal", "none")
		o.Get("span").Duration("ms")
		o.Get("list").List()
		for range o.Get("map").Map() {
		}
		o.Get("object").Object()
		o.Get("never").Text()
		var got []string
		for _, p := range d.Problems() {
			got = append(got, p.String())
		}
		if strings.Join(got, "\n") != c.want {
			t.Errorf("%s\n got %s\nwant %s", c.text, strings.Join(got, "\n"), c.want)
		}
	}
}

func TestNeed(t *testing.T) {
	d, _ := Parse([]byte(`{"a":{}}`), Limits{})
	a := d.Root().Object("a").Need("a").Object("b c", "d")
	a.Need("b c")
	a.Need("d")
	if got := fmt.Sprint(d.Problems()); got != `[1:6: a["b c"]: "b c" is missing 1:6: a.d: "d" is missing]` {
		t.Error(got)
	}
}

// Hostile texts cost what their length says, and say a bounded number of things.
func TestHostile(t *testing.T) {
	const mebibyte = 1 << 20
	for name, text := range map[string]string{
		"brackets":        strings.Repeat("[", mebibyte),
		"braces":          strings.Repeat(`{"a":`, mebibyte/5),
		"closing":         strings.Repeat("]", mebibyte),
		"too long":        strings.Repeat(" ", mebibyte+1),
		"open comment":    strings.Repeat("/*", mebibyte/2),
		"slashes in text": `"` + strings.Repeat(`\\`, mebibyte/2-10),
	} {
		if first(t, text, Limits{}) == "" {
			t.Errorf("%s: accepted", name)
		}
	}
	for name, text := range map[string]string{
		"one key":         "{" + strings.Repeat(`"a":1,`, mebibyte/6-1) + "}",
		"many keys":       "{" + strings.Repeat(`"b":1,`, mebibyte/6-1) + "}",
		"long key":        `{"` + strings.Repeat("k", mebibyte-10) + `":1}`,
		"digits":          `{"a":` + strings.Repeat("9", mebibyte-10) + `}`,
		"exponent":        `{"a":1e` + strings.Repeat("9", mebibyte-10) + `}`,
		"line breaks":     `{"b":1` + strings.Repeat("\n", mebibyte-10) + `}`,
		"trailing commas": `{"a":` + strings.Repeat("[", 60) + strings.Repeat("],", 60) + `}`,
		"escapes":         `{"a":"` + strings.Repeat(`\\`, mebibyte/2-10) + `"}`,
	} {
		d, problems := Parse([]byte(text), Limits{})
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
			continue
		}
		d.Root().Object("a").Get("a").Int(0, 1)
		problems = d.Problems()
		if len(problems) == 0 || len(problems) > 201 {
			t.Errorf("%s: %d problems", name, len(problems))
		}
		for _, p := range problems {
			if len(p.Message) > 400 {
				t.Errorf("%s: a message of %d bytes", name, len(p.Message))
			}
		}
		d.Canonical()
	}
	d, _ := Parse([]byte("{"+strings.Repeat(`"b":1,`, 1000)+"}"), Limits{Problems: 3})
	d.Root().Object("a")
	if got := d.Problems(); len(got) != 4 || got[3].Message != "and 997 more problems" {
		t.Errorf("got %v", got)
	}
}

func FuzzDocument(f *testing.F) {
	for _, seed := range []string{`{"a": [1, "b", null,], // c` + "\n" + `"d": -1.5e-3}`, `["\ud83d\ude00", "\u0000"]`, `/* x */ 1`, "\ufeff[]", `{"a":{"b":{}},}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		d, problems := Parse(text, Limits{})
		for _, p := range problems {
			if p.Offset < 0 || p.Offset+p.Length > len(text) || p.Line < 1 || p.Column < 1 || p.Message == "" {
				t.Fatalf("%+v of %d bytes", p, len(text))
			}
		}
		if len(problems) > 0 {
			return
		}
		canonical := d.Canonical()
		again, problems := Parse(canonical, Limits{})
		if len(problems) > 0 || string(again.Canonical()) != string(canonical) {
			t.Fatalf("canonical %s: %v", canonical, problems)
		}
		walk(t, d.Root(), again.Root(), 0)
	})
}

// walk checks that both values have the same shape, and that each is found by its path.
func walk(t *testing.T, a, b Value, depth int) {
	if a.Kind() != b.Kind() || a.Path() != b.Path() {
		t.Fatalf("%s is %v, again %s is %v", a.Path(), a.Kind(), b.Path(), b.Kind())
	}
	var left, right []Value
	for v := range a.Items() {
		left = append(left, v)
	}
	for v := range b.Items() {
		right = append(right, v)
	}
	for _, v := range a.Members() {
		left = append(left, v)
	}
	for _, v := range b.Members() {
		right = append(right, v)
	}
	if len(left) != len(right) {
		t.Fatalf("%s has %d parts, again %d", a.Path(), len(left), len(right))
	}
	for i := range left {
		walk(t, left[i], right[i], depth+1)
	}
}
