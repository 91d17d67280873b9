import type { StorageLedger } from '../../../core/encoded/ledger.ts';
import { type AnyFormat, paramsKey } from '../../../core/format.ts';
import type { Matrix } from '../../../core/matrix/index.ts';
import { type Description, type Outcome, paramsOf } from './parse-answers.ts';
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
import { ownFormat } from './own-format.ts';
import { type LawOptions, type LawReport, testLaws } from './laws.ts';
import type { OwnParams } from './module-messages.ts';
import { NOT_RUN, type UserFormatSource } from './user-format-source.ts';

/** Two evaluations of a module's text, and the function that ends them. */
export type Evaluated = Runners & { readonly end: () => void };

/** Evaluates one text at a time, while a person types it: the newest counts, and older runs are ended. */
export class UserFormatSession {
  readonly #evaluate: (text: string) => Evaluated;
  #open: { readonly runners: Evaluated } | null = null;

  /** `evaluate`: that of a sandbox, or another way to evaluate texts. Nothing is run before `open`. */
  constructor(evaluate: (text: string) => Evaluated) {
    this.#evaluate = evaluate;
  }

  /** Evaluates a text. Null if another was opened meanwhile. Throws OwnFormatError, and rejects as its runners do. */
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

  /** Ends all runs. */
  close(): void {
    this.#open?.runners.end();
    this.#open = null;
  }
}

/** A text whose module has described itself. */
export class OpenedFormat {
  readonly description: Description;
  /** as a format for the page, with the matrices of previous requests */
  readonly format: AnyFormat;
  readonly #runners: Runners;
  readonly #runs = new WeakMap<Matrix, Map<string, Outcome<RoundTrip>>>();

  constructor(name: string, text: string, description: Description, runners: Runners) {
    this.description = description;
    this.#runners = runners;
    const runOf: UserFormatSource['runOf'] = (matrix, params, recorded) =>
      this.#known(matrix, paramsOf(description, params), recorded) ?? { kind: 'failed', message: NOT_RUN, line: 0 };
    this.format = ownFormat({ name, text, description, runOf });
  }

  /** Encodes a matrix and decodes it again, once. `recorded`: with a recording for its story, for windows. */
  async ask(matrix: Matrix, given: OwnParams, recorded: boolean): Promise<Outcome<RoundTrip>> {
    const params = paramsOf(this.description, given);
    const known = this.#known(matrix, params, recorded);
    if (known) return known;
    const chosen = await requestSetup(this.#runners, this.description, params);
    const outcome =
      chosen.kind === 'done' ? await encodeAndDecode(this.#runners, chosen.result, matrix, recorded) : chosen;
    const runs = this.#runs.get(matrix) ?? new Map<string, Outcome<RoundTrip>>();
    this.#runs.set(matrix, runs.set(keyOf(params, recorded), outcome));
    return outcome;
  }

  /** Bytes of a matrix, whose encoding is not kept: for more matrices than fit encoded into memory. */
  async bytes(matrix: Matrix, given: OwnParams): Promise<Outcome<StorageLedger>> {
    const chosen = await requestSetup(this.#runners, this.description, paramsOf(this.description, given));
    if (chosen.kind !== 'done') return chosen;
    const encoding = await requestEncoding(this.#runners.encoder, chosen.result, matrix, 'nothing');
    if (encoding.kind !== 'done') return encoding;
    return { kind: 'done', result: ledgerOfEncoding(encoding.result, matrix.rows, matrix.cols) };
  }

  /** Tests all laws. */
  async laws(given: OwnParams, options: LawOptions): Promise<Outcome<LawReport>> {
    const chosen: Outcome<ModuleSetup> = await requestSetup(
      this.#runners,
      this.description,
      paramsOf(this.description, given),
    );
    if (chosen.kind !== 'done') return chosen;
    return { kind: 'done', result: await testLaws(this.#runners, chosen.result, options) };
  }

  /** The known result for a matrix: a recorded run also contains an unrecorded one. */
  #known(matrix: Matrix, params: OwnParams, recorded: boolean): Outcome<RoundTrip> | null {
    const runs = this.#runs.get(matrix);
    return runs?.get(keyOf(params, true)) ?? (recorded ? null : (runs?.get(keyOf(params, false)) ?? null));
  }
}

function keyOf(params: OwnParams, recorded: boolean): string {
  return `${recorded} ${paramsKey(params)}`;
}
