import type { ArrayClass } from '../../../own/element-type.ts';

/** An array of a starter on the little matrix. */
export interface ArrayFigure {
  readonly name: string;
  readonly byteClass: ArrayClass;
  /** of an element */
  readonly bits: number;
  /** elements in their order: 'x', and '.' for padding */
  readonly elements: string;
}

/** What a starter makes of the little matrix, and what it takes of a larger one. */
export interface StarterFigure {
  readonly arrays: readonly ArrayFigure[];
  readonly bytes: number;
  /** of the larger matrix; null where it is refused */
  readonly larger: number | null;
}

/** The larger matrix: rows of very different lengths. */
export const LARGER = { pattern: 'row-skewed', rows: 256, cols: 384, density: 0.1, seed: 7 } as const;

/** The little matrix. Its values are rounded to eighths, so that sixteen of them are enough. */
export const LITTLE = { pattern: 'row-skewed', rows: 8, cols: 16, density: 0.24, seed: 5 } as const;
