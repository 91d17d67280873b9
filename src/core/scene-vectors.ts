import { slotPanel } from './scene-parts.ts';
import type { Panel } from './scene.ts';
import { valueText } from './words.ts';

export interface VectorPanelsOptions {
  readonly x: Float32Array;
  /** the part of x that this step reads: [start, end) */
  readonly reads: { readonly start: number; readonly end: number };
  /** value of y[row] as it stands in this step; null where nothing has been added yet */
  readonly y: (row: number) => number | null;
  readonly rows: number;
  /** the rows that this step adds to, [start, end), of which the first is kept in view */
  readonly writes: { readonly start: number; readonly end: number };
}

/** The vectors of y = A x as lines of slots, with what a step reads and writes outlined. Panel ids 'x' and 'y'. */
export function vectorPanels({ x, reads, y, rows, writes }: VectorPanelsOptions): readonly Panel[] {
  return [
    slotPanel({
      id: 'x',
      focus: reads.start,
      lines: [
        {
          array: 'x',
          length: x.length,
          tone: 'neutral',
          text: (i) => valueText(x[i]),
          look: (i) => (i >= reads.start && i < reads.end ? { focus: true } : {}),
        },
      ],
    }),
    slotPanel({
      id: 'y',
      focus: writes.start,
      lines: [
        {
          array: 'y',
          length: rows,
          tone: 'format',
          text: (i) => valueText(y(i) ?? 0),
          present: (i) => y(i) !== null,
          look: (i) => (i >= writes.start && i < writes.end ? { focus: true } : {}),
        },
      ],
    }),
  ];
}
