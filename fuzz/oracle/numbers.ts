/**
 * Roundings by definition: every value of a number type is listed, and the nearest one is searched for. Deliberately
 * slow and plain; shares nothing with the application's rounding.
 */

/** A binary floating-point type by its value list. */
export interface FloatType {
  /** the finite values from 0 up; the last bit of the fraction of values[i] is i & 1 */
  readonly magnitudes: Float64Array;
  /** where infinity begins: half a step above the largest, a tie that rounds to the even neighbour */
  readonly overflow: number;
}

function floatType(exponentBits: number, fractionBits: number): FloatType {
  const bias = 2 ** (exponentBits - 1) - 1;
  const perExponent = 2 ** fractionBits;
  const exponents = 2 ** exponentBits - 1;
  const magnitudes = new Float64Array(exponents * perExponent);
  for (let e = 0; e < exponents; e++) {
    for (let f = 0; f < perExponent; f++) {
      const value = e === 0 ? (f / perExponent) * 2 ** (1 - bias) : (1 + f / perExponent) * 2 ** (e - bias);
      magnitudes[e * perExponent + f] = value;
    }
  }
  const largest = magnitudes[magnitudes.length - 1];
  return { magnitudes, overflow: largest + (largest - magnitudes[magnitudes.length - 2]) / 2 };
}

/** IEEE binary16: 5 bits of exponent, 10 of fraction. */
export const F16 = floatType(5, 10);

/** bfloat16: 8 bits of exponent, 7 of fraction. */
export const BF16 = floatType(8, 7);

/** The value of the type that is nearest to `value`; of two equally near ones, the even one. O(log values). */
export function nearest({ magnitudes, overflow }: FloatType, value: number): number {
  if (Number.isNaN(value)) return value;
  const magnitude = Math.abs(value);
  const sign = value < 0 ? -1 : 1;
  // The largest finite value is odd, so a tie rounds to infinity.
  if (magnitude >= overflow) return sign * Number.POSITIVE_INFINITY;
  let low = 0;
  let high = magnitudes.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (magnitudes[middle] <= magnitude) low = middle;
    else high = middle - 1;
  }
  if (low === magnitudes.length - 1) return sign * magnitudes[low];
  const below = magnitude - magnitudes[low];
  const above = magnitudes[low + 1] - magnitude;
  const isUp = above < below || (above === below && low % 2 === 1);
  return sign * magnitudes[isUp ? low + 1 : low];
}

/** A message if an i8-quantised value is not the nearest multiple of largest / 127, within f32 rounding; else null. */
export function i8Fault(value: number, found: number, largest: number): string | null {
  if (!Number.isFinite(found)) return `found ${found}, expected a finite value near ${value}`;
  const step = largest / 127;
  const f32Step = Math.fround(step);
  // The step is stored as an f32, and so is its product with a whole number.
  const slack = Math.abs(value) * 2 ** -22 + 2 ** -149;
  const exactSteps = value / step;
  const floor = Math.floor(exactSteps);
  const isTie = f32Step === step && exactSteps - floor === 0.5;
  if (isTie) {
    const even = (floor % 2 === 0 ? floor : floor + 1) * step;
    return found === even || found === Math.fround(even)
      ? null
      : `found ${found}, expected ${even}, the even neighbour`;
  }
  // Near or below the subnormals the step itself rounds: any value within `largest` is accepted.
  if (f32Step < 2 ** -120) return Math.abs(found - value) <= largest ? null : `found ${found}, expected near ${value}`;
  const error = Math.abs(found - value);
  if (error > step / 2 + slack) return `found ${found}, expected within half a step (${step}) of ${value}`;
  const steps = found / f32Step;
  const deviation = Math.abs(steps - Math.round(steps));
  return deviation <= 127 * 2 ** -22 ? null : `found ${found}, expected a multiple of ${f32Step}`;
}
