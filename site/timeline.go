package main

// Timeline is not there yet.
type Timeline struct{ App *App }

type timelineState struct{}

func (a *App) followTimeline() {}

func (a *App) goToSecond(int) {}
