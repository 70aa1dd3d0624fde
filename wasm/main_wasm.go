// Command wasm is the engine and the grader as a WebAssembly module without a page. In a Web
// Worker it answers messages; elsewhere (Node, a page's own thread) it leaves one function,
// globalThis.squall(request) -> reply, which squall.mjs wraps (package module has the words).
package main

import (
	"syscall/js"

	"squall/wasm/module"
	"squall/wasm/worker"
)

func main() {
	if !js.Global().Get("WorkerGlobalScope").IsUndefined() {
		worker.Main()
		return
	}
	var m module.Module
	js.Global().Set("squall", js.FuncOf(func(_ js.Value, args []js.Value) any {
		if len(args) == 0 || args[0].Type() != js.TypeString {
			return m.Answer("", nil)
		}
		return m.Answer(args[0].String(), nil)
	}))
	select {}
}
