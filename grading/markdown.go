package grading

import (
	"strconv"
	"strings"
)

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
	for i := range s.Findings {
		f := &s.Findings[i]
		if i == 0 || f.Group != s.Findings[i-1].Group {
			b.WriteString("\n**" + f.Group.String() + "**\n\n")
		}
		b.WriteString("- " + strconv.Itoa(f.Count) + "x " + escape(f.Sentence+f.because()) + "\n")
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
	for i := range s.Rules {
		b.WriteByte('|')
		for _, cell := range s.Rules[i].cells() {
			if cell != "" {
				b.WriteString(" " + escape(cell))
			}
			b.WriteString(" |")
		}
		b.WriteByte('\n')
	}
}

// escape makes text stand in Markdown as it is, on one line.
func escape(text string) string {
	var b strings.Builder
	for _, c := range []byte(oneLine(text)) {
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
			b.WriteString("&#64;") // no mention of whoever has that name
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
