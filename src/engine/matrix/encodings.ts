import { sizeOf, sizeShareOf } from '../../core/encoded/ledger.ts';
import { FormatError } from '../../core/errors.ts';
import { type AnyFormat, type EncodedMatrix, namedArrays, storyParams, storedKey } from '../../core/format.ts';
import type { Job, Steps } from '../../core/job.ts';
import { density, type Matrix, matrixBytes } from '../../core/matrix/index.ts';
import { fact } from '../../core/text/stated.ts';
import { expectedBytes } from '../../theory/expected-bytes.ts';
import { finishPaced, type WorkerPace } from '../worker-pace.ts';
import { tallySteps } from './highlights.ts';
import { outOfMemory } from '../out-of-memory.ts';
import type { EncodingSummary } from './matrix-types.ts';

/**
 * Limits of the budget for encoded arrays that are cached for benchmarks, of all formats together. Between these limits
 * the budget is the size of the matrix: a large matrix, its cached encodings, and an encoding that is being made then stay
 * below three times the matrix's bytes.
 */
const MAX_CACHED_BYTES = 2 ** 30;
const MIN_CACHED_BYTES = 2 ** 28;

function budgetFor(m: Matrix): number {
  return Math.max(MIN_CACHED_BYTES, Math.min(MAX_CACHED_BYTES, matrixBytes(m)));
}

/** If a matrix has at most this many non-zeros, every element of an encoding is checked. */
const MAX_FULLY_VALIDATED = 4 * 2 ** 20;

/** An encoded matrix, and how long its encoder took. */
export interface Encoding {
  readonly encoded: EncodedMatrix;
  /** time that the encoder itself took, without the pauses in between */
  readonly encodeMs: number;
}

type Summary = Omit<EncodingSummary, 'generation'>;

const ignore = (): void => {};

/** Memory of a machine. */
export interface Memory {
  /** as the browser reports it; null where it reports none, or only a lower bound */
  readonly deviceBytes: number | null;
}

/** The encodings of one matrix, made one at a time. Caches all summaries, and the last used arrays within a budget. */
export class Encodings {
  readonly #matrix: Matrix;
  readonly #pace: WorkerPace;
  readonly #budgetBytes: number;
  readonly #deviceBytes: number | null;
  readonly #summaries = new Map<string, Summary>();
  /** encoded arrays, in the order in which they were used */
  readonly #cached = new Map<string, Encoding & { readonly bytes: number }>();
  #cachedBytes = 0;
  /** resolves when the last encoding in the queue has ended */
  #queue: Promise<void> = Promise.resolve();
  /** resolves when encoding may continue; null while it may */
  #pause: Promise<void> | null = null;

  constructor(
    matrix: Matrix,
    pace: WorkerPace,
    budgetBytes = budgetFor(matrix),
    { deviceBytes }: Memory = { deviceBytes: null },
  ) {
    this.#deviceBytes = deviceBytes;
    this.#matrix = matrix;
    // Every pause between steps also lasts as long as encoding is paused (`whilePaused`).
    this.#pace = {
      ...pace,
      now: () => pace.now(),
      pause: async (ms) => {
        await pace.pause(ms);
        await this.#pause;
      },
    };
    this.#budgetBytes = budgetBytes;
  }

  /** Bytes of the cached arrays. */
  get cachedBytes(): number {
    return this.#cachedBytes;
  }

  /** The summary of an encoding; `support`: whether the format supports the matrix. Throws CancelledError. */
  async summary(format: AnyFormat, params: Readonly<Record<string, unknown>>, job: Job): Promise<Summary> {
    const key = storedKey(format.id, params);
    const cached = this.#summaries.get(key);
    if (cached) return cached;
    const summary = await this.#summarise(format, params, job);
    this.#summaries.set(key, summary);
    return summary;
  }

  /** Forgets the encodings of a format. */
  forget(id: string): void {
    const isOf = (key: string): boolean => key.startsWith(`${id} `);
    for (const key of this.#summaries.keys()) if (isOf(key)) this.#summaries.delete(key);
    for (const [key, { bytes }] of this.#cached) {
      if (!isOf(key)) continue;
      this.#cached.delete(key);
      this.#cachedBytes -= bytes;
    }
  }

  /** The summary of an encoding if it was made before, else undefined. */
  cachedSummary(format: AnyFormat, params: Readonly<Record<string, unknown>>): Summary | undefined {
    return this.#summaries.get(storedKey(format.id, params));
  }

  async #summarise(format: AnyFormat, params: Readonly<Record<string, unknown>>, job: Job): Promise<Summary> {
    await this.#pause;
    const m = this.#matrix;
    const bounds = format.expectedEffectiveDensity?.(density(m), params, { rows: m.rows, cols: m.cols }) ?? null;
    const tally = format.tally?.(storyParams(format.params, params), m);
    const tallyFacts = tally ? await finishPaced(tallySteps(m, tally), job, this.#pace) : [];
    const common = { format: format.id, params, bounds, wholeFacts: tallyFacts };
    const rejected = {
      ...common,
      ledger: null,
      reason: null,
      facts: [],
      violations: [],
      validated: null,
      encodeMs: 0,
      digest: {},
    };
    const support = format.admits(m, params);
    if (!support.ok) return { ...rejected, support };
    const tooLarge = this.#memoryProblem(format, params);
    if (tooLarge !== null) {
      return { ...rejected, support: { ok: false, reason: tooLarge, remedy: 'Choose a part of the matrix.' } };
    }
    try {
      const { encoded, encodeMs } = await this.encoding(format, params, job);
      const validated = m.nnz <= MAX_FULLY_VALIDATED ? 'full' : 'cheap';
      const violations = format.validate(encoded, validated);
      const facts = format.facts?.(encoded, encodeMs) ?? [];
      const digest = format.comparison.digest?.(encoded) ?? {};
      const ledger = format.storage(encoded);
      const reason = format.sizeReason?.(encoded) ?? null;
      const share = fact('share of dense, the matrix', sizeShareOf(ledger), 'share');
      const wholeFacts = [share, ...(reason?.facts ?? []), ...tallyFacts];
      return {
        ...common,
        wholeFacts,
        support,
        ledger,
        reason,
        facts,
        violations,
        validated,
        encodeMs,
        digest,
      };
    } catch (error) {
      // A reason that only encoding reveals, such as a lack of memory for an array.
      if (!(error instanceof FormatError)) throw error;
      return { ...rejected, support: { ok: false, reason: error.message, remedy: null } };
    }
  }

  /** Whether the encoded arrays are cached. */
  has(format: AnyFormat, params: Readonly<Record<string, unknown>>): boolean {
    return this.#cached.has(storedKey(format.id, params));
  }

  /** The encoded arrays, cached or new. Throws FormatError if the format cannot represent the matrix, and CancelledError. */
  async encoding(format: AnyFormat, params: Readonly<Record<string, unknown>>, job: Job): Promise<Encoding> {
    const key = storedKey(format.id, params);
    const cached = this.#cached.get(key);
    if (cached) {
      // Again last in the order of use.
      this.#cached.delete(key);
      this.#cached.set(key, cached);
      return cached;
    }
    return this.#enqueue(async () => {
      // An earlier job may have made the same encoding.
      const encoding = this.#cached.get(key) ?? (await this.#make(format, params, job));
      this.#cache(key, encoding);
      return encoding;
    });
  }

  /** The bytes of an encoding, which is computed but not cached. Throws like `encoding`. */
  bytes(format: AnyFormat, params: Readonly<Record<string, unknown>>, job: Job): Promise<number> {
    return this.#enqueue(async () => sizeOf(format.storage((await this.#make(format, params, job)).encoded)));
  }

  #make(format: AnyFormat, params: Readonly<Record<string, unknown>>, job: Job): Promise<Encoding> {
    this.#makeSpace(this.#expectedBytes(format, params));
    return encodeTimed(format, this.#matrix, params, job, this.#pace);
  }

  /** Runs `work` after all queued before: two encodings made at the same time would take twice the memory. */
  #enqueue<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#queue.then(work);
    this.#queue = result.then(ignore, ignore);
    return result;
  }

  /** Runs `work` while encoding is paused, from its next yield on. */
  whilePaused<T>(work: () => Promise<T>): Promise<T> {
    const result = work();
    const resume = (): void => void (this.#pause = null);
    this.#pause = result.then(resume, resume);
    return result;
  }

  /** Drops encodings, the least recently used first, until `bytes` more stay within the budget. */
  #makeSpace(bytes: number): void {
    for (const [oldestKey, oldest] of this.#cached) {
      if (this.#cachedBytes + bytes <= this.#budgetBytes) break;
      this.#cached.delete(oldestKey);
      this.#cachedBytes -= oldest.bytes;
    }
  }

  /** Estimated bytes of an encoding: by its closed form, or 8 bytes for each non-zero. */
  #expectedBytes(format: AnyFormat, params: Readonly<Record<string, unknown>>): number {
    return expectedBytes({ format, params }, density(this.#matrix), this.#matrix) ?? this.#matrix.nnz * 8;
  }

  /** Why this machine lacks memory for an encoding besides the matrix; null if memory is enough or unknown. */
  #memoryProblem(format: AnyFormat, params: Readonly<Record<string, unknown>>): string | null {
    if (this.#deviceBytes === null) return null;
    const bytes = this.#expectedBytes(format, params);
    const matrix = matrixBytes(this.#matrix);
    if (matrix + bytes <= this.#deviceBytes) return null;
    const gb = (n: number): string => `${(n / 1e9).toPrecision(2)} GB`;
    return `memory: found ${gb(this.#deviceBytes)} on this machine, expected ${gb(matrix + bytes)} for the matrix and its encoding`;
  }

  #cache(key: string, encoding: Encoding): void {
    let bytes = 0;
    for (const array of namedArrays(encoding.encoded).values()) bytes += array.byteLength;
    if (bytes > this.#budgetBytes || this.#cached.has(key)) return;
    this.#makeSpace(bytes);
    this.#cached.set(key, { ...encoding, bytes });
    this.#cachedBytes += bytes;
  }
}

/** Encodes in steps and times the encoder. Throws FormatError if unsupported or out of memory, and CancelledError. */
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
      const yieldedAt = pace.now();
      yield step.value;
      // The time at a yield counts only while other threads compute the step's tasks, not as a mere pause.
      if (step.value.tasks) encodeMs += pace.now() - yieldedAt;
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
