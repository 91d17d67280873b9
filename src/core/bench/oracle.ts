import { storedKey } from '../format.ts';
import type { BenchCase } from './cases.ts';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import { finishAsync, type Job, type Perform, type Steps } from '../job.ts';
import type { Matrix } from '../matrix/index.ts';
import type { Pace } from '../pace.ts';
import type { ExpectedWith, Inputs, Operation, Sizes } from '../operations/operation.ts';
import type { Sampling } from '../operations/sample.ts';
import { partSharing } from './oracle-tasks.ts';

/** The data that verify the output of a format. */
export interface Reference {
  /** dense inputs by name; the same for the whole run, or per value type if they are the matrix itself */
  readonly inputs: Inputs;
  readonly expected: ExpectedWith;
}

/** A test case for kernels: an encoded matrix and dense inputs, with the expected result. */
export interface OracleCase extends Reference {
  readonly encoded: EncodedMatrix;
}

/** Two more cases of a run, derived from a secret seed so that no code can know their answers in advance. */
export interface SecretCases {
  /** while kernels are timed, verified alternately with the first case */
  readonly checked: OracleCase;
  /** unused until the rounds are over */
  readonly last: OracleCase;
}

interface OracleOptions {
  /** lets other threads compute parts of the expected outputs */
  readonly perform?: Perform | undefined;
  /** seed of the secret cases; absent: there are none */
  readonly secret?: number | undefined;
  /** id of a format whose rows can be sent to another thread, some without the others */
  readonly byRows?: string | undefined;
}

/** With fewer cells, copying the rows to other threads takes longer than it saves. */
const MIN_SHARED_CELLS = 2 ** 22;

/** Multiply-adds for the sampled outputs of a secret case, as a share of the multiply-adds for the first case. */
const SECRET_SHARE = 0.25;

/**
 * Computes the inputs and the expected outputs with which a run verifies the kernels of one matrix. The inputs are
 * computed once, unless they are the matrix as stored. The expected outputs are computed once per value type, from the
 * first format of that type: every other one stores the same matrix, rounded to the type. Formats without value types
 * have their own expected outputs. So have formats with 4-bit values, because values that are stored next to each other
 * share a scale.
 */
export class BenchOracle {
  readonly #operation: Operation;
  readonly #sizes: Sizes;
  readonly #seed: number;
  readonly #pace: Pace;
  readonly #options: OracleOptions;
  /** by `keyOf` a case */
  readonly #references = new Map<string, Reference>();
  /** by `keyOf` a case */
  readonly #secret = new Map<string, SecretCases>();
  /** inputs by seed, if they do not depend on how the matrix is stored */
  readonly #varied = new Map<number, Inputs>();
  #inputs: Inputs | null = null;

  constructor(operation: Operation, sizes: Sizes, seed: number, pace: Pace, options: OracleOptions = {}) {
    this.#operation = operation;
    this.#options = options;
    this.#sizes = sizes;
    this.#seed = seed;
    this.#pace = pace;
  }

  /** The inputs and expected outputs of a case. Yields the thread about every 10 ms. Throws CancelledError. */
  async reference(bench: BenchCase, encoded: EncodedMatrix, job: Job): Promise<Reference> {
    const key = keyOf(bench);
    const cached = this.#references.get(key);
    if (cached) return cached;
    const rounded = bench.format.decode(encoded);
    const shared = this.#operation.inputsAreStored === true ? null : this.#inputs;
    const inputs = shared ?? this.#operation.inputs(rounded, this.#sizes, this.#seed);
    this.#inputs ??= inputs;
    const { expectedOfAllSteps } = this.#operation;
    if (expectedOfAllSteps) {
      // One reading of the matrix is enough: secret cases differ only in their inputs.
      const { secret, byRows } = this.#options;
      const seeds = secret === undefined ? [] : [secret, secret + 1];
      const secretInputs = seeds.map((seed) => this.variedInputs(encoded, inputs, seed));
      const isShared = bench.format.id === byRows && rounded.rows * rounded.cols >= MIN_SHARED_CELLS;
      const sharing = isShared ? partSharing(bench.format.id, encoded) : undefined;
      const steps = expectedOfAllSteps(rounded, [inputs, ...secretInputs], sharing);
      const [expected, ...secretExpected] = await this.#finish(steps, job);
      const [checked, last] = secretInputs.map((varied, i): OracleCase => ({
        encoded,
        inputs: varied,
        expected: secretExpected[i],
      }));
      if (secretInputs.length > 0) this.#secret.set(key, { checked, last });
      return this.#remember(key, { inputs, expected });
    }
    const expected = await this.#expected(rounded, inputs, { seed: this.#seed, share: 1 }, job);
    return this.#remember(key, { inputs, expected });
  }

  #remember(key: string, reference: Reference): Reference {
    this.#references.set(key, reference);
    return reference;
  }

  /**
   * Two more cases with other outputs for the same work: other inputs or, if the operation has none that could
   * change (`Operation.varied`), other values at the same positions of the matrix. Yields the thread like `reference`.
   * Throws CancelledError, and FormatError if the format rejects the other values.
   */
  async secretCases(bench: BenchCase, encoded: EncodedMatrix, seed: number, job: Job): Promise<SecretCases> {
    const { inputs } = await this.reference(bench, encoded, job);
    const isVaried = this.#operation.varied !== undefined;
    const key = keyOf(bench);
    const cached = this.#secret.get(key);
    // Formats can share expected outputs only if the inputs vary and the matrix does not.
    if (cached && isVaried) return { checked: { ...cached.checked, encoded }, last: { ...cached.last, encoded } };
    const rounded = bench.format.decode(encoded);
    const caseOfSeed = async (secretSeed: number): Promise<OracleCase> => {
      const sampling = { seed: secretSeed, share: SECRET_SHARE };
      if (isVaried) {
        const varied = this.variedInputs(encoded, inputs, secretSeed);
        return { encoded, inputs: varied, expected: await this.#expected(rounded, varied, sampling, job) };
      }
      const steps = bench.format.encodeSteps(rotatedInRows(rounded, secretSeed), bench.params);
      const rotated = await finishAsync(steps, job, this.#pace);
      const stored = bench.format.decode(rotated);
      const storedInputs = this.#operation.inputs(stored, this.#sizes, this.#seed);
      const expected = await this.#expected(stored, storedInputs, sampling, job);
      return { encoded: rotated, inputs: storedInputs, expected };
    };
    const secretCases = { checked: await caseOfSeed(seed), last: await caseOfSeed(seed + 1) };
    if (isVaried) this.#secret.set(key, secretCases);
    return secretCases;
  }

  /** Other inputs for the same work; the given ones if none can vary. */
  variedInputs(encoded: EncodedMatrix, inputs: Inputs, seed: number): Inputs {
    const cached = this.#varied.get(seed);
    if (cached) return cached;
    const varied = this.#operation.varied?.(encoded, inputs, this.#sizes, seed) ?? inputs;
    this.#varied.set(seed, varied);
    return varied;
  }

  #expected(m: Matrix, inputs: Inputs, sampling: Sampling, job: Job): Promise<ExpectedWith> {
    return this.#finish(this.#operation.expectedSteps(m, inputs, this.#sizes, sampling), job);
  }

  #finish<T>(steps: Steps<T>, job: Job): Promise<T> {
    const { perform } = this.#options;
    return finishAsync(steps, job, this.#pace, perform && ((tasks) => perform(tasks, job)));
  }
}

/** Cases with the same key share their expected outputs. In i4, rounding depends on the neighbours in storage. */
function keyOf({ format, params }: BenchCase): string {
  const { valueType } = params;
  return valueType === undefined || valueType === 'i4' ? storedKey(format.id, params) : JSON.stringify(valueType);
}

/**
 * The matrix with the values of every row rotated among its non-zeros, by an amount that follows from the seed: other
 * values in the same pattern. A row of a single non-zero is unchanged. Costs another O(non-zeros of a row) per row.
 */
function rotatedInRows(m: Matrix, seed: number): Matrix {
  return {
    rows: m.rows,
    cols: m.cols,
    nnz: m.nnz,
    readRow(row, into) {
      const n = m.readRow(row, into);
      if (n < 2) return n;
      const shift = 1 + ((seed >>> 0) % (n - 1));
      const values = into.values.slice(0, n);
      for (let i = 0; i < n; i++) into.values[i] = values[(i + shift) % n];
      return n;
    },
  };
}
