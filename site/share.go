package main

import (
	"errors"

	"squall/site/link"
)

// openFragment opens the scenario of the address. A link that cannot be opened is explained, and
// nothing else is touched.
func (a *App) openFragment() bool {
	shared, err := link.Decode(a.b.fragment())
	if err != nil {
		if !errors.Is(err, link.ErrNone) {
			a.Trouble = err.Error()
			a.Notice = err.Error()
		}
		return false
	}
	a.Drafts.leave() // what was edited here stays a draft of its own
	a.Opened, a.Outcome = &shared, Outcome{}
	a.Text, a.Subject = shared.Text, shared.Call
	return true
}

// moved follows the address when a person goes back, forward, or pastes another link.
func (a *App) moved() {
	if a.openFragment() {
		a.b.editorReplace(a.Text)
		a.changed()
	}
}

// share puts the document and what its run gave into the address, and copies that.
func (a *App) share() {
	s := link.Shared{Text: a.Text, Call: a.Subject}
	if a.Run != nil && len(a.Problems) == 0 && !a.engine.busy() {
		s.Engine, s.Digest = a.Run.Engine, a.Run.Digest
	}
	fragment := link.Encode(s)
	a.b.setFragment(fragment, true)
	address := a.b.address()
	a.b.copyText(address, func(ok bool) {
		if ok {
			a.Notice = "Link copied. It holds the whole scenario; nothing was sent anywhere."
			return
		}
		a.Offered = address
		a.openDialog("link")
	})
}
