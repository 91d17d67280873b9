import type { EffectiveDensityBounds, ParamSpec } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';

export interface CsrParams {
  readonly valueType: 'f16' | 'f32';
  readonly indexBits: 16 | 32;
}

export const params: ParamSpec<CsrParams> = {
  valueType: {
    kind: 'choice',
    label: 'values',
    meaning: 'How a non-zero is stored: half or single precision.',
    default: 'f16',
    options: [
      { value: 'f16', label: 'f16' },
      { value: 'f32', label: 'f32' },
    ],
  },
  indexBits: {
    kind: 'choice',
    label: 'index bits',
    meaning: 'Bits of a column index; 16 bits reach 65536 columns.',
    unit: 'bit',
    default: 32,
    options: [
      { value: 32, label: '32' },
      { value: 16, label: '16' },
    ],
  },
};

/** d (b + i) / b with density d, value bits b and index bits i, whatever the pattern; indptr is left out. */
export function effectiveDensity(density: number, { valueType, indexBits }: CsrParams): EffectiveDensityBounds {
  const b = VALUE_BITS[valueType];
  const size = (density * (b + indexBits)) / b;
  return { best: size, expected: size, worst: size };
}
