package policy

import (
	"strings"

	"squall/engine/problem"
	"squall/engine/ticks"
)

// String lays an explanation out as text, in blocks with an empty line between them
// (executor.md 19.5). Lines end in LF and the last line has none.
func (e Explanation) String() string {
	blocks := []string{e.Headline}
	if len(e.Problems) > 0 {
		var lines []string
		for _, p := range e.Problems {
			lines = append(lines, wrapped(sentence(p), textWidth-contentColumn)...)
		}
		blocks = append(blocks, labelled("Problems:", lines))
	}
	measured := columns(e.measuredRows())
	classifier := []string{e.Classifier}
	for _, line := range columns(e.ruleRows()) {
		classifier = append(classifier, strings.Repeat(" ", nestedColumn-contentColumn)+line)
	}
	blocks = append(blocks,
		labelled("Bound first by:", prose(e.BoundText)),
		e.Walk.block(),
		labelled("Load:", prose(e.Load.Text)),
		labelled("Measured now:", measured),
		labelled("Breaker:", prose(e.Breaker)),
		labelled("Classifier:", classifier))
	return strings.Join(blocks, "\n\n")
}

// Describe is the text for a policy that cannot be used: a heading, each problem, and, unless its
// calls are unbounded, how long a call could take (executor.md 2.11).
func Describe(problems problem.List, s *Settings) string {
	var b strings.Builder
	b.WriteString(problem.Sprintf("%s has %s", title(s), count(len(problems), "problem")))
	for _, p := range problems {
		b.WriteString("\n  - " + sentence(p))
	}
	if e := Explain(s, Readings{}); e.Walk.Stop != BoundNothing {
		b.WriteString("\n\n" + e.Headline + "\n\n" + e.Walk.block())
	}
	return b.String()
}

func (e *Explanation) measuredRows() [][]string {
	var rows [][]string
	for _, m := range e.Measured {
		value := "-"
		if m.Known {
			value = compact(m.Value)
		}
		rows = append(rows, []string{m.Name, value, m.Note})
	}
	if e.MeasuredNote != "" {
		rows = append(rows, []string{e.MeasuredNote})
	}
	return rows
}

func (e *Explanation) ruleRows() [][]string {
	var rows [][]string
	for _, r := range e.Rules {
		rows = append(rows, []string{r.Of, r.Verdict})
	}
	return rows
}

// block is the walk as rows, the notes below them.
func (w *Walk) block() string {
	var rows [][]string
	for _, r := range w.Rows {
		rows = append(rows, r.cells())
	}
	for _, note := range w.Notes {
		rows = append(rows, []string{note})
	}
	return labelled("Worst case:", columns(rows))
}

// cells are the columns of a row: what, when, and why.
func (r *WalkRow) cells() []string {
	what, when := r.Kind.String(), since(r.From)
	switch r.Kind {
	case RowAttempt:
		what = problem.Sprintf("attempt %d", r.Number)
		when += " -> "
		if r.To == ticks.Infinite {
			when += "open"
		} else {
			when += since(r.To)
		}
	case RowBackoff:
		when = problem.Sprintf("+%s -> %s", compact(r.Shortest), compact(r.To-r.From))
	case RowElided:
		if r.To != ticks.Infinite {
			return []string{"... " + r.Note}
		}
		what = "and so on"
	}
	if r.Note == "" {
		return []string{what, when}
	}
	return []string{what, when, r.Note}
}

// sentence joins a problem and what it is about.
func sentence(p problem.Problem) string {
	if p.Path == "" {
		return p.Message
	}
	return p.Path + " " + p.Message
}

func prose(text string) []string { return wrapped(text, textWidth-contentColumn) }
