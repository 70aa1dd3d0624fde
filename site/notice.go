package main

import "unicode/utf8"

// A notice is gone after a while: noticeFor milliseconds and noticeEach for each of its letters, which
// is twice the time that most people take to read it.
const (
	noticeFor  = 4000
	noticeEach = 60
)

// say tells a person something once, seen and spoken.
func (a *App) say(text string) {
	if a.unsay != nil {
		a.unsay()
		a.unsay = nil
	}
	if a.Notice = text; text != "" {
		a.unsay = a.b.later(noticeFor+noticeEach*utf8.RuneCountInString(text), func() { a.Notice, a.unsay = "", nil })
	}
}
