import type { Tone } from '../../../story/scene.ts';
import { stepStoring } from '../../../story/declared/trace.ts';
import { unitText } from '../../../story/cell-unit.ts';
import type { Cell, Span } from '../../../story/flow/cell-marks.ts';
import { arrayRow, type CellRow, cells } from '../../../story/flow/cells.ts';
import { note, withGapAbove, tightStack } from '../../../story/flow/parts.ts';
import type { Part } from '../../../story/flow/layout-space.ts';
import { counterBar } from '../../../story/flow/counter-bar.ts';
import { cellName, elementName } from '../../../story/scene-parts.ts';
import { countText, valueText } from '../../../core/text/words.ts';
import { WINDOWS_PER_WORD } from '../layout.ts';
import { KEPT, WINDOW } from '../params.ts';
import { type Box, countedBytes, isPruned, type FollowedGroup, weightBytes } from './facts.ts';

/* Parts that many pictures of the story share: a group of columns at the top, below it its windows, and its bytes. */

/** Width of eight cells that fill a picture, in em. */
export const WIDE = 8;

/** A bracket with a text for columns `from` to `to - 1`. */
export const span = (id: string, from: number, to: number, text: string, tone: Tone = 'format'): Span => {
  return { id, from, to, text, tone };
};

/** The title of the group: its row, and whether weights of the row were pruned. */
const rowTitle = (g: FollowedGroup, hasPruned = g.ofRow.cells.some(isPruned)): string =>
  `row ${g.rowNumber(g.row)}${hasPruned ? ', pruned' : ''}`;
/** The titles at the left of the parts: every part leaves space for the widest. */
export const titlesOf = (g: FollowedGroup): readonly string[] => [rowTitle(g), 'window 0', 'slots', 'x, copied'];

/** Rows with a cell for each column of the group, at the same x in all parts. */
export function columns(g: FollowedGroup, rows: readonly CellRow[], isNumbered = false): Part {
  const axis = (c: number): string => String(g.columnNumber(g.cells[c].column));
  return cells(
    { count: g.cells.length, ...(isNumbered && { axis }), besides: titlesOf(g), widest: g.texts, max: WIDE },
    rows,
  );
}

/** How the group is drawn. */
interface GroupStyle {
  /** highlighted columns */
  readonly lit?: readonly number[];
  /** the column of a weight that does not fit, with a ring around it */
  readonly ring?: number | null;
  /** whether the group is shown before pruning */
  readonly isUnpruned?: boolean;
}

/** The group at the top of every picture about it. */
export function groupAbove(g: FollowedGroup, { lit = [], ring = null, isUnpruned }: GroupStyle = {}): Part {
  const cell = (c: number): Cell => {
    const { column, value, taker } = g.cells[c];
    const id = cellName(g.row, column);
    const label = `row ${g.rowNumber(g.row)}, column ${g.columnNumber(column)}: ${valueText(value)}`;
    if (taker < 0 && !(isUnpruned && isPruned(g.cells[c]))) return { id, label, highlightNames: [id] };
    const drawn = { id, text: unitText(value, g.unit), label, highlightNames: [id] };
    if (taker < 0) return { ...drawn, tone: 'danger', ring: true };
    return { ...drawn, style: lit.includes(c) ? 'lit' : 'plain', ring: ring === c };
  };
  const title = isUnpruned ? rowTitle(g, false) : rowTitle(g);
  const row: CellRow = { id: 'group', title, strong: true, tone: 'values', cell };
  return columns(g, [row], true);
}

/** Columns of the weights that certain windows store. */
export const takenBy = (g: FollowedGroup, isTaker: (window: number) => boolean): readonly number[] =>
  g.cells.flatMap(({ taker }, c) => (taker >= 0 && isTaker(taker) ? [c] : []));

/** A window below the columns that it covers: `cell` makes the cell of a column and its slot in the window. */
export function windowBelow(g: FollowedGroup, w: number, cell: (c: number, position: number) => Cell): Part {
  const { start } = g.windows[w];
  const isCovered = (c: number): boolean => c >= start && c < start + WINDOW;
  return columns(g, [
    arrayRow(`window ${w}`, `window ${w}`, 'format', (c) => (isCovered(c) ? cell(c, c - start) : null)),
  ]);
}

/** State of the group in a frame. */
export interface GroupState {
  /** the last window whose slots are shown */
  readonly upTo: number;
  /** number of windows, from the first, whose weights are stored */
  readonly stored: number;
  /** the highlighted windows */
  readonly lit?: readonly number[];
  /** the column of a covered weight that does not fit, with a ring around it */
  readonly ring?: number | null;
}

/** The windows, each with the numbers of its slots below their columns; windows after `upTo` are empty. */
export function slotsOfWindows(g: FollowedGroup, { upTo, lit = [upTo], ring = null }: GroupState): Part {
  const cell = (w: number, c: number, position: number): Cell => {
    if (w > upTo) return { style: 'plain' };
    const isTaken = g.cells[c].taker === w;
    const doesNotFit = ring === c && lit.includes(w);
    const tone = isTaken ? 'indices' : doesNotFit ? 'danger' : 'neutral';
    const label = `window ${w}, slot ${position}${isTaken ? ': it takes this weight' : ''}`;
    return {
      text: slotText(position),
      tone,
      style: isTaken && lit.includes(w) ? 'lit' : 'plain',
      ring: doesNotFit,
      label,
    };
  };
  return tightStack(g.windows.map((_, w) => windowBelow(g, w, (c, position) => cell(w, c, position))));
}

/** A slot as it is stored, in two bits. Weights and columns are other small numbers in the pictures, in decimal. */
const slotText = (slot: number): string => slot.toString(2).padStart(2, '0');

const nameOf = ({ index }: Box): string => elementName('values', index);
const cellOf = (g: FollowedGroup, { column }: Box): string => cellName(g.row, column);

/** The cell of a stored value. */
export function boxCell(g: FollowedGroup, box: Box, style: Cell['style'] = 'plain'): Cell {
  const id = nameOf(box);
  if (box.isEmpty)
    return { id, text: '0', tone: 'padding', label: 'an empty box: a zero is stored', highlightNames: [id] };
  const cell = cellOf(g, box);
  const text = unitText(box.value, g.unit);
  return { id, text, style, label: `stored: ${valueText(box.value)}`, highlightNames: [id, cell], from: cell };
}

/** The cell of a stored value's slot in its window. */
function slotCell(g: FollowedGroup, box: Box, style: Cell['style'] = 'plain'): Cell {
  const word = elementName('metadata', Math.floor(box.index / (KEPT * WINDOWS_PER_WORD)));
  const slot = { id: `place of ${nameOf(box)}`, text: slotText(box.slot) };
  return box.isEmpty
    ? { ...slot, tone: 'padding', highlightNames: [word] }
    : { ...slot, style, highlightNames: [word, cellOf(g, box)] };
}

/**
 * The column of the group below which each box of its windows is drawn: the column of its weight or, for an empty box, one
 * of the last two columns of its window. No other window stores a weight of these columns, because a window with an empty
 * box stores all the weights that it covers. Null if the group has too few columns.
 */
function columnsOfBoxes({ windows, cells: groupCells }: FollowedGroup): readonly number[] | null {
  const found = windows.flatMap(({ start, boxes }) => {
    const taken = boxes.flatMap(({ isEmpty, column }) => (isEmpty ? [] : [column - groupCells[0].column]));
    const free = [start + WINDOW - KEPT, start + WINDOW - 1].filter((c) => !taken.includes(c));
    return [...taken, ...free.slice(0, KEPT - taken.length)].toSorted((a, b) => a - b);
  });
  return found.every((c) => c < groupCells.length) ? found : null;
}

/**
 * The stored weights and slots of the group below their columns, or as a list if it has too few columns; empty outlines
 * for windows not stored yet.
 */
export function storedList(g: FollowedGroup, { stored, lit = [stored - 1] }: Omit<GroupState, 'upTo'>): Part {
  const inOrder = g.windows.flatMap(({ boxes }) => boxes.toSorted((a, b) => a.column - b.column));
  const below = columnsOfBoxes(g);
  const boxes = below ? inOrder : g.windows.flatMap((window) => window.boxes);
  type Drawn = (g: FollowedGroup, box: Box, style: Cell['style']) => Cell;
  const drawn = (cell: Drawn, i: number): Cell => {
    const w = Math.floor(i / KEPT);
    return w < stored ? cell(g, boxes[i], lit.includes(w) ? 'lit' : 'plain') : { style: 'ghost' };
  };
  const inColumns = (cell: Drawn) => (c: number) => {
    const i = below ? below.indexOf(c) : c;
    return i < 0 ? null : drawn(cell, i);
  };
  const spans = g.windows.map((_, w): Span => {
    const [from, to] = below ? [below[w * KEPT], below[w * KEPT + 1] + 1] : [w * KEPT, (w + 1) * KEPT];
    // Longer texts would take two lines, and move the parts below.
    const isMany = g.windows.length > 4;
    const text = isMany ? String(w) : `window ${w}`;
    return { ...span(`stored in window ${w}`, from, to, text), above: true };
  });
  const slotRows = stored > 0 ? [arrayRow('stored places', 'slots', 'indices', inColumns(slotCell))] : [];
  const rows = [arrayRow('stored weights', 'stored', 'values', inColumns(boxCell), spans), ...slotRows];
  const style = { group: KEPT, groupsPerLine: boxes.length, besides: titlesOf(g), widest: g.texts, max: WIDE };
  return withGapAbove(below ? columns(g, rows) : cells({ count: boxes.length, ...style }, rows));
}

/** A note that the groups are counted from the region's first column; null if they are groups of the matrix. */
export function ownGroupsNote(g: FollowedGroup): Part | null {
  if (g.isAligned) return null;
  const first = countText(g.columnNumber(0));
  const where = `This region begins within a group of the matrix, so its groups are counted from column ${first}.`;
  return note('own groups', where);
}

/** A bar of the bytes that the first `stored` windows of the group take, with a text. */
export function bytesBar(g: FollowedGroup, stored: number, text: string): Part {
  const { encoded: e } = g.t;
  const weightCount = g.windows.slice(0, stored).reduce((sum, window) => sum + window.weightCount, 0);
  const parts = countedBytes(e, { weightCount, empty: KEPT * stored - weightCount });
  return counterBar({ title: 'group', parts, dense: g.cells.length * weightBytes(e), text });
}

/** The step that stores the last weight of a window. */
export const windowStep = ({ t, windows }: FollowedGroup, w: number): number =>
  stepStoring(t, 'values', windows[w].boxes[KEPT - 1].index);
