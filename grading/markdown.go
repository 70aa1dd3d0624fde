package grading

import (
	"strconv"
	"strings"
)

// What fits into a comment: findings of a group, and chaos rules. The JSON has them all.
const markdownFindings, markdownRules = 20, 50

// Markdown is the grade as a comment for a pull request. With a baseline it says how each letter
// changed. Text of the input is escaped: it can neither format nor link.
func (r *Report) Markdown(baseline *Baseline) string {
	var b strings.Builder
	for i := range r.Services {
		if i > 0 {
			b.WriteByte('\n')
		}
		r.Services[i].markdown(&b, baseline)
	}
	if len(r.Services) > 1 || r.Overall != NoLetter {
		b.WriteString("\n**Overall: " + r.Overall.String() + "**\n")
	}
	if len(r.Unused) > 0 {
		b.WriteString("\nAccepted but not found:\n\n")
	}
	for i := range r.Unused {
		a := &r.Unused[i]
		b.WriteString("- " + escape(a.Check.String()+" at "+a.Endpoint+" under "+a.Rule+inService(a.Service)) + "\n")
	}
	return b.String()
}

func (s *ServiceReport) markdown(b *strings.Builder, baseline *Baseline) {
	b.WriteString("### Resilience of " + escape(s.Service) + ": " + s.Letter.String())
	if s.NA == "" {
		b.WriteString(", " + escape(s.Measure.Text))
	}
	b.WriteString("\n\n")
	if text := strings.TrimPrefix(trend(s, baseline), ", "); text != "" {
		b.WriteString("Trend: " + escape(text) + ". ")
	}
	b.WriteString(escape(s.Detail) + "\n")
	if s.NA == "" {
		b.WriteString("\n" + escape(s.Threshold) + " Role: " + s.Role.String() + ".\n\n| | |\n| --- | --- |\n")
		for _, row := range s.numbers() {
			b.WriteString("| " + row.name + " | " + escape(row.value) + " |\n")
		}
	}
	for _, g := range s.groups() {
		b.WriteString("\n**" + g[0].Group.String() + "**\n\n")
		for i := range g[:min(len(g), markdownFindings)] {
			b.WriteString("- " + strconv.Itoa(g[i].Count) + "x " + escape(g[i].Sentence+g[i].because()) + "\n")
		}
		if more := len(g) - markdownFindings; more > 0 {
			b.WriteString("- and " + plural(more, "more finding", "more findings") + "\n")
		}
	}
	if len(s.Steps) > 0 {
		b.WriteString("\n**What moves the letter**\n\n")
	}
	for i := range s.Steps {
		b.WriteString(strconv.Itoa(i+1) + ". " + escape(s.Steps[i].Sentence) + "\n")
	}
	if len(s.Rules) == 0 {
		return
	}
	b.WriteString("\n| Chaos rule | Effects | Matched | Fired | Requests | Handled | |\n| --- | --- | ---: | ---: | ---: | ---: | --- |\n")
	for i := range s.Rules[:min(len(s.Rules), markdownRules)] {
		b.WriteByte('|')
		for _, cell := range s.Rules[i].cells() {
			if cell != "" {
				b.WriteString(" " + escape(cell))
			}
			b.WriteString(" |")
		}
		b.WriteByte('\n')
	}
	if more := len(s.Rules) - markdownRules; more > 0 {
		b.WriteString("\nand " + plural(more, "more chaos rule", "more chaos rules") + "\n")
	}
}

// escape makes text stand in Markdown as it is, on one line.
func escape(text string) string {
	var b strings.Builder
	line := oneLine(text)
	for i, c := range []byte(line) {
		switch c {
		case '\\', '`', '*', '_', '[', ']', '|', '~', '#', '$':
			b.WriteByte('\\')
			b.WriteByte(c)
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		case '@':
			// Before a letter it would mention whoever has that name.
			if i+1 < len(line) && line[i+1]|0x20 >= 'a' && line[i+1]|0x20 <= 'z' {
				b.WriteString("&#64;")
			} else {
				b.WriteByte(c)
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
