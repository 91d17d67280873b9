import { type AnyFormat, paramsKey } from '../../../src/core/format.ts';
import type { Matrix } from '../../../src/core/matrix/index.ts';
import type { FormatRegistration } from '../../../src/core/sandboxed-format.ts';
import type { ModuleDescription, Outcome } from './parse-answers.ts';
import type { RoundTrip } from './module-requests.ts';
import { userFormat } from './user-format.ts';
import type { UserParams } from './module-messages.ts';

/** What the page sends to the worker about a custom format: its description, and its result for the open matrix. */
export interface UserFormatRegistration extends FormatRegistration {
  readonly name: string;
  readonly text: string;
  readonly description: ModuleDescription;
  /** `generation`: the number of the open matrix, among all that were opened */
  readonly matrix: (UserFormatResult & { readonly generation: number }) | null;
}

/** The result of a format's module for a matrix. */
export interface UserFormatResult {
  readonly params: UserParams;
  readonly outcome: Outcome<RoundTrip>;
}

/** The results for a matrix, by parameters. */
type ResultsByParams = Map<string, Outcome<RoundTrip>>;

interface StoredFormat {
  readonly text: string;
  readonly format: AnyFormat;
  readonly results: WeakMap<Matrix, ResultsByParams>;
}

/** The custom formats, in the worker: only their results, since their code runs in a sandbox of the page. */
export class UserFormats {
  readonly #formats = new Map<string, StoredFormat>();

  /** The format of this name, with the result that was sent for `matrix`; if its text has changed, a new format. */
  replaceFormat(
    { name, text, description, matrix: result }: UserFormatRegistration,
    matrix: Matrix | null,
  ): { readonly format: AnyFormat; readonly isNew: boolean } {
    const before = this.#formats.get(name);
    const isNew = before?.text !== text;
    const stored = before && !isNew ? before : this.#create(name, text, description);
    this.#formats.set(name, stored);
    if (result && matrix) storeResult(stored, matrix, result);
    return { format: stored.format, isNew };
  }

  /** Stores a format's result for a matrix other than the open one. */
  storeResult(id: string, matrix: Matrix, result: UserFormatResult): void {
    for (const stored of this.#formats.values()) {
      if (stored.format.id === id) storeResult(stored, matrix, result);
    }
  }

  #create(name: string, text: string, description: ModuleDescription): StoredFormat {
    const results = new WeakMap<Matrix, ResultsByParams>();
    const resultOf = (matrix: Matrix, params: UserParams): Outcome<RoundTrip> =>
      results.get(matrix)?.get(paramsKey(params)) ?? {
        kind: 'failed',
        message: `${description.title} has not run on this matrix`,
        line: 0,
      };
    return { text, results, format: userFormat({ name, text, description, resultOf }) };
  }
}

function storeResult({ results: byMatrix }: StoredFormat, matrix: Matrix, { params, outcome }: UserFormatResult): void {
  const results: ResultsByParams = byMatrix.get(matrix) ?? new Map();
  byMatrix.set(matrix, results.set(paramsKey(params), outcome));
}
