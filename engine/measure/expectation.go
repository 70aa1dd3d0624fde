package measure

import (
	"strconv"

	"squall/engine/ticks"
)

// Measured says in words what was measured: "it is 434.109ms", "it is 1.21", "it never happened". A
// time is known by the value that it was compared with, which then ends in a unit.
func (e Expectation) Measured() string {
	ns, err := strconv.ParseInt(e.Actual, 10, 64)
	switch {
	case e.Actual == "null" || e.Actual == "":
		return "it never happened"
	case err == nil && endsInUnit(e.Text):
		return "it is " + (ticks.Ticks(ns) / 100).String()
	}
	return "it is " + e.Actual
}

func endsInUnit(text string) bool {
	return text != "" && 'a' <= text[len(text)-1] && text[len(text)-1] <= 'z'
}
