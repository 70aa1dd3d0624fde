// Command site is the playground: one WebAssembly module that is the page in a document and the
// engine in a worker, so that it is loaded and compiled once.
package main

import (
	"syscall/js"

	"github.com/vugu/vugu"
	"github.com/vugu/vugu/domrender"

	engineworker "squall/wasm/worker"
)

func main() {
	if js.Global().Get("document").IsUndefined() {
		engineworker.Main()
		return
	}
	renderer, err := domrender.New("#page")
	if err != nil {
		panic(err)
	}
	build, err := vugu.NewBuildEnv(renderer.EventEnv())
	if err != nil {
		panic(err)
	}
	page := newPage(renderer.EventEnv())
	app := newApp(page)
	page.app = app
	var root vugu.Builder = &Root{App: app}
	if embedded() {
		root = &Embed{App: app}
		app.embed()
		page.listenEmbedded()
		js.Global().Call("squallReady")
	} else {
		app.start()
		page.listen()
	}
	screen := &screen{page: page, renderer: renderer}
	for ok := true; ok; ok = renderer.EventWait() {
		if err := screen.draw(build.RunBuild(root)); err != nil {
			panic(err)
		}
		page.rendered()
	}
}
