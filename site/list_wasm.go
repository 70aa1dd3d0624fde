package main

import (
	"syscall/js"

	vjs "github.com/vugu/vugu/js"
)

// mountList makes the list of events (site/js/list.mjs).
func (p *page) mountList(host vjs.Value) {
	inner, fresh := p.island(host)
	if !fresh {
		return
	}
	want := js.FuncOf(func(_ js.Value, args []js.Value) any {
		first, count, epoch := args[0].Int(), args[1].Int(), args[2].Int()
		p.happens(func() {
			p.still()
			p.app.rows(first, count, epoch)
		})
		return nil
	})
	open := js.FuncOf(func(_ js.Value, args []js.Value) any {
		call := args[0].Int()
		p.happens(func() { p.app.openTrace(call) })
		return nil
	})
	p.list = p.window.Get("squallCharts").Call("list", inner, "Events, in the order they happened", want, open)
	p.list.Call("reset")
}

func (p *page) listReset() {
	if p.list.Truthy() {
		p.list.Call("reset")
	}
}

func (p *page) listFill(first, total int, rows string, epoch int) {
	if p.list.Truthy() {
		p.list.Call("fill", first, total, rows, epoch)
	}
}

func (p *page) listOpened(call int) {
	if p.list.Truthy() {
		p.list.Call("opened", call)
	}
}

func (p *page) fullScreen(id string, done func(ok bool)) {
	el := p.doc.Call("getElementById", id)
	if p.doc.Get("fullscreenElement").Truthy() {
		p.doc.Call("exitFullscreen")
		return
	}
	if !el.Truthy() || !el.Get("requestFullscreen").Truthy() {
		done(false)
		return
	}
	settle(el.Call("requestFullscreen"), func(_ js.Value, ok bool) { p.happens(func() { done(ok) }) })
}
