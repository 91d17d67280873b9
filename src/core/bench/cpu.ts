import {
  type BenchCase,
  type BenchOptions,
  clockStepNs,
  completeRows,
  type Measured,
  untilSeen,
  withVerification,
} from './cases.ts';
import { BenchOracle } from './oracle.ts';
import { partOf, type Samples, timeRounds } from './rounds.ts';
import { type Pace, throwIfCancelled } from '../pace.ts';
import { CancelledError, SparseScopeError } from '../errors.ts';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import type { Job } from '../job.ts';
import { type Expected } from '../operations/operation.ts';
import { operationById } from '../operations/index.ts';
import type { BenchReport, Refusal, Verification } from '../report.ts';
import { POISON_BITS, verifyOutputs } from '../operations/verify.ts';

/** What the machine gives: a clock in milliseconds, and a pause in which messages arrive. */
export interface CpuHost extends Pace {
  /** browser or runtime with its version */
  readonly runtime: string;
}

/** A sample lasts about so long: many runs of a small matrix, one of a large. */
const SAMPLE_MS = 20;
/** A sample this long is many steps of any clock, so that its time can be believed. */
const BELIEVED_MS = 1;
/** Optimising compilers need a while to see that a loop is hot. */
const WARM_UP_MS = 200;

interface Prepared {
  readonly bench: BenchCase;
  readonly encoded: EncodedMatrix;
  readonly encodeMs: number;
  readonly firstDispatchMs: number;
  readonly expected: Expected;
  readonly verified: Verification;
  runsPerSample: number;
}

/**
 * Times `format.multiply` of every case on this thread: verified first, warmed up, interleaved in seeded random order in
 * every round, and verified again. The thread is given back between samples, at which the job can be cancelled.
 * Throws CancelledError. A format that cannot hold the matrix is listed as refused.
 */
export async function runCpuBench(
  cases: readonly BenchCase[],
  options: BenchOptions,
  job: Job,
  host: CpuHost,
): Promise<BenchReport> {
  const { workload } = options;
  const operation = operationById(workload.operation);
  const refused: Refusal[] = [];
  const prepared: Prepared[] = [];
  const oracle = new BenchOracle(operation, workload.sizes ?? {}, workload.seed, host);
  let x: Float32Array = new Float32Array(0);
  const y = new Float32Array(workload.rows);

  for (const [done, bench] of cases.entries()) {
    await breathe(job, host);
    job.report({ what: `verify ${bench.format.title}`, done, total: cases.length });
    try {
      const { encoded, encodeMs } = await bench.encode(job);
      const reference = await oracle.reference(bench, encoded, job);
      x = reference.inputs.x;
      const expected = reference.expected(1);
      new Uint32Array(y.buffer).fill(POISON_BITS);
      const start = host.now();
      bench.format.multiply(encoded, x, y);
      const firstDispatchMs = host.now() - start;
      const verified = verifyOutputs(y, expected);
      prepared.push({
        bench,
        encoded,
        encodeMs,
        firstDispatchMs,
        expected,
        verified,
        runsPerSample: 1,
      });
    } catch (error) {
      if (!(error instanceof SparseScopeError) || error instanceof CancelledError) throw error;
      refused.push({ kernel: '', format: bench.format.id, params: bench.params, reason: error.message });
    }
  }

  const timed = prepared.filter((p) => p.verified.ok);
  const sample = (p: Prepared): number => {
    const start = host.now();
    for (let i = 0; i < p.runsPerSample; i++) p.bench.format.multiply(p.encoded, x, y);
    return (host.now() - start) / p.runsPerSample;
  };
  for (const [done, p] of timed.entries()) {
    job.report({ what: 'warm up', done, total: timed.length });
    const start = host.now();
    // A sample in which another process had the core says too much: then so few runs would fit into the next ones that
    // they could end within one step of the clock, in no time at all.
    let least = Number.POSITIVE_INFINITY;
    do {
      await breathe(job, host);
      await untilSeen(options, job, host);
      const ms = sample(p);
      if (ms * p.runsPerSample >= BELIEVED_MS) least = Math.min(least, ms);
      const runMs = Math.min(least, Math.max(ms, SAMPLE_MS / 4096));
      p.runsPerSample = Math.max(1, Math.ceil(SAMPLE_MS / runMs));
    } while (host.now() - start < WARM_UP_MS);
  }

  const notes: string[] = [];
  const bytesOf = ({ bench, encoded }: Prepared): number =>
    bench.format.storage(encoded).totalBytes + x.byteLength + y.byteLength;
  const rowOf = (p: Prepared, samples: Samples): Measured => ({
    kernel: `${p.bench.format.id}/${operation.id}_cpu`,
    format: p.bench.format.id,
    title: 'TypeScript, one thread',
    where: 'cpu',
    params: p.bench.params,
    bytes: bytesOf(p),
    verified: p.verified,
    samplesNs: samples[timed.indexOf(p)] ?? [],
    runsPerSample: p.runsPerSample,
    copies: 1,
    encodeMs: p.encodeMs,
    uploadMs: 0,
    compileMs: 0,
    firstDispatchMs: p.firstDispatchMs,
  });
  const reportOf = (rows: readonly Measured[]): BenchReport => ({
    schema: 1,
    createdAt: new Date().toISOString(),
    app: options.app,
    environment: {
      adapter: { vendor: '', architecture: '', device: '', description: 'CPU, one thread' },
      isFallback: false,
      runtime: host.runtime,
      features: [],
      limits: {},
      subgroupSize: { min: 0, max: 0 },
    },
    clock: { source: 'wall-clock', quantumNs },
    readBandwidthGBps: null,
    nullDispatchNs: null,
    workload: { ...workload, memory: 'warm' },
    rows: completeRows(rows, null, options.reference),
    refused,
    notes,
  });

  const quantumNs = clockStepNs(() => host.now());
  const rounds = {
    kernels: timed.length,
    async sample(i: number) {
      await breathe(job, host);
      return sample(timed[i]) * 1e6;
    },
    part(samples: Samples, done: number) {
      options.takePart?.(partOf(reportOf(prepared.map((p) => rowOf(p, samples))), done));
    },
  };
  const samples = await timeRounds(rounds, options, notes, job, host);
  const measured: Measured[] = [];
  for (const p of prepared) {
    const row = rowOf(p, samples);
    if (!p.verified.ok) {
      measured.push(row);
      continue;
    }
    await breathe(job, host);
    new Uint32Array(y.buffer).fill(POISON_BITS);
    p.bench.format.multiply(p.encoded, x, y);
    measured.push(withVerification(row, verifyOutputs(y, p.expected, true)));
  }
  return reportOf(measured);
}

async function breathe(job: Job, host: CpuHost): Promise<void> {
  await host.pause();
  throwIfCancelled(job);
}
