package main

import "squall/site/charts"

// Graphs are the four charts of the subject, on one time axis.
type Graphs struct{ App *App }

func (c *Graphs) ids() []string { return charts.IDs[:] }

// savePicture downloads a chart as it is seen.
func (a *App) savePicture(id, kind string) {
	picture := a.b.plotPicture(id, kind)
	if picture == "" {
		a.say("There is no picture of this chart.")
		return
	}
	a.b.download("squall-"+id+"."+kind, kind, picture)
}
