// Prepares steps of a recording ahead, on several threads: generates matrices and encodes them, while no GPU is timed.

import { availableParallelism, freemem } from 'node:os';
import { isMainThread, parentPort, Worker } from 'node:worker_threads';
import type { BenchCase } from '../../src/core/bench/cases.ts';
import type { EncodedMatrix } from '../../src/core/encoded/encoded.ts';
import { FormatError, SparseScopeError } from '../../src/core/errors.ts';
import type { Job } from '../../src/core/job.ts';
import type { Matrix } from '../../src/core/matrix/index.ts';
import { formats } from '../../src/formats/registry.ts';
import { generate } from '../../src/generate/generate.ts';
import { casesOf } from '../cases.ts';
import { specOf } from '../measure.ts';
import { type Step, stepOf } from './plan.ts';

/** A matrix with its benchmark cases, which may already be encoded. */
export interface Prepared {
  readonly matrix: Pick<Matrix, 'rows' | 'cols' | 'nnz'>;
  readonly cases: readonly BenchCase[];
}

/** An encoding made ahead, or why there is none. */
type Encoding =
  | { readonly encoded: EncodedMatrix; readonly encodeMs: number }
  | { readonly message: string; readonly isFormat: boolean };

/** What a thread returns for a step. */
interface PreparedStep {
  readonly nnz: number;
  readonly encodings: readonly Encoding[];
}

/** Maximum threads that prepare at once: more would wait for memory. */
const MAX_THREADS = 12;
/** Memory that a step uses while it is prepared, per cell. */
const BYTES_PER_CELL = 24;

/** A job that is never cancelled and reports no progress. */
const quietJob: Job = { cancelled: false, report: () => {} };

/** Generates the matrix on this thread; each case is encoded when it is its turn. */
export function prepareHere({ options, run }: Step, job: Job): Prepared {
  const matrix = generate(specOf(run, options), job);
  return { matrix, cases: casesOf(matrix, formats, options) };
}

/** How many of the next steps can be prepared at once on this machine; 1: none ahead. */
export function stepsAtOnce(
  steps: readonly Step[],
  threads = availableParallelism() - 2,
  memory = freemem() / 2,
): number {
  let bytes = 0;
  const fits = steps.findIndex(({ run }) => (bytes += run.rows * run.cols * BYTES_PER_CELL) > memory);
  return Math.max(1, Math.min(threads, MAX_THREADS, fits < 0 ? steps.length : fits));
}

/**
 * Prepares steps at once, each in a separate thread; null for one that failed, perhaps for lack of memory. Await it
 * before timing anything: busy threads would take memory bandwidth and power from a GPU that shares them. `program`:
 * the file that calls `serveAsThread`.
 */
export function prepareAhead(steps: readonly Step[], program: string): Promise<(Prepared | null)[]> {
  return Promise.all(steps.map((step) => prepareInThread(step, program).catch(() => null)));
}

/** Prepares one step in a new thread, which then ends. */
async function prepareInThread(step: Step, program: string): Promise<Prepared> {
  const worker = new Worker(program);
  try {
    const { nnz, encodings } = await new Promise<PreparedStep>((resolve, reject) => {
      worker.once('message', resolve);
      worker.once('error', reject);
      worker.postMessage(step.line);
    });
    const { rows, cols } = step.run;
    // The matrix has no cells: cases are already encoded, so only its sizes are read.
    const cases = casesOf({ rows, cols, nnz } as Matrix, formats, step.options);
    return { matrix: { rows, cols, nnz }, cases: cases.map((bench, i) => withEncoding(bench, encodings[i])) };
  } finally {
    await worker.terminate();
  }
}

/** A case that returns an encoding made ahead, or throws the error of it. */
function withEncoding(bench: BenchCase, encoding: Encoding): BenchCase {
  return {
    ...bench,
    isEncoded: () => true,
    encode: async () => {
      if ('encoded' in encoding) return encoding;
      throw encoding.isFormat ? new FormatError(encoding.message) : new SparseScopeError(encoding.message);
    },
  };
}

/** In a thread: prepares the step of one message. Returns false on the main thread. */
export function serveAsThread(): boolean {
  if (isMainThread) return false;
  parentPort?.once('message', (line: string) => {
    // An error ends the thread; the step is then prepared on the main thread before it is measured.
    void prepareStep(stepOf(line)).then((prepared) => parentPort?.postMessage(prepared, [...buffersIn(prepared)]));
  });
  return true;
}

/** Generates the matrix of a step and encodes its cases; an encoding that fails becomes its message. */
async function prepareStep(step: Step): Promise<PreparedStep> {
  const { matrix, cases } = prepareHere(step, quietJob);
  const encodings: Encoding[] = [];
  for (const { encode } of cases) {
    try {
      encodings.push(await encode(quietJob));
    } catch (error) {
      if (!(error instanceof SparseScopeError || error instanceof RangeError)) throw error;
      encodings.push({ message: error.message, isFormat: error instanceof FormatError });
    }
  }
  return { nnz: matrix.nnz, encodings };
}

/** Every buffer once, so that it is moved instead of copied. */
function buffersIn(value: unknown, buffers = new Set<ArrayBuffer>()): ReadonlySet<ArrayBuffer> {
  if (ArrayBuffer.isView(value)) {
    if (value.buffer instanceof ArrayBuffer) buffers.add(value.buffer);
  } else if (typeof value === 'object' && value !== null) {
    for (const inner of Object.values(value)) buffersIn(inner, buffers);
  }
  return buffers;
}
