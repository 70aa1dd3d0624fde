// Squall in JavaScript: the engine and the grader for pages, Web Workers and Node.
//
//   import { load } from './squall.js';
//   const squall = await load();
//   const { report } = await squall.run(scenario, { seed: 42 });
//
// Every call answers with a value: { ok: true, ... } or { ok: false, error, problems }. See squall.d.ts.

// The build puts the runtime of the Go release that made squall.wasm here.
const Go = /* wasm_exec.js */ undefined;

const compiled = new Map();

/**
 * Compiles squall.wasm from an address (default: beside this file), bytes, or a Response. The module may be
 * posted to any number of workers, which load({ module }) it without compiling again.
 */
export function compile(source = new URL('squall.wasm', import.meta.url)) {
  if (source instanceof WebAssembly.Module) return Promise.resolve(source);
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) return WebAssembly.compile(source);
  if (typeof Response !== 'undefined' && source instanceof Response) return compileResponse(source);
  const url = new URL(source, import.meta.url).href;
  if (!compiled.has(url)) {
    const made = url.startsWith('file:') && typeof process !== 'undefined' ? compileFile(url) : fetch(url).then(compileResponse);
    compiled.set(url, made);
    made.catch(() => compiled.delete(url)); // the next call tries again
  }
  return compiled.get(url);
}

async function compileFile(url) {
  const { readFile } = await import('node:fs/promises');
  return WebAssembly.compile(await readFile(new URL(url)));
}

async function compileResponse(response) {
  if (!response.ok) throw new Error(`${response.url || 'squall.wasm'}: status ${response.status}`);
  const type = response.headers.get('Content-Type') ?? '';
  if (WebAssembly.compileStreaming && type.split(';')[0].trim() === 'application/wasm') return WebAssembly.compileStreaming(response);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Loads the engine: { url }, { module }, { bytes } or { response }, else squall.wasm beside this file. */
export async function load({ url, module, bytes, response } = {}) {
  const squall = new Squall(await compile(module ?? bytes ?? response ?? url));
  const about = await squall.request({ op: 'about' }); // a module that does not run is found now rather than later
  if (!about.ok || about.protocol !== 1) throw new Error(about.error ?? 'this squall.wasm is of another version than squall.js');
  squall.version = about.engine;
  return squall;
}

/** One instance of the module, until it stops. */
class Instance {
  /** Rejects when the instance has stopped; nothing it was asked is answered any more. */
  stopped;
  #ask;

  static async start(module) {
    const instance = new Instance();
    const go = new Go();
    let stop;
    instance.stopped = new Promise((_, reject) => { stop = reject; });
    instance.stopped.catch(() => {});
    go.exit = code => stop(new Error(`the engine ended with status ${code}`));
    const resume = go._resume; // called by timers too, where nobody would hear of a trap
    go._resume = function () {
      try {
        return resume.call(go);
      } catch (e) {
        stop(e);
      }
    };
    const wasm = await WebAssembly.instantiate(module, go.importObject);
    const before = Object.getOwnPropertyDescriptor(globalThis, 'squall');
    go.run(wasm).catch(stop);
    instance.#ask = globalThis.squall;
    if (before) Object.defineProperty(globalThis, 'squall', before);
    else delete globalThis.squall;
    return instance;
  }

  ask(request, done, progress) { return this.#ask(request, done, progress); }
}

const failure = (error, more) => ({ ok: false, error, problems: [], ...more });
const aborted = () => failure('stopped by its signal', { aborted: true });

class Squall {
  #module;
  #instance;
  #last = Promise.resolve();

  constructor(module) { this.#module = module; }

  /** The version of the engine; the same version, scenario and seed give the same digest everywhere. */
  version = '';

  /** The compiled module, to be posted to workers. */
  get module() { return this.#module; }

  /** Is it a scenario, and what does it hold? */
  check(scenario) { return this.#text('check', scenario); }

  /** One run. */
  run(scenario, { seed, variant, record, onProgress, signal } = {}) {
    return this.#text('run', scenario, { seed, variant, record, full: true }, { onProgress, signal });
  }

  /** One run a seed, put together. */
  band(scenario, { seeds, variant, onProgress, signal } = {}) {
    return this.#text('band', scenario, { seeds, variant }, { onProgress, signal });
  }

  /** The worst case of a policy, or of a call of a scenario, walked through. */
  explain(policy, { call } = {}) {
    const value = typeof policy === 'string' ? policy : toJSON(policy);
    if (value === undefined) return Promise.resolve(failure('a policy is text or an object'));
    return this.request(isScenario(policy) ? { op: 'explain', text: value, call } : { op: 'explain', policy: value });
  }

  /** Calls in, letter out: a scenario, a recording, or several as [{ name, text }]. */
  grade(input, { service, seed, onProgress, signal } = {}) {
    if (Array.isArray(input) && input.every(f => typeof f?.text === 'string')) {
      const files = input.map((f, i) => ({ name: String(f.name ?? `file ${i + 1}`), text: f.text }));
      return this.request({ op: 'grade', files, service }, { onProgress, signal });
    }
    return this.#text('grade', input, { service, seed }, { onProgress, signal });
  }

  #text(op, scenario, fields, options) {
    const text = typeof scenario === 'string' ? scenario : toJSON(scenario);
    if (text === undefined) return Promise.resolve(failure('a scenario is text or an object'));
    return this.request({ ...fields, op, text }, options);
  }

  /** Any request of the module, as an object with an "op". Requests are answered one after another. */
  request(fields, options = {}) {
    const text = toJSON(fields);
    if (text === undefined) return Promise.resolve(failure('the request cannot be written as JSON'));
    const answer = this.#last.then(() => this.#answer(text, options));
    this.#last = answer.catch(() => {});
    return answer;
  }

  async #answer(text, { onProgress, signal }) {
    if (signal?.aborted) return aborted();
    const instance = this.#instance ??= await Instance.start(this.#module);
    let stop, onAbort, thrown, over = false;
    const reply = new Promise(resolve => {
      const progress = onProgress && (done => {
        try {
          onProgress(done);
        } catch (e) {
          thrown ??= { e };
          stop?.();
        }
      });
      stop = instance.ask(text, reply => { over = true; resolve(reply); }, progress);
      onAbort = () => { if (!over) stop?.(); };
      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted || thrown) onAbort(); // the engine had begun before there was a stop
    });
    try {
      const { id, ...value } = JSON.parse(await Promise.race([reply, instance.stopped]));
      if (thrown) throw thrown.e; // it is the caller's own
      if (value.ok) return value;
      if (value.defect) this.#instance = undefined; // the next request gets a fresh one
      if (signal?.aborted) return aborted();
      if (value.problems) return failure(value.problems.map(sentence).join('\n'), { problems: value.problems });
      return failure(value.error, value.defect && { defect: true });
    } catch (e) {
      if (thrown) throw thrown.e;
      this.#instance = undefined;
      return failure(`${e?.message ?? e}; it is started again for the next request`, { defect: true });
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  }
}

/** A problem as "LINE:COLUMN: PATH: MESSAGE". */
function sentence({ line, column, path, message }) { return `${line}:${column}: ${path ? path + ': ' : ''}${message}`; }

/** JSON text, or undefined for what has none. */
function toJSON(value) {
  try {
    return value === null || typeof value !== 'object' ? undefined : JSON.stringify(value);
  } catch {
    return undefined; // a circle, or a number that JSON lacks
  }
}

/** Tells a scenario from a policy: a scenario says who is called or for how long. */
function isScenario(value) {
  const keys = ['duration', 'load', 'dependency', 'services', 'dependencies'];
  if (typeof value !== 'string') return keys.some(k => k in value);
  const bare = value.replace(/"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\//g, m => m[0] === '"' ? m : ' ');
  let depth = 0;
  for (const [token] of bare.matchAll(/"(?:[^"\\\n]|\\.)*"(?=\s*:)|"(?:[^"\\\n]|\\.)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
    else if (depth === 1 && keys.includes(token.slice(1, -1))) return true;
  }
  return false;
}
