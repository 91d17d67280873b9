// Runs the module of a custom format in a separate process with restrictions, for `sparsescope prove`.

import { type ChildProcess, spawn, execFile } from 'node:child_process';
import type { Runner } from '../../own/module-requests.ts';
import { fromText, toText } from '../../own/text-codec.ts';
import { runtimeForNode } from 'virtual:own-runtime';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';

/** The name of the module in stack traces. */
const MODULE = 'own-format.js';
/** Maximum time for an answer, ms. */
const LIMIT_MS = 2000;
/** Characters of a request for which an answer may take one millisecond more, for a large matrix. */
const CHARACTERS_PER_MS = 10_000;
/** Maximum time for a process to start, ms. */
const START_MS = 20_000;
/** Maximum bytes of memory of a process, with its typed arrays, which V8's limit of its heap does not count. */
const MAX_BYTES = 2 ** 30;
/** Bytes by which each character of a request raises this maximum, for a large matrix and its encoding. */
const BYTES_PER_CHARACTER = 4;
/** Time between two readings of a process's memory, ms: meanwhile it can exceed the limit. */
const MEMORY_CHECK_MS = 20;

/**
 * The whole program of a child. The module is evaluated in a separate context, which receives only texts and has no
 * clock, no console and no network; texts are not evaluated anywhere in the process.
 */
const PROGRAM = `
const vm = require('node:vm');
for (const name of ['fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'navigator']) delete globalThis[name];
for (const name of ['binding', '_linkedBinding', 'dlopen', 'getBuiltinModule', 'mainModule']) delete process[name];
const send = process.send.bind(process);
process.once('message', async ({ runtime, text }) => {
  const context = vm.createContext(Object.create(null), { codeGeneration: { strings: false, wasm: false } });
  const own = vm.runInContext(runtime + ';ownRuntime', context);
  const { answerText, failureText } = own;
  let answer;
  try {
    const importModuleDynamically = () => { throw 'a module imports nothing'; };
    const module = new vm.SourceTextModule(text, { context, identifier: '${MODULE}', importModuleDynamically });
    await module.link(() => { throw new TypeError('a module imports nothing'); });
    send('begun');
    await module.evaluate();
    answer = (request) => answerText(module.namespace, '${MODULE}', request);
  } catch (error) {
    const failed = String(failureText(error, '${MODULE}'));
    answer = () => failed;
  }
  process.on('message', (request) => {
    const said = answer(request);
    send(typeof said === 'string' ? said : '');
  });
  send('ready');
});
`;

/** The restrictions that this version of Node can put on a child process. */
export interface Fence {
  /** flags of Node that forbid files, processes and addons; none where this Node has none */
  readonly flags: readonly string[];
  /** whether they forbid connections as well */
  readonly hasNoNetwork: boolean;
}

/** The restrictions that this version of Node has flags for. */
export function fenceOf(known: ReadonlySet<string> = process.allowedNodeEnvironmentFlags): Fence {
  const flag = ['--permission', '--experimental-permission'].find((name) => known.has(name));
  return { flags: flag ? [flag] : [], hasNoNetwork: known.has('--allow-net') };
}

/** A request without an answer so far. */
interface PendingRequest {
  readonly what: string;
  readonly ms: number;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: Error) => void;
}

/**
 * Runs the module of a custom format in a separate process. The process is ended if an answer takes more than two
 * seconds, or if it occupies more than 1 GiB (where `residentBytes` can measure this). Both limits are higher for
 * requests with large matrices.
 */
export class ChildRunner implements Runner {
  readonly #child: ChildProcess;
  readonly #limitOf: (what: string) => number;
  readonly #maxBytes: number;
  #extraBytes = 0; // for the longest request so far, since memory is not given back at once
  readonly #pending: PendingRequest[] = [];
  #timer: NodeJS.Timeout | null = null;
  #watch: NodeJS.Timeout | null = null;
  #phase: 'starting' | 'evaluating' | 'ready' = 'starting';
  #ended: Error | null = null;

  /** `limitOf`: milliseconds for a request, or for 'the module' to be evaluated. `maxBytes`: of its process. */
  constructor(
    text: string,
    fence: Fence = fenceOf(),
    limitOf: (what: string) => number = () => LIMIT_MS,
    maxBytes = MAX_BYTES,
  ) {
    this.#limitOf = limitOf;
    this.#maxBytes = maxBytes;
    const flags = [
      ...fence.flags,
      '--experimental-vm-modules',
      '--disallow-code-generation-from-strings',
      '--max-old-space-size=1024',
      '--no-warnings',
    ];
    this.#child = spawn(process.execPath, [...flags, '--eval', PROGRAM], {
      cwd: '/',
      env: {},
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.#child.on('message', (message) => this.#onMessage(message));
    this.#child.on('exit', () => this.end('the process of the module ended: found no memory, or an exit'));
    this.#child.on('error', ({ message }) => this.end(`the process of the module did not start: ${message}`));
    this.#child.send({ runtime: runtimeForNode, text });
    this.#startTimer();
    this.#watchMemory();
  }

  ask(request: Parameters<Runner['ask']>[0]): Promise<unknown> {
    if (this.#ended) return Promise.reject(this.#ended);
    const text = toText(request);
    const ms = this.#limitOf(request.ask) + Math.floor(text.length / CHARACTERS_PER_MS);
    this.#extraBytes = Math.max(this.#extraBytes, BYTES_PER_CHARACTER * text.length);
    return new Promise((resolve, reject) => {
      this.#pending.push({ what: request.ask, ms, resolve, reject });
      this.#child.send(text, (error) => {
        if (error) this.end(error.message);
      });
      if (this.#pending.length === 1) this.#startTimer();
    });
  }

  end(why = 'the module was ended'): void {
    if (this.#ended) return;
    this.#ended = new Error(why);
    if (this.#timer) clearTimeout(this.#timer);
    if (this.#watch) clearTimeout(this.#watch);
    this.#child.kill('SIGKILL');
    for (const { reject } of this.#pending.splice(0)) reject(this.#ended);
  }

  #onMessage(message: unknown): void {
    if (this.#phase !== 'ready' && (message === 'begun' || message === 'ready')) {
      this.#phase = message === 'begun' ? 'evaluating' : 'ready';
      this.#startTimer();
      return;
    }
    const first = this.#pending.shift();
    if (!first || typeof message !== 'string') {
      this.end('the module sent a message out of its turn, and was ended');
      return;
    }
    let answer: unknown = null;
    try {
      answer = fromText(message);
    } catch {
      // It is no answer, and is rejected as such.
    }
    first.resolve(answer);
    this.#startTimer();
  }

  /** Reads the memory of the process repeatedly, until it ends. */
  #watchMemory(): void {
    const checkMemory = async (): Promise<void> => {
      const bytes = this.#child.pid === undefined ? null : await residentBytes(this.#child.pid);
      const max = this.#maxBytes + this.#extraBytes;
      if (bytes !== null && bytes > max)
        this.end(`${this.#task} took more than ${Math.floor(max / 2 ** 20)} MiB of memory`);
      else if (!this.#ended) this.#watchMemory();
    };
    this.#watch = setTimeout(() => void checkMemory(), MEMORY_CHECK_MS);
    this.#watch.unref();
  }

  /** What the process does now: the request that it answers, or 'the module', which is evaluated first. */
  get #task(): string {
    return (this.#phase === 'ready' && this.#pending[0]?.what) || 'the module';
  }

  #startTimer(): void {
    if (this.#timer) clearTimeout(this.#timer);
    const [first] = this.#pending;
    if (this.#phase === 'ready' && !first) return;
    const ms = this.#phase === 'starting' ? START_MS : this.#phase === 'ready' ? first.ms : this.#limitOf('the module');
    this.#timer = setTimeout(() => this.end(`${this.#task} did not end within ${(ms / 1000).toFixed(0)} s`), ms);
  }
}

/**
 * Bytes of memory that a process occupies now, typed arrays and code included; null once it has ended, or if this
 * system does not report it: by /proc on Linux, by `ps` on other Unix systems, and not on Windows.
 */
async function residentBytes(pid: number): Promise<number | null> {
  const kibibytes = process.platform === 'linux' ? await fromProc(pid) : await fromPs(pid);
  return kibibytes === null || !/^\d+$/.test(kibibytes) ? null : 1024 * Number(kibibytes);
}

async function fromProc(pid: number): Promise<string | null> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? null;
}

async function fromPs(pid: number): Promise<string | null> {
  const output = await promisify(execFile)('ps', ['-o', 'rss=', '-p', String(pid)]).catch(() => null);
  return output && output.stdout.trim();
}
