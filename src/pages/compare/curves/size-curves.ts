import type { AnyListedFormat, Placement, Shape } from '../../../core/format.ts';
import { Pacer } from '../../../core/pace.ts';
import type { FormatParams } from '../../../state/index.ts';
import { turningPoint } from '../../../theory/crossings.ts';
import { expectedBytes, probablySupports } from '../../../theory/expected-bytes.ts';

/** The smallest density that is sampled. */
const MIN_DENSITY = 1e-4;

/** The densities at which the expected bytes of formats are sampled, close together on linear and logarithmic axes. */
export const GRID: readonly number[] = [
  ...Array.from({ length: 60 }, (_, i) => MIN_DENSITY * 10 ** ((3 * i) / 60)),
  ...Array.from({ length: 91 }, (_, i) => (10 + i) / 100),
];

/** The value at any density, interpolated between `values` at the densities of the grid; NaN if one of these is NaN. */
export function valueAtDensity(values: readonly number[], density: number): number {
  const next = GRID.findIndex((sampled) => sampled >= density - 1e-9);
  if (next <= 0 || GRID[next] - density < 1e-9) return values[next] ?? Number.NaN;
  const weight = (density - GRID[next - 1]) / (GRID[next] - GRID[next - 1]);
  return values[next - 1] * (1 - weight) + values[next] * weight;
}

/** The matrix whose bytes are expected: its shape, and how its non-zeros are distributed. */
export interface ExpectedMatrix extends Shape {
  readonly placement: Placement;
}

/** A format with parameters, none of them 'auto'. */
export interface ResolvedFormat {
  readonly format: AnyListedFormat;
  readonly params: FormatParams;
}

/** Expected bytes of a random matrix relative to dense f16; NaN without a closed form. */
export function relativeSize(stored: ResolvedFormat, density: number, shape: Shape): number {
  return (expectedBytes(stored, density, shape) ?? Number.NaN) / (2 * shape.rows * shape.cols);
}

/** The expected bytes of a format at every density of the grid. A density is supported if the format can store the matrix. */
export interface SizeCurve {
  /** relative to dense f16, per density of the grid; NaN if the density is probably not supported */
  readonly sizes: readonly number[];
  /** the largest supported density; 1 if all are supported, 0 if none is */
  readonly supportedUpTo: number;
}

/** Samples the curve of a format. Yields every 10 ms, since a closed form may take a millisecond per density. O(grid). */
export async function sampleCurve(
  stored: ResolvedFormat,
  matrix: ExpectedMatrix,
  pacer: Pacer = new Pacer(),
): Promise<SizeCurve> {
  const supportsDensity = (density: number): boolean => probablySupports(stored, density, matrix, matrix.placement);
  const sizes: number[] = [];
  let lastSupported = -1; // index into the grid
  for (const [i, density] of GRID.entries()) {
    await pacer.pauseIfDue();
    // A format that supports a density supports every smaller one.
    const isSupported = lastSupported === i - 1 && supportsDensity(density);
    if (isSupported) lastSupported = i;
    sizes.push(isSupported ? relativeSize(stored, density, matrix) : Number.NaN);
  }
  await pacer.pauseIfDue();
  if (lastSupported === GRID.length - 1) return { sizes, supportedUpTo: 1 };
  return {
    sizes,
    supportedUpTo:
      lastSupported < 0 ? 0 : turningPoint((d) => !supportsDensity(d), GRID[lastSupported], GRID[lastSupported + 1]),
  };
}

/** The density at which a format is as large as dense f16; null if there is none. */
export function evenWithDense(
  stored: ResolvedFormat,
  { sizes, supportedUpTo }: SizeCurve,
  matrix: ExpectedMatrix,
): number | null {
  const next = sizes.findIndex((size, i) => i > 0 && sizes[i - 1] < 1 && size >= 1);
  const isAbove = (density: number): boolean => density <= supportedUpTo && relativeSize(stored, density, matrix) >= 1;
  return next < 0 ? null : turningPoint(isAbove, GRID[next - 1], GRID[next]);
}
