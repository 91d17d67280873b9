import type { BenchCase, BenchOptions } from './cases.ts';
import { clockStepNs } from './clock-step.ts';
import { completeRows, type MeasuredRow, withVerification } from './report-rows.ts';
import { BenchOracle } from './oracle.ts';
import { type EarlierSession, earlierSession, casesWithoutRows } from './earlier-session.ts';
import { Rounds, samplesOf, type TimedSubject, timedSubject, whenVisible } from './rounds.ts';
import { type RunDevice, runSchedule } from './schedule.ts';
import { type Pace, throwIfCancelled } from '../pace.ts';
import { CancelledError, SparseScopeError } from '../errors.ts';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import type { Job } from '../job.ts';
import { type Expected } from '../operations/operation.ts';
import { operationById } from '../operations/index.ts';
import { type BenchReport, CPU_ADAPTER, type Environment, type Refusal, type Verification } from '../report.ts';
import { POISON_BITS, verifyOutputs } from '../operations/verify.ts';

/** Services of the host: a clock in milliseconds, and a pause in which messages arrive. */
export interface CpuHost extends Pace {
  /** browser or runtime with its version */
  readonly runtime: string;
}

/** Target length of a sample: many runs of a small matrix, one of a large. */
const SAMPLE_MS = 20;
/** A sample this long spans many steps of any clock, so its time can be trusted. */
const MIN_TRUSTED_MS = 1;
/** Optimising compilers need a while to notice that a loop is hot. */
const WARM_UP_MS = 200;

interface Prepared {
  readonly bench: BenchCase;
  readonly encoded: EncodedMatrix;
  readonly encodeMs: number;
  readonly firstDispatchMs: number;
  readonly expected: Expected;
  verified: Verification;
  runsPerSample: number;
  timed: TimedSubject | null;
}

/**
 * Times `format.multiply` of every case on this thread: verified first, warmed up, interleaved in seeded random order
 * in every round, and verified again. Each case is timed as soon as it is encoded (`runSchedule`). The thread is
 * yielded between samples, where the job can be cancelled. Throws CancelledError, and SparseScopeError when
 * `options.before` is of another run. A format that cannot hold the matrix is listed as refused.
 */
export async function runCpuBench(
  cases: readonly BenchCase[],
  options: BenchOptions,
  job: Job,
  host: CpuHost,
): Promise<BenchReport> {
  const { reference } = options;
  const workload = { ...options.workload, memory: 'warm' } as const;
  const where = { environment: environmentOf(host), clock: { source: 'wall-clock' } } as const;
  const before = earlierSession(cases, workload, reference, where, options.before);
  const rounds = new Rounds(options, job, host, before.nextRound);
  const run = new CpuRun({ options: { ...options, workload }, before, rounds, job, host });
  const lacking = before.cases.filter(({ isIncomplete }) => isIncomplete).map(({ bench }) => bench);
  await runSchedule(lacking, options, run, rounds, job, host);
  return run.report();
}

function environmentOf(host: CpuHost): Environment {
  return {
    adapter: { vendor: '', architecture: '', device: '', description: CPU_ADAPTER },
    isFallback: false,
    runtime: host.runtime,
    features: [],
    limits: {},
    subgroupSize: { min: 0, max: 0 },
  };
}

interface RunDeps {
  readonly options: BenchOptions;
  readonly before: EarlierSession;
  readonly rounds: Rounds;
  readonly job: Job;
  readonly host: CpuHost;
}

/** A run on this thread: the cases that have joined it, and their measurements. */
class CpuRun implements RunDevice {
  readonly #deps: RunDeps;
  readonly #oracle: BenchOracle;
  readonly #quantumNs: number;
  readonly #prepared = new Map<BenchCase, Prepared | null>();
  readonly #refused: Refusal[];
  #x: Float32Array = new Float32Array(0);
  readonly #y: Float32Array;

  constructor(deps: RunDeps) {
    const { options, before, host } = deps;
    const { operation, sizes = {}, seed, rows } = options.workload;
    this.#deps = deps;
    this.#oracle = new BenchOracle(operationById(operation), sizes, seed, host);
    this.#refused = [...before.refused];
    this.#y = new Float32Array(rows);
    this.#quantumNs = clockStepNs(() => host.now());
  }

  async join(bench: BenchCase): Promise<readonly TimedSubject[]> {
    const { before, job, host } = this.#deps;
    await pauseUnlessCancelled(job, host);
    job.report({ what: `verify ${bench.format.title}`, done: 0, total: 1 });
    try {
      const one = await this.#prepare(bench);
      this.#prepared.set(bench, one);
      if (!one.verified.ok) return [];
      await this.#warmUp(one);
      const sample = async (): Promise<number> => {
        await pauseUnlessCancelled(job, host);
        return this.#sampleMs(one) * 1e6;
      };
      one.timed = timedSubject(sample, before.samplesOf(bench, kernelOf(one, this.#deps.options)));
      return [one.timed];
    } catch (error) {
      if (!(error instanceof SparseScopeError) || error instanceof CancelledError) throw error;
      this.#prepared.set(bench, null);
      this.#refused.push({ kernel: '', format: bench.format.id, params: bench.params, reason: error.message });
      return [];
    }
  }

  references(): readonly TimedSubject[] {
    const { reference } = this.#deps.options;
    return [...this.#prepared.values()].flatMap((one) =>
      one?.timed && one.bench.format.id === reference ? [one.timed] : [],
    );
  }

  async openReferences(): Promise<void> {}

  async verifyAgain(complete: readonly TimedSubject[]): Promise<void> {
    const { job, host } = this.#deps;
    for (const one of this.#prepared.values()) {
      if (!one?.timed || !complete.includes(one.timed)) continue;
      await pauseUnlessCancelled(job, host);
      this.#multiply(one);
      one.verified = verifyOutputs(this.#y, one.expected, { checkedAfterTiming: true });
    }
  }

  async publish(waiting: readonly BenchCase[]): Promise<void> {
    const report = this.report(waiting);
    if (report.rows.length + report.refused.length > 0) await this.#deps.options.onReport?.(report);
  }

  /** The report so far; `waiting` are the cases that have not joined, if there are more to come. */
  report(waiting?: readonly BenchCase[]): BenchReport {
    const { options, before, rounds, host } = this.#deps;
    const rows = before.cases.flatMap(({ bench, rows: earlier }): readonly MeasuredRow[] => {
      const one = this.#prepared.get(bench);
      if (one === undefined) return earlier;
      return one === null || one.timed?.samplesNs.length === 0 ? [] : [this.#rowOf(one)];
    });
    return {
      schema: 1,
      createdAt: new Date().toISOString(),
      app: options.app,
      environment: environmentOf(host),
      clock: { source: 'wall-clock', quantumNs: this.#quantumNs },
      readBandwidthGBps: null,
      nullDispatchNs: null,
      workload: options.workload,
      rows: completeRows(rows, null, options.reference, options.comparedWith),
      refused: [...this.#refused],
      notes: [...before.notes, ...rounds.notes],
      ...(waiting && { unfinished: { waiting: casesWithoutRows(before, waiting) } }),
    };
  }

  async #prepare(bench: BenchCase): Promise<Prepared> {
    const { job, host } = this.#deps;
    const { encoded, encodeMs } = await bench.encode(job);
    const reference = await this.#oracle.reference(bench, encoded, job);
    this.#x = reference.inputs.x;
    const start = host.now();
    this.#multiply({ bench, encoded });
    const firstDispatchMs = host.now() - start;
    const expected = reference.expected(1);
    const verified = verifyOutputs(this.#y, expected);
    return { bench, encoded, encodeMs, firstDispatchMs, expected, verified, runsPerSample: 1, timed: null };
  }

  /** Prefilled with a value that no format computes. */
  #multiply({ bench, encoded }: Pick<Prepared, 'bench' | 'encoded'>): void {
    new Uint32Array(this.#y.buffer).fill(POISON_BITS);
    bench.format.multiply(encoded, this.#x, this.#y);
  }

  #sampleMs({ bench, encoded, runsPerSample }: Prepared): number {
    const { host } = this.#deps;
    const start = host.now();
    for (let i = 0; i < runsPerSample; i++) bench.format.multiply(encoded, this.#x, this.#y);
    return (host.now() - start) / runsPerSample;
  }

  async #warmUp(one: Prepared): Promise<void> {
    const { options, job, host } = this.#deps;
    job.report({ what: `warm up ${one.bench.format.title}`, done: 0, total: 1 });
    const start = host.now();
    // A sample during which another process had the core reads far too long. Scaled by it, the next ones would be so
    // few runs that they could end within one step of the clock, in no time at all.
    let min = Number.POSITIVE_INFINITY;
    do {
      await pauseUnlessCancelled(job, host);
      await whenVisible(options, job, host);
      const ms = this.#sampleMs(one);
      if (ms * one.runsPerSample >= MIN_TRUSTED_MS) min = Math.min(min, ms);
      const runMs = Math.min(min, Math.max(ms, SAMPLE_MS / 4096));
      one.runsPerSample = Math.max(1, Math.ceil(SAMPLE_MS / runMs));
    } while (host.now() - start < WARM_UP_MS);
  }

  #rowOf(one: Prepared): MeasuredRow {
    const { bench, encoded, encodeMs, firstDispatchMs, verified, runsPerSample } = one;
    const row: MeasuredRow = {
      kernel: kernelOf(one, this.#deps.options),
      format: bench.format.id,
      title: 'TypeScript, one thread',
      where: 'cpu',
      params: bench.params,
      bytes: bench.format.storage(encoded).totalBytes + this.#x.byteLength + this.#y.byteLength,
      verified,
      ...(one.timed ? samplesOf(one.timed) : { samplesNs: [] }),
      runsPerSample,
      copies: 1,
      encodeMs,
      uploadMs: 0,
      compileMs: 0,
      firstDispatchMs,
    };
    return withVerification(row, verified);
  }
}

function kernelOf({ bench }: Pick<Prepared, 'bench'>, { workload }: BenchOptions): string {
  return `${bench.format.id}/${workload.operation}_cpu`;
}

async function pauseUnlessCancelled(job: Job, host: CpuHost): Promise<void> {
  await host.pause();
  throwIfCancelled(job);
}
