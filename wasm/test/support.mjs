// The same questions to the command line, natively; and the built module.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folder with squall.js and squall.wasm, as build.sh makes it. */
export const dist = process.env.SQUALL_DIST ?? join(root, 'dist');
export const { load, compile } = await import(pathToFileURL(join(dist, 'squall.js')));

const made = mkdtempSync(join(tmpdir(), 'squall-'));
process.on('exit', () => spawnSync('rm', ['-rf', made]));

function build(name, ...args) {
  const out = join(made, name);
  execFileSync('go', ['build', '-o', out, ...args], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, ...(name.endsWith('.wasm') && { GOOS: 'js', GOARCH: 'wasm' }) } });
  return out;
}

let command;

/** What the command prints; its status may be 1, which only says that an expectation fails. */
export function native(...args) {
  command ??= build('squall', './cmd/squall');
  const { stdout, stderr, status } = spawnSync(command, args, { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 });
  if (status > 1 && args[0] !== 'grade') throw new Error(stderr);
  return stdout;
}

/** A module that its tests can break. */
export const breakable = () => build('breakable.wasm', '-tags', 'breakable', './wasm');
