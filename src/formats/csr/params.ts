import type { ParamSpec } from '../../core/format.ts';
import type { FloatType } from '../../core/number/index.ts';
import { fact, type Stated, stated } from '../../core/text/stated.ts';
import { floatValues, indexBits, type IndexBitsChoice } from '../../theory/shared-params.ts';

/** Parameters of CSR. */
export interface CsrParams {
  readonly valueType: FloatType;
  readonly indexBits: IndexBitsChoice;
}

/** The parameters as fields of a form, with labels and defaults. */
export const params: ParamSpec<CsrParams> = { valueType: floatValues, indexBits };

/** Why a CSR matrix has its size, in words: the bytes of a column number and of a value. */
export function sizeReason(columnBytes: number, valueBytes: number): Stated {
  return stated`${fact('bytes of a column', columnBytes)} B of column for every ${fact('bytes of a value', valueBytes)} B of value`;
}
