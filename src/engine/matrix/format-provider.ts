import type { AnyFormat, FormatUpdate } from '../../core/format.ts';
import type { Matrix } from '../../core/matrix/index.ts';

/** Makes formats of what the page hands over. Nothing of their code runs in the engine: what they made of a matrix is data. */
export interface FormatProvider {
  /** The format that an update is about; `isNew`: it is not the one of before. `matrix`: the one that was encoded. */
  replaceFormat(update: FormatUpdate, matrix: Matrix | null): { readonly format: AnyFormat; readonly isNew: boolean };
  /** Takes a provided format's encoding of a matrix that is not the open one. */
  storeResult(format: string, matrix: Matrix, result: unknown): void;
}
