import { cellText } from '../../../core/story/drawing.ts';
import type { DrawnMark } from '../../../core/story/scene.ts';
import { cellName, elementName } from '../../../core/story/scene-parts.ts';
import { columnAt, countAt, entryAt } from '../layout.ts';
import { capacityOf } from '../params.ts';
import { fitted, type Rect, valuesOf } from './script-grid.ts';
import type { TwellTrace } from './trace.ts';

/*
 * Tiles as they are stored: the cell of the count, then cells of a value with its neuron.
 */

/** Further cells of a tile are not drawn. */
export const MAX_ENTRIES = 7;
/** Of a cell, what the value takes beside its neuron. */
const VALUE_SHARE = 0.58;
/** Between the cell of a count and a tile that does not contain it. */
const APART = 10;
const FRAME = 3;

/** Where a tile is drawn: `pitch` from cell to cell. */
export interface BoxPlace {
  readonly x: number;
  readonly y: number;
  readonly pitch: number;
  readonly h: number;
  readonly entries: number;
}

/** How many cells for a value are drawn. */
function shownEntries({ params }: Pick<TwellTrace, 'params'>, max = MAX_ENTRIES): number {
  return Math.min(max, capacityOf(params));
}

/** A place of this width for the cells of a tile; `isApart`: the count is beside the frame. */
export function boxPlace(t: TwellTrace, at: Rect, max = MAX_ENTRIES): BoxPlace {
  const entries = shownEntries(t, max);
  const width = at.w - (isApart(t) ? APART : 0);
  return { x: at.x, y: at.y, pitch: width / (1 + entries), h: at.h, entries };
}

function isApart({ params }: TwellTrace): boolean {
  return params.layout === 'split';
}

/** Cell `k` of a tile: 0 is that of the count. */
export function boxCell(t: TwellTrace, { x, y, pitch, h }: BoxPlace, k: number): Rect {
  return { x: x + k * pitch + (isApart(t) && k > 0 ? APART : 0), y, w: pitch - (pitch < 20 ? 1 : 4), h };
}

/** The value's and the neuron's part of a cell. */
export function parts({ x, y, w, h }: Rect): { readonly value: Rect; readonly neuron: Rect } {
  const left = Math.round(w * VALUE_SHARE * 2) / 2;
  return { value: { x, y, w: left, h }, neuron: { x: x + left, y, w: w - left, h } };
}

/** What is stored of a tile in a picture. */
export interface BoxState {
  readonly hasCount: boolean;
  /** values, and their neurons; default: all */
  readonly values?: number;
  readonly neurons?: number;
  /** the tile is packed: what is empty stays so. Otherwise it waits, dashed */
  readonly isPacked: boolean;
  /** the frame: strong, thin, or none */
  readonly frame?: 'strong' | 'thin';
}

/** The marks of one stored tile. */
export function tileBox(
  t: TwellTrace,
  row: number,
  tile: number,
  place: BoxPlace,
  state: BoxState,
): readonly DrawnMark[] {
  const { encoded: e, params } = t;
  const tileRow = row * e.tiles + tile;
  const count = countAt(e, tileRow);
  const where = `token ${row}, tile ${tile}`;
  const id = `${row},${tile}`;
  const marks: DrawnMark[] = [];
  const countName =
    params.layout === 'packed' ? elementName('words', tileRow * e.slots) : elementName('counts', tileRow);
  const first = boxCell(t, place, 0);
  const shown = Math.min(count, place.entries);
  const { values = shown, neurons = values } = state;
  const fired = valuesOf(t, row);
  for (let k = state.hasCount ? 1 : 0; k <= place.entries; k++) {
    if (k > 0 && k <= Math.min(shown, neurons)) continue;
    const cell = boxCell(t, place, k);
    const isEmpty = state.isPacked && k > count;
    marks.push(
      isEmpty
        ? { id: `slot ${id},${k}`, shape: 'box', tone: 'padding', ...cell, label: `${where}: stored, but empty` }
        : { id: `slot ${id},${k}`, shape: 'box', tone: 'neutral', state: 'ghost', ...cell },
    );
  }
  if (state.hasCount)
    marks.push({
      id: `count ${id}`,
      shape: 'box',
      tone: 'metadata',
      ...first,
      ...fitted(String(count), first.w, Math.min(16, first.h * 0.6)),
      label: `${where}: how many fired, ${count}`,
      about: [countName],
    });
  for (let k = 1; k <= Math.min(shown, values); k++) {
    const element = entryAt(e, tileRow, k - 1);
    const column = columnAt(e, element);
    // The number that fired: with its two digits it stays the same number from cell to cell.
    const entry = { value: fired.get(column) ?? 0, column };
    const names =
      params.layout === 'packed'
        ? [elementName('words', element)]
        : [elementName('values', element), elementName('indices', element)];
    const look = { row, id: `${id},${k}`, names, where };
    for (const mark of entryMarks(entry, boxCell(t, place, k), { ...look, hasNeuron: k <= neurons })) marks.push(mark);
  }
  if (state.frame) marks.push(boxFrame(t, row, tile, place, state.frame === 'strong'));
  return marks;
}

/** A value with its neuron in a cell. */
export function entryMarks(
  { value, column }: { readonly value: number; readonly column: number },
  cell: Rect,
  look: {
    readonly row: number;
    readonly id: string;
    readonly names: readonly string[];
    readonly where: string;
    readonly hasNeuron?: boolean;
    readonly from?: string;
  },
): readonly DrawnMark[] {
  const { row, id, names, where, hasNeuron = true, from = cellName(row, column) } = look;
  const at = parts(cell);
  const max = Math.min(15, cell.h * 0.55);
  const about = [cellName(row, column), ...names];
  const text = cellText(value, at.value.w);
  const label = `${where}: ${text} of neuron ${column}`;
  const common = { shape: 'box', about, label, from } as const;
  return [
    { ...common, id: `value ${id}`, tone: 'values', ...at.value, ...fitted(text, at.value.w, max) },
    ...(hasNeuron
      ? [
          {
            ...common,
            id: `neuron ${id}`,
            tone: 'indices',
            ...at.neuron,
            ...fitted(String(column), at.neuron.w, max),
          } as const,
        ]
      : []),
  ];
}

/** The outline around the cells that a tile owns. */
function boxFrame(t: TwellTrace, row: number, tile: number, place: BoxPlace, isStrong: boolean): DrawnMark {
  const first = boxCell(t, place, isApart(t) && place.entries > 0 ? 1 : 0);
  const last = boxCell(t, place, place.entries);
  return {
    id: `box ${row},${tile}`,
    shape: 'frame',
    tone: 'format',
    ...(isStrong ? {} : { state: 'dim' }),
    x: Math.max(0, first.x - FRAME),
    y: first.y - FRAME,
    w: last.x + last.w + FRAME - Math.max(0, first.x - FRAME),
    h: first.h + 2 * FRAME,
  };
}
