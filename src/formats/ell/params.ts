import type { ParamSpec } from '../../core/format.ts';
import type { FloatType } from '../../core/number/index.ts';
import { floatValues, indexBits, type IndexBitsChoice } from '../../theory/shared-params.ts';

/** The parameters of ELL. */
export interface EllParams {
  readonly valueType: FloatType;
  readonly indexBits: IndexBitsChoice;
}

/** The parameters as fields of a form, with labels and defaults. */
export const params: ParamSpec<EllParams> = { valueType: floatValues, indexBits };
