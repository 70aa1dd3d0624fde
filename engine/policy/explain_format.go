package policy

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"squall/engine/ticks"
)

const (
	labelColumn   = 2
	contentColumn = 19
	nestedColumn  = contentColumn + 2
	textWidth     = 96
)

// decimals writes x with at least least and at most most decimals (executor.md 19.2). The 15
// significant digits of x are what is rounded, half away from zero, so that 2.675 becomes 2.68
// although its double lies below the tie.
func decimals(x float64, least, most int) string {
	text := strconv.FormatFloat(x, 'e', 14, 64)
	mantissa, exponent, ok := strings.Cut(text, "e")
	if !ok {
		return text // not a finite number
	}
	negative := strings.HasPrefix(mantissa, "-")
	digits := strings.Replace(strings.TrimPrefix(mantissa, "-"), ".", "", 1)
	e, _ := strconv.Atoi(exponent)
	whole := 1 + max(e, 0) // digits before the point
	digits = strings.Repeat("0", max(-e, 0)) + digits
	digits += strings.Repeat("0", max(whole+most+1-len(digits), 0))
	kept := []byte(digits[:whole+most])
	if digits[whole+most] >= '5' {
		i := len(kept) - 1
		for ; i >= 0 && kept[i] == '9'; i-- {
			kept[i] = '0'
		}
		if i >= 0 {
			kept[i]++
		} else {
			kept = append([]byte{'1'}, kept...)
			whole++
		}
	}
	end := len(kept)
	for end > whole+least && kept[end-1] == '0' {
		end--
	}
	var b []byte
	if negative && strings.Trim(string(kept), "0") != "" {
		b = append(b, '-')
	}
	b = append(b, kept[:whole]...)
	if end > whole {
		b = append(b, '.')
		b = append(b, kept[whole:end]...)
	}
	return string(b)
}

// compact writes a span in the largest unit up to hours that it fills, with at most two decimals.
func compact(t ticks.Ticks) string {
	in := func(unit ticks.Ticks, name string) string {
		return decimals(float64(t)/float64(unit), 0, 2) + name
	}
	switch {
	case t == ticks.Infinite:
		return "no limit"
	case -ticks.Second < t && t < ticks.Second:
		return in(ticks.Millisecond, "ms")
	case -ticks.Minute < t && t < ticks.Minute:
		return in(ticks.Second, "s")
	case -ticks.Hour < t && t < ticks.Hour:
		return in(ticks.Minute, "m")
	}
	return in(ticks.Hour, "h")
}

// since writes an instant of a call, counted from its start.
func since(t ticks.Ticks) string {
	if t < 10*ticks.Minute {
		return decimals(float64(t)/float64(ticks.Second), 2, 2) + "s"
	}
	return decimals(float64(t)/float64(ticks.Minute), 2, 2) + "m"
}

func percent(share float64) string { return decimals(float64(share*100), 0, 2) + "%" }

// times writes a factor: "3x".
func times(x float64) string { return decimals(x, 0, 2) + "x" }

// percentile writes a quantile: "p95", "p99.9".
func percentile(q float64) string { return "p" + decimals(float64(q*100), 0, 2) }

// count writes a number of things.
func count(n int, noun string) string { return strconv.Itoa(n) + " " + plural(n, noun) }

func plural(n int, noun string) string {
	switch {
	case n == 1:
		return noun
	case strings.HasSuffix(noun, "s"), strings.HasSuffix(noun, "x"), strings.HasSuffix(noun, "ch"):
		return noun + "es"
	}
	return noun + "s"
}

// ordinals writes a stretch of numbered things: "attempt 3", "attempts 2-3".
func ordinals(noun string, from, to int) string {
	if from >= to {
		return noun + " " + strconv.Itoa(from)
	}
	return plural(2, noun) + " " + strconv.Itoa(from) + "-" + strconv.Itoa(to)
}

// labelled puts a label in front of the first of lines and indents the others below it.
func labelled(label string, lines []string) string {
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", labelColumn))
	b.WriteString(label)
	b.WriteString(strings.Repeat(" ", max(contentColumn-labelColumn-utf8.RuneCountInString(label), 1)))
	for i, line := range lines {
		if i > 0 {
			b.WriteByte('\n')
			b.WriteString(strings.Repeat(" ", contentColumn))
		}
		b.WriteString(line)
	}
	return b.String()
}

// wrapped breaks prose into lines of at most width runes, each at the last space that fits. A word
// that is longer than a line stays whole.
func wrapped(text string, width int) []string {
	var lines []string
	for {
		space, runes := -1, 0
		for i, r := range text {
			if r == ' ' && i > 0 && (runes <= width || space < 0) {
				space = i
			}
			if runes++; runes > width && space >= 0 {
				break
			}
		}
		if space < 0 || utf8.RuneCountInString(text) <= width {
			return append(lines, text)
		}
		lines = append(lines, text[:space])
		text = text[space+1:]
	}
}

// columns lays out rows of up to three cells. A column is two wider than its widest cell, where a
// row that ends in that cell does not count; nothing is padded behind the last cell of a row.
func columns(rows [][]string) []string {
	var widths [2]int
	for _, row := range rows {
		for i := range min(len(row)-1, len(widths)) {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i])+2)
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		var b strings.Builder
		for j, cell := range row {
			b.WriteString(cell)
			if j < len(row)-1 && j < len(widths) {
				b.WriteString(strings.Repeat(" ", widths[j]-utf8.RuneCountInString(cell)))
			}
		}
		lines[i] = b.String()
	}
	return lines
}
