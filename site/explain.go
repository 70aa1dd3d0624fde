package main

// Explain is not there yet.
type Explain struct{ App *App }

type explainState struct{}

func (a *App) followExplain() {}
