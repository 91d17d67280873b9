import type { StorageLedger } from '../../../src/core/encoded/ledger.ts';
import { type AnyFormat, paramsKey } from '../../../src/core/format.ts';
import type { Matrix } from '../../../src/core/matrix/index.ts';
import { type ModuleDescription, type Outcome, paramsOf } from './parse-answers.ts';
import {
  requestDescription,
  requestSetup,
  type ModuleSetup,
  requestEncoding,
  type RoundTrip,
  encodeAndDecode,
  type Runners,
} from './module-requests.ts';
import { ledgerOfEncoding } from './user-encoding.ts';
import { userFormat } from './user-format.ts';
import { type LawOptions, type LawReport, testLaws } from './laws.ts';
import type { UserParams } from './module-messages.ts';
import { NOT_RUN, type UserFormatSource } from './user-format-source.ts';

/** Two separate evaluations of a module's text, to encode and to decode, and the function that ends them. */
export type ModuleEvaluation = Runners & { readonly end: () => void };

/** Evaluates the text of a module while the user types it, one text at a time: opening the next ends the one before. */
export class UserFormatSession {
  readonly #evaluate: (text: string) => ModuleEvaluation;
  #open: { readonly runners: ModuleEvaluation } | null = null;

  /** `evaluate`: evaluates a text, for example in a sandbox. Nothing is run before `open`. */
  constructor(evaluate: (text: string) => ModuleEvaluation) {
    this.#evaluate = evaluate;
  }

  /** The format of a text; null if another text was opened meanwhile. Rejects with UserFormatError or EndedError. */
  async open(name: string, text: string): Promise<Outcome<OpenedFormat> | null> {
    this.close();
    const runners = this.#evaluate(text);
    const open = { runners };
    this.#open = open;
    try {
      const description = await requestDescription(runners);
      if (this.#open !== open) return null;
      return description.kind === 'done'
        ? { kind: 'done', result: new OpenedFormat(name, text, description.result, runners) }
        : description;
    } catch (error) {
      if (this.#open !== open) return null;
      throw error;
    }
  }

  /** Ends the evaluation. */
  close(): void {
    this.#open?.runners.end();
    this.#open = null;
  }
}

/** A custom format, whose module was evaluated and has answered with its description. */
export class OpenedFormat {
  readonly description: ModuleDescription;
  /** the format as the page uses it, with results only for matrices that `roundTrip` has run on */
  readonly format: AnyFormat;
  readonly #runners: Runners;
  readonly #runs = new WeakMap<Matrix, Map<string, Outcome<RoundTrip>>>();

  constructor(name: string, text: string, description: ModuleDescription, runners: Runners) {
    this.description = description;
    this.#runners = runners;
    const resultOf: UserFormatSource['resultOf'] = (matrix, params, { recorded }) =>
      this.#known(matrix, paramsOf(description, params), recorded) ?? { kind: 'failed', message: NOT_RUN, line: 0 };
    this.format = userFormat({ name, text, description, resultOf });
  }

  /** Encodes and decodes a matrix, or returns the known result. `recorded`: with the steps that the story shows. */
  async roundTrip(matrix: Matrix, requested: UserParams, recorded: boolean): Promise<Outcome<RoundTrip>> {
    const params = paramsOf(this.description, requested);
    const cached = this.#known(matrix, params, recorded);
    if (cached) return cached;
    const setup = await requestSetup(this.#runners, this.description, params);
    const outcome =
      setup.kind === 'done' ? await encodeAndDecode(this.#runners, setup.result, matrix, recorded) : setup;
    const runs = this.#runs.get(matrix) ?? new Map<string, Outcome<RoundTrip>>();
    this.#runs.set(matrix, runs.set(resultKey(params, recorded), outcome));
    return outcome;
  }

  /** Bytes of a matrix in this format. The encoding is not kept: many encodings would not fit into memory. */
  async bytes(matrix: Matrix, requested: UserParams): Promise<Outcome<StorageLedger>> {
    const setup = await requestSetup(this.#runners, this.description, paramsOf(this.description, requested));
    if (setup.kind !== 'done') return setup;
    const encoding = await requestEncoding(this.#runners.encoder, setup.result, matrix, 'nothing');
    if (encoding.kind !== 'done') return encoding;
    return { kind: 'done', result: ledgerOfEncoding(encoding.result, matrix.rows, matrix.cols) };
  }

  /** Tests the laws that every format must satisfy, such as that decode undoes encode, on generated matrices. */
  async laws(requested: UserParams, options: LawOptions): Promise<Outcome<LawReport>> {
    const setup: Outcome<ModuleSetup> = await requestSetup(
      this.#runners,
      this.description,
      paramsOf(this.description, requested),
    );
    if (setup.kind !== 'done') return setup;
    return { kind: 'done', result: await testLaws(this.#runners, setup.result, options) };
  }

  /** The cached result for a matrix; a recorded run's result also serves requests without a recording. */
  #known(matrix: Matrix, params: UserParams, recorded: boolean): Outcome<RoundTrip> | null {
    const runs = this.#runs.get(matrix);
    return runs?.get(resultKey(params, true)) ?? (recorded ? null : (runs?.get(resultKey(params, false)) ?? null));
  }
}

function resultKey(params: UserParams, recorded: boolean): string {
  return `${recorded} ${paramsKey(params)}`;
}
