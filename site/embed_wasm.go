package main

import "syscall/js"

// embedded tells whether the document is the one for other pages (static/embed.html).
func embedded() bool {
	return js.Global().Get("document").Get("documentElement").Get("dataset").Get("embed").Truthy()
}

// listenEmbedded hears what embed.js passes on from the page around this one.
func (p *page) listenEmbedded() {
	on := func(name string, f func(value string)) {
		p.window.Set(name, js.FuncOf(func(_ js.Value, args []js.Value) any {
			value := args[0].String()
			p.happens(func() { f(value) })
			return nil
		}))
	}
	on("squallShow", p.app.showScenario)
	on("squallTrouble", func(why string) { p.app.Trouble = why })
	on("squallTheme", func(theme string) {
		p.app.Theme = theme
		p.app.recolour()
	})
	p.on(p.window.Call("matchMedia", "(prefers-color-scheme: dark)"), "change", func(js.Value) { p.happens(p.app.recolour) })
	// the address may be longer than the renderer can write into an attribute
	p.on(p.doc, "click", func(e js.Value) {
		if el := e.Get("target").Call("closest", "#open"); el.Truthy() {
			el.Set("href", p.app.playground())
		}
	})
}
