package main

import (
	"strings"

	"squall/site/view"
)

// Numbers are the tables behind the charts.
type Numbers struct{ App *App }

func (c *Numbers) columns() []string { return view.Columns }

func (c *Numbers) rows() []view.Row {
	return append(view.Summary(c.App.Run.Calls), view.Summary(c.App.Run.Services)...)
}

func (c *Numbers) integer(n int64) string { return view.Integer(n) }

func (c *Numbers) quantiles() [][2]string {
	m := &c.App.subject().Measured
	return [][2]string{
		{"p50", view.Duration(m.P50)}, {"p90", view.Duration(m.P90)}, {"p95", view.Duration(m.P95)},
		{"p99", view.Duration(m.P99)}, {"p99.9", view.Duration(m.P999)}, {"max", view.Duration(m.Max)},
	}
}

func (c *Numbers) level(l view.Level) string {
	if l.Calls == 0 {
		return "–"
	}
	return view.Percent(float64(l.Succeeded)/float64(l.Calls)) + " of " + view.Integer(l.Calls)
}

// secondsText is the table of seconds as lines of text that line up.
func (a *App) secondsText() string {
	if a.series == nil {
		return ""
	}
	rows := append([][]string{view.SecondsColumns}, view.Seconds(a.series)...)
	used := make([]int, len(view.SecondsColumns))
	for _, row := range rows[1:] {
		for i, cell := range row {
			used[i] = max(used[i], len(cell))
		}
	}
	var b strings.Builder
	for _, row := range rows {
		for i, cell := range row {
			if used[i] > 0 { // a column without a number is left out
				width := max(used[i], len(view.SecondsColumns[i]))
				b.WriteString(strings.Repeat(" ", max(width-len(cell), 0)) + cell + "  ")
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
