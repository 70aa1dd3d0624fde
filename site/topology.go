package main

// Topology is not there yet.
type Topology struct{ App *App }

type topologyState struct{}

func (a *App) followTopology() {}
