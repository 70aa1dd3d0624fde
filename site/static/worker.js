// The engine in a Web Worker. The first message brings the compiled module; from then on the
// module itself answers messages.
importScripts('wasm_exec.js');
self.onmessage = async e => {
  const go = new Go();
  go.run(await WebAssembly.instantiate(e.data.module, go.importObject));
};
