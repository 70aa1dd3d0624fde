package main

// Compare is not there yet.
type Compare struct{ App *App }

type compareState struct{}

func (a *App) followCompare() {}
