import type { AnyFormat, FormatUpdate } from '../../core/format.ts';
import type { Matrix } from '../../core/matrix/index.ts';

/** Makes formats whose code runs in a sandbox of the page: the engine gets only their descriptions and encodings, as data. */
export interface FormatProvider {
  /** The format after an update, in place of the one with its id; `isNew`: it has changed. `matrix`: the one that was encoded. */
  replaceFormat(update: FormatUpdate, matrix: Matrix | null): { readonly format: AnyFormat; readonly isNew: boolean };
  /** Stores such a format's encoding of a matrix that is not the open one. */
  storeResult(format: string, matrix: Matrix, result: unknown): void;
}
