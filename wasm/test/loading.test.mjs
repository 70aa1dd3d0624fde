// How the module is loaded, shared and started again; and the npm package.
import test from 'node:test';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { breakable, compile, dist, load, native, root } from './support.mjs';

const scenario = readFileSync(join(root, 'examples/brownout.json'), 'utf8');
const digest = async squall => (await squall.run(scenario)).report.digest;
const want = await digest(await load());

test('nothing is left in the global scope', () => {
  assert.deepEqual(['Go', 'squall'].filter(k => k in globalThis), []);
});

test('bytes, address, module, response', async () => {
  const bytes = readFileSync(join(dist, 'squall.wasm'));
  const squall = await load({ bytes });
  assert.equal(await digest(squall), want);
  assert.equal(await digest(await load({ module: squall.module })), want);
  assert.equal(await digest(await load({ url: pathToFileURL(join(dist, 'squall.wasm')) })), want);
  assert.equal(await compile(), await compile()); // once an address
  await assert.rejects(load({ bytes: new Uint8Array([1, 2, 3]) }), WebAssembly.CompileError);
  await assert.rejects(load({ url: pathToFileURL(join(dist, 'nothing.wasm')) }), /ENOENT/);
});

test('over HTTP, streaming or not', async t => {
  const bytes = readFileSync(join(dist, 'squall.wasm'));
  const server = createServer((request, response) => {
    if (request.url.startsWith('/missing')) return response.writeHead(404).end('no');
    response.writeHead(200, { 'Content-Type': request.url.startsWith('/plain') ? 'text/plain' : 'application/wasm' }).end(bytes);
  }).listen(0, '127.0.0.1');
  t.after(() => { server.closeAllConnections(); server.close(); });
  await new Promise(resolve => server.on('listening', resolve));
  const at = `http://127.0.0.1:${server.address().port}`;
  assert.equal(await digest(await load({ url: at + '/squall.wasm' })), want);
  assert.equal(await digest(await load({ url: at + '/plain' })), want);
  assert.equal(await digest(await load({ response: await fetch(at + '/squall.wasm') })), want);
  await assert.rejects(load({ url: at + '/missing' }), /status 404/);
});

test('one compiled module, several workers', async () => {
  const module = await compile();
  const code = `
    import { parentPort, workerData } from 'node:worker_threads';
    const { load } = await import(workerData.from);
    const squall = await load({ module: workerData.module });
    const { report } = await squall.run(workerData.scenario, { seed: workerData.seed });
    parentPort.postMessage(report.digest);`;
  const ask = seed => new Promise((resolve, reject) => {
    const worker = new Worker(new URL('data:text/javascript,' + encodeURIComponent(code)), { workerData: { module, scenario, seed, from: pathToFileURL(join(dist, 'squall.js')).href } });
    worker.once('message', m => { resolve(m); worker.terminate(); });
    worker.once('error', reject);
  });
  const [a, b] = await Promise.all([ask(42), ask(43)]);
  assert.equal(a, want);
  assert.equal(b, JSON.parse(native('run', '--json', '--seed', '43', 'examples/brownout.json')).digest);
});

test('a module that breaks is started again', async () => {
  const squall = await load({ bytes: readFileSync(breakable()) });
  for (const how of ['panic', 'exit', 'stack']) {
    const waiting = [squall.request({ op: 'break ' + how }), squall.run(scenario)]; // the second waits behind the first
    const [broken, ran] = await Promise.all(waiting);
    assert.deepEqual([broken.ok, broken.defect], [false, true], how);
    assert.match(broken.error, /started again/);
    assert.equal(ran.report?.digest, want, `${how}: ${ran.error}`);
  }
});

test('the npm package', async t => {
  const dir = mkdtempSync(join(tmpdir(), 'squall-package-'));
  t.after(() => rmSync(dir, { recursive: true }));
  const [packed] = JSON.parse(execFileSync('npm', ['pack', '--json', '--offline', '--pack-destination', dir, dist], { cwd: dir, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  assert.deepEqual(packed.files.map(f => f.path).sort(), ['LICENSE', 'LICENSE-go.txt', 'README.md', 'package.json', 'squall.d.ts', 'squall.js', 'squall.wasm']);
  const home = join(dir, 'node_modules', packed.name);
  execFileSync('mkdir', ['-p', home]);
  execFileSync('tar', ['xzf', join(dir, packed.filename), '-C', home, '--strip-components=1']);
  writeFileSync(join(dir, 'use.mjs'), `import { load } from '${packed.name}';
    const squall = await load();
    const { report } = await squall.run(process.argv[2]);
    console.log(squall.version, report.digest);`);
  assert.equal(execFileSync('node', ['use.mjs', scenario], { cwd: dir, encoding: 'utf8' }), `${packed.version} ${want}\n`);
});
