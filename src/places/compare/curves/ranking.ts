import { turningPoint } from './crossings.ts';
import type { QuantisedLine } from './references.ts';
import { expectedBytes, type SizeQuestion, type Variant } from './variants.ts';
import { curveOf, type FormatCurves, GRID, type VariantCurve } from './size-curves.ts';
import { roughDensity } from '../../../kit/words/shares.ts';

/** A measured size: bytes of one encoded matrix. */
export interface EncodedSize {
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
  /** of the matrix, which may differ from the requested density */
  readonly density: number;
  readonly nnz: number;
  /** null if the format does not hold it */
  readonly bytes: number | null;
  readonly paddingBytes: number;
  /** why not */
  readonly refusal: string | null;
}

/** A row of the table at the cursor. */
export interface RankedRow {
  readonly key: string;
  readonly format: Variant['format'];
  readonly variant: Variant;
  /** expected, or encoded if there is no closed form; null if refused */
  readonly bytes: number | null;
  readonly bitsPerNonZero: number | null;
  /** of the encoded matrix nearest to the cursor, as a share of its bytes; null if none is near */
  readonly padding: number | null;
  /** relative to dense: live or measured at the cursor, or the upper bound from bytes */
  readonly speed: { readonly ratio: number; readonly measured: boolean; readonly live?: true } | null;
  /** the reason for its size, or for its refusal */
  readonly why: string;
  /** dense in fewer bits: for comparison, not ranked */
  readonly beside?: true;
}

/** An encoded matrix this close to the cursor counts as being at the cursor. */
const NEAR = 0.026;

/** A format's best variant gets its own row if it is at most this share of the current one. */
const WORTH = 0.98;

/** A variant's size at a density, from the two nearest grid points; NaN if not held. O(log grid). */
export function sampledSize({ sizes, heldUpTo }: VariantCurve, density: number): number {
  if (density > heldUpTo) return Number.NaN;
  let low = 0;
  let high = GRID.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (GRID[middle] <= density) low = middle;
    else high = middle;
  }
  const share = (density - GRID[low]) / (GRID[high] - GRID[low]);
  return Number.isFinite(sizes[high]) ? sizes[low] * (1 - share) + sizes[high] * share : sizes[low];
}

/** The variants of a format in the table: the current one, and one that is clearly smaller. */
function listedVariants({ variants }: FormatCurves, density: number): readonly VariantCurve[] {
  const [current, ...others] = variants;
  if (current === undefined) return [];
  const own = sampledSize(current, density);
  let best: VariantCurve | null = null;
  let least = Number.isNaN(own) ? Infinity : own * WORTH;
  for (const other of others) {
    const size = sampledSize(other, density);
    if (size < least) {
      best = other;
      least = size;
    }
  }
  if (best === null) return [current];
  return Number.isNaN(own) ? [best] : [best, current];
}

interface RankingParts {
  readonly curves: readonly FormatCurves[];
  /** a variant for each format without a closed form */
  readonly others: readonly Variant[];
  readonly encoded: readonly EncodedSize[];
  readonly question: SizeQuestion;
  readonly density: number;
  /** measured speed of a variant at the cursor; null if not measured there */
  readonly speedOf: (variant: Variant) => number | null;
  /** live speed, which has precedence */
  readonly liveSpeedOf?: (variant: Variant) => number | null;
  readonly denseBytes: number;
  /** dense in fewer bits */
  readonly quantised?: readonly QuantisedLine[];
}

/** All formats at a density, smallest first, then refused ones, then dense in fewer bits. */
export function ranking(parts: RankingParts): readonly RankedRow[] {
  const { curves, others, question, density, encoded, speedOf } = parts;
  const nonZeros = density * question.rows * question.cols;
  const row = (variant: Variant, bytes: number | null, why: string): RankedRow => {
    const near = nearest(encoded, variant, density);
    const measured = speedOf(variant);
    const live = parts.liveSpeedOf?.(variant) ?? null;
    return {
      key: variant.key,
      format: variant.format,
      variant,
      bytes,
      bitsPerNonZero: bytes === null || nonZeros === 0 ? null : (bytes * 8) / nonZeros,
      padding: near === null || near.bytes === null || near.bytes === 0 ? null : near.paddingBytes / near.bytes,
      speed:
        live !== null
          ? { ratio: live, measured: true, live: true }
          : bytes === null
            ? null
            : measured === null
              ? { ratio: parts.denseBytes / bytes, measured: false }
              : { ratio: measured, measured: true },
      why,
    };
  };
  const rows = curves.flatMap((format) =>
    listedVariants(format, density).map((curve) => {
      const { variant, heldUpTo } = curve;
      const why = variant.format.sizeReason?.(density, variant.params, question) ?? '';
      if (density <= heldUpTo) return row(variant, expectedBytes(variant, density, question), why);
      return row(variant, null, refusalText(heldUpTo, question));
    }),
  );
  const measuredOnly = others.map((variant) => {
    const bytes = interpolatedBytes(encoded, variant, density, question);
    const why = variant.format.sizeReason?.(density, variant.params, question) ?? '';
    return row(variant, bytes, bytes === null ? 'no closed form: encode matrices to see its size' : why);
  });
  const beside = (parts.quantised ?? []).map(({ variant, share }): RankedRow => {
    const bits = (8 * share * parts.denseBytes) / (question.rows * question.cols);
    const why = `keeps every cell, in ${Number(bits.toFixed(2))} bits with its scales`;
    return { ...row(variant, share * parts.denseBytes, why), beside: true };
  });
  return [...rows, ...measuredOnly].toSorted((a, b) => (a.bytes ?? Infinity) - (b.bytes ?? Infinity)).concat(beside);
}

function refusalText(heldUpTo: number, { placement }: SizeQuestion): string {
  const lie = placement === 'even' ? 'of an N:M pattern' : 'that lie anywhere';
  if (heldUpTo <= GRID[0]) return `refused: cannot hold non-zeros ${lie}`;
  return `refused: holds non-zeros ${lie} only up to density ${roughDensity(heldUpTo)}`;
}

function isOf({ format, params }: EncodedSize, variant: Variant): boolean {
  return (
    format === variant.format.id && Object.entries(variant.params).every(([name, value]) => params[name] === value)
  );
}

function nearest(encoded: readonly EncodedSize[], variant: Variant, density: number): EncodedSize | null {
  let found: EncodedSize | null = null;
  for (const size of encoded) {
    const away = Math.abs(size.density - density);
    if (
      away <= Math.min(NEAR, 0.25 * density) &&
      isOf(size, variant) &&
      away < Math.abs((found?.density ?? Infinity) - density)
    )
      found = size;
  }
  return found;
}

/** Bytes between two encoded matrices, by their densities; null outside of them. */
export function interpolatedBytes(
  encoded: readonly EncodedSize[],
  variant: Variant,
  density: number,
  { rows, cols }: SizeQuestion,
): number | null {
  let below: EncodedSize | null = null;
  let above: EncodedSize | null = null;
  for (const size of encoded) {
    if (size.bytes === null || !isOf(size, variant)) continue;
    if (size.density <= density && size.density > (below?.density ?? -1)) below = size;
    if (size.density >= density && size.density < (above?.density ?? 2)) above = size;
  }
  if (below === null || above === null || rows * cols === 0) return null;
  if (above.density === below.density) return below.bytes;
  const share = (density - below.density) / (above.density - below.density);
  return (below.bytes ?? 0) * (1 - share) + (above.bytes ?? 0) * share;
}

/** The density at which a variant is as large as dense, or the largest that it holds; null if there is none. */
export function evenWithDense(curve: VariantCurve, question: SizeQuestion): number | null {
  const size = curveOf(curve, question);
  for (let i = 1; i < GRID.length; i++) {
    if (curve.sizes[i - 1] < 1 && curve.sizes[i] >= 1) return turningPoint((d) => size(d) >= 1, GRID[i - 1], GRID[i]);
  }
  return null;
}
