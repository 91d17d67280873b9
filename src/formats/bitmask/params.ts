import type { EffectiveDensityBounds, ParamSpec } from '../../core/format.ts';
import { VALUE_BITS } from '../../core/number/index.ts';

export interface BitmaskParams {
  readonly valueType: 'f16' | 'f32';
}

export const params: ParamSpec<BitmaskParams> = {
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
};

/** d + 1 / b with density d and value bits b, whatever the pattern; without rowPtr. */
export function effectiveDensity(density: number, { valueType }: BitmaskParams): EffectiveDensityBounds {
  const size = density + 1 / VALUE_BITS[valueType];
  return { best: size, expected: size, worst: size };
}

/** rowPtr, and the bits that round rows up to words of 32. */
export function overheadBits(
  _p: BitmaskParams,
  { rows, cols }: { readonly rows: number; readonly cols: number },
): number {
  return 32 * (rows + 1) + rows * (Math.ceil(cols / 32) * 32 - cols);
}

/** The purposes of its bytes, in words. */
export function sizeReason(density: number): string {
  return density === 0 ? 'a bit for every cell' : `${(1 / density).toFixed(1)} bits per non-zero say where it is`;
}
