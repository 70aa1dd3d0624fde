package main

import "squall/site/view"

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
