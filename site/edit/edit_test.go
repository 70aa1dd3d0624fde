package edit

import (
	"errors"
	"testing"

	"squall/engine/document"
)

func TestChanges(t *testing.T) {
	set := func(path, raw string) func(string) (Change, error) {
		return func(text string) (Change, error) { return Set(text, path, raw) }
	}
	remove := func(path string) func(string) (Change, error) {
		return func(text string) (Change, error) { return Remove(text, path) }
	}
	for _, c := range []struct {
		name, text string
		change     func(string) (Change, error)
		want       string
	}{
		{"a value", `{ "a": 1 /* one */, "b": 2 }`, set("a", "7"), `{ "a": 7 /* one */, "b": 2 }`},
		{"a deep value", `{"x": [ {"y": "1s"}, {"y": "2s"} ]}`, set("x[1].y", `"3s"`), `{"x": [ {"y": "1s"}, {"y": "3s"} ]}`},
		{"a new key in a line", `{ "a": 1 }`, set("b", "2"), `{ "a": 1, "b": 2 }`},
		{"a new key on a line", "{\n  \"a\": 1 // one\n}", set("b", "2"), "{\n  \"a\": 1,\n  \"b\": 2 // one\n}"},
		{"a new key before a trailing comma", `{ "a": 1, }`, set("b", "2"), `{ "a": 1, "b": 2, }`},
		{"a new key in nothing", `{ "p": {} }`, set("p.b", "2"), `{ "p": { "b": 2 } }`},
		{"a new key beside a comment", `{ "p": { /* no */ } }`, set("p.b", "2"), `{ "p": { /* no */  "b": 2 } }`},
		{"a whole branch", `{ "a": 1 }`, set("policy.breaker.adaptive", "false"), `{ "a": 1, "policy": { "breaker": { "adaptive": false } } }`},
		{"through null", `{ "breaker": null }`, set("breaker.adaptive", "false"), `{ "breaker": { "adaptive": false } }`},
		{"a quoted key", `{ "s": { "a b": 1 } }`, set(`s["c d"].e`, "2"), `{ "s": { "a b": 1, "c d": { "e": 2 } } }`},
		{"the next item", `{ "l": [ 1 ] }`, set("l[1]", "2"), `{ "l": [ 1, 2 ] }`},
		{"a first key of several", "{\n  \"a\": 1,\n  \"b\": 2\n}", remove("a"), "{\n  \"b\": 2\n}"},
		{"remove in a line", `{ "a": 1, "b": 2 }`, remove("a"), `{ "b": 2 }`},
		{"remove the last", `{ "a": 1, "b": 2 }`, remove("b"), `{ "a": 1 }`},
		{"remove the last of lines", "{\n  \"a\": 1, // one\n  \"b\": 2\n}", remove("b"), "{\n  \"a\": 1, // one\n  \n}"},
		{"remove the only", `{ "a": { "b": 1 } }`, remove("a.b"), `{ "a": {  } }`},
		{"remove an item", `[ 1, 2, 3 ]`, remove("[1]"), `[ 1, 3 ]`},
		{"remove before a trailing comma", `{ "a": 1, "b": 2, }`, remove("b"), `{ "a": 1, }`},
		{"append", `{ "l": [ 1 ] }`, func(s string) (Change, error) { return Append(s, "l", "2") }, `{ "l": [ 1, 2 ] }`},
		{"append to nothing", `{ }`, func(s string) (Change, error) { return Append(s, "d.l", "2") }, `{ "d": { "l": [ 2 ] } }`},
		{"rename", `{ "a": { "old": 1 } }`, func(s string) (Change, error) { return Rename(s, "a.old", `n"w`) }, `{ "a": { "n\"w": 1 } }`},
	} {
		t.Run(c.name, func(t *testing.T) {
			change, err := c.change(c.text)
			if err != nil {
				t.Fatal(err)
			}
			got := change.Apply(c.text)
			if got != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if _, problems := document.Parse([]byte(got), document.Limits{}); len(problems) > 0 {
				t.Errorf("no JSON any more: %v", problems)
			}
		})
	}
}

func TestNoChange(t *testing.T) {
	if _, err := Set(`{ "a": `, "a", "1"); !errors.Is(err, ErrNotJSON) {
		t.Errorf("a broken text: %v", err)
	}
	for _, path := range []string{"l[5]", "l.x", "o[0]", "a..b", "l[x]"} {
		if c, err := Set(`{ "l": [ 1 ], "o": {} }`, path, "1"); !errors.Is(err, ErrNoPlace) {
			t.Errorf("%s: %v %v", path, c, err)
		}
	}
	if _, err := Remove(`{ "a": 1 }`, "b"); !errors.Is(err, ErrNoPlace) {
		t.Errorf("remove nothing: %v", err)
	}
	if got := Value(`{ "a": { "b": "x" } }`, "a.c"); got != "" {
		t.Errorf("nothing is %q", got)
	}
}

func TestUTF16(t *testing.T) {
	text := `{ "é": "😀", "b": 1 }`
	c, err := Set(text, "b", "2")
	if err != nil {
		t.Fatal(err)
	}
	if from, to := c.UTF16(text); from != 18 || to != 19 {
		t.Errorf("got %d to %d", from, to)
	}
}

// Whatever the text, a change that is made leaves a document whose value is what was set.
func FuzzSet(f *testing.F) {
	f.Add(`{ "a": [ 1, { "b": null, }, ], /* c */ }`, `a[1].b.c`)
	f.Add(`{}`, `x["y z"].w`)
	f.Fuzz(func(t *testing.T, text, path string) {
		c, err := Set(text, path, "17")
		if err != nil {
			return
		}
		after := c.Apply(text)
		if _, problems := document.Parse([]byte(after), document.Limits{Depth: 10_000}); len(problems) > 0 {
			t.Fatalf("%q at %q gave %q: %v", text, path, after, problems)
		}
	})
}
