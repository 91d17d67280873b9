// The fuzzer: runs targets in threads, detects hangs and crashes, and prints broken laws with the command to reproduce them.

import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { ArgumentError, runProgram } from '../scripts/command-line.ts';
import { type FuzzArguments, parseArguments, usage } from './arguments.ts';
import { allTargets } from './targets.ts';
import { type Fault, type Target } from './target.ts';
import { PULSE, randomOf, runThread, type ThreadMessage, type ThreadPlan } from './thread.ts';

/** A case that runs longer counts as a hang. The longest takes a few seconds, much more if other work has the cores. */
const HANG_SECONDS = 180;
/** Maximum heap of a thread; the contents of typed arrays are not part of it. */
const THREAD_HEAP_MIB = 1024;
const REPORT_EVERY_MS = 15_000;
const WATCH_EVERY_MS = 1000;
/** Longest case that still fits on a command line. */
const SHORT_CASE = 1500;
/** Number of broken laws after which a run ends early. */
const MAX_FINDINGS = 20;

interface Finding {
  readonly target: string;
  readonly index: number;
  fault: Fault;
  json: unknown;
  isSmallest: boolean;
}

/** Threads that try cases, supervised: a hang or a crash is a fault, and another thread continues after that case. */
class Run {
  readonly findings = new Map<string, Finding>();
  readonly tried = new Map<string, number>();
  readonly #options: FuzzArguments;
  readonly #targets: readonly Target[];
  readonly #endsAt: number | null;
  #lastReport = Date.now();

  constructor(options: FuzzArguments, targets: readonly Target[]) {
    this.#options = options;
    this.#targets = targets;
    this.#endsAt = options.minutes === null ? null : Date.now() + options.minutes * 60_000;
    for (const id of options.counts.keys()) this.tried.set(id, 0);
  }

  /** Tries cases in all threads, until counts are reached, time is up or too many laws are broken. */
  async runThreads(): Promise<void> {
    const { threads, counts } = this.#options;
    await Promise.all(
      Array.from({ length: threads }, (_, thread) => {
        return this.#runThread(thread, new Map([...counts.keys()].map((id) => [id, thread])));
      }),
    );
  }

  /** Runs a thread. After a hang or a crash, another one continues behind that case. */
  async #runThread(thread: number, next: Map<string, number>): Promise<void> {
    const { seed, threads, counts, againstScipy } = this.#options;
    while (this.findings.size < MAX_FINDINGS) {
      const pulse = new SharedArrayBuffer(4 * PULSE.words);
      const plan: ThreadPlan = {
        seed,
        thread,
        threads,
        targets: [...counts].map(([id, count]) => ({ id, count, from: next.get(id) ?? thread })),
        endsAt: this.#endsAt,
        againstScipy,
        pulse,
      };
      const threadFault = await this.#supervise(plan, new Int32Array(pulse), next);
      if (threadFault === null) return;
      const pulseWords = new Int32Array(pulse);
      const target = this.#targets[pulseWords[PULSE.target]];
      const index = pulseWords[PULSE.index];
      const json = target.generate(randomOf(seed, target.id, index)).toJson();
      this.#note({ target: target.id, index, fault: threadFault, json, isSmallest: false });
      next.set(target.id, index + threads);
    }
  }

  /** Runs a thread to its end. Returns null, or the fault of its current case: a hang or a crash. */
  #supervise(plan: ThreadPlan, pulse: Int32Array, next: Map<string, number>): Promise<Fault | null> {
    return new Promise((resolve) => {
      const worker = new Worker(fileURLToPath(import.meta.url), {
        workerData: plan,
        resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MIB },
      });
      let isDone = false;
      const end = (fault: Fault | null): void => {
        if (isDone) return;
        isDone = true;
        clearInterval(watch);
        void worker.terminate().then(() => resolve(fault));
      };
      const watch = setInterval(() => {
        this.#report();
        const age = Date.now() / 1000 - pulse[PULSE.second];
        if (pulse[PULSE.second] > 0 && age > HANG_SECONDS) {
          end({ law: 'every case ends in time', message: `still at it after ${HANG_SECONDS} s` });
        }
        if (this.findings.size >= MAX_FINDINGS) end(null);
      }, WATCH_EVERY_MS);
      worker.on('message', (message: ThreadMessage) => {
        if (message.kind === 'done') end(null);
        else if (message.kind === 'find') this.#note(message);
        else {
          next.set(message.target, message.next);
          this.tried.set(message.target, (this.tried.get(message.target) ?? 0) + message.tried);
        }
      });
      worker.on('error', (error) => end({ law: 'the worker thread keeps running', message: String(error) }));
      worker.on('exit', (code) =>
        end({ law: 'the worker thread keeps running', message: `it ended with code ${code}` }),
      );
    });
  }

  /** Keeps a finding, unless an earlier one of the same law is as small. */
  #note({ target, index, fault, json, isSmallest }: Finding): void {
    const key = `${target} ${fault.law}`;
    const earlier = this.findings.get(key);
    if (!earlier) {
      this.findings.set(key, { target, index, fault, json, isSmallest });
      console.log(`found in ${target}, case ${index}: ${fault.law}; making it smaller`);
      return;
    }
    // Two threads may break the same law: the smaller case is kept.
    const isBetter = isSmallest && (!earlier.isSmallest || lengthOf(json) < lengthOf(earlier.json));
    if (isBetter) Object.assign(earlier, { index, fault, json, isSmallest });
  }

  #report(): void {
    if (Date.now() - this.#lastReport < REPORT_EVERY_MS) return;
    this.#lastReport = Date.now();
    console.log(this.countsText());
  }

  /** The number of tried cases of each target, as text. */
  countsText(): string {
    const unit = (id: string): string => this.#targets.find((target) => target.id === id)?.unit ?? id;
    return [...this.tried].map(([id, count]) => `${count.toLocaleString('en')} ${unit(id)}`).join(', ');
  }
}

function lengthOf(json: unknown): number {
  return JSON.stringify(json).length;
}

/** Prints a fault, and how to reproduce it. */
function printFinding({ target, fault, json, index, isSmallest }: Finding, seed: number): void {
  const text = JSON.stringify({ target, case: json });
  console.log(`\n${target}: ${fault.law}\n  ${fault.message}`);
  let replay = text;
  if (text.length > SHORT_CASE || text.includes("'")) {
    mkdirSync(join('.cache', 'fuzz'), { recursive: true });
    replay = join('.cache', 'fuzz', `${target}-${seed}-${index}.json`);
    writeFileSync(replay, `${text}\n`);
  } else replay = `'${text}'`;
  console.log(`  ${isSmallest ? 'smallest case' : 'original case'}: npm run fuzz -- --case ${replay}`);
}

/** Checks the case of --case, given as JSON or as a file, and prints its result. Returns the exit code. */
async function replayCase(argument: string, targets: readonly Target[]): Promise<number> {
  const text = existsSync(argument) ? readFileSync(argument, 'utf8') : argument;
  let value: { readonly target: string; readonly case: unknown };
  try {
    value = JSON.parse(text) as typeof value;
  } catch (error) {
    throw new ArgumentError(`--case: found neither a file nor JSON (${String(error)}), expected a case as printed`);
  }
  const target = targets.find(({ id }) => id === value.target);
  if (!target)
    throw new ArgumentError(`--case: found '${value.target}', expected one of ${targets.map((t) => t.id).join(', ')}`);
  const fault = await target.fromJson(value.case).find();
  console.log(fault === null ? `${target.id}: every law holds` : `${target.id}: ${fault.law}\n  ${fault.message}`);
  return fault === null ? 0 : 1;
}

async function main(argv: readonly string[]): Promise<number> {
  const names = allTargets({ againstScipy: false });
  const options = parseArguments(argv, names, { seed: Date.now() >>> 0, threads: availableParallelism() });
  const targets = allTargets(options);
  if (options.replay !== null) return replayCase(options.replay, targets);
  console.log(`seed ${options.seed}`);
  const start = Date.now();
  const run = new Run(options, targets);
  await run.runThreads();
  for (const finding of run.findings.values()) printFinding(finding, options.seed);
  const seconds = Math.round((Date.now() - start) / 1000);
  const untried = [...run.tried].flatMap(([id, count]) => (count === 0 ? [id] : []));
  const isNothing = run.findings.size === 0 && untried.length === run.tried.size;
  const found = run.findings.size === 0 ? 'every law held' : `${run.findings.size} laws broken`;
  const result = [isNothing ? 'found no case that was tried, expected some' : found];
  if (!isNothing && untried.length > 0) result.push(`no case was tried of ${untried.join(', ')}`);
  console.log(`\n${run.countsText()} in ${seconds} s, seed ${options.seed}: ${result.join('; ')}`);
  return run.findings.size === 0 && !isNothing ? 0 : 1;
}

if (isMainThread) {
  process.exit(await runProgram('fuzz', usage(allTargets({ againstScipy: false })), main));
} else {
  const plan = workerData as ThreadPlan;
  await runThread(plan, allTargets(plan), (message) => parentPort?.postMessage(message));
}
