// Command wasm is the engine and the grader as a WebAssembly module without a page. It leaves one
// function, globalThis.squall, which squall.js takes away and wraps (package module has the words):
//
//	squall(request, done, progress) -> stop
//
// The reply is given to done; progress, if it is a function, is told now and then how far the
// request is. Calling stop ends it soon, with an error as the reply; it must not be called later.
package main

import (
	"context"
	"syscall/js"
	"time"

	"squall/wasm/module"
)

// shareEvery is how often, in milliseconds, a long request lets its thread do something else: show
// the progress, hear that it should stop.
const shareEvery = 50

func main() {
	var m module.Module
	js.Global().Set("squall", js.FuncOf(func(_ js.Value, args []js.Value) any {
		request, done, progress := args[0].String(), args[1], args[2]
		ctx, cancel := context.WithCancel(context.Background())
		stop := js.FuncOf(func(js.Value, []js.Value) any { cancel(); return nil })
		go func() {
			beforeAnswer(request)
			reply := m.AnswerContext(ctx, request, share(progress))
			cancel()
			stop.Release()
			done.Invoke(reply)
		}()
		return stop
	}))
	select {}
}

// beforeAnswer is called with every request; a build for tests breaks the program here.
var beforeAnswer = func(request string) {}

// share lets the thread breathe and tells progress.
func share(progress js.Value) func(done float64) {
	clock := js.Global().Get("performance")
	last := clock.Call("now").Float()
	return func(done float64) {
		if clock.Call("now").Float()-last < shareEvery {
			return
		}
		if progress.Type() == js.TypeFunction {
			progress.Invoke(done)
		}
		time.Sleep(time.Millisecond)
		last = clock.Call("now").Float()
	}
}
