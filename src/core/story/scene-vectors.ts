import { slotPanel } from './scene-parts.ts';
import type { Panel } from './scene.ts';
import type { Trace } from './trace.ts';
import { valueText } from './words.ts';

export interface VectorPanelsOptions {
  readonly x: Float32Array;
  /** columns whose x this step reads; the middle one is kept in view */
  readonly reads: readonly number[];
  /** value of y[row] in this step; null if nothing has been added yet */
  readonly y: (row: number) => number | null;
  readonly rows: number;
  /** rows that this step adds to; the first is kept in view */
  readonly writes: readonly number[];
  /** where the window begins in its matrix */
  readonly place?: Trace['place'];
}

/**
 * The vectors of y = A x as lines of slots, with the elements that a step reads and writes outlined. Panel ids 'x' and
 * 'y'.
 */
export function vectorPanels({ x, reads, y, rows, writes, place }: VectorPanelsOptions): readonly Panel[] {
  return [
    slotPanel({
      id: 'x',
      focus: reads[reads.length >> 1] ?? 0,
      lines: [
        {
          array: 'x',
          length: x.length,
          first: place?.col ?? 0,
          tone: 'neutral',
          text: (i) => valueText(x[i]),
          look: (i) => (reads.includes(i) ? { focus: true } : {}),
        },
      ],
    }),
    slotPanel({
      id: 'y',
      focus: writes[0] ?? 0,
      lines: [
        {
          array: 'y',
          length: rows,
          first: place?.row ?? 0,
          tone: 'format',
          text: (i) => valueText(y(i) ?? 0),
          present: (i) => y(i) !== null,
          look: (i) => (writes.includes(i) ? { focus: true } : {}),
        },
      ],
    }),
  ];
}
