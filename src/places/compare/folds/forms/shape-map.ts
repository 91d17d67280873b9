import { smallestVariant, type FormatCurves } from '../../curves/size-curves.ts';
import { denseBytes, type SizeQuestion, type Variant } from '../../curves/variants.ts';

/** A cell of the map: the smallest format, and its size relative to dense. */
export interface MapCell {
  readonly density: number;
  readonly winner: Variant | null;
  readonly size: number;
}

/** Densities of the map's columns. */
export const MAP_DENSITIES: readonly number[] = [
  0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95,
];

/** Shapes of language models, and small ones in which row starts matter. */
export const MAP_SHAPES: readonly (readonly [rows: number, cols: number])[] = [
  [4096, 64],
  [4096, 256],
  [1024, 1024],
  [2048, 5632],
  [4096, 4096],
  [4096, 11_008],
  [14_336, 4096],
  [8192, 28_672],
];

/** The smallest by closed form at each density, for one shape. O(densities × variants). */
export function shapeRow(curves: readonly FormatCurves[], question: SizeQuestion): readonly MapCell[] {
  // What a format holds depends on the shape, so every cell checks.
  const variants = curves.flatMap((f) => f.variants.map(({ variant }) => ({ variant, sizes: [], heldUpTo: 1 })));
  return MAP_DENSITIES.map((density) => {
    const held = variants.filter(
      ({ variant: { format, params } }) =>
        (format.admissionOdds?.(density, params, question, question.placement) ?? 1) >= 0.5,
    );
    const best = smallestVariant(held, density, question);
    return { density, winner: best?.curve.variant ?? null, size: best?.size ?? Number.NaN };
  });
}

/** The smallest of the encoded sizes at each density of a row; null if nothing has been encoded yet. */
export function measuredCell(
  sizes: readonly { readonly variant: Variant; readonly bytes: number | null }[],
  question: SizeQuestion,
  density: number,
): MapCell | null {
  let best: { readonly variant: Variant; readonly bytes: number } | null = null;
  for (const { variant, bytes } of sizes) {
    if (bytes !== null && bytes < (best?.bytes ?? Infinity)) best = { variant, bytes };
  }
  return best && { density, winner: best.variant, size: best.bytes / denseBytes(question) };
}
