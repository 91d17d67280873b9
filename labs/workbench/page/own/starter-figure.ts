// The figures of the starters on the start page.

import type { ByteClass } from '../../../../src/core/encoded/ledger.ts';

// Figures of starters: modules of well-known formats, with which a user can begin a custom format.

/** The meaning of a path in the picture of a starter, which determines its colour. */
export type MarkTone =
  /** a cell that is not stored */
  | 'empty'
  /** a line to a cell: along its row, its column, or the columns before it */
  | 'line'
  | 'padding'
  /** a stored value, in three steps of magnitude */
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
  /** the path as SVG writes it */
  readonly path: string;
}

/** The figure of a starter: the small matrix in its format as a picture, and its bytes for that and a larger matrix. */
export interface StarterFigure {
  readonly marks: readonly StarterMark[];
  /** bits of the arrays of the small matrix, by purpose */
  readonly bits: { readonly [K in ByteClass]: number };
  readonly bytes: number;
  /** bytes of the larger matrix; null if the format does not support that matrix */
  readonly larger: number | null;
}

/** The larger matrix of the figures, with rows of very different lengths. */
export const LARGE_MATRIX = { pattern: 'row-skewed', rows: 256, cols: 384, density: 0.1, seed: 7 } as const;

/**
 * The small matrix of the pictures. Its values are rounded to eighths, so that a dictionary of 16 contains them all.
 */
export const SMALL_MATRIX = { pattern: 'row-skewed', rows: 8, cols: 16, density: 0.24, seed: 5 } as const;
