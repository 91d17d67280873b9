import type { BenchCase } from './cases.ts';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import { finishAsync, type Job } from '../job.ts';
import { type Matrix, shiftedInRows } from '../matrix/index.ts';
import type { Pace } from '../pace.ts';
import type { ExpectedWith, Inputs, Operation, Sizes } from '../operations/operation.ts';
import type { Sampling } from '../operations/sample.ts';

/** What a run compares a format's output with. */
export interface Reference {
  /** dense inputs by name; the same for the whole run, or, where they are the matrix itself, for a value type */
  readonly inputs: Inputs;
  readonly expected: ExpectedWith;
}

/** An encoded matrix and inputs, with the answer. */
export interface Subject extends Reference {
  readonly encoded: EncodedMatrix;
}

/** Further subjects of a run. They follow from a secret seed, so that nobody knows their answers in advance. */
export interface OtherSubjects {
  /** alternates with the reference while kernels are timed */
  readonly checked: Subject;
  /** unseen until the rounds are over */
  readonly last: Subject;
}

/** Share of the reference's multiply-adds that a sampled answer of a further subject may cost. */
const OTHER_SHARE = 0.25;

/**
 * The oracle of a run over one matrix: inputs once, unless they are the matrix as it is stored, and the answer once per
 * value type. That is enough, because what a format stores is the matrix rounded to its value type, whichever the format
 * (law 1 of the formats). The matrix is decoded from the first format of each value type; a format without value types is
 * decoded itself.
 */
export class BenchOracle {
  readonly #operation: Operation;
  readonly #sizes: Sizes;
  readonly #seed: number;
  readonly #pace: Pace;
  readonly #answers = new Map<string, Reference>();
  readonly #others = new Map<string, OtherSubjects>();
  /** by seed, where they do not depend on how the matrix is stored */
  readonly #varied = new Map<number, Inputs>();
  #inputs: Inputs | null = null;

  constructor(operation: Operation, sizes: Sizes, seed: number, pace: Pace) {
    this.#operation = operation;
    this.#sizes = sizes;
    this.#seed = seed;
    this.#pace = pace;
  }

  /** Gives the thread back about every 10 ms. Throws CancelledError. */
  async reference(bench: BenchCase, encoded: EncodedMatrix, job: Job): Promise<Reference> {
    const key = keyOf(bench);
    const known = this.#answers.get(key);
    if (known) return known;
    const rounded = bench.format.decode(encoded);
    const shared = this.#operation.inputsAreStored === true ? null : this.#inputs;
    const inputs = shared ?? this.#operation.inputs(rounded, this.#sizes, this.#seed);
    this.#inputs ??= inputs;
    const expected = await this.#expected(rounded, inputs, { seed: this.#seed, share: 1 }, job);
    const reference = { inputs, expected };
    this.#answers.set(key, reference);
    return reference;
  }

  /**
   * Two more subjects with other outputs for the same work: other inputs or, where the operation has none that could
   * change (`Operation.varied`), other values at the same places of the matrix. Gives the thread back like `reference`.
   * Throws CancelledError, and FormatError where the format does not take the other values.
   */
  async others(bench: BenchCase, encoded: EncodedMatrix, seed: number, job: Job): Promise<OtherSubjects> {
    const { inputs } = await this.reference(bench, encoded, job);
    const isVaried = this.#operation.varied !== undefined;
    const key = keyOf(bench);
    const known = this.#others.get(key);
    // Only where the matrix stays is the answer that of every format.
    if (known && isVaried) return { checked: { ...known.checked, encoded }, last: { ...known.last, encoded } };
    const rounded = bench.format.decode(encoded);
    const subject = async (own: number): Promise<Subject> => {
      const sampling = { seed: own, share: OTHER_SHARE };
      if (isVaried) {
        const other = this.variedInputs(encoded, inputs, own);
        return { encoded, inputs: other, expected: await this.#expected(rounded, other, sampling, job) };
      }
      const steps = bench.format.encodeSteps(shiftedInRows(rounded, own), bench.params);
      const shifted = await finishAsync(steps, job, this.#pace);
      const stored = bench.format.decode(shifted);
      const other = this.#operation.inputs(stored, this.#sizes, this.#seed);
      return { encoded: shifted, inputs: other, expected: await this.#expected(stored, other, sampling, job) };
    };
    const others = { checked: await subject(seed), last: await subject(seed + 1) };
    if (isVaried) this.#others.set(key, others);
    return others;
  }

  /** Inputs without an answer, for runs whose output is not compared; the given ones if none can vary. */
  variedInputs(encoded: EncodedMatrix, inputs: Inputs, seed: number): Inputs {
    const known = this.#varied.get(seed);
    if (known) return known;
    const varied = this.#operation.varied?.(encoded, inputs, this.#sizes, seed) ?? inputs;
    this.#varied.set(seed, varied);
    return varied;
  }

  #expected(m: Matrix, inputs: Inputs, sampling: Sampling, job: Job): Promise<ExpectedWith> {
    return finishAsync(this.#operation.expectedSteps(m, inputs, this.#sizes, sampling), job, this.#pace);
  }
}

/** What the answer depends on besides the matrix. */
function keyOf({ format, params }: BenchCase): string {
  const { valueType } = params;
  return valueType === undefined ? `${format.id} ${JSON.stringify(params)}` : JSON.stringify(valueType);
}
