import type { StorageLedger } from '../encoded/ledger.ts';
import { type Matrix, rowBuffer } from '../matrix/index.ts';
import { densePicture } from './dense-picture.ts';
import { cellUnit } from './drawing.ts';
import type { DrawnWeight, DrawnWindow } from './drawn-rows.ts';
import type { Frame } from './frames.ts';
import { type Stated, stated } from './stated.ts';
import type { Trace } from './trace.ts';

/** Weights from which a row is as good an example as any other. */
const ENOUGH = 3;
/** Bits of a weight where nothing is stored that would say it. */
const USUAL_BITS = 16;

/** Bytes of a window in dense, in the value type of what is stored. */
export function denseBytes(
  { window: { rows, cols } }: { readonly window: Pick<Matrix, 'rows' | 'cols'> },
  own: StorageLedger,
): number {
  if (own.effectiveDensity > 0) return Math.round(own.totalBytes / own.effectiveDensity);
  return (rows * cols * USUAL_BITS) / 8;
}

/** What the picture shows of a window; the sums are those of the story's own multiplication. O(cells + effects). */
function drawnWindow(t: Trace, dense: number): DrawnWindow {
  const { rows, cols } = t.window;
  const buffer = rowBuffer(cols);
  const ofRow = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: t.window.readRow(row, buffer) }, (_, i): DrawnWeight => {
      return { row, column: buffer.columns[i], value: buffer.values[i] };
    }),
  );
  const weights = ofRow.flat();
  const sums = ofRow.map(() => 0);
  for (const { effects } of t.steps)
    for (const effect of effects) if (effect.kind === 'accumulate') sums[effect.row] += effect.value;
  const best = ofRow.reduce((max, { length }) => Math.max(max, Math.min(length, ENOUGH)), 1);
  const lead = ofRow.findIndex(({ length }) => length >= best);
  return {
    t,
    weights,
    ofRow,
    unit: cellUnit(weights.map(({ value }) => value)),
    valueBits: (8 * dense) / Math.max(1, rows * cols),
    dense,
    lead: lead < 0 ? null : { row: lead },
    sums,
  };
}

function sentenceOf({ window: { rows, cols, nnz } }: Trace, one: string, keeps: string): Stated {
  const cells = rows * cols;
  if (cells === 0) return stated`This cut has no cells: there is nothing to store.`;
  if (nnz === 0) return stated`All ${one}s here are zero: whatever is stored says only that.`;
  if (nnz === cells) return stated`No ${one} here is zero: there is nothing to leave out.`;
  const many = 2 * nnz < cells ? 'Most' : 2 * nnz === cells ? 'Half the' : 'Some';
  return stated`${many} ${one}s here are zero. ${keeps}`;
}

/** The first frame of a story without a script: a row times x, and what the format does about the zeros. */
export function firstFrame(
  t: Trace,
  own: StorageLedger,
  { one, keeps }: { readonly one: 'weight' | 'activation'; readonly keeps: string },
): Frame {
  let drawn: DrawnWindow | null = null;
  return {
    id: 'zeros',
    chapter: 'Why',
    step: 0,
    moves: [0],
    sentence: () => sentenceOf(t, one, keeps),
    draw: (_, { layout }) => densePicture((drawn ??= drawnWindow(t, denseBytes(t, own))), layout, one),
  };
}
