// Makes the npm package in a folder that holds squall.wasm: squall.js with the runtime of the Go
// release inside, types, licences and package.json with the version of the engine.
//
//   node wasm/npm/build.mjs DIR GOROOT
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const [dir, goroot] = process.argv.slice(2);
const here = name => new URL('../' + name, import.meta.url);

// The runtime defines globalThis.Go; inside the module nobody else sees it.
const runtime = readFileSync(join(goroot, 'lib/wasm/wasm_exec.js'), 'utf8').trim();
const inside = `(() => {
const before = Object.getOwnPropertyDescriptor(globalThis, 'Go');
${runtime}
const Go = globalThis.Go;
if (before) Object.defineProperty(globalThis, 'Go', before);
else delete globalThis.Go;
return Go;
})()`;
const placeholder = '/* wasm_exec.js */ undefined';
const source = readFileSync(here('squall.js'), 'utf8');
if (!source.includes(placeholder)) throw new Error('squall.js has no place for the runtime');
writeFileSync(join(dir, 'squall.js'), source.replace(placeholder, () => inside));

const version = /const Version = "([^"]+)"/.exec(readFileSync(here('../engine/doc.go'), 'utf8'))[1];
const about = JSON.parse(readFileSync(here('npm/package.json'), 'utf8'));
writeFileSync(join(dir, 'package.json'), JSON.stringify({ ...about, version }, null, 2) + '\n');

copyFileSync(here('squall.d.ts'), join(dir, 'squall.d.ts'));
copyFileSync(here('npm/README.md'), join(dir, 'README.md'));
copyFileSync(here('../LICENSE'), join(dir, 'LICENSE'));
copyFileSync(join(goroot, 'LICENSE'), join(dir, 'LICENSE-go.txt'));
