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
	app.start()
	page.listen()
	root := &Root{App: app}
	for ok := true; ok; ok = renderer.EventWait() {
		if err := renderer.Render(build.RunBuild(root)); err != nil {
			panic(err)
		}
		page.rendered()
	}
}
