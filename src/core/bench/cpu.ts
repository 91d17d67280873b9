import type { BenchCase, BenchOptions } from './cases.ts';
import { clockStepNs } from './clock-step.ts';
import { completeRows, type MeasuredRow, withVerification } from './report-rows.ts';
import { BenchOracle } from './oracle.ts';
import { type EarlierSession, earlierSession, casesWithoutRows } from './earlier-session.ts';
import { Rounds, samplesOf, type TimedCase, timedCase, whenVisible } from './rounds.ts';
import { type CaseRunner, runSchedule } from './schedule.ts';
import { type Pace, throwIfCancelled } from '../pace.ts';
import { CancelledError, SparseScopeError } from '../errors.ts';
import { arrayBytes, type EncodedMatrix } from '../encoded/encoded.ts';
import type { Job } from '../job.ts';
import { type Expected } from '../operations/operation.ts';
import { operationById } from '../operations/index.ts';
import { type BenchReport, CPU_ADAPTER, type Environment, type Rejection, type Verification } from '../report.ts';
import { POISON_BITS, verifyOutputs } from '../operations/verify.ts';

/** Services of the host: a clock in milliseconds, and a pause in which messages arrive. */
export interface CpuHost extends Pace {
  /** browser or runtime with its version */
  readonly runtime: string;
}

/** Target duration of a sample, which has many runs of a small matrix, or one run of a large one. */
const SAMPLE_MS = 20;
/** The time of a sample of at least this duration can be trusted: it spans many steps of any clock. */
const MIN_TRUSTED_MS = 1;
/** Duration of the warm-up, in which optimising compilers notice that a loop is hot. */
const WARM_UP_MS = 200;
/** Maximum number of runs of a sample: a time shorter than one step of the clock means little. */
const MAX_RUNS_PER_SAMPLE = 4096;

/** A case that was encoded and verified, with its timed samples. */
interface PreparedCase {
  readonly bench: BenchCase;
  readonly encoded: EncodedMatrix;
  readonly encodeMs: number;
  readonly firstDispatchMs: number;
  readonly expected: Expected;
  verified: Verification;
  runsPerSample: number;
  timing: TimedCase | null;
}

/**
 * Times `format.multiply` of every case (a format and its parameters) on this thread: verified first, warmed up,
 * interleaved in seeded random order in every round, and verified again. Each case is timed as soon as it is encoded
 * (`runSchedule`). The thread is yielded between samples, where the job can be cancelled. Throws CancelledError, and
 * SparseScopeError if `options.before` is from another run. A format that cannot store the matrix is reported as
 * refused.
 */
export async function runCpuBench(
  cases: readonly BenchCase[],
  options: BenchOptions,
  job: Job,
  host: CpuHost,
): Promise<BenchReport> {
  const { reference } = options;
  const workload = { ...options.workload, memory: 'warm' } as const;
  const origin = { environment: environmentOf(host), clock: { source: 'wall-clock' } } as const;
  const session = earlierSession(cases, workload, reference, origin, options.before);
  const rounds = new Rounds(options, job, host, session.nextRound);
  const run = new CpuRun({ options: { ...options, workload }, session, rounds, job, host });
  const incomplete = session.cases.filter(({ isIncomplete }) => isIncomplete).map(({ benchCase }) => benchCase);
  await runSchedule(incomplete, options, run, rounds, job, host);
  return run.report();
}

/** The environment of a report in which no GPU took part. */
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

/** The parts of a run on this thread. */
interface RunContext {
  readonly options: BenchOptions;
  /** the session that this run continues, or one without measurements */
  readonly session: EarlierSession;
  readonly rounds: Rounds;
  readonly job: Job;
  readonly host: CpuHost;
}

/** A run on this thread: its cases that are encoded and verified so far, and their measurements. */
class CpuRun implements CaseRunner {
  readonly #context: RunContext;
  readonly #oracle: BenchOracle;
  /** the step of the clock */
  readonly #quantumNs: number;
  /** by case: null if the format rejected the matrix */
  readonly #prepared = new Map<BenchCase, PreparedCase | null>();
  readonly #rejected: Rejection[];
  #x: Float32Array = new Float32Array(0);
  readonly #y: Float32Array;

  constructor(context: RunContext) {
    const { options, session, host } = context;
    const { operation, sizes = {}, seed, rows } = options.workload;
    this.#context = context;
    this.#oracle = new BenchOracle(operationById(operation), sizes, seed, host);
    this.#rejected = [...session.refused];
    this.#y = new Float32Array(rows);
    this.#quantumNs = clockStepNs(() => host.now());
  }

  async join(bench: BenchCase): Promise<readonly TimedCase[]> {
    const { session, job, host } = this.#context;
    await pauseUnlessCancelled(job, host);
    job.report({ what: `verify ${bench.format.title}`, done: 0, total: 1 });
    try {
      const prepared = await this.#prepare(bench);
      this.#prepared.set(bench, prepared);
      if (!prepared.verified.ok) return [];
      await this.#warmUp(prepared);
      const sample = async (): Promise<number> => {
        await pauseUnlessCancelled(job, host);
        return this.#sampleMs(prepared) * 1e6;
      };
      prepared.timing = timedCase(sample, session.samplesOf(bench, kernelOf(bench, this.#context.options)));
      return [prepared.timing];
    } catch (error) {
      if (!(error instanceof SparseScopeError) || error instanceof CancelledError) throw error;
      this.#prepared.set(bench, null);
      this.#rejected.push({ kernel: '', format: bench.format.id, params: bench.params, reason: error.message });
      return [];
    }
  }

  references(): readonly TimedCase[] {
    const { reference } = this.#context.options;
    return [...this.#prepared.values()].flatMap((prepared) =>
      prepared?.timing && prepared.bench.format.id === reference ? [prepared.timing] : [],
    );
  }

  async openReferences(): Promise<void> {} // all references are timed from the beginning

  async verifyAgain(complete: readonly TimedCase[]): Promise<void> {
    const { job, host } = this.#context;
    for (const prepared of this.#prepared.values()) {
      if (!prepared?.timing || !complete.includes(prepared.timing)) continue;
      await pauseUnlessCancelled(job, host);
      this.#multiply(prepared);
      prepared.verified = verifyOutputs(this.#y, prepared.expected, { checkedAfterTiming: true });
    }
  }

  async publish(waitingCases: readonly BenchCase[]): Promise<void> {
    const report = this.report(waitingCases);
    if (report.rows.length + report.refused.length > 0) await this.#context.options.onReport?.(report);
  }

  /** The report so far; `waitingCases` are not encoded and verified yet; absent at the end of the run. */
  report(waitingCases?: readonly BenchCase[]): BenchReport {
    const { options, session, rounds, host } = this.#context;
    const rows = session.cases.flatMap(({ benchCase, rows: earlierRows }): readonly MeasuredRow[] => {
      const prepared = this.#prepared.get(benchCase);
      if (prepared === undefined) return earlierRows;
      return prepared === null || prepared.timing?.samplesNs.length === 0 ? [] : [this.#rowOf(prepared)];
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
      refused: [...this.#rejected],
      notes: [...session.notes, ...rounds.notes],
      ...(waitingCases && { unfinished: { waiting: casesWithoutRows(session, waitingCases) } }),
    };
  }

  async #prepare(bench: BenchCase): Promise<PreparedCase> {
    const { job, host } = this.#context;
    const { encoded, encodeMs } = await bench.encode(job);
    const reference = await this.#oracle.reference(bench, encoded, job);
    this.#x = reference.inputs.x;
    const start = host.now();
    this.#multiply({ bench, encoded });
    const firstDispatchMs = host.now() - start;
    const expected = reference.expected(1);
    const verified = verifyOutputs(this.#y, expected);
    return { bench, encoded, encodeMs, firstDispatchMs, expected, verified, runsPerSample: 1, timing: null };
  }

  /** One product into y, which is prefilled with a value that no format computes. */
  #multiply({ bench, encoded }: Pick<PreparedCase, 'bench' | 'encoded'>): void {
    new Uint32Array(this.#y.buffer).fill(POISON_BITS);
    bench.format.multiply(encoded, this.#x, this.#y);
  }

  /** Mean time of one product, over the runs of a sample. */
  #sampleMs({ bench, encoded, runsPerSample }: PreparedCase): number {
    const { host } = this.#context;
    const start = host.now();
    for (let i = 0; i < runsPerSample; i++) bench.format.multiply(encoded, this.#x, this.#y);
    return (host.now() - start) / runsPerSample;
  }

  /** Multiplies until compilers have optimised the loop, and chooses the runs per sample. */
  async #warmUp(prepared: PreparedCase): Promise<void> {
    const { options, job, host } = this.#context;
    job.report({ what: `warm up ${prepared.bench.format.title}`, done: 0, total: 1 });
    const start = host.now();
    // The runs per sample follow from the shortest trusted sample. A sample during which another process used the core
    // takes far too long: chosen by its time, samples would have so few runs that they could end within one clock step.
    let shortestMs = Number.POSITIVE_INFINITY;
    do {
      await pauseUnlessCancelled(job, host);
      await whenVisible(options, job, host);
      const ms = this.#sampleMs(prepared);
      if (ms * prepared.runsPerSample >= MIN_TRUSTED_MS) shortestMs = Math.min(shortestMs, ms);
      // Without a trusted sample yet, the last time counts; a time of 0 must not give infinitely many runs.
      const runMs = Math.min(shortestMs, Math.max(ms, SAMPLE_MS / MAX_RUNS_PER_SAMPLE));
      prepared.runsPerSample = Math.max(1, Math.ceil(SAMPLE_MS / runMs));
    } while (host.now() - start < WARM_UP_MS);
  }

  #rowOf(prepared: PreparedCase): MeasuredRow {
    const { bench, encoded, encodeMs, firstDispatchMs, verified, runsPerSample, timing } = prepared;
    const storedBytes = arrayBytes(encoded);
    const row: MeasuredRow = {
      kernel: kernelOf(bench, this.#context.options),
      format: bench.format.id,
      title: 'TypeScript, one thread',
      where: 'cpu',
      params: bench.params,
      bytes: storedBytes + this.#x.byteLength + this.#y.byteLength,
      storedBytes,
      verified,
      ...(timing ? samplesOf(timing) : { samplesNs: [] }),
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

/** The kernel id of a format's `multiply` on this thread: 'macko/spmv_cpu'. */
function kernelOf({ format }: BenchCase, { workload }: BenchOptions): string {
  return `${format.id}/${workload.operation}_cpu`;
}

async function pauseUnlessCancelled(job: Job, host: CpuHost): Promise<void> {
  await host.pause();
  throwIfCancelled(job);
}
