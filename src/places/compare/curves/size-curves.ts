import type { AnyListedFormat } from '../../../core/format.ts';
import { Pacer } from '../../../core/pace.ts';
import type { FormatParams } from '../../../state/index.ts';
import type { Curve } from '../../../theory/crossings.ts';
import { turningPoint } from '../../../theory/crossings.ts';
import { isHeld } from '../../../theory/expected-bytes.ts';
import { relativeSize, type SizeQuestion, type Variant, variantsOf } from './variants.ts';

/** The smallest density that is sampled. */
const MIN_DENSITY = 1e-4;

/** Densities at which curves are sampled: dense enough for both axes, which share the samples. */
export const GRID: readonly number[] = [
  ...Array.from({ length: 60 }, (_, i) => MIN_DENSITY * 10 ** ((3 * i) / 60)),
  ...Array.from({ length: 91 }, (_, i) => (10 + i) / 100),
];

/** The value of a line at any share, interpolated between its neighbours on the grid; NaN if one of these is. */
export function atShare(values: readonly number[], left: number): number {
  const at = GRID.findIndex((share) => share >= left - 1e-9);
  if (at <= 0 || GRID[at] - left < 1e-9) return values[at] ?? Number.NaN;
  const part = (left - GRID[at - 1]) / (GRID[at] - GRID[at - 1]);
  return values[at - 1] * (1 - part) + values[at] * part;
}

/** A variant with its size along the grid. */
export interface VariantCurve {
  readonly variant: Variant;
  /** relative to dense, per density of the grid; NaN if the format probably does not hold it */
  readonly sizes: readonly number[];
  /** the largest density that is held; 1 if all are, 0 if none is */
  readonly heldUpTo: number;
}

/** All variants of a format, the first with the current parameters; none without the value type or a closed form. */
export interface FormatCurves {
  readonly format: AnyListedFormat;
  readonly variants: readonly VariantCurve[];
}

/**
 * The curves of a format with the values of the question, relative to dense in those of `unit`. Yields every 10 ms, since
 * a closed form may take a millisecond per density and a format may have a dozen variants. O(variants × grid).
 */
export async function sampleFormat(
  format: AnyListedFormat,
  params: FormatParams,
  question: SizeQuestion,
  pacer: Pacer = new Pacer(),
  unit: SizeQuestion = question,
): Promise<FormatCurves> {
  const variants = variantsOf(format, params, question);
  if (!format.expectedEffectiveDensity) return { format, variants: [] };
  const curves: VariantCurve[] = [];
  for (const variant of variants) {
    const sizes: number[] = [];
    let last = -1;
    for (const [i, density] of GRID.entries()) {
      await pacer.breathe();
      // A format that holds one density holds every smaller one.
      const held = last === i - 1 && isHeld(variant, density, question, question.placement);
      if (held) last = i;
      sizes.push(held ? relativeSize(variant, density, unit) : Number.NaN);
    }
    await pacer.breathe();
    const isRefused: (d: number) => boolean = (d) => !isHeld(variant, d, question, question.placement);
    const heldUpTo =
      last === GRID.length - 1 ? 1 : last === -1 ? 0 : turningPoint(isRefused, GRID[last], GRID[last + 1]);
    curves.push({ variant, sizes, heldUpTo });
  }
  return { format, variants: curves };
}

/** A variant's exact curve: NaN where it is not held. */
export function curveOf({ variant, heldUpTo }: VariantCurve, question: SizeQuestion): Curve {
  return (density) => (density <= heldUpTo ? relativeSize(variant, density, question) : Number.NaN);
}

/** The density at which a variant is as large as dense; null if there is none. */
export function evenWithDense(curve: VariantCurve, question: SizeQuestion): number | null {
  const size = curveOf(curve, question);
  for (let i = 1; i < GRID.length; i++) {
    if (curve.sizes[i - 1] < 1 && curve.sizes[i] >= 1) return turningPoint((d) => size(d) >= 1, GRID[i - 1], GRID[i]);
  }
  return null;
}
