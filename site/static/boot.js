// Starts the page: compiles the one module once, runs it as the page, and hands it to workers,
// where the same module runs as the engine.
(() => {
  const gone = why => {
    const box = document.getElementById('gone');
    box.textContent = why;
    box.hidden = false;
  };
  if (typeof WebAssembly === 'undefined' || typeof Worker === 'undefined') {
    gone('This browser has no WebAssembly or no Web Workers; the simulator cannot run in it.');
    return;
  }
  // The single file brings its parts with it (site/offline); a sandboxed frame brings its worker (embed.js).
  const parts = globalThis.squallParts ?? {};
  const fetched = async () => {
    const response = await fetch('playground.wasm');
    if (!response.ok) throw new Error('playground.wasm: ' + response.status);
    return WebAssembly.compileStreaming(response);
  };
  const compiled = parts.module ?? fetched();

  /** A new worker of the engine. It is told the module as soon as that is compiled. */
  globalThis.squallWorker = () => {
    const worker = new Worker(parts.worker ?? 'worker.js');
    compiled.then(module => worker.postMessage({ module }));
    return worker;
  };

  const start = async () => {
    const go = new Go();
    const instance = await WebAssembly.instantiate(await compiled, go.importObject);
    performance.mark('squall-page');
    const ended = go.run(instance);
    document.getElementById('page')?.removeAttribute('aria-busy');
    await ended;
    gone('The page has stopped because of a defect. Your text is kept: reload to go on.');
  };
  start().catch(e => gone('The simulator could not be started: ' + e.message));
})();
