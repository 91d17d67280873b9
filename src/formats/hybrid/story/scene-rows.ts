import { box } from '../../../core/story/marks.ts';
import { bf16Value } from '../../../core/number/index.ts';
import { cellName, elementName, magnitudeLevels, pageStart } from '../../../core/story/scene-parts.ts';
import type { Mark, Panel } from '../../../core/story/scene.ts';
import { counted, valueText } from '../../../core/story/words.ts';
import { NONE } from '../layout.ts';
import type { HybridTrace } from './trace.ts';

/** Rows of the compact part in view; fewer if other panels matter more. */
const COMPACT_ROWS_SHOWN = 5;
const FEW_ROWS_SHOWN = 3;
/** Tail rows and slots of a row in view. */
const TAIL_SHOWN = 3;
const SLOTS_SHOWN = 8;
/** A slot is two units wide: value and column. */
const SLOT = 2;

/** The rows of each part. */
export interface Progress {
  /** the row in the middle of the picture */
  readonly row: number;
  /** rows that are stored */
  readonly rows: number;
  /** whether the step is about that row */
  readonly isAboutRow: boolean;
  /** whether other panels matter more than many rows: the separate row and the map, or x and y */
  readonly isDetail: boolean;
}

/** Id of the separate mark of the first non-zeros of a row that a step stores. */
export function nowId(e: HybridTrace['encoded'], row: number, ordinal: number, column: number): string {
  const place = e.tailMap[row];
  return place === NONE ? `now value ${row * e.slots + ordinal}` : `now tail ${place * e.cols + column}`;
}

/** Slots of a row in view. */
export function slotsShown({ encoded }: HybridTrace): number {
  return Math.min(encoded.slots, SLOTS_SHOWN);
}

/**
 * The row that a step stores, right below the cells that it comes from: its slots, or all of its cells. Panel id 'now'.
 */
export function nowPanel(t: HybridTrace, { row }: Progress): Panel {
  const { encoded: e } = t;
  const inTail = e.tailMap[row] !== NONE;
  const columns = inTail ? e.cols : SLOT * slotsShown(t);
  const marks = inTail ? tailMarks(t, row, 0, true, 'now ') : slotMarks(t, row, 0, true, true, 'now ');
  return {
    id: 'now',
    unit: inTail ? 'cell' : 'slot',
    columns: Math.max(1, columns),
    rows: 1,
    rowLabels: [{ at: 0, text: String(row), strong: true }],
    ...(inTail ? { grid: { rows: 1 } } : {}),
    marks,
  };
}

/** The slots of a few rows, value and column each. Panel id 'compact'. */
export function compactPanel(t: HybridTrace, { row, rows, isAboutRow, isDetail }: Progress): Panel {
  const { encoded: e } = t;
  const shown = Math.min(e.rows, isDetail ? FEW_ROWS_SHOWN : COMPACT_ROWS_SHOWN);
  const top = pageStart(e.rows, row, shown);
  const slots = slotsShown(t);
  const marks: Mark[] = [];
  for (let r = top; r < top + shown; r++) {
    for (const mark of slotMarks(t, r, r - top, r < rows, isAboutRow && r === row)) marks.push(mark);
  }
  const part = slots < e.slots ? `, the first ${slots} shown` : '';
  return {
    id: 'compact',
    title: 'compact part',
    caption: `${counted(e.slots, 'slot')} per row${part}`,
    unit: 'slot',
    columns: Math.max(1, SLOT * slots),
    rows: Math.max(1, shown),
    rowLabels: Array.from({ length: shown }, (_, i) => ({
      at: i,
      text: String(top + i),
      strong: isAboutRow && top + i === row,
    })),
    focus: { x: 0, y: Math.max(0, row - top) },
    marks,
  };
}

/** The slots of one row in line `y` of a panel; their ids begin with `prefix`. */
function slotMarks(
  t: HybridTrace,
  row: number,
  y: number,
  isThere: boolean,
  isHere: boolean,
  prefix = '',
): readonly Mark[] {
  const { encoded: e } = t;
  const inTail = e.tailMap[row] !== NONE;
  const used = inTail ? 0 : e.counts[row];
  const marks: Mark[] = [];
  for (let s = 0; s < slotsShown(t); s++) {
    const at = row * e.slots + s;
    const left = SLOT * s;
    const about = [elementName('values', at), elementName('indices', at)];
    const where = `row ${row}, slot ${s}`;
    if (!isThere || s >= used) {
      const why = isThere ? (inTail ? 'the row is in the tail' : 'empty') : 'not there yet';
      const look = isThere ? ({ tone: 'padding' } as const) : ({ tone: 'neutral', state: 'ghost' } as const);
      marks.push(box(`${prefix}slot ${at}`, left, y, { w: SLOT, ...look, label: `${where}: ${why}`, about }));
      continue;
    }
    const column = e.indices[at];
    const value = valueText(bf16Value(e.values[at]));
    const from = cellName(row, column);
    const shared = { w: 1, about: [...about, from], from, ...(isHere ? { focus: true } : {}) };
    marks.push(
      box(`${prefix}value ${at}`, left, y, {
        tone: 'values',
        text: value,
        label: `${where}: ${value} of column ${column}`,
        ...shared,
      }),
      box(`${prefix}column ${at}`, left + 1, y, {
        tone: 'indices',
        text: String(column),
        label: `${where}: column ${column}`,
        ...shared,
      }),
    );
  }
  return marks;
}

/** Tail rows with all their cells; free ones are dashed. Panel id 'tail'. */
export function tailPanel(t: HybridTrace, { row, rows, isAboutRow }: Progress): Panel {
  const { encoded: e } = t;
  const shown = Math.min(e.tailCapacity, TAIL_SHOWN);
  const stored = Array.from(e.tailRows.subarray(0, e.tailUsed)).filter((r) => r < rows).length;
  const inTail = e.tailMap[row] ?? NONE;
  const top = pageStart(e.tailCapacity, inTail === NONE ? Math.max(0, stored - 1) : inTail, shown);
  const marks: Mark[] = [];
  for (let place = top; place < top + shown; place++) {
    const y = place - top;
    if (place < stored) {
      const r = e.tailRows[place];
      for (const mark of tailMarks(t, r, y, isAboutRow && r === row)) marks.push(mark);
      continue;
    }
    marks.push(
      box(`free ${place}`, 0, y, { w: Math.max(1, e.cols), state: 'ghost', label: `tail row ${place}: free` }),
    );
  }
  const part = shown < e.tailCapacity ? `, ${shown} shown` : '';
  return {
    id: 'tail',
    title: 'dense tail',
    caption: `${stored} of ${counted(e.tailCapacity, 'row')} in use${part}`,
    unit: 'cell',
    columns: Math.max(1, e.cols),
    rows: Math.max(1, shown),
    grid: { rows: Math.max(1, shown) },
    rowLabels: Array.from({ length: shown }, (_, y) => ({ at: y, text: String(top + y) })),
    focus: { x: 0, y: Math.max(0, stored - 1 - top) },
    marks,
  };
}

/** What a row in the tail holds, in line `y` of a panel; ids begin with `prefix`. */
function tailMarks(
  { encoded: e, window }: HybridTrace,
  row: number,
  y: number,
  isHere: boolean,
  prefix = '',
): readonly Mark[] {
  const levelOf = magnitudeLevels(window);
  const place = e.tailMap[row];
  const marks: Mark[] = [];
  for (let i = window.indptr[row]; i < window.indptr[row + 1]; i++) {
    const column = window.indices[i];
    const at = place * e.cols + column;
    const value = bf16Value(e.tail[at]);
    const from = cellName(row, column);
    marks.push(
      box(`${prefix}tail ${at}`, column, y, {
        tone: 'values',
        level: levelOf(value),
        label: `tail row ${place}, column ${column}: ${valueText(value)}`,
        about: [elementName('tail', at), from],
        from,
        ...(isHere ? { focus: true } : {}),
      }),
    );
  }
  return marks;
}
