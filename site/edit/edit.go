// Package edit changes one value of a scenario's text and leaves the rest of the text as it was
// written: comments, order, spaces and trailing commas. It is how the form writes.
//
// Paths are those of problems: `services["a b"].calls[1].policy.deadline`.
package edit

import (
	"errors"
	"strconv"
	"strings"
	"unicode/utf8"

	"squall/engine/document"
)

// Errors of a change. The text is then left alone.
var (
	ErrNotJSON = errors.New("the text is no JSON, so the form cannot change it")
	ErrNoPlace = errors.New("there is no such place in the text")
)

// limits let recordings be changed too; what a scenario may be its reader says.
var limits = document.Limits{Bytes: 64 << 20}

// Change puts Insert where the bytes From to To of a text were.
type Change struct {
	From, To int
	Insert   string
}

// Apply is the text after the change.
func (c Change) Apply(text string) string { return text[:c.From] + c.Insert + text[c.To:] }

// UTF16 are From and To as an editor of the browser counts them: in UTF-16 code units.
func (c Change) UTF16(text string) (from, to int) {
	from = UTF16(text, c.From)
	return from, from + UTF16(text[c.From:], c.To-c.From)
}

// UTF16 turns an offset in bytes into one in UTF-16 code units.
func UTF16(text string, offset int) int {
	n := 0
	for _, r := range text[:min(max(offset, 0), len(text))] {
		n++
		if r > 0xffff {
			n++
		}
	}
	return n
}

// Value is the JSON that stands at a path, comments blanked, or "" when nothing was written there.
func Value(text, path string) string {
	d, problems := document.Parse([]byte(text), limits)
	if len(problems) > 0 {
		return ""
	}
	if v := d.Root().Find(path); v.Path() == path {
		return text[v.Offset():v.End()]
	}
	return ""
}

// Set writes raw, which is JSON, at a path. What is missing on the way is made: objects, and an
// item one behind the end of a list. A value on the way that can hold nothing is replaced.
func Set(text, path, raw string) (Change, error) {
	found, err := find(text, path)
	if err != nil {
		return Change{}, err
	}
	steps, err := split(path[len(found.Path()):])
	if err != nil {
		return Change{}, err
	}
	if len(steps) == 0 {
		return Change{found.Offset(), found.End(), raw}, nil
	}
	first := steps[0]
	for i := len(steps) - 1; i > 0; i-- {
		raw = steps[i].wrap(raw)
	}
	switch {
	case first.key != "" && found.Kind() == document.Object:
		return add(text, found, string(document.AppendText(nil, first.key))+": "+raw), nil
	case first.key == "" && found.Kind() == document.List:
		if first.index != count(found) {
			return Change{}, ErrNoPlace
		}
		return add(text, found, raw), nil
	case found.Kind() == document.Object || found.Kind() == document.List:
		return Change{}, ErrNoPlace
	}
	return Change{found.Offset(), found.End(), first.wrap(raw)}, nil
}

// Append writes raw behind the last item of the list at a path, which is made when it is missing.
func Append(text, path, raw string) (Change, error) {
	found, err := find(text, path)
	if err != nil {
		return Change{}, err
	}
	if found.Path() == path && found.Kind() == document.List {
		return add(text, found, raw), nil
	}
	return Set(text, path, "[ "+raw+" ]")
}

// Rename gives the member at a path another key.
func Rename(text, path, key string) (Change, error) {
	found, err := find(text, path)
	if err != nil {
		return Change{}, err
	}
	at := found.KeyOffset()
	if found.Path() != path || at < 0 {
		return Change{}, ErrNoPlace
	}
	end := at + strings.LastIndexByte(text[at:found.Offset()], '"') + 1
	return Change{at, end, string(document.AppendText(nil, key))}, nil
}

// Remove takes the member or item at a path out of the text, with its comma.
func Remove(text, path string) (Change, error) {
	found, err := find(text, path)
	if err != nil {
		return Change{}, err
	}
	if found.Path() != path || path == "" {
		return Change{}, ErrNoPlace
	}
	from := found.Offset()
	if found.KeyOffset() >= 0 {
		from = found.KeyOffset()
	}
	to := found.End()
	if comma := next(text, to); comma < len(text) && text[comma] == ',' {
		to = comma + 1
		return Change{from, blankTo(text, from, to), ""}, nil
	}
	// The last one: the comma before it goes too, what is said between them stays.
	before := strings.TrimRight(text[:from], " \t\r\n")
	if strings.HasSuffix(before, ",") {
		return Change{len(before) - 1, to, ""}, nil
	}
	return Change{from, to, ""}, nil
}

// blankTo is how far a removed member reaches: to the end of its line when it had that for itself,
// else over the spaces behind it.
func blankTo(text string, from, to int) int {
	lineBegins := strings.TrimRight(text[:from], " \t")
	alone := lineBegins == "" || strings.HasSuffix(lineBegins, "\n")
	end := to + len(text[to:]) - len(strings.TrimLeft(text[to:], " \t"))
	if !alone {
		return end
	}
	if strings.HasPrefix(text[end:], "\n") || strings.HasPrefix(text[end:], "\r\n") {
		rest := strings.TrimLeft(text[end:], " \t\r\n")
		return len(text) - len(rest)
	}
	return end
}

func find(text, path string) (document.Value, error) {
	d, problems := document.Parse([]byte(text), limits)
	if len(problems) > 0 || !d.Root().Exists() || !utf8.ValidString(text) {
		return document.Value{}, ErrNotJSON
	}
	return d.Root().Find(path), nil
}

func count(list document.Value) int {
	n := 0
	for range list.Items() {
		n++
	}
	return n
}

// add writes a member or item behind the last one of an object or list, in the way that the others
// are written: each on a line of its own, or all in one.
func add(text string, in document.Value, entry string) Change {
	last, begin := -1, -1
	for _, member := range in.Members() {
		last, begin = member.End(), member.KeyOffset()
	}
	for item := range in.Items() {
		last, begin = item.End(), item.Offset()
	}
	if last < 0 {
		inside := text[in.Offset()+1 : in.End()-1]
		if strings.TrimSpace(inside) == "" {
			return Change{in.Offset() + 1, in.End() - 1, " " + entry + " "}
		}
		return Change{in.End() - 1, in.End() - 1, " " + entry + " "} // a comment stands inside
	}
	line := strings.LastIndexByte(text[:begin], '\n') + 1
	if indent := text[line:begin]; line > in.Offset() && strings.TrimSpace(indent) == "" {
		return Change{last, last, ",\n" + indent + entry}
	}
	return Change{last, last, ", " + entry}
}

// next is the first byte at or behind offset that is neither space nor comment.
func next(text string, offset int) int {
	for offset < len(text) {
		rest := text[offset:]
		switch {
		case strings.HasPrefix(rest, "//"):
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				return len(text)
			}
			offset += end + 1
		case strings.HasPrefix(rest, "/*"):
			end := strings.Index(rest[2:], "*/")
			if end < 0 {
				return len(text)
			}
			offset += end + 4
		case strings.ContainsRune(" \t\r\n", rune(rest[0])):
			offset++
		default:
			return offset
		}
	}
	return offset
}

// step is one part of a path: a key, or an index.
type step struct {
	key   string
	index int
}

func (s step) wrap(raw string) string {
	if s.key == "" {
		return "[ " + raw + " ]"
	}
	return "{ " + string(document.AppendText(nil, s.key)) + ": " + raw + " }"
}

func split(path string) ([]step, error) {
	var steps []step
	for path != "" {
		switch {
		case strings.HasPrefix(path, `["`):
			quoted, err := strconv.QuotedPrefix(path[1:])
			if err != nil || !strings.HasPrefix(path[1+len(quoted):], "]") {
				return nil, ErrNoPlace
			}
			key, err := strconv.Unquote(quoted)
			if err != nil {
				return nil, ErrNoPlace
			}
			steps = append(steps, step{key: key})
			path = path[len(quoted)+2:]
		case path[0] == '[':
			digits, rest, ok := strings.Cut(path[1:], "]")
			n, err := strconv.Atoi(digits)
			if !ok || err != nil {
				return nil, ErrNoPlace
			}
			steps = append(steps, step{index: n})
			path = rest
		default:
			path = strings.TrimPrefix(path, ".")
			end := strings.IndexAny(path, ".[")
			if end < 0 {
				end = len(path)
			}
			if end == 0 {
				return nil, ErrNoPlace
			}
			steps = append(steps, step{key: path[:end]})
			path = path[end:]
		}
	}
	return steps, nil
}

// Key is a path's last part for a key, quoted where a path needs it: Key("services", "a b").
func Key(parent, key string) string {
	plain := key != ""
	for i := range len(key) {
		c := key[i]
		plain = plain && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-')
	}
	switch {
	case !plain:
		return parent + "[" + string(document.AppendText(nil, key)) + "]"
	case parent == "":
		return key
	}
	return parent + "." + key
}
