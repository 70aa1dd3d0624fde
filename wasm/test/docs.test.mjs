// Runs every example of the pages about the module. What a browser has and Node has not (workers,
// addresses relative to a page) is stood in for.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { dist, native, root } from './support.mjs';

const prelude = `
import { readFile as _read } from 'node:fs/promises';
import { Worker as _Thread } from 'node:worker_threads';
globalThis.fetch = async path => new Response(await _read(new URL(path, ${JSON.stringify(pathToFileURL(root).href)})));
globalThis.Worker = class { constructor(file) { this.t = new _Thread(new URL(file, import.meta.url)); this.t.on('message', data => this.onmessage({ data })); }
  postMessage(m) { this.t.postMessage(m); } terminate() { this.t.terminate(); } };
`;
const workerPrelude = `
import { parentPort as _port } from 'node:worker_threads';
globalThis.self = { postMessage: m => _port.postMessage(m) };
_port.on('message', data => self.onmessage({ data }));
`;

function examples(file) {
  const text = readFileSync(join(root, file), 'utf8');
  return [...text.matchAll(/^```js(?: (\S+))?\n([^]*?)^```$/gm)].map(([, name, code]) => ({ name, code }));
}

const expected = {
  'docs/module.md': [
    () => native('run', 'examples/brownout.json').split('\n').slice(0, 8).join('\n'),
    () => '2:26 load.perSecond: ',
    () => 'false true\n',
    () => native('grade', 'examples/fails-its-grade.json').split('\n')[0],
    () => "'sha256:",
  ],
  'wasm/npm/README.md': [() => 'sha256:'],
};

for (const [file, says] of Object.entries(expected)) {
  test(file, async t => {
    const dir = mkdtempSync(join(tmpdir(), 'squall-docs-'));
    t.after(() => rmSync(dir, { recursive: true }));
    const here = code => code.replace(/'(?:\.\/squall\.js|squall-sim)'/, `'${pathToFileURL(join(dist, 'squall.js'))}'`);
    const all = examples(file);
    for (const e of all.filter(e => e.name)) writeFileSync(join(dir, e.name), workerPrelude + here(e.code));
    const programs = all.filter(e => !e.name);
    assert.equal(programs.length, says.length, 'an example without an expectation, or the other way round');
    for (const [i, { code }] of programs.entries()) {
      const path = join(dir, `example${i}.mjs`);
      writeFileSync(path, prelude + here(code));
      const { stdout } = await promisify(execFile)('node', [path]);
      assert.ok(stdout.includes(says[i]()), `example ${i + 1} prints\n${stdout}`);
    }
  });
}
