// Package document reads JSON that people write: comments and trailing commas are accepted, every
// value knows where it stands, and everything that is wrong is said at once, with its path, line
// and column (scenario.md 1).
//
// Parse checks the whole text for syntax first and never recurses. After that, gjson walks the
// same text with comments blanked out, so every offset is an offset of what the person wrote, and
// nothing of the document is copied into a tree. The methods of Value turn JSON into Go values and
// collect what does not fit:
//
//	doc, problems := document.Parse(text, document.Limits{})
//	if len(problems) > 0 {
//		return problems // the text is no JSON
//	}
//	o := doc.Root().Object("name", "retries")
//	name, _ := o.Need("name").Text()
//	retries, ok := o.Get("retries").Int(0, 10)
//	return doc.Problems()
package document

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
)

// Problem is one thing that is wrong with a document.
type Problem struct {
	// Path is where it is ("services.checkout.calls[1].policy"), empty for the whole document.
	Path string
	// Line and Column count from 1; columns are UTF-8 bytes.
	Line, Column int
	// Message is a sentence that says what is wrong and what would be right.
	Message string
	// Offset and Length are the bytes that are meant, for an editor to underline.
	Offset, Length int
}

// String is "LINE:COLUMN: PATH: MESSAGE".
func (p Problem) String() string {
	at := strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column) + ": "
	if p.Path != "" {
		at += p.Path + ": "
	}
	return at + p.Message
}

// Limits bound the work that a text can ask for. A zero field takes its default.
type Limits struct {
	// Bytes is the length of the text, 1 MiB by default and never above 1 GiB.
	Bytes int
	// Depth is how many lists and objects may stand inside each other, 64 by default.
	Depth int
	// Problems is how many are reported before "and N more", 200 by default.
	Problems int
}

const bytesMax = 1 << 30

func (l Limits) orDefault() Limits {
	if l.Bytes <= 0 {
		l.Bytes = 1 << 20
	}
	l.Bytes = min(l.Bytes, bytesMax)
	if l.Depth <= 0 {
		l.Depth = 64
	}
	if l.Problems <= 0 {
		l.Problems = 200
	}
	return l
}

// Document is a text that was parsed, and the problems that were found in it so far.
type Document struct {
	// clean is the text with comments, trailing commas and a byte order mark turned into spaces:
	// plain JSON of the same length.
	clean string
	// begin and end are where the root value stands.
	begin, end int
	limits     Limits
	lines      []int // where each line begins; made when a position is asked for
	problems   []Problem
	more       int
}

// Parse checks that text is one JSON value with comments and trailing commas. A text that is not
// has one problem, its first, and a root that does not exist.
func Parse(text []byte, limits Limits) (*Document, []Problem) {
	d := &Document{limits: limits.orDefault()}
	if len(text) > d.limits.Bytes {
		d.problems = []Problem{{Line: 1, Column: 1, Message: "the document has " + strconv.Itoa(len(text)) +
			" bytes; at most " + strconv.Itoa(d.limits.Bytes) + " are read"}}
		return d, d.problems
	}
	s := scanner{text: slices.Clone(text), depthMax: d.limits.Depth}
	wrong := s.scan()
	d.clean = string(s.text)
	if wrong != nil {
		d.begin, d.end = 0, 0
		d.add(wrong.offset, wrong.length, "", wrong.message)
		return d, d.problems
	}
	d.begin, d.end = s.begin, s.end
	return d, nil
}

// Root is the outermost value.
func (d *Document) Root() Value {
	if d.begin == d.end {
		return Value{doc: d}
	}
	return Value{doc: d, kind: kindOf(d.clean[d.begin]), offset: int32(d.begin), end: int32(d.end), keyOffset: -1}
}

// Position is the line and column of a byte of the text, both from 1, columns in bytes.
func (d *Document) Position(offset int) (line, column int) {
	if d.lines == nil {
		d.lines = append(d.lines, 0)
		for i := range len(d.clean) {
			if d.clean[i] == '\n' {
				d.lines = append(d.lines, i+1)
			}
		}
	}
	offset = min(max(offset, 0), len(d.clean))
	n := sort.SearchInts(d.lines, offset+1)
	return n, offset - d.lines[n-1] + 1
}

// Problems is everything that was found wrong, in the order of the text; problems of one place
// keep the order of their rules.
func (d *Document) Problems() []Problem {
	sorted := slices.Clone(d.problems)
	slices.SortStableFunc(sorted, func(a, b Problem) int { return cmp.Compare(a.Offset, b.Offset) })
	if d.more > 0 {
		last := sorted[len(sorted)-1]
		sorted = append(sorted, Problem{Line: last.Line, Column: last.Column, Offset: last.Offset,
			Message: "and " + strconv.Itoa(d.more) + " more problems"})
	}
	return sorted
}

// full tells that further problems are only counted, so that nobody words them in vain.
func (d *Document) full() bool { return len(d.problems) >= d.limits.Problems }

func (d *Document) add(offset, length int, path, message string) {
	if d.full() {
		d.more++
		return
	}
	line, column := d.Position(offset)
	d.problems = append(d.problems, Problem{Path: path, Line: line, Column: column, Message: message, Offset: offset, Length: length})
}
