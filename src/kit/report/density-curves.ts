import type { AnyListedFormat, EffectiveDensityBounds } from '../../core/format.ts';

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
