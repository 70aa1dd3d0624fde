// Types of squall.js: the engine and the grader for pages, Web Workers and Node.

/** A scenario, policy or recording: its text (JSON, comments allowed), or the object that the text stands for. */
export type Document = string | object;

/** One thing that is wrong with a text. */
export interface Problem {
  /** Where it is, for example "services.checkout.calls[1].policy"; empty for the whole text. */
  path: string;
  /** From 1; columns count bytes of UTF-8. */
  line: number;
  column: number;
  /** The bytes that are meant. */
  offset: number;
  length: number;
  /** What is wrong and what would be right. */
  message: string;
}

/** What went wrong, as a value. */
export interface Failure {
  ok: false;
  /** Sentences for a person; one line a problem when there are problems. */
  error: string;
  problems: Problem[];
  /** The signal stopped it. */
  aborted?: true;
  /** The engine itself broke. The next request is answered by a fresh instance. */
  defect?: true;
}

export interface Expectation { text: string; holds: boolean; }

/** The report of one run, as `squall run --json` prints it. */
export interface Report {
  squall: 1;
  engine: string;
  seed: number;
  /** "sha256:..." of everything that was measured: equal on every machine. */
  digest: string;
  [key: string]: unknown;
}

/** The reports of a band put together, as `squall run --seeds 1-20 --json` prints them. */
export interface Band { squall: 1; engine: string; [key: string]: unknown; }

export interface Ran { ok: true; report: Report; /** The block of text that `squall run` prints. */ text: string; world: object; }
export interface Banded { ok: true; band: Band; text: string; expect: Expectation[]; }
export interface Checked { ok: true; /** Who calls whom, what goes wrong and when, seeds and variants. */ world: object; }
export interface Explained { ok: true; explanation: object; text: string; }
export interface Graded { ok: true; /** As `squall grade --json` prints it. */ grade: object; text: string; }

export interface Watched {
  /** Told now and then which part is done, from 0 to 1. What it throws rejects the call. */
  onProgress?: (done: number) => void;
  signal?: AbortSignal;
}

export interface RunOptions extends Watched {
  /** Instead of the scenario's own. */
  seed?: number;
  /** The name of one of the scenario's variants. */
  variant?: string;
  /** Keep the timeline and put it into the report. */
  record?: boolean;
}

export interface BandOptions extends Watched {
  /** Instead of the scenario's own; each once. */
  seeds?: number[];
  variant?: string;
}

export interface GradeOptions extends Watched {
  /** Only this service, or the name of the service of recordings that do not say one. */
  service?: string;
  /** Of a scenario's run. */
  seed?: number;
}

/** Calls are answered one after another; none rejects, except with what onProgress has thrown. */
export interface Squall {
  /** The version of the engine; the same version, scenario and seed give the same digest everywhere. */
  readonly version: string;
  /** The compiled module: post it to workers, which load({ module }) it without compiling again. */
  readonly module: WebAssembly.Module;
  check(scenario: Document): Promise<Checked | Failure>;
  run(scenario: Document, options?: RunOptions): Promise<Ran | Failure>;
  band(scenario: Document, options?: BandOptions): Promise<Banded | Failure>;
  /** The worst case of a policy; or of a call (by its index, first by default) of a scenario. */
  explain(policy: Document, options?: { call?: number }): Promise<Explained | Failure>;
  /** A scenario with "chaos", a recording, or several recordings as files. */
  grade(input: Document | { name?: string; text: string }[], options?: GradeOptions): Promise<Graded | Failure>;
  /** Any request of the module's protocol, for example { op: "trace", call: 0, number: 17 }. */
  request(fields: { op: string; [key: string]: unknown }, options?: Watched): Promise<({ ok: true } & Record<string, unknown>) | Failure>;
}

export interface LoadOptions {
  /** Where squall.wasm is; beside squall.js by default. It is compiled while it arrives, once an address. */
  url?: string | URL;
  module?: WebAssembly.Module;
  bytes?: BufferSource;
  response?: Response;
}

/** Compiles squall.wasm. */
export function compile(source?: string | URL | BufferSource | Response | WebAssembly.Module): Promise<WebAssembly.Module>;

/** Starts the engine. Rejects when the module cannot be had, compiled or started. */
export function load(options?: LoadOptions): Promise<Squall>;
