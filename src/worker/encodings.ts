import { FormatError } from '../core/errors.ts';
import { type AnyFormat, type EncodedMatrix, namedArrays } from '../core/format.ts';
import type { Job, Steps } from '../core/job.ts';
import { density, type Matrix } from '../core/matrix/index.ts';
import { finishPaced, type WorkerPace } from './jobs.ts';
import { outOfMemory } from './out-of-memory.ts';
import type { EncodingSummary } from './protocol.ts';

/** Encoded arrays that are kept for benchmarks, all formats together. */
const BUDGET_BYTES = 2 ** 30;

/** Up to so many entries every element of an encoding is checked. */
const MAX_FULLY_VALIDATED = 4 * 2 ** 20;

export interface Encoding {
  readonly encoded: EncodedMatrix;
  /** time that the encoder itself took, without the pauses in between */
  readonly encodeMs: number;
}

type Summary = Omit<EncodingSummary, 'generation'>;

/** The encodings of one matrix: summaries are kept, arrays within a budget, the ones used longest ago go first. */
export class Encodings {
  readonly #matrix: Matrix;
  readonly #pace: WorkerPace;
  readonly #budgetBytes: number;
  readonly #summaries = new Map<string, Summary>();
  /** in the order in which they were used */
  readonly #kept = new Map<string, Encoding & { readonly bytes: number }>();
  #keptBytes = 0;

  constructor(matrix: Matrix, pace: WorkerPace, budgetBytes = BUDGET_BYTES) {
    this.#matrix = matrix;
    this.#pace = pace;
    this.#budgetBytes = budgetBytes;
  }

  /** Bytes of the arrays that are kept. */
  get keptBytes(): number {
    return this.#keptBytes;
  }

  /**
   * What is known about the encoding, which is made unless it was before. A matrix that the format cannot hold is told
   * by `admission`. Throws CancelledError.
   */
  async summary(format: AnyFormat, params: Readonly<Record<string, unknown>>, job: Job): Promise<Summary> {
    const key = keyOf(format, params);
    const known = this.#summaries.get(key);
    if (known) return known;
    const summary = await this.#summarise(format, params, job);
    this.#summaries.set(key, summary);
    return summary;
  }

  async #summarise(format: AnyFormat, params: Readonly<Record<string, unknown>>, job: Job): Promise<Summary> {
    const m = this.#matrix;
    const bounds = format.expectedEffectiveDensity?.(density(m), params, { rows: m.rows, cols: m.cols }) ?? null;
    const common = { format: format.id, params, bounds };
    const refused = { ...common, ledger: null, facts: [], violations: [], validated: null, encodeMs: 0 };
    const admission = format.admits(m, params);
    if (!admission.ok) return { ...refused, admission };
    try {
      const { encoded, encodeMs } = await this.encoding(format, params, job);
      const validated = m.nnz <= MAX_FULLY_VALIDATED ? 'full' : 'cheap';
      const violations = format.validate(encoded, validated);
      const facts = format.facts?.(encoded) ?? [];
      return { ...common, admission, ledger: format.storage(encoded), facts, violations, validated, encodeMs };
    } catch (error) {
      // What shows only on the way, such as an array that finds no memory.
      if (!(error instanceof FormatError)) throw error;
      return { ...refused, admission: { ok: false, reason: error.message, remedy: null } };
    }
  }

  /** The encoded arrays, kept or made. Throws FormatError when the format cannot hold the matrix, and CancelledError. */
  async encoding(format: AnyFormat, params: Readonly<Record<string, unknown>>, job: Job): Promise<Encoding> {
    const key = keyOf(format, params);
    const kept = this.#kept.get(key);
    if (kept) {
      this.#kept.delete(key);
      this.#kept.set(key, kept);
      return kept;
    }
    const encoding = await encodeTimed(format, this.#matrix, params, job, this.#pace);
    this.#keep(key, encoding);
    return encoding;
  }

  #keep(key: string, encoding: Encoding): void {
    let bytes = 0;
    for (const array of namedArrays(encoding.encoded).values()) bytes += array.byteLength;
    if (bytes > this.#budgetBytes) return;
    this.#kept.set(key, { ...encoding, bytes });
    this.#keptBytes += bytes;
    for (const [oldest, old] of this.#kept) {
      if (this.#keptBytes <= this.#budgetBytes) break;
      this.#kept.delete(oldest);
      this.#keptBytes -= old.bytes;
    }
  }
}

/**
 * Encodes in steps and measures the encoder alone. Throws FormatError when the format cannot hold the matrix or the
 * machine has no memory for it, and CancelledError.
 */
export async function encodeTimed(
  format: AnyFormat,
  m: Matrix,
  params: Readonly<Record<string, unknown>>,
  job: Job,
  pace: WorkerPace,
): Promise<Encoding> {
  let encodeMs = 0;
  function* timed(steps: Steps<EncodedMatrix>): Steps<EncodedMatrix> {
    for (;;) {
      const start = pace.now();
      const step = steps.next();
      encodeMs += pace.now() - start;
      if (step.done) return step.value;
      const offered = pace.now();
      yield step.value;
      // Other threads work for the encoder meanwhile; a mere pause is not its own.
      if (step.value.tasks) encodeMs += pace.now() - offered;
    }
  }
  try {
    const encoded = await finishPaced(timed(format.encodeSteps(m, params)), job, pace);
    return { encoded, encodeMs };
  } catch (error) {
    const memory = outOfMemory(error, `${format.title} of ${m.rows} × ${m.cols} with ${m.nnz} non-zeros`);
    throw memory === null ? error : new FormatError(memory);
  }
}

function keyOf(format: AnyFormat, params: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(params).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify([format.id, sorted]);
}
