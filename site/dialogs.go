package main

// Dialogs are what opens over the page: examples, drafts, exports, help.
type Dialogs struct{ App *App }

var helpKeys = [][2]string{
	{"e", "examples"}, {"d", "drafts"}, {"s", "share: copy a link"}, {"x", "save and copy"}, {"n", "next seed"},
	{"t", "theme"}, {"u / r", "undo, redo (Ctrl+Z, Ctrl+Y in the text)"}, {"/", "go to the text; Esc leaves it"},
	{"1 – 6", "topology, timeline, compare, grade, explain, numbers"}, {"?", "this help; Esc closes it"},
	{"Ctrl+Space", "in the text: what may stand here"}, {"Ctrl+wheel, drag", "in a chart: zoom and move; a double click shows all of it"}, {"click", "on a second of a chart: its events in the timeline"},
}

func (a *App) versionText() string {
	if a.engine.ready == "" {
		return "The engine is starting."
	}
	return "Engine " + a.engine.ready + ". Nothing you write leaves this browser, unless you ask for a short link."
}

// unfolded tells that a dialog has its content: those that are closed would cost every render.
func (a *App) unfolded(id string) bool { return a.Dialog == id || a.Shown == id }
