package main

import (
	"errors"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"squall/site/link"
	"squall/site/view"
)

// shareState is the link to what is shown, and the short one in its place.
type shareState struct {
	Address string
	Copied  bool
	// Short is the short link, Until the day it ends, Why why there is none. Asking tells that one is
	// being made.
	Short, Until, Why string
	Asking            bool
	// links is where the server keeps short links; empty where nobody does, as on most servers.
	links string
}

// openFragment opens the scenario of the address. A link that cannot be opened is explained, and
// nothing else is touched.
func (a *App) openFragment() bool {
	shared, err := link.Decode(a.b.fragment())
	if err != nil {
		if !errors.Is(err, link.ErrNone) {
			a.BadLink = view.Sentence(err.Error())
			a.say(a.BadLink)
		}
		return false
	}
	a.BadLink = ""
	a.Drafts.leave() // what was edited here stays a draft of its own
	a.Opened, a.Outcome = &shared, Outcome{}
	a.Text, a.Subject = shared.Text, subjectOf(shared)
	return true
}

// subjectOf is what a link is about, as the page names it.
func subjectOf(s link.Shared) string { return strings.Replace(s.Call, " -> ", " → ", 1) }

// moved follows the address when a person goes back, forward, or pastes another link.
func (a *App) moved() {
	if a.openFragment() {
		a.b.editorReplace(a.Text)
		a.changed()
	}
}

// shared is what a link to this page carries.
func (a *App) shared() link.Shared {
	s := link.Shared{Text: a.Text, Call: strings.Replace(a.Subject, " → ", " -> ", 1)}
	if a.Run != nil && len(a.Problems) == 0 && !a.engine.busy() {
		s.Engine, s.Digest = a.Run.Engine, a.Run.Digest
	}
	return s
}

// share puts the document and what its run gave into the address, copies that, and offers a short
// link where the server keeps some.
func (a *App) share() {
	a.b.setFragment(link.Encode(a.shared()), true)
	a.Share = shareState{Address: a.b.address()}
	a.copyLink()
	a.openDialog("link")
	a.b.send("HEAD", "./", "", func(r answer) { a.Share.links = r.Links })
}

func (a *App) copyLink() {
	a.b.copyText(a.Share.Address, func(ok bool) { a.Share.Copied = ok })
}

// shorten asks the server to keep the scenario under a short link. It is the one thing that sends a
// scenario anywhere, and only when a person asks for it.
func (a *App) shorten() {
	s := &a.Share
	if s.links == "" || s.Asking {
		return
	}
	s.Asking, s.Why = true, ""
	body := `{"text":` + quote(a.Text)
	if a.callIndex() >= 0 { // a link can be about a call, not about a service
		body += `,"call":` + quote(a.shared().Call)
	}
	address := s.Address
	a.b.send("POST", s.links, body+"}", func(r answer) {
		if s := &a.Share; s.Address == address {
			s.Asking = false
			s.kept(r)
			if s.Short != "" {
				a.copied(s.Short, "Short link copied.")
			}
		}
	})
}

// kept takes the server's reply.
func (s *shareState) kept(r answer) {
	reply := gjson.Parse(r.Text)
	if url := reply.Get("url").Str; (r.Status == 200 || r.Status == 201) && url != "" {
		s.Short = url
		s.Until, _, _ = strings.Cut(reply.Get("expires").Str, "T")
		return
	}
	why := reply.Get("error").Str
	if p := reply.Get("problems.0.message").Str; p != "" {
		why = p
	}
	switch {
	case r.Status == 0:
		why = "the server does not answer"
	case why == "":
		why = "the server answers with status " + strconv.Itoa(r.Status)
	}
	s.Why = "There is no short link: " + why + ". The long one works all the same."
}

// longLink is from how many letters on programs begin to cut a link.
const longLink = 2000

// linkHint says how long a link is when that can matter.
func (s *shareState) linkHint() string {
	n := len(s.Address)
	if n < longLink {
		return ""
	}
	return "It has " + view.Integer(int64(n)) + " letters. Browsers take that; some chats and mail programs cut links this long. The scenario as a file (Export) always arrives whole."
}

// said is what became of the link.
func (s *shareState) said() string {
	if s.Copied {
		return "Link copied. It holds the whole scenario and what its run gave: whoever opens it sees whether their run is the same. Nothing was sent anywhere."
	}
	return "This browser did not let the page copy the link. Take it from here or from the address bar: it holds the whole scenario, and nothing was sent anywhere."
}

// shortSaid is what became of the short link.
func (s *shareState) shortSaid() string {
	switch {
	case s.Asking:
		return "Asking the server …"
	case s.Short != "":
		return "Kept until " + s.Until + "."
	}
	return s.Why
}
