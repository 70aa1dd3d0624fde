// Package worker lets a module answer the messages of a Web Worker.
package worker

import (
	"syscall/js"

	"squall/wasm/module"
)

// progressEvery is how often, in milliseconds, a long request says how far it is.
const progressEvery = 50

// Main answers the messages of this worker, in their order, until the worker is ended. Messages
// and replies are JSON text (package module).
func Main() {
	scope := js.Global()
	clock := scope.Get("performance")
	post := func(text string) { scope.Call("postMessage", text) }

	requests := make(chan string, 64)
	scope.Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if data := args[0].Get("data"); data.Type() == js.TypeString {
			requests <- data.String()
		}
		return nil
	}))
	post(module.Greeting())

	var m module.Module
	for request := range requests {
		told := clock.Call("now").Float()
		post(m.Answer(request, func(done float64) {
			if now := clock.Call("now").Float(); now-told >= progressEvery {
				told = now
				post(module.Progress(request, done))
			}
		}))
	}
}
