import type { StorageLedger } from '../encoded/ledger.ts';
import { type Matrix, rowBuffer } from '../matrix/index.ts';
import { densePicture } from './dense-picture.ts';
import { cellUnit, unitText } from './drawing.ts';
import type { DrawnWeight, DrawnWindow } from './drawn-rows.ts';
import type { Cell } from './flow/cell-marks.ts';
import { type CellRow, cells } from './flow/cells.ts';
import { note, stack } from './flow/parts.ts';
import { counterBar, playerFrames, tell } from './flow/story-frames.ts';
import type { Frame } from './frames.ts';
import type { Drawing, DrawnMark } from './scene.ts';
import { cellName } from './scene-parts.ts';
import { type Stated, stated } from './stated.ts';
import type { Trace } from './trace.ts';
import { countText, valueText } from './words.ts';

/** Weights from which a row is as good an example as any other. */
const ENOUGH = 3;
/** Bits of a weight where nothing is stored that would say it. */
const USUAL_BITS = 16;

/** Bytes of a window in dense, in the format's value type. */
export function denseBytes(
  { window: { rows, cols } }: { readonly window: Pick<Matrix, 'rows' | 'cols'> },
  own: StorageLedger,
): number {
  if (own.effectiveDensity > 0) return Math.round(own.totalBytes / own.effectiveDensity);
  return (rows * cols * USUAL_BITS) / 8;
}

/** Cells and sums that the picture shows; the sums are those of the story's own multiplication. O(cells + effects). */
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

/** 'row 3', 'columns 0 to 7', 'x[5]': what has numbers of the cut. */
const NUMBERED = /\b(?:(rows?|columns?) (?:\d+(?:(?:, | and | to | or )(?=\d))?)+|[xy]\[\d+\])/gi;

/** Words of a cut with the numbers of its matrix. */
function withNumbers(text: string, { row, col }: Required<Trace>['place']): string {
  return text.replaceAll(NUMBERED, (found) => {
    const by = /^(?:row|y)/i.test(found) ? row : col;
    return found.replaceAll(/\d+/g, (n) => String(Number(n) + by));
  });
}

/** A picture of a cut with the numbers of its matrix. */
function numbered(picture: Drawing, place: Trace['place']): Drawing {
  if (!place || (place.row === 0 && place.col === 0)) return picture;
  const said = (mark: DrawnMark, text: string): string =>
    mark.id.startsWith('columns ') ? String(Number(text) + place.col) : withNumbers(text, place);
  const marks = picture.marks.map((mark): DrawnMark => ({
    ...mark,
    ...(mark.text !== undefined && { text: said(mark, mark.text) }),
    ...(mark.runs && { runs: mark.runs.map((run) => ({ ...run, text: said(mark, run.text) })) }),
    ...(mark.label !== undefined && { label: withNumbers(mark.label, place) }),
  }));
  return { ...picture, marks };
}

/** Rows of a wide cut that are drawn. */
const WIDE_ROWS = 8;
/** A cut of more columns is drawn with the empty ones folded. */
const WIDE = 64;

/** A wide cut as dense stores it. */
function wideFrame(t: Trace, dense: number, one: string, say: Stated): Frame {
  const { ofRow, weights, unit } = drawnWindow(t, dense);
  const { row: top, col: left } = t.place ?? { row: 0, col: 0 };
  const columns = new Set(weights.map(({ column }) => column));
  const rows = ofRow.slice(0, WIDE_ROWS).map((own, r): CellRow => {
    const at = new Map(own.map(({ column, value }) => [column, value]));
    const cell = (column: number): Cell => {
      const value = at.get(column);
      const label = `row ${top + r}, column ${left + column}: ${valueText(value ?? 0)}`;
      return {
        id: cellName(r, column),
        label,
        ...(value !== undefined && { text: unitText(value, unit), look: 'lit' }),
      };
    };
    return { id: `row ${r}`, title: `row ${top + r}`, tone: 'values', cell };
  });
  const { cols } = t.window;
  const axis = (column: number): string => String(left + column);
  const held = (column: number): boolean => columns.has(column);
  const kept = (dense * weights.length) / Math.max(1, ofRow.length * cols);
  const body = stack(
    cells({ count: cols, axis, held, lines: 4 }, rows),
    note('means', 'A row times x gives one number. Dense stores zeros too.', { tone: 'ink', strong: true }),
  );
  const below = counterBar({
    title: 'all rows',
    parts: [
      { tone: 'values', bytes: kept, name: `${one}s` },
      { tone: 'padding', bytes: dense - kept, name: 'zeros' },
    ],
    dense,
    said: `${countText(weights.length)} of ${countText(ofRow.length * cols)} numbers here are not zero.`,
  });
  return playerFrames([tell({ id: 'zeros', chapter: 'Why', moves: [0], say, body, below })])[0];
}

/** The first frame of a story without a script: a row times x, and the format's treatment of zeros. */
export function firstFrame(
  t: Trace,
  own: StorageLedger,
  { one, keeps }: { readonly one: 'weight' | 'activation'; readonly keeps: string },
): Frame {
  let drawn: DrawnWindow | null = null;
  if (t.window.cols > WIDE && t.window.rows > 0)
    return wideFrame(t, denseBytes(t, own), one, sentenceOf(t, one, keeps));
  return {
    id: 'zeros',
    chapter: 'Why',
    step: 0,
    moves: [0],
    sentence: () => sentenceOf(t, one, keeps),
    draw: (_, { layout }) =>
      numbered(densePicture((drawn ??= drawnWindow(t, denseBytes(t, own))), layout, one), t.place),
  };
}
