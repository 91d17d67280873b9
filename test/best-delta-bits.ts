import { card } from '../src/formats/macko/card.ts';
import { DELTA_BITS, type DeltaBits, type MackoParams } from '../src/formats/macko/params.ts';

/** Returns MACKO's delta width in bits with the least expected effective density at `density`, for an endless row. */
export function bestDeltaBits(density: number, valueType: MackoParams['valueType']): DeltaBits {
  const shape = { rows: 1, cols: Infinity };
  const sizes = DELTA_BITS.map(
    (deltaBits) => card.expectedEffectiveDensity?.(density, { deltaBits, valueType }, shape).expected ?? NaN,
  );
  return DELTA_BITS[sizes.indexOf(Math.min(...sizes))];
}
