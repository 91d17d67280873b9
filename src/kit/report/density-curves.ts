import { largest, smallest } from '../../core/number/statistics.ts';
import {
  type AnyListedFormat,
  distinctOptions,
  type EffectiveDensityBounds,
  resolvedParams,
} from '../../core/format.ts';
import { paramFields } from '../../state/index.ts';

/** Effective density of one format and parameter set as a function of density. */
export type SizeCurve = (density: number) => EffectiveDensityBounds;

/** The format's closed form with parameters and shape filled in; null where it has none. */
export function sizeCurve(
  format: AnyListedFormat,
  params: Readonly<Record<string, unknown>>,
  shape: { readonly rows: number; readonly cols: number },
): SizeCurve | null {
  if (!format.expectedEffectiveDensity) return null;
  return (density) => format.expectedEffectiveDensity?.(density, params, shape) ?? { best: 0, expected: 0, worst: 0 };
}

export interface CurvePoint {
  readonly density: number;
  readonly effectiveDensity: number;
}

/** `count` + 1 points of a curve from nearly density 0 to 1. More of them near 0, where closed forms bend. */
export function sampleCurve(of: (density: number) => number, count = 64): readonly CurvePoint[] {
  return Array.from({ length: count + 1 }, (_, i) => {
    // Not 0 itself: closed forms with padding have a limit there, and another value at the point.
    const density = Math.max(1e-6, (i / count) ** 1.5);
    return { density, effectiveDensity: of(density) };
  });
}

/**
 * The density from which on a format is expected to be as large as dense, by bisection to 1e-4; null when it is smaller
 * than dense everywhere or nowhere. Assumes a curve that does not fall.
 */
export function breakEvenDensity(curve: SizeCurve): number | null {
  if (curve(1).expected < 1 || curve(0).expected >= 1) return null;
  let low = 0;
  let high = 1;
  while (high - low > 1e-4) {
    const middle = (low + high) / 2;
    if (curve(middle).expected < 1) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** One option of a choice parameter, with what the format would then weigh. */
interface ParamOption {
  readonly value: unknown;
  readonly label: string;
  readonly expected: number;
  /** the option that is set now */
  readonly current: boolean;
  /** the option with the least expected effective density */
  readonly best: boolean;
}

export interface ParamComparison {
  readonly name: string;
  readonly label: string;
  readonly options: readonly ParamOption[];
}

/** Parameters that change what one effective density is relative to; comparing their options compares different things. */
const NOT_COMPARABLE: ReadonlySet<string> = new Set(['valueType']);

/**
 * For every choice parameter whose options change the closed form: what each option would give at this density.
 * With `refused` the format does not hold the matrix with the options that are set, so that they are no candidates.
 * Options that round to the same size are not a choice; value types are left out, since dense shrinks with them.
 */
export function compareOptions(
  format: AnyListedFormat,
  params: Readonly<Record<string, unknown>>,
  shape: { readonly rows: number; readonly cols: number },
  density: number,
  refused = false,
): readonly ParamComparison[] {
  const comparisons: ParamComparison[] = [];
  const own = resolvedParams(format.params, params, shape);
  for (const [name, field] of paramFields(format.params)) {
    if (field.kind !== 'choice' || NOT_COMPARABLE.has(name)) continue;
    const usable = distinctOptions(field).filter(
      ({ value }) => (format.unusable?.({ ...own, [name]: value }) ?? null) === null,
    );
    const sizes = usable.map((option) => {
      const curve = sizeCurve(format, { ...own, [name]: option.value }, shape);
      return curve ? curve(density).expected : Number.NaN;
    });
    const min = smallest(sizes);
    if (!Number.isFinite(min) || largest(sizes) - min < 1e-9) continue;
    const best = smallest(sizes.filter((_, i) => !(refused && own[name] === usable[i].value)));
    comparisons.push({
      name,
      label: field.label,
      options: usable.map((option, i) => ({
        value: option.value,
        label: option.label,
        expected: sizes[i],
        current: own[name] === option.value,
        best: sizes[i] === best,
      })),
    });
  }
  return comparisons;
}
