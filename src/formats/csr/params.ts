import type { ParamSpec } from '../../core/format.ts';
import type { FloatType } from '../../core/number/index.ts';
import { floatValues, indexBits, type IndexBitsChoice } from '../../theory/index-bits.ts';

export interface CsrParams {
  readonly valueType: FloatType;
  readonly indexBits: IndexBitsChoice;
}

export const params: ParamSpec<CsrParams> = { valueType: floatValues, indexBits };
