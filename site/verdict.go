package main

import (
	"strconv"

	"squall/site/view"
)

// Verdict is the finding in words, the headline numbers, and the expectations.
type Verdict struct{ App *App }

func (c *Verdict) about() []view.Paragraph { return view.About(c.App.Run.About) }

func (a *App) finding() view.Finding {
	s := a.subject()
	if s == nil || a.series == nil {
		return view.Finding{}
	}
	return view.Find(a.Run, s, a.series)
}

func (a *App) figures() []view.Figure { return view.Figures(a.subject()) }

func (a *App) seedText() string {
	if a.Run == nil {
		return ""
	}
	return strconv.FormatInt(a.Run.Seed, 10)
}

func (a *App) progressText() string { return strconv.FormatFloat(a.Progress, 'f', 3, 64) }

// cancelRun stops a run that takes too long; the last good result stays.
func (a *App) cancelRun() {
	a.engine.cancel()
	a.Progress = 0
	a.say("Stopped. The result is still that of the text before.")
}

func (a *App) staleText() string {
	n := len(a.Problems)
	text := "The text has a problem."
	if n > 1 {
		text = "The text has " + strconv.Itoa(n) + " problems."
	}
	if a.Run != nil {
		text += " What you see below is the last good run."
	}
	return text
}

func (a *App) emptyText() string {
	if len(a.Problems) > 0 || a.Trouble != "" {
		return "No result yet: nothing has run without a problem."
	}
	return "Running …"
}

func (a *App) resultClass() string {
	if len(a.Problems) > 0 || a.Trouble != "" {
		return "found stale"
	}
	return "found"
}

// glance is the result in a few numbers, for a page too narrow to show it beside the form.
func (a *App) glance() string {
	s := a.subject()
	if s == nil {
		return a.emptyText()
	}
	m := &s.Measured
	text := "Worst second " + view.Times(m.Amplification) + " · available " + view.Percent(m.Availability) + " · p99 " + view.Duration(m.P99)
	if a.resultClass() != "found" {
		text += " (last good run)"
	}
	return text
}

func bannerClass(good bool) string {
	if good {
		return "banner good"
	}
	return "banner bad"
}

func sign(good bool) string {
	if good {
		return "✓"
	}
	return "≠"
}

func figureClass(bad bool) string {
	if bad {
		return "figure bad"
	}
	return "figure"
}

func expectClass(holds bool) string {
	if holds {
		return "holds"
	}
	return "fails"
}

func expectWord(holds bool) string {
	if holds {
		return "✓ holds"
	}
	return "✗ fails"
}
