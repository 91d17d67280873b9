/**
 * Bits per byte above the floor (the least that any model needs) up to which the axis is linear: less is negligible.
 */
const LINEAR = 0.001;

/** The position of bits per byte above the floor on an axis: linear up to 0.001, then logarithmic; 0 is the floor. */
export function aboveFloor(bits: number): number {
  if (bits <= LINEAR) return Math.max(0, bits) / LINEAR;
  return 1 + Math.log10(bits / LINEAR);
}

/** Ticks of the axis of `aboveFloor`. */
export const ABOVE_FLOOR_TICKS = [
  { bits: 0.01, label: '+0.01' },
  { bits: 0.1, label: '+0.1' },
  { bits: 1, label: '+1' },
] as const;

/** A point of the curve: bits per byte at a measured density. */
export interface CurvePoint {
  readonly density: number;
  readonly bitsPerByte: number;
}

/** Bits per byte between measured densities, log-linear above the floor; null outside. Points by falling density. */
export function interpolatedBits(points: readonly CurvePoint[], density: number, floor: number): number | null {
  const after = points.findIndex((point) => point.density <= density + 1e-9);
  if (after < 0) return null;
  const b = points[after];
  if (Math.abs(b.density - density) < 1e-9) return b.bitsPerByte;
  if (after === 0) return null;
  const a = points[after - 1];
  const share = (a.density - density) / (a.density - b.density);
  const above = (bits: number): number => Math.log(Math.max(1e-6, bits - floor));
  return floor + Math.exp(above(a.bitsPerByte) * (1 - share) + above(b.bitsPerByte) * share);
}
