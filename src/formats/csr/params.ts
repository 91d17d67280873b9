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

/** indptr. */
export function overheadBits(_p: CsrParams, { rows }: { readonly rows: number }): number {
  return 32 * (rows + 1);
}

/** What it spends bytes on. */
export function sizeReason(_density: number, { valueType, indexBits }: CsrParams): string {
  return `${indexBits / 8} B of column for every ${VALUE_BITS[valueType] / 8} B of value`;
}
