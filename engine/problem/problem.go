// Package problem is how every layer says what is wrong with a value that a person wrote:
// all problems at once, each with the path of the setting it is about.
package problem

import (
	"strings"

	"squall/engine/ticks"
)

// Problem is one thing that is wrong. Path is relative to the value that was checked and uses
// the keys of a scenario ("attemptCeiling.floor", "impairments[1].brownout.slower"); it is empty
// when the whole value is meant. Message is a sentence that names the offending value and says
// what would be right.
type Problem struct {
	Path    string
	Message string
}

// List is every problem of a value in the order of its rules; it is an error when not empty.
type List []Problem

// Add appends one problem.
func (l *List) Add(path, message string) { *l = append(*l, Problem{path, message}) }

// AtLeastOne appends a problem when a count is less than that.
func (l *List) AtLeastOne(path string, n int) {
	if n < 1 {
		l.Add(path, Sprintf("is %d; it must be at least 1", n))
	}
}

// Positive appends a problem when a span is not.
func (l *List) Positive(path string, t ticks.Ticks) {
	if t <= 0 {
		l.Add(path, Sprintf("is %s; it must be positive", t))
	}
}

// Under appends the problems of a part that stands at prefix.
func (l *List) Under(prefix string, part List) {
	for _, p := range part {
		*l = append(*l, Problem{Join(prefix, p.Path), p.Message})
	}
}

// Join puts a relative path behind the path of what holds it.
func Join(prefix, path string) string {
	if prefix == "" || path == "" || strings.HasPrefix(path, "[") {
		return prefix + path
	}
	return prefix + "." + path
}

// Err is the list as an error, or nil when it is empty.
func (l List) Err() error {
	if len(l) == 0 {
		return nil
	}
	return l
}

func (l List) Error() string {
	var b strings.Builder
	for i, p := range l {
		if i > 0 {
			b.WriteByte('\n')
		}
		if p.Path != "" {
			b.WriteString(p.Path)
			b.WriteString(": ")
		}
		b.WriteString(p.Message)
	}
	return b.String()
}
