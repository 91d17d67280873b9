import type { BenchCase } from './bench.ts';
import type { EncodedMatrix } from './format.ts';
import { finishAsync, type Job } from './job.ts';
import type { Expected, Operation } from './operation.ts';

/** What a run compares a format's output with. */
export interface Reference {
  /** dense inputs by name; the same for the whole run */
  readonly inputs: Readonly<Record<string, Float32Array>>;
  /** What the oracle says to a kernel with so many roundings. */
  readonly expected: (roundings: number) => Expected;
}

/** A clock in milliseconds, and a pause in which messages arrive. */
export interface OraclePace {
  now(): number;
  pause(): Promise<void>;
}

/**
 * The oracle of a run over one matrix: inputs once, and the answer once per value type. That is enough, because what a
 * format stores is the matrix rounded to its value type, whichever the format (law 1 of the formats). The matrix is
 * decoded from the first format of each value type; a format without value types is decoded itself.
 */
export class BenchOracle {
  readonly #operation: Operation;
  readonly #seed: number;
  readonly #pace: OraclePace;
  readonly #answers = new Map<string, (roundings: number) => Expected>();
  #inputs: Readonly<Record<string, Float32Array>> | null = null;

  constructor(operation: Operation, seed: number, pace: OraclePace) {
    this.#operation = operation;
    this.#seed = seed;
    this.#pace = pace;
  }

  /** Gives the thread back about every 10 ms. Throws CancelledError. */
  async reference({ format, params }: BenchCase, encoded: EncodedMatrix, job: Job): Promise<Reference> {
    const key =
      params.valueType === undefined ? `${format.id} ${JSON.stringify(params)}` : JSON.stringify(params.valueType);
    let expected = this.#answers.get(key);
    if (!expected || !this.#inputs) {
      const rounded = format.decode(encoded);
      this.#inputs ??= this.#operation.inputs(rounded, this.#seed);
      const steps = this.#operation.expectedSteps(rounded, this.#inputs);
      expected = await finishAsync(
        steps,
        job,
        () => this.#pace.pause(),
        () => this.#pace.now(),
      );
      this.#answers.set(key, expected);
    }
    return { inputs: this.#inputs, expected };
  }
}
