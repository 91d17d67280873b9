import { box, notThereYet } from '../../../core/story/marks.ts';
import { bf16Value } from '../../../core/number/index.ts';
import { cellName, elementName, pageStart } from '../../../core/story/scene-parts.ts';
import type { Label, Mark, Panel } from '../../../core/story/scene.ts';
import { counted, valueText } from '../../../core/story/words.ts';
import { columnAt, countAt, entryAt, valueBitsAt } from '../layout.ts';
import type { Place } from './scene-activations.ts';
import type { TwellTrace } from './trace.ts';

/** Slots of a row in view, in whole tiles. */
const SLOTS_SHOWN = 8;
const PACKED_ROWS_SHOWN = 6;
/** A slot is two units wide: value and column. */
const SLOT = 2;
const GAP = 0.5;
/** Units from the start of a tile that a narrow screen should show. */
const FOCUS_UNITS = 2;

/** Whether the tile row is packed by the step. */
export function isPacked(t: TwellTrace, tileRow: number, stepNumber: number): boolean {
  return stepNumber >= t.packedAt[tileRow];
}

/** The tiles of a few tokens as they are stored. Panel id 'packed'. */
export function packedPanel(t: TwellTrace, place: Place, stepNumber: number): Panel {
  const { encoded: e, params } = t;
  const shownRows = Math.min(e.rows, PACKED_ROWS_SHOWN, place.max ?? PACKED_ROWS_SHOWN);
  const top = pageStart(e.rows, place.row, shownRows);
  const shownTiles = Math.min(e.tiles, Math.max(1, Math.floor(SLOTS_SHOWN / e.slots)));
  const near = place.tile ?? place.near ?? 0;
  const first = pageStart(e.tiles, near, shownTiles);
  const units = tileUnits(t);
  const marks: Mark[] = [];
  const names: Label[] = [];
  for (let tile = first; tile < first + shownTiles; tile++) {
    const x = (tile - first) * (units + GAP);
    for (let row = top; row < top + shownRows; row++) {
      const isRow = row >= place.row && row < place.row + (place.rows ?? 1);
      const isHere = !place.whole && isRow && (place.tile === null || tile === place.tile);
      const isThere = isPacked(t, row * e.tiles + tile, stepNumber);
      for (const mark of tileRowMarks(t, { row, tile, x, y: row - top, isThere, isHere, element: place.element }))
        marks.push(mark);
    }
    names.push({ at: x + (units - 1) / 2, text: `tile ${tile}`, strong: tile === place.tile });
  }
  const inView = shownTiles < e.tiles ? `; tiles ${first} to ${first + shownTiles - 1} of ${e.tiles}` : '';
  const ofTile = params.layout === 'packed' ? counted(e.slots, 'word') : `a count and ${counted(e.slots, 'slot')}`;
  const start = Math.max(0, (near - first) * (units + GAP));
  return {
    id: 'packed',
    title: params.layout === 'packed' ? 'packed words' : 'slots',
    caption: `${ofTile} a tile${inView}`,
    unit: 'slot',
    columns: Math.max(1, shownTiles * (units + GAP) - GAP),
    rows: Math.max(1, shownRows),
    columnLabels: names,
    rowLabels: Array.from({ length: shownRows }, (_, i) => ({
      at: i,
      text: String(top + i),
      strong: top + i === place.row,
    })),
    focus: {
      x: start + (place.element === undefined ? Math.min(FOCUS_UNITS, units / 2) : slotX(t, place.element) + 1),
      y: Math.max(0, place.row - top),
    },
    marks,
  };
}

/** Units of a tile: its slots and, in the split layout, its count. */
function tileUnits({ encoded, params }: TwellTrace): number {
  return (params.layout === 'packed' ? 0 : 1) + encoded.slots * SLOT;
}

/** Position of an element of the arrays, from the start of its tile. */
function slotX({ encoded: { slots }, params }: TwellTrace, element: number): number {
  return (params.layout === 'packed' ? 0 : 1) + (element % slots) * SLOT;
}

/** The tile row that a step packs, right below the cells that it comes from. Panel id 'now'. */
export function nowPanel(t: TwellTrace, place: Place, tile: number, stepNumber: number): Panel {
  const isThere = isPacked(t, place.row * t.encoded.tiles + tile, stepNumber);
  const isHere = !place.whole;
  return {
    id: 'now',
    unit: 'slot',
    columns: tileUnits(t),
    rows: 1,
    rowLabels: [{ at: 0, text: String(place.row), strong: true }],
    marks: tileRowMarks(t, { row: place.row, tile, x: 0, y: 0, isThere, isHere, element: undefined }, 'now '),
  };
}

/** One tile row in a picture. */
interface TileRowPlace {
  readonly row: number;
  readonly tile: number;
  readonly x: number;
  readonly y: number;
  /** whether it is already packed */
  readonly isThere: boolean;
  /** whether the step is about it */
  readonly isHere: boolean;
  /** the only outlined element of the arrays */
  readonly element: number | undefined;
}

/** The count and the slots of one tile row; their ids begin with `prefix`. */
function tileRowMarks(
  t: TwellTrace,
  { row, tile, x, y, isThere, isHere, element }: TileRowPlace,
  prefix = '',
): readonly Mark[] {
  const { encoded: e, params } = t;
  const tileRow = row * e.tiles + tile;
  const count = countAt(e, tileRow);
  const isWords = params.layout === 'packed';
  const focus = (at: number): { focus?: true } =>
    isHere && isThere && (element === undefined || element === at) ? { focus: true } : {};
  const where = `token ${row}, tile ${tile}`;
  const refused = (t.overflow?.byRow[row] ?? 0) > 0;
  const countName = isWords ? elementName('words', tileRow * e.slots) : elementName('counts', tileRow);
  const marks: Mark[] = [
    box(`${prefix}count ${tileRow}`, x, y, {
      w: isWords ? SLOT : 1,
      tone: refused && isThere ? 'neutral' : 'metadata',
      text: refused ? '–' : String(count),
      about: [countName],
      ...(isThere
        ? { label: refused ? `${where}: overflows, not stored` : `${where}: count ${count}` }
        : notThereYet(where)),
      ...(element === undefined ? focus(tileRow * e.slots) : {}),
    }),
  ];
  const firstEntry = entryAt(e, tileRow, 0);
  const end = (tileRow + 1) * e.slots;
  for (let at = firstEntry; at < end; at++) {
    const left = x + slotX(t, at);
    const names = isWords ? [elementName('words', at)] : [elementName('values', at), elementName('indices', at)];
    if (!isThere) {
      marks.push(
        box(`${prefix}slot ${at}`, left, y, {
          w: SLOT,
          state: 'ghost',
          label: `${where}: not there yet`,
          about: names,
        }),
      );
      continue;
    }
    if (at >= firstEntry + count) {
      const label = `${where}: empty`;
      marks.push(box(`${prefix}slot ${at}`, left, y, { w: SLOT, tone: 'padding', label, about: names }));
      continue;
    }
    const column = columnAt(e, at);
    const value = valueText(bf16Value(valueBitsAt(e, at)));
    const about = [...names, cellName(row, column)];
    marks.push(
      box(`${prefix}value ${at}`, left, y, {
        tone: 'values',
        text: value,
        label: `${where}: ${value} of column ${column}`,
        about,
        from: cellName(row, column),
        ...focus(at),
      }),
      box(`${prefix}column ${at}`, left + 1, y, {
        tone: 'indices',
        text: String(column),
        label: `${where}: column ${column}`,
        about,
        from: cellName(row, column),
        ...focus(at),
      }),
    );
  }
  return marks;
}
