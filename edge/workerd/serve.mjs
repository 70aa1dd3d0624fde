// Runs the built Worker in workerd on this machine, with neither account nor network, until its
// standard input ends: node serve.mjs [PORT] [FOLDER FOR KV] [REQUESTS IN TEN SECONDS]. Without a
// folder KV lives in memory. Its first line of output is where it listens; then every line of input
// is a question about KV, {"list": true} or {"get": id} or {"put": [id, text, ttl]}, answered by one
// line.
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Miniflare } from 'miniflare';

const [port = '0', folder, requests = '100'] = process.argv.slice(2);
const build = fileURLToPath(new URL('../build/', import.meta.url));
const module = (type, name) => ({ type, path: build + name });

const flare = new Miniflare({
  host: '127.0.0.1', port: Number(port), cf: false, telemetry: { enabled: false },
  name: 'squall', modulesRoot: build, compatibilityDate: '2026-04-01',
  modules: [
    module('ESModule', 'entry.mjs'), module('ESModule', 'headers.mjs'), module('ESModule', 'worker.mjs'), module('ESModule', 'wasm_exec.js'),
    module('ESModule', 'runtime.mjs'), module('CompiledWasm', 'app.wasm'),
  ],
  kvNamespaces: ['LINKS'], kvPersist: folder || false,
  ratelimits: { REQUESTS: { simple: { limit: Number(requests), period: 10 } } },
  assets: {
    workerName: 'squall', directory: build + 'site', binding: 'ASSETS',
    routerConfig: { has_user_worker: true, invoke_user_worker_ahead_of_assets: true },
    assetConfig: {},
  },
});

const url = await flare.ready;
console.log(url.origin);
const kv = await flare.getKVNamespace('LINKS');
for await (const line of createInterface({ input: process.stdin })) {
  const { list, get, put } = JSON.parse(line);
  if (put) await kv.put(put[0], put[1], { expirationTtl: put[2] });
  console.log(JSON.stringify(list ? (await kv.list()).keys : get ? await kv.get(get) : null));
}
await flare.dispose();
