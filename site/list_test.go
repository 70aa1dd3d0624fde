package main

import vjs "github.com/vugu/vugu/js"

// fakeList is the list of events of a fake browser: it asks for its first rows when it begins anew,
// and for others when a test does.
type fakeList struct {
	epoch, total int
	rows         string
	opened       int
}

func (b *fake) fullScreen(_ string, done func(bool)) { done(false) }

func (b *fake) still()              {}
func (b *fake) mountList(vjs.Value) {}

func (b *fake) listReset() {
	b.list.epoch++
	b.app.rows(0, 200, b.list.epoch)
}

func (b *fake) listFill(_, total int, rows string, epoch int) {
	if epoch == b.list.epoch {
		b.list.total, b.list.rows = total, rows
	}
}

func (b *fake) listOpened(call int) { b.list.opened = call }
