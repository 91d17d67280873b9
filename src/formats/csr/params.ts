import { indexBits, type IndexBitsChoice, indexBitsFor } from '../../theory/index-bits.ts';
import type { EffectiveDensityBounds, ParamSpec, Shape } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';
import { fact, type Stated, stated } from '../../core/story/stated.ts';

export interface CsrParams {
  readonly valueType: 'f16' | 'f32';
  readonly indexBits: IndexBitsChoice;
}

export const params: ParamSpec<CsrParams> = {
  valueType: {
    kind: 'choice',
    label: 'values',
    meaning: 'Half or single precision.',
    default: 'f16',
    options: [
      { value: 'f16', label: 'f16' },
      { value: 'f32', label: 'f32' },
    ],
  },
  indexBits,
};

/** d (b + i) / b with density d, value bits b and index bits i, whatever the pattern; without indptr. */
export function effectiveDensity(density: number, p: CsrParams, shape: Shape): EffectiveDensityBounds {
  const b = VALUE_BITS[p.valueType];
  const size = (density * (b + indexBitsFor(p.indexBits, shape))) / b;
  return { best: size, expected: size, worst: size };
}

/** indptr. */
export function overheadBits(_p: CsrParams, { rows }: { readonly rows: number }): number {
  return 32 * (rows + 1);
}

/** The purposes of its bytes, in words: the same for every matrix. */
export function expectedReason(_density: number, { valueType, indexBits: choice }: CsrParams, shape: Shape): Stated {
  return columnsBeside(indexBitsFor(choice, shape) / 8, VALUE_BITS[valueType] / 8);
}

/** The bytes of a column beside those of its value. */
export function columnsBeside(columnBytes: number, valueBytes: number): Stated {
  return stated`${fact('bytes of a column', columnBytes)} B of column for every ${fact('bytes of a value', valueBytes)} B of value`;
}
