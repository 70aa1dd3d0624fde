// What the embedded page needs besides the page itself: workers in a sandbox, the scenario, and talk with the page around it.
// It believes only messages of its parent, and tells its height to nobody else.
(() => {
  const root = document.documentElement;
  const query = new URLSearchParams(location.search);
  const views = ['all', 'numbers', 'charts', 'load', 'outcome', 'latency', 'guards'];
  const setView = view => { root.dataset.view = views.includes(view) ? view : 'all'; };
  const setTheme = theme => {
    const known = ['light', 'dark'].includes(theme) ? theme : 'system';
    root.dataset.theme = known;
    ready.then(() => globalThis.squallTheme(known));
  };

  let begun;
  const ready = new Promise(resolve => { begun = resolve; });
  globalThis.squallReady = begun; // called by the module
  const show = text => ready.then(() => globalThis.squallShow(text));
  const trouble = why => ready.then(() => globalThis.squallTrouble(why));

  // A sandboxed frame has no origin, so its workers cannot come from an address.
  const get = async name => {
    const response = await fetch(name);
    if (!response.ok) throw new Error(`${name}: ${response.status}`);
    return response;
  };
  const text = async name => (await get(name)).text();
  const parts = globalThis.squallParts = {};
  parts.module = (async () => {
    const module = get('playground.wasm').then(r => WebAssembly.compileStreaming(r));
    const worker = await text('wasm_exec.js') + '\n' + (await text('worker.js')).replace(/^importScripts.*$/m, '');
    parts.worker = URL.createObjectURL(new Blob([worker], { type: 'text/javascript' }));
    return module;
  })();

  setView(query.get('view'));
  setTheme(query.get('theme'));
  const example = query.get('example');
  if (example !== null) {
    if (/^[a-z0-9-]+$/.test(example)) text(`examples/${example}.json`).then(show, () => trouble(`There is no example ${example}.`));
    else trouble('An example is named by letters, digits and hyphens.');
  }

  if (window.parent === window) return;
  let host; // the origin of the page around this one, once it has spoken
  const tell = () => {
    if (host === undefined || !document.querySelector('#verdict, #problems, #trouble')) return; // a frame that jumps is worse than one that waits
    const height = Math.ceil(document.getElementById('page').getBoundingClientRect().height);
    window.parent.postMessage({ squall: 'height', height }, host === 'null' ? '*' : host);
  };
  addEventListener('message', event => {
    if (event.source !== window.parent || event.data?.squall !== 'show') return;
    if (location.ancestorOrigins?.length && event.origin !== location.ancestorOrigins[0]) return;
    host = event.origin;
    const { text, theme, view, error } = event.data;
    if (theme !== undefined) setTheme(theme);
    if (view !== undefined) setView(view);
    if (typeof text === 'string') show(text);
    if (typeof error === 'string') trouble(error);
    tell();
  });
  const observer = new ResizeObserver(tell);
  ready.then(() => {
    observer.observe(document.getElementById('page'));
    window.parent.postMessage({ squall: 'ready' }, '*'); // says nothing that anybody may not know
  });
})();
