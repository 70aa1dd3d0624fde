package main

import (
	"strconv"

	"squall/site/link"
)

// Embed is the page inside other pages: what a scenario's run gave, to be read and not changed.
type Embed struct{ App *App }

// embed begins the page that is embedded. It keeps nothing and changes no address; its scenario is in
// the fragment, or comes from the page around it.
func (a *App) embed() {
	a.embedded, a.Panel = true, ""
	a.b.setTheme(a.Theme)
	a.engine.start()
	if shared, err := link.Decode(a.b.fragment()); err == nil {
		a.Opened = &shared
		a.Subject = subjectOf(shared)
		a.showScenario(shared.Text)
	} else if err != link.ErrNone {
		a.Trouble = err.Error()
	}
}

// showScenario runs another text.
func (a *App) showScenario(text string) {
	a.Text = text
	a.changed()
}

// waitingText is what is said before there is a result.
func (a *App) waitingText() string {
	if a.Text == "" {
		return "Waiting for a scenario …"
	}
	return "Running …"
}

// provenance says how to get the same numbers again.
func (a *App) provenance() string {
	text := "Squall " + a.Run.Engine + ", seed " + strconv.FormatInt(a.Run.Seed, 10) + ", " + a.Run.Digest
	if a.Opened != nil && a.Outcome.Sentence != "" {
		text = a.Outcome.Sentence + " " + text
	}
	return text
}

// playground is the address of the playground with what is shown here.
func (a *App) playground() string {
	return "./#" + link.Encode(a.shared())
}
