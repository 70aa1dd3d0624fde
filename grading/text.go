package grading

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	// textWidth is where the lines of the text are broken, between words.
	textWidth = 100
	// What fits on one screen: findings of a group, and chaos rules. The JSON has them all.
	textFindings = 5
	textRules    = 20
)

// Text is the grade on one screen. With a baseline it says how each letter changed, and what else
// changed since.
func (r *Report) Text(baseline *Baseline) string {
	var t screen
	for i := range r.Services {
		if i > 0 {
			t.line("")
		}
		t.service(&r.Services[i], baseline)
	}
	if len(r.Services) > 1 || r.Overall != NoLetter {
		t.line("")
		t.line("Overall " + r.Overall.String())
	}
	for i := range r.Unused {
		a := &r.Unused[i]
		t.wrap("", "Accepted but not found: "+a.Check.String()+" at "+a.Endpoint+" under "+a.Rule+inService(a.Service)+".")
	}
	return t.String()
}

func inService(service string) string {
	if service == "" {
		return ""
	}
	return " in " + service
}

// screen is text that grows line by line.
type screen struct{ strings.Builder }

func (t *screen) line(s string) {
	t.WriteString(strings.TrimRight(s, " "))
	t.WriteByte('\n')
}

// wrap writes words behind a first indent, broken into lines that are indented as far.
func (t *screen) wrap(indent, text string) {
	margin := strings.Repeat(" ", utf8.RuneCountInString(indent))
	line, empty := indent, true
	for word := range strings.SplitSeq(oneLine(text), " ") {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > textWidth {
			t.line(line)
			line, empty = margin, true
		}
		if !empty {
			line += " "
		}
		line, empty = line+word, false
	}
	t.line(line)
}

func (t *screen) service(s *ServiceReport, baseline *Baseline) {
	head := "Resilience of " + s.Service + ": " + s.Letter.String()
	if s.NA == "" {
		head += ", " + s.Measure.Text
	}
	head += " (" + s.Role.String() + ")"
	t.wrap("", head+trend(s, baseline))
	if s.NA != "" {
		t.wrap("  ", s.Detail)
		t.rules(s)
		return
	}
	t.wrap("  ", s.Detail)
	t.wrap("  ", s.Threshold)
	t.line("")
	for _, row := range s.numbers() {
		t.wrap("  "+pad(row.name, 28), row.value)
	}
	t.findings(s)
	if len(s.Steps) > 0 {
		t.line("")
		t.line("  What moves the letter")
		for i := range s.Steps {
			t.wrap("    "+strconv.Itoa(i+1)+". ", s.Steps[i].Sentence)
		}
	}
	t.rules(s)
}

// trend is how a letter compares with the baseline's, and the mark of what else changed.
func trend(s *ServiceReport, baseline *Baseline) string {
	if baseline == nil {
		return ""
	}
	before := baseline.of(s.Service)
	if before == nil {
		return ", not in the baseline"
	}
	text := ", was " + before.letter.String()
	if mark := baseline.Mark(s); mark != "" {
		text += " [" + mark + "]"
	}
	return text
}

func (t *screen) findings(s *ServiceReport) {
	for _, g := range s.groups() {
		t.line("")
		t.line("  " + g[0].Group.String())
		for i := range g[:min(len(g), textFindings)] {
			t.wrap("    "+pad(strconv.Itoa(g[i].Count)+"x", 6), g[i].Sentence+g[i].because())
		}
		t.more("    ", len(g)-textFindings, "finding", "findings")
	}
}

// more says how many entries were left out, if any were.
func (t *screen) more(indent string, n int, one, many string) {
	if n > 0 {
		t.line(indent + "and " + plural(n, "more "+one, "more "+many))
	}
}

// groups are the findings by group, in the order of the report.
func (s *ServiceReport) groups() [][]Finding {
	var all [][]Finding
	for rest := s.Findings; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Group == rest[0].Group {
			n++
		}
		all, rest = append(all, rest[:n]), rest[n:]
	}
	return all
}

// because is the reason of an accepted finding, behind its sentence.
func (f *Finding) because() string {
	if f.Group != GroupAccepted {
		return ""
	}
	return " Accepted: " + f.Accepted
}

func (t *screen) rules(s *ServiceReport) {
	if len(s.Rules) == 0 {
		return
	}
	t.line("")
	table := [][]string{{"Chaos rule", "Effects", "Matched", "Fired", "Requests", "Handled", ""}}
	for i := range s.Rules[:min(len(s.Rules), textRules)] {
		table = append(table, s.Rules[i].cells())
	}
	widths := make([]int, len(table[0]))
	for _, row := range table {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell))
		}
	}
	for _, row := range table {
		line := "  "
		for i, cell := range row {
			if space := widths[i] - utf8.RuneCountInString(cell); firstCount <= i && i <= lastCount {
				line += strings.Repeat(" ", space) + cell + "  "
			} else {
				line += pad(cell, widths[i]+2)
			}
		}
		t.line(line)
	}
	t.more("  ", len(s.Rules)-textRules, "chaos rule", "chaos rules")
}

// The cells of a rule that are counts.
const firstCount, lastCount = 2, 5

// cells are a rule's line of the table: name, effects, matched, fired, requests, handled, shadow.
func (r *RuleReport) cells() []string {
	matched := "not reported"
	if r.Rule.HasMatched {
		matched = strconv.Itoa(r.Rule.Matched)
	}
	effects := make([]string, len(r.Rule.Effects))
	for i := range effects {
		effects[i] = effectText(&r.Rule.Effects[i])
	}
	shadow := ""
	if r.ShadowedBy != "" {
		shadow = "shadowed by " + r.ShadowedBy
	}
	return []string{oneLine(r.Rule.Name), oneLine(strings.Join(effects, ", ")), matched, strconv.Itoa(r.Fired),
		strconv.Itoa(r.Faulted), strconv.Itoa(r.Handled), oneLine(shadow)}
}

// number is a named figure of a service.
type number struct{ name, value string }

// numbers are the four figures of the detail, the faults, the buckets and the bounds.
func (s *ServiceReport) numbers() []number {
	m, f, b, c := &s.Measure, &s.Faults, &s.Buckets, &s.Recovery
	latency := "none to judge"
	if s.Worst.HasLatency {
		latency = figure(s.Worst.LatencyAmplification) + "x the injected delay"
	}
	recovery := strconv.Itoa(c.Recovered) + " of " + strconv.Itoa(c.Recovered+c.NotRecovered)
	if c.Unknown > 0 {
		recovery += ", " + strconv.Itoa(c.Unknown) + " unknown"
	}
	return []number{
		{"Faults handled", strconv.Itoa(m.Handled) + " of " + plural(m.Windows, "request", "requests")},
		{"Worst retry amplification", figure(s.Worst.RetryAmplification) + " beyond the usual attempts"},
		{"Worst latency amplification", latency},
		{"Recovery", recovery},
		{"Faults injected", strconv.Itoa(f.Injected) + ", " + strconv.Itoa(f.Paired) + " paired" + f.labels()},
		{"Not handled", strconv.Itoa(b.ErrorPassedThrough) + " passed the error through, " + strconv.Itoa(b.UnboundedRetries) +
			" retried too often, " + strconv.Itoa(b.LatencyAmplification) + " ran too long"},
		{"Bounds", plural(s.Bounds.MaxRetries, "retry", "retries") + ", " + s.Bounds.MaxLatencyAmplification.String() +
			"x the delay, " + duration(s.Bounds.RecoveryWindow.Nanoseconds()) + " to recover"},
	}
}

// labels are how the perturbed calls were paired, those ways that occurred.
func (f *Faults) labels() string {
	var ways []string
	for _, way := range []struct {
		n    int
		text string
	}{{f.Span, "by span"}, {f.Trace, "by trace"}, {f.TraceAmbiguous, "by an ambiguous trace"}, {f.InFlight, "in flight"}} {
		if way.n > 0 {
			ways = append(ways, strconv.Itoa(way.n)+" "+way.text)
		}
	}
	return " (" + strings.Join(ways, ", ") + ")"
}

// figure is a ratio with at most two decimals. It is for reading: the report has the exact one.
func figure(x float64) string {
	whole, part, _ := strings.Cut(strconv.FormatFloat(x, 'f', 2, 64), ".")
	if part = strings.TrimRight(part, "0"); part == "" {
		return whole
	}
	return whole + "." + part
}

func pad(s string, width int) string {
	return s + strings.Repeat(" ", max(width-utf8.RuneCountInString(s), 0))
}

// oneLine keeps text of a document from breaking lines of the output and from steering a terminal.
func oneLine(s string) string {
	line := strings.Join(strings.Fields(s), " ")
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return unicode.ReplacementChar
		}
		return r
	}, line)
}
