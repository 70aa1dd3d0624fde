package main

//go:generate go run ./vgen . main

// Root is the page.
type Root struct{ App *App }
