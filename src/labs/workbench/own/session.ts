import type { StorageLedger } from '../../../core/encoded/ledger.ts';
import { type AnyFormat, paramsKey } from '../../../core/format.ts';
import type { Matrix } from '../../../core/matrix/index.ts';
import { type Description, type Outcome, paramsOf } from './answers.ts';
import { requestDescription, choose, type Chosen, encoded, type Run, run, type Runners } from './asking.ts';
import { ledgerOfEncoding } from './encoded.ts';
import { ownFormat } from './format.ts';
import { type LawOptions, type LawReport, tryLaws } from './laws.ts';
import type { OwnParams } from './messages.ts';
import { NOT_RUN, type OwnSource } from './source.ts';

/** Two evaluations of a text, until they are ended. */
export type Evaluated = Runners & { readonly end: () => void };

/** One text at a time, as a person types it: the newest counts, and what ran before is ended. */
export class OwnSession {
  readonly #evaluate: (text: string) => Evaluated;
  #open: { readonly runners: Evaluated } | null = null;

  /** `evaluate`: a sandbox's, or another place for texts. Nothing is run before `open`. */
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

  /** Ends what runs. */
  close(): void {
    this.#open?.runners.end();
    this.#open = null;
  }
}

/** A text that has said what it is. */
export class OpenedFormat {
  readonly description: Description;
  /** as formats are known: of matrices that `ask` was about */
  readonly format: AnyFormat;
  readonly #runners: Runners;
  readonly #runs = new WeakMap<Matrix, Map<string, Outcome<Run>>>();

  constructor(name: string, text: string, description: Description, runners: Runners) {
    this.description = description;
    this.#runners = runners;
    const runOf: OwnSource['runOf'] = (matrix, params, recorded) =>
      this.#known(matrix, paramsOf(description, params), recorded) ?? {
        kind: 'failed',
        message: NOT_RUN,
        line: 0,
      };
    this.format = ownFormat({ name, text, description, runOf });
  }

  /** Encodes a matrix and decodes it again, once. `recorded`: as its story needs it, for windows. */
  async ask(matrix: Matrix, given: OwnParams, recorded: boolean): Promise<Outcome<Run>> {
    const params = paramsOf(this.description, given);
    const known = this.#known(matrix, params, recorded);
    if (known) return known;
    const chosen = await choose(this.#runners, this.description, params);
    const outcome = chosen.kind === 'done' ? await run(this.#runners, chosen.result, matrix, recorded) : chosen;
    const runs = this.#runs.get(matrix) ?? new Map<string, Outcome<Run>>();
    this.#runs.set(matrix, runs.set(keyOf(params, recorded), outcome));
    return outcome;
  }

  /** What a matrix takes, encoded for that and not kept: for more matrices than a page can hold encoded. */
  async bytes(matrix: Matrix, given: OwnParams): Promise<Outcome<StorageLedger>> {
    const chosen = await choose(this.#runners, this.description, paramsOf(this.description, given));
    if (chosen.kind !== 'done') return chosen;
    const encoding = await encoded(this.#runners.encoder, chosen.result, matrix, 'nothing');
    if (encoding.kind !== 'done') return encoding;
    return { kind: 'done', result: ledgerOfEncoding(encoding.result, matrix.rows, matrix.cols) };
  }

  /** Tries all laws. */
  async laws(given: OwnParams, options: LawOptions): Promise<Outcome<LawReport>> {
    const chosen: Outcome<Chosen> = await choose(this.#runners, this.description, paramsOf(this.description, given));
    if (chosen.kind !== 'done') return chosen;
    return { kind: 'done', result: await tryLaws(this.#runners, chosen.result, options) };
  }

  /** What is known of a matrix: a recorded run also says what an unrecorded one does. */
  #known(matrix: Matrix, params: OwnParams, recorded: boolean): Outcome<Run> | null {
    const runs = this.#runs.get(matrix);
    return runs?.get(keyOf(params, true)) ?? (recorded ? null : (runs?.get(keyOf(params, false)) ?? null));
  }
}

function keyOf(params: OwnParams, recorded: boolean): string {
  return `${recorded} ${paramsKey(params)}`;
}
