import { type AnyFormat, type FormatUpdate, paramsKey } from '../../../core/format.ts';
import type { Matrix } from '../../../core/matrix/index.ts';
import type { Description, Outcome } from './answers.ts';
import type { Run } from './asking.ts';
import { ownFormat } from './format.ts';
import type { OwnParams } from './messages.ts';

/** A format that a person wrote, as the page hands it over: what its module says of itself, and what it made of a matrix. */
export interface UserFormatUpdate extends FormatUpdate {
  readonly name: string;
  readonly text: string;
  readonly description: Description;
  /** `generation`: of the matrix that was asked about */
  readonly matrix: (UserFormatResult & { readonly generation: number }) | null;
}

/** What a module made of a matrix. */
export interface UserFormatResult {
  readonly params: OwnParams;
  readonly outcome: Outcome<Run>;
}

/** What has been said of a matrix, by parameters. */
type ResultsByParams = Map<string, Outcome<Run>>;

interface OwnHeld {
  readonly text: string;
  readonly format: AnyFormat;
  readonly said: WeakMap<Matrix, ResultsByParams>;
}

/** The formats of one's own that the engine has heard of, as answers: none of them runs here (docs/decisions/own-formats.md). */
export class OwnFormats {
  readonly #held = new Map<string, OwnHeld>();

  /** The format by this name; one whose text is another is a new one. `matrix`: what `of` is about. */
  replaceFormat(
    { name, text, description, matrix: of }: UserFormatUpdate,
    matrix: Matrix | null,
  ): { readonly format: AnyFormat; readonly isNew: boolean } {
    const before = this.#held.get(name);
    const isNew = before?.text !== text;
    const held = before && !isNew ? before : this.#begin(name, text, description);
    this.#held.set(name, held);
    if (of && matrix) storeResult(held, matrix, of);
    return { format: held.format, isNew };
  }

  /** Takes what a format that is held made of a matrix that is not the open one. */
  storeResult(id: string, matrix: Matrix, said: UserFormatResult): void {
    for (const held of this.#held.values()) if (held.format.id === id) storeResult(held, matrix, said);
  }

  #begin(name: string, text: string, description: Description): OwnHeld {
    const said = new WeakMap<Matrix, ResultsByParams>();
    const runOf = (matrix: Matrix, params: OwnParams): Outcome<Run> =>
      said.get(matrix)?.get(paramsKey(params)) ?? {
        kind: 'failed',
        message: `${description.title} was not asked about this matrix`,
        line: 0,
      };
    return { text, said, format: ownFormat({ name, text, description, runOf }) };
  }
}

function storeResult({ said: byMatrix }: OwnHeld, matrix: Matrix, { params, outcome }: UserFormatResult): void {
  const said: ResultsByParams = byMatrix.get(matrix) ?? new Map();
  byMatrix.set(matrix, said.set(paramsKey(params), outcome));
}
