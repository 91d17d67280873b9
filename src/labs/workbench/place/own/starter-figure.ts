import type { ByteClass } from '../../../../core/encoded/ledger.ts';

/** What a path in the picture of a starter, the module of a well-known format, shows. */
export type MarkTone =
  /** a cell that is not stored */
  | 'empty'
  /** a line to a cell: along its row, its column, or the columns before it */
  | 'line'
  | 'padding'
  /** by magnitude */
  | 'values-1'
  | 'values-2'
  | 'values-3'
  /** an index stored per cell or per diagonal, or a bit */
  | 'index'
  /** cells that share one stored index */
  | 'run'
  | 'metadata'
  /** a block, a chunk, or its edge */
  | 'outline';

/** A path in a starter's picture. */
export interface StarterMark {
  readonly tone: MarkTone;
  /** as in SVG */
  readonly path: string;
}

/** The figure of a starter: its arrays of the small matrix as a picture, and its bytes for a larger one. */
export interface StarterFigure {
  readonly marks: readonly StarterMark[];
  /** bits of its arrays by purpose */
  readonly bits: { readonly [K in ByteClass]: number };
  readonly bytes: number;
  /** of the larger matrix; null if it is refused */
  readonly larger: number | null;
}

/** The larger matrix of the figures, with rows of very different lengths. */
export const LARGE_MATRIX = { pattern: 'row-skewed', rows: 256, cols: 384, density: 0.1, seed: 7 } as const;

/** The small matrix of the pictures. Its values are rounded to eighths, so that a dictionary of 16 holds them all. */
export const SMALL_MATRIX = { pattern: 'row-skewed', rows: 8, cols: 16, density: 0.24, seed: 5 } as const;
