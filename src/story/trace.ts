import type { Cell, Matrix } from '../core/matrix/index.ts';

/**
 * A change by one step of a trace, in terms that every format shares. Tests apply all in order, and compare the stored
 * arrays with the arrays of `encode`, the sums with the oracle, the visits with the non-zeros.
 */
export type Effect =
  /** the encoder visits the non-zero at (row, col); once per non-zero */
  | { readonly kind: 'visit'; readonly row: number; readonly col: number }
  /** element `index` of the named array becomes `value` (the raw element: f16 as its bits) */
  | { readonly kind: 'store'; readonly array: string; readonly index: number; readonly value: number }
  /** the multiply adds `value` to y[row], in f64 */
  | { readonly kind: 'accumulate'; readonly row: number; readonly value: number };

/** A step of encode or multiply, and its changes. */
export interface TraceStep<D = unknown> {
  /** index into `chapters` */
  readonly chapter: number;
  readonly effects: readonly Effect[];
  /** data of this step for the format's scene */
  readonly detail: D;
}

/** Consecutive steps of a trace under one title. */
export interface Chapter {
  readonly id: string;
  readonly title: string;
  /** index of its first step */
  readonly firstStep: number;
  readonly stepCount: number;
}

/** Every step of encode and multiply of one window (part of a matrix), in order, grouped into chapters. */
export interface Trace<D = unknown> {
  readonly format: string;
  readonly window: Matrix;
  /** where the window begins in its matrix; absent: the window's own first row and column count as 0 */
  readonly origin?: { readonly row: number; readonly col: number };
  /** the cell of the window that the user edited last: the story stays with its row */
  readonly editedCell?: Cell;
  /**
   * the content of the matrix; 'anything': not known to be activations; default: the kind that the format is meant for
   */
  readonly contents?: 'activations' | 'anything';
  readonly params: unknown;
  /** the window, encoded by the format's own `encode` */
  readonly encoded: unknown;
  /** the vector of the multiply chapters, one value per column */
  readonly x: Float32Array;
  readonly chapters: readonly Chapter[];
  readonly steps: readonly TraceStep<D>[];
}

/** Functions that give the numbers of a window's rows and columns in the matrix that contains it. */
export function numbersIn({ origin }: Pick<Trace, 'origin'>): {
  rowNumber(row: number): number;
  columnNumber(column: number): number;
} {
  return { rowNumber: (row) => (origin?.row ?? 0) + row, columnNumber: (column) => (origin?.col ?? 0) + column };
}

/** Collects steps and chapters in order. */
export class TraceBuilder<D> {
  readonly steps: TraceStep<D>[] = [];
  readonly chapters: { id: string; title: string; firstStep: number; stepCount: number }[] = [];

  chapter(id: string, title: string): void {
    this.chapters.push({ id, title, firstStep: this.steps.length, stepCount: 0 });
  }

  step(detail: D, effects: readonly Effect[] = []): void {
    const chapter = this.chapters.length - 1;
    this.steps.push({ chapter, effects, detail });
    this.chapters[chapter].stepCount++;
  }
}

/** The vector that multiply chapters use: small numbers with one decimal, so that sums can be followed by eye. */
export function traceVector(cols: number): Float32Array {
  return Float32Array.from({ length: cols }, (_, c) => ((c * 7) % 10) / 2 - 2 || 0.5);
}
