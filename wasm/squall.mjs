// The engine and the grader for Node and for pages: see package wasm/module for requests and replies.
//
//   import { load } from './squall.mjs'
//   const squall = await load(await readFile('squall-engine.wasm'))
//   const { report } = squall.run(scenarioText, { seed: 42 })
//
// wasm_exec.js of the same Go release must have been loaded before (it defines globalThis.Go).

/** Thrown when a text is no valid scenario: `problems` says what, with path, line and column. */
export class ScenarioError extends Error {
  constructor(problems) {
    super(problems.map(p => `${p.line}:${p.column}: ${p.path ? p.path + ': ' : ''}${p.message}`).join('\n'));
    this.name = 'ScenarioError';
    this.problems = problems;
  }
}

/** Loads the module from its bytes, a Response, or a promise of either. */
export async function load(source) {
  const go = new globalThis.Go();
  const from = await source;
  const { instance } = typeof Response !== 'undefined' && from instanceof Response
    ? await WebAssembly.instantiateStreaming(from, go.importObject)
    : await WebAssembly.instantiate(from, go.importObject);
  go.run(instance);
  const answer = globalThis.squall;
  delete globalThis.squall;
  const ask = (op, fields) => {
    const { ok, problems, error, id, ...rest } = JSON.parse(answer(JSON.stringify({ ...fields, op })));
    if (ok) return rest;
    if (problems) throw new ScenarioError(problems);
    throw new Error(error);
  };
  return {
    /** What a scenario holds: title, calls, seeds, variants. */
    check: text => ask('check', { text }),
    /** One run: { report, text }. */
    run: (text, options) => ask('run', { full: true, ...options, text }),
    /** One run a seed: { band, text }. */
    band: (text, options) => ask('band', { ...options, text }),
    /** The worst case of a call's policy: { explanation, text }. */
    explain: (text, options) => ask('explain', { ...options, text }),
    /** Calls in, letter out: a scenario's text, or files [{ name, text }] of recordings. */
    grade: what => ask('grade', typeof what === 'string' ? { text: what } : { files: what }),
  };
}
