package main

import "strconv"

// Panels are what can be opened below the charts, one at a time. A panel is a component of its own
// with an App: it is named in panels (app.go), drawn in panels.vugu, and, if it has work to do when
// the result changes, called in App.follow.
type Panels struct{ App *App }

func (c *Panels) list() []struct{ ID, Title string } { return panels }

func (c *Panels) selected(id string) string { return strconv.FormatBool(c.App.Panel == id) }

// tabIndex lets the tab key reach the open tab alone; the arrow keys go to the others.
func (c *Panels) tabIndex(id string) string {
	if c.App.Panel == id {
		return "0"
	}
	return "-1"
}
