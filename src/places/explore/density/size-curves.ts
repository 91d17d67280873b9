import type { AnyListedFormat } from '../../../core/format.ts';
import { Pacer } from '../../../core/pace.ts';
import type { FormatParams } from '../../../state/index.ts';
import type { Curve } from './crossings.ts';
import { turningPoint } from './crossings.ts';
import { isHeld, relativeSize, type SizeQuestion, type Variant, variantsOf } from './variants.ts';

/** The least density of the logarithmic axis. */
export const LEAST_DENSITY = 1e-4;

/** Densities at which curves are sampled: close enough together for both axes, on which a curve is drawn from the same. */
export const GRID: readonly number[] = [
  ...Array.from({ length: 60 }, (_, i) => LEAST_DENSITY * 10 ** ((3 * i) / 60)),
  ...Array.from({ length: 91 }, (_, i) => (10 + i) / 100),
];

/** A variant with its size along the grid. */
export interface VariantCurve {
  readonly variant: Variant;
  /** relative to dense, one for each density of the grid; NaN where the format more likely than not does not hold it */
  readonly sizes: readonly number[];
  /** the density up to which it is held; 1 where it always is, 0 where it never is */
  readonly heldUpTo: number;
}

/** All variants of a format; the first has the parameters that are set. */
export interface FormatCurves {
  readonly format: AnyListedFormat;
  readonly variants: readonly VariantCurve[];
  /** why there is none: it stores no values of the asked type, or has no closed form */
  readonly missing: 'value type' | 'closed form' | null;
}

/**
 * The curves of a format. Gives the thread back every 10 ms, since a closed form may take a millisecond at each density
 * and a format may have a dozen variants. O(variants × grid).
 */
export async function sampleFormat(
  format: AnyListedFormat,
  params: FormatParams,
  question: SizeQuestion,
  pacer: Pacer = new Pacer(),
): Promise<FormatCurves> {
  const variants = variantsOf(format, params, question);
  if (variants.length === 0) return { format, variants: [], missing: 'value type' };
  if (!format.expectedEffectiveDensity) return { format, variants: [], missing: 'closed form' };
  const curves: VariantCurve[] = [];
  for (const variant of variants) {
    const sizes: number[] = [];
    let last = -1;
    for (const [i, density] of GRID.entries()) {
      await pacer.breathe();
      // What is held at one density is held at every smaller one.
      const held = last === i - 1 && isHeld(variant, density, question);
      if (held) last = i;
      sizes.push(held ? relativeSize(variant, density, question) : Number.NaN);
    }
    await pacer.breathe();
    const isRefused: (d: number) => boolean = (d) => !isHeld(variant, d, question);
    const heldUpTo =
      last === GRID.length - 1 ? 1 : last === -1 ? 0 : turningPoint(isRefused, GRID[last], GRID[last + 1]);
    curves.push({ variant, sizes, heldUpTo });
  }
  return { format, variants: curves, missing: null };
}

/** The exact curve of a variant: NaN where it is not held. */
export function curveOf({ variant, heldUpTo }: VariantCurve, question: SizeQuestion): Curve {
  return (density) => (density <= heldUpTo ? relativeSize(variant, density, question) : Number.NaN);
}

/** The smallest variant at a density; null where none is held. */
export function smallestVariant(
  variants: readonly VariantCurve[],
  density: number,
  question: SizeQuestion,
): { readonly curve: VariantCurve; readonly size: number } | null {
  let best: { readonly curve: VariantCurve; readonly size: number } | null = null;
  for (const curve of variants) {
    const size = curveOf(curve, question)(density);
    if (size < (best?.size ?? Infinity)) best = { curve, size };
  }
  return best;
}
