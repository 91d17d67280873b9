import type { BenchCase } from './cases.ts';
import type { EncodedMatrix } from '../encoded/encoded.ts';
import { finishAsync, type Job } from '../job.ts';
import type { Pace } from '../pace.ts';
import type { ExpectedWith, Inputs, Operation, Sizes } from '../operations/operation.ts';

/** What a run compares a format's output with. */
export interface Reference {
  /** dense inputs by name; the same for the whole run, or, where they are the matrix itself, for a value type */
  readonly inputs: Inputs;
  readonly expected: ExpectedWith;
}

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
  #inputs: Inputs | null = null;

  constructor(operation: Operation, sizes: Sizes, seed: number, pace: Pace) {
    this.#operation = operation;
    this.#sizes = sizes;
    this.#seed = seed;
    this.#pace = pace;
  }

  /** Gives the thread back about every 10 ms. Throws CancelledError. */
  async reference({ format, params }: BenchCase, encoded: EncodedMatrix, job: Job): Promise<Reference> {
    const key =
      params.valueType === undefined ? `${format.id} ${JSON.stringify(params)}` : JSON.stringify(params.valueType);
    const known = this.#answers.get(key);
    if (known) return known;
    const rounded = format.decode(encoded);
    const shared = this.#operation.inputsAreStored === true ? null : this.#inputs;
    const inputs = shared ?? this.#operation.inputs(rounded, this.#sizes, this.#seed);
    this.#inputs ??= inputs;
    const steps = this.#operation.expectedSteps(rounded, inputs, this.#sizes);
    const reference = { inputs, expected: await finishAsync(steps, job, this.#pace) };
    this.#answers.set(key, reference);
    return reference;
  }
}
