import type { EffectiveDensityBounds, ParamSpec } from '../../core/format.ts';
import type { ValueType } from '../../core/number/index.ts';

export interface DenseParams {
  readonly valueType: ValueType;
}

export const params: ParamSpec<DenseParams> = {
  valueType: {
    kind: 'choice',
    label: 'values',
    meaning: 'How a cell is stored: half or single precision, or a signed byte times a scale per row.',
    default: 'f16',
    options: [
      { value: 'f16', label: 'f16' },
      { value: 'f32', label: 'f32' },
      { value: 'i8', label: 'i8, scale per row' },
    ],
  },
};

/** Always 1: every cell is stored. Padding past the last column and the scales of i8 are left out. */
export function effectiveDensity(): EffectiveDensityBounds {
  return { best: 1, expected: 1, worst: 1 };
}
