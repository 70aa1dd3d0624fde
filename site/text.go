package main

import "strconv"

// Text is the document as text, with what is wrong with it.
type Text struct{ App *App }

// problemsShown is how many problems are listed; the rest is underlined in the text.
const problemsShown = 30

func (a *App) shownProblems() []Problem { return a.Problems[:min(len(a.Problems), problemsShown)] }

func (p Problem) where() string { return strconv.Itoa(p.Line) + ":" + strconv.Itoa(p.Column) }
