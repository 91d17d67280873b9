import type { ByteClass } from '../../../../core/encoded/ledger.ts';

/** What a path of a picture shows. */
export type Tone =
  /** a cell that is not stored */
  | 'empty'
  /** what leads to a cell: its row, its column, or the columns before it */
  | 'line'
  | 'padding'
  /** by magnitude */
  | 'values-1'
  | 'values-2'
  | 'values-3'
  /** an index that is stored of a cell, of a diagonal, or a bit */
  | 'index'
  /** what an index is stored for once */
  | 'run'
  | 'metadata'
  /** a block, a chunk, or its edge */
  | 'outline';

/** A path of a picture. */
export interface Mark {
  readonly tone: Tone;
  /** as in SVG */
  readonly path: string;
}

/** What a starter makes of the little matrix, and what it takes of a larger one. */
export interface StarterFigure {
  readonly marks: readonly Mark[];
  /** bits of its arrays by what they are for */
  readonly bits: { readonly [K in ByteClass]: number };
  readonly bytes: number;
  /** of the larger matrix; null where it is refused */
  readonly larger: number | null;
}

/** The larger matrix: rows of very different lengths. */
export const LARGER = { pattern: 'row-skewed', rows: 256, cols: 384, density: 0.1, seed: 7 } as const;

/** The little matrix. Its values are rounded to eighths, so that sixteen of them are enough. */
export const LITTLE = { pattern: 'row-skewed', rows: 8, cols: 16, density: 0.24, seed: 5 } as const;
