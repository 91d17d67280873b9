import { bf16Value } from '../../core/number/index.ts';
import { cellName, elementName, type MarkLook, matrixPanel, memoryPanels, pageStart } from '../../core/scene-parts.ts';
import type { Link, Mark, Panel } from '../../core/scene.ts';
import { counted, valueText } from '../../core/words.ts';
import { columnAt, countAt, entryAt, valueBitsAt } from './layout.ts';
import { capacityOf } from './params.ts';
import { cellsOf, type TwellTrace } from './trace.ts';

/** Panels of a scene and the links between them. */
export interface Picture {
  readonly panels: readonly Panel[];
  readonly links: readonly Link[];
}

/** Rows of the window that stand above other panels. */
export const ROWS_SHOWN = 8;
/** Slots of a row in view, in whole tiles. */
const SLOTS_SHOWN = 8;
const PACKED_ROWS_SHOWN = 6;
/** Rows of both where other panels matter more. */
const FEW_ROWS = 4;
const FEW_PACKED_ROWS = 2;
/** A slot is two units wide: value and column. */
const SLOT = 2;
const GAP = 0.5;
/** More links than this are a carpet. */
const MOST_LINKS = 8;

/** What a step is about. */
export interface Place {
  readonly row: number;
  /** null: all of them */
  readonly tile: number | null;
  /** element of the arrays that is outlined alone */
  readonly element?: number;
  /** the step is about all rows; `row` is only in view */
  readonly whole?: boolean;
  /** few rows are shown, since other panels matter more */
  readonly small?: boolean;
}

/** The window of activations with its tiles. Panel id 'matrix'. */
export function activationsPanel(
  t: TwellTrace,
  { row, tile, whole, small }: Place,
  look?: (row: number, col: number) => MarkLook,
): Panel {
  const { rows, cols } = t.window;
  const { tileWidth } = t.params;
  const rowsShown = small ? FEW_ROWS : ROWS_SHOWN;
  const shown = Math.min(rows, rowsShown);
  const top = pageStart(rows, row, shown);
  const overlay: Mark[] = [];
  for (let i = 0; i < t.encoded.tiles && shown > 0; i++) {
    const x = i * tileWidth;
    const w = Math.min(tileWidth, cols - x);
    const here = i === tile;
    overlay.push({
      id: `tile ${i}`,
      shape: 'bracket',
      x,
      y: top + shown,
      w,
      h: 1,
      tone: here ? 'format' : 'neutral',
      text: `tile ${i}`,
      label: `tile ${i}, columns ${x} to ${x + w - 1}`,
    });
    if (here) {
      overlay.push({ id: 'tile', shape: 'frame', x, y: top, w, h: shown, tone: 'format', label: `tile ${i}` });
      if (!whole)
        overlay.push({
          id: 'tile row',
          shape: 'frame',
          x,
          y: row,
          w,
          h: 1,
          tone: 'neutral',
          focus: true,
          label: `token ${row}, tile ${i}`,
        });
    }
  }
  if (tile === null && !whole && shown > 0 && cols > 0) {
    overlay.push({
      id: 'row',
      shape: 'frame',
      x: 0,
      y: row,
      w: cols,
      h: 1,
      tone: 'neutral',
      focus: true,
      label: `token ${row}`,
    });
  }
  const panel = matrixPanel(t.window, {
    row,
    rowsShown,
    caption: t.negatives > 0 ? 'tokens × hidden neurons' : 'tokens × hidden neurons, after ReLU',
    overlay,
    linesBelow: 1,
    look: (r, c) => {
      const tileOf = Math.floor(c / tileWidth);
      const isMine = !whole && r === row && (tile === null || tileOf === tile);
      return { ...(isMine ? { focus: true } : {}), ...look?.(r, c) };
    },
  });
  return { ...panel, title: 'activations h' };
}

/** Whether the tile row is packed by the step. */
export function isPacked(t: TwellTrace, tileRow: number, stepNumber: number): boolean {
  return stepNumber >= t.packedAt[tileRow];
}

/** The tiles of a few tokens as they are stored. Panel id 'packed'. */
export function packedPanel(t: TwellTrace, place: Place, stepNumber: number): Panel {
  const { encoded: e, params } = t;
  const shownRows = Math.min(e.rows, place.small ? FEW_PACKED_ROWS : PACKED_ROWS_SHOWN);
  const top = pageStart(e.rows, place.row, shownRows);
  const shownTiles = Math.min(e.tiles, Math.max(1, Math.floor(SLOTS_SHOWN / e.slots)));
  const first = pageStart(e.tiles, place.tile ?? 0, shownTiles);
  const lead = params.layout === 'packed' ? 0 : 1;
  const tileUnits = lead + e.slots * SLOT;
  const marks: Mark[] = [];
  for (let tile = first; tile < first + shownTiles; tile++) {
    const x = (tile - first) * (tileUnits + GAP);
    for (let row = top; row < top + shownRows; row++) {
      const isHere = !place.whole && row === place.row && (place.tile === null || tile === place.tile);
      marks.push(
        ...tileRowMarks(
          t,
          row,
          tile,
          x,
          row - top,
          isPacked(t, row * e.tiles + tile, stepNumber),
          isHere,
          place.element,
        ),
      );
    }
    if (shownRows > 0) {
      marks.push({
        id: `packed tile ${tile}`,
        shape: 'bracket',
        x,
        y: shownRows,
        w: tileUnits,
        h: 1,
        tone: tile === place.tile ? 'format' : 'neutral',
        text: `tile ${tile}`,
        label: `tile ${tile}`,
      });
    }
  }
  const inView = shownTiles < e.tiles ? `; tiles ${first} to ${first + shownTiles - 1} of ${e.tiles}` : '';
  const what = params.layout === 'packed' ? 'a count and up to' : 'counts, and up to';
  return {
    id: 'packed',
    title: params.layout === 'packed' ? 'packed words' : 'slots',
    caption: `${what} ${counted(capacityOf(params), 'value with its column', 'values with their columns')} per tile${inView}`,
    unit: 'slot',
    columns: Math.max(1, shownTiles * (tileUnits + GAP) - GAP),
    rows: Math.max(1, shownRows + 1),
    rowLabels: Array.from({ length: shownRows }, (_, i) => ({
      at: i,
      text: String(top + i),
      strong: top + i === place.row,
    })),
    focus: { x: Math.max(0, ((place.tile ?? first) - first) * (tileUnits + GAP)), y: Math.max(0, place.row - top) },
    marks,
  };
}

/** The count and the slots of one tile row. */
function tileRowMarks(
  t: TwellTrace,
  row: number,
  tile: number,
  x: number,
  y: number,
  present: boolean,
  isHere: boolean,
  element: number | undefined,
): readonly Mark[] {
  const { encoded: e, params } = t;
  const tileRow = row * e.tiles + tile;
  const count = countAt(e, tileRow);
  const isWords = params.layout === 'packed';
  const focus = (at: number): { focus?: true } =>
    isHere && present && (element === undefined || element === at) ? { focus: true } : {};
  const where = `token ${row}, tile ${tile}`;
  const refused = (t.overflow?.byRow[row] ?? 0) > 0;
  const countName = isWords ? elementName('words', tileRow * e.slots) : elementName('counts', tileRow);
  const marks: Mark[] = [
    {
      id: `count ${tileRow}`,
      shape: 'box',
      x,
      y,
      w: isWords ? SLOT : 1,
      h: 1,
      tone: refused && present ? 'neutral' : 'metadata',
      text: refused ? '–' : String(count),
      about: [countName],
      ...(present
        ? { label: refused ? `${where}: overflows, not stored` : `${where}: count ${count}` }
        : { state: 'ghost', label: `${where}: not there yet` }),
      ...(element === undefined ? focus(tileRow * e.slots) : {}),
    },
  ];
  const firstEntry = entryAt(e, tileRow, 0);
  const end = (tileRow + 1) * e.slots;
  for (let at = firstEntry; at < end; at++) {
    const slotX = x + (isWords ? 0 : 1) + (at - tileRow * e.slots) * SLOT;
    const box = { shape: 'box', x: slotX, y, h: 1 } as const;
    const names = isWords ? [elementName('words', at)] : [elementName('values', at), elementName('indices', at)];
    if (!present) {
      marks.push({
        id: `slot ${at}`,
        ...box,
        w: SLOT,
        tone: 'neutral',
        state: 'ghost',
        label: `${where}: not there yet`,
        about: names,
      });
      continue;
    }
    if (at >= firstEntry + count) {
      marks.push({ id: `slot ${at}`, ...box, w: SLOT, tone: 'padding', label: `${where}: empty`, about: names });
      continue;
    }
    const column = columnAt(e, at);
    const value = valueText(bf16Value(valueBitsAt(e, at)));
    const about = [...names, cellName(row, column)];
    marks.push(
      {
        id: `value ${at}`,
        ...box,
        w: 1,
        tone: 'values',
        text: value,
        label: `${where}: ${value} of column ${column}`,
        about,
        from: cellName(row, column),
        ...focus(at),
      },
      {
        id: `column ${at}`,
        ...box,
        x: slotX + 1,
        w: 1,
        tone: 'indices',
        text: String(column),
        label: `${where}: column ${column}`,
        about,
        from: cellName(row, column),
        ...focus(at),
      },
    );
  }
  return marks;
}

/** The arrays as bytes; words in halves, since a half is a column and a half a value. */
export function tileMemory(t: TwellTrace, { row, tile }: Place, stepNumber: number): readonly Panel[] {
  const { encoded: e, params } = t;
  const tileRow = row * e.tiles + (tile ?? 0);
  const present = (element: number): boolean => isPacked(t, Math.floor(element / e.slots), stepNumber);
  const isEntry = (element: number): boolean => {
    const at = Math.floor(element / e.slots);
    return element >= entryAt(e, at, 0) && element < entryAt(e, at, countAt(e, at));
  };
  if (params.layout === 'packed') {
    const halves = new Uint16Array(e.words.buffer, e.words.byteOffset, e.words.length * 2);
    return memoryPanels([
      {
        array: 'half words',
        title: 'words',
        data: halves,
        tone: (half) => {
          const element = half >> 1;
          if (element % e.slots === 0) return 'metadata';
          return isEntry(element) ? (half % 2 === 0 ? 'indices' : 'values') : 'padding';
        },
        present: (half) => present(half >> 1),
        look: (half) => ({ about: [elementName('words', half >> 1)] }),
        focus: tileRow * e.slots * 2,
      },
    ]);
  }
  const focus = tileRow * e.slots;
  return memoryPanels([
    { array: 'values', data: e.values, tone: (i) => (isEntry(i) ? 'values' : 'padding'), present, focus },
    { array: 'indices', data: e.indices, tone: (i) => (isEntry(i) ? 'indices' : 'padding'), present, focus },
    { array: 'counts', data: e.counts, tone: 'metadata', present: (i) => isPacked(t, i, stepNumber), focus: tileRow },
  ]);
}

/** Chapter 2: a tile of one token moves to the left; or, at its end, all of a tile. */
export function tilesScene(t: TwellTrace, place: Place, stepNumber: number): Picture {
  const links: Link[] = [];
  const { encoded: e } = t;
  if (place.tile !== null && !place.whole && (t.overflow?.byRow[place.row] ?? 0) === 0) {
    const first = entryAt(e, place.row * e.tiles + place.tile, 0);
    const columns = cellsOf(t.kept, place.row, place.tile * e.tileWidth, (place.tile + 1) * e.tileWidth);
    columns.slice(0, MOST_LINKS).forEach((column, i) => {
      links.push({
        id: `pack ${i}`,
        from: cellName(place.row, column),
        to: `value ${first + i}`,
        kind: 'curve',
        tone: 'neutral',
      });
    });
  }
  return {
    panels: [activationsPanel(t, place), packedPanel(t, place, stepNumber), ...tileMemory(t, place, stepNumber)],
    links,
  };
}
