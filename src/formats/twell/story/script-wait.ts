import { cellText, type DrawingLayout, NARROW, polyline, sizeOf, words } from '../../../core/story/drawing.ts';
import type { Drawing, DrawnLink, DrawnMark } from '../../../core/story/scene.ts';
import { cellName, magnitudeLevels } from '../../../core/story/scene-parts.ts';
import { boxCell, type BoxPlace, boxPlace, tileBox } from './script-boxes.ts';
import { columnsOfTile, firedIn, type TwoWorkers } from './script-find.ts';
import { cellMark, fitted, type Rect, valuesOf, zeroWords } from './script-grid.ts';
import type { TwellTrace } from './trace.ts';

/*
 * Two workers store into one line of memory: B has to wait for A; and with cells of their own nobody waits.
 */

/** Cells of the line in a picture. */
const LINE = { wide: 16, narrow: 8 } as const;
/** Values of B that have an arrow. */
const MAX_ARROWS = 3;

interface Places {
  readonly headA: { readonly x: number; readonly y: number; readonly w: number };
  readonly headB: { readonly x: number; readonly y: number; readonly w: number };
  /** of the words above the line, its cells, and the words below it */
  readonly above: number;
  readonly cells: number;
  readonly below: number;
  readonly bars: number;
}

const PLACES: Readonly<Record<DrawingLayout, Places>> = {
  wide: {
    headA: { x: 0, y: 0, w: 366 },
    headB: { x: 394, y: 0, w: 366 },
    above: 118,
    cells: 138,
    below: 174,
    bars: 238,
  },
  narrow: {
    headA: { x: 0, y: 0, w: 340 },
    headB: { x: 0, y: 60, w: 340 },
    above: 150,
    cells: 172,
    below: 210,
    bars: 306,
  },
};
const HEAD = 20;
const CELL = 28;

/** The cells of a worker's tile below its name. */
function worker(t: TwellTrace, name: 'A' | 'B', row: number, tile: number, at: Places['headA']): readonly DrawnMark[] {
  const { from, to } = columnsOfTile(t, tile);
  const pitch = Math.min(60, at.w / Math.max(1, to - from));
  const values = valuesOf(t, row);
  const levelOf = magnitudeLevels(t.window);
  const neurons = to - from === 1 ? `neuron ${from}` : `neurons ${from} to ${to - 1}`;
  const marks: DrawnMark[] = [
    words(`worker ${name}`, { x: at.x, y: at.y }, [
      { text: `worker ${name}`, strong: true, tone: 'ink' },
      { text: `  tile ${tile}: ${neurons} of token ${row}` },
    ]),
  ];
  for (let col = from; col < to; col++) {
    const rect = { x: at.x + (col - from) * pitch, y: at.y + HEAD, w: pitch - 2, h: CELL };
    const value = values.get(col);
    const text = value === undefined ? {} : fitted(cellText(value, rect.w), rect.w, 13);
    marks.push(cellMark(row, col, value, rect, { ...text, level: levelOf(value ?? 0) }));
    if (value === undefined && pitch > 12) marks.push(zeroWords(`zero ${row},${col}`, rect));
  }
  return marks;
}

/** Tiles whose cells are in the picture: those of both workers, and others around them that fit. */
function shownTiles(t: TwellTrace, { a, b }: TwoWorkers, layout: DrawingLayout): readonly number[] {
  const cells = boxPlace(t, { x: 0, y: 0, w: 1, h: 1 }, maxEntries(layout)).entries + 1;
  const room = Math.max(2, Math.floor(LINE[layout] / cells));
  const tiles = Array.from({ length: t.encoded.tiles }, (_, tile) => tile);
  const between = tiles.filter((tile) => tile > a && tile < b);
  const others = [...between, ...tiles.filter((tile) => tile > b), ...tiles.filter((tile) => tile < a).toReversed()];
  return [a, b, ...others.slice(0, room - 2)].toSorted((one, other) => one - other);
}

function maxEntries(layout: DrawingLayout): number {
  return LINE[layout] / 2 - 1;
}

/** Where the cells of these tiles are, side by side. */
function tilePlaces(t: TwellTrace, tiles: readonly number[], layout: DrawingLayout): readonly BoxPlace[] {
  const { width } = sizeOf(layout);
  const each = (width - 4) / tiles.length;
  return tiles.map((_, i) =>
    boxPlace(t, { x: 3 + i * each, y: PLACES[layout].cells, w: each - 6, h: CELL }, maxEntries(layout)),
  );
}

/** Before: one line. B does not know where its values go. `picture`: 0 start, 1 B has computed, 2 A has counted, 3 both write. */
export function waiting(t: TwellTrace, workers: TwoWorkers, layout: DrawingLayout, picture: number): Drawing {
  const { row, a, b } = workers;
  const places = PLACES[layout];
  const isWide = layout === 'wide';
  const { width, height } = sizeOf(layout);
  const tiles = shownTiles(t, workers, layout);
  const entries = boxPlace(t, { x: 0, y: 0, w: 1, h: 1 }, maxEntries(layout)).entries;
  // The dashed cells of the line are those that the tiles own in the next frame.
  const names = tiles.flatMap((tile) => Array.from({ length: entries + 1 }, (_, k) => `slot ${row},${tile},${k}`));
  const pitch = width / names.length;
  const line = names.map((id, i): DrawnMark => {
    const at = { x: i * pitch, y: places.cells, w: pitch - 3, h: CELL };
    return { id, shape: 'box', tone: 'neutral', state: 'ghost', ...at };
  });
  const arrows = Math.min(MAX_ARROWS, workers.count, names.length);
  const first = Math.min(names.length - arrows, Math.max(1, Math.round(names.length * 0.3)));
  const marks: DrawnMark[] = [
    ...worker(t, 'A', row, a, places.headA),
    ...worker(t, 'B', row, b, places.headB),
    ...line,
  ];
  const links: DrawnLink[] = [];
  if (picture > 0) {
    for (const [i, column] of firedIn(t, row, b).slice(0, arrows).entries()) {
      const place = { x: (first + i) * pitch, y: places.cells, w: pitch - 3, h: CELL };
      marks.push(questionMark(i, place));
      links.push({
        id: `where ${i}`,
        from: cellName(row, column),
        to: names[first + i],
        kind: 'curve',
        tone: 'danger',
        arrow: true,
        dashed: true,
      });
    }
    const text = workers.count === 1 ? 'one value: where to?' : `${numberOf(workers.count)} values: where to?`;
    marks.push(
      words('where to', isWide ? { x: width, y: places.above } : { x: 0, y: places.below + 18 }, text, {
        align: isWide ? 'end' : 'start',
        tone: 'danger',
        strong: true,
      }),
    );
  }
  marks.push(
    words('line', { x: 0, y: isWide ? places.above : places.below + 38 }, `memory of token ${row}`),
    polyline(
      'part of A',
      [
        [0.75, places.below - 3],
        [0.75, places.below + 8],
        [first * pitch * 0.8, places.below + 8],
      ],
      { tone: 'ink', thickness: 1.5 },
    ),
    words('part of A words', { x: first * pitch * 0.8 + 8, y: places.below - 1 }, 'A’s part: how long?', {
      tone: 'ink',
    }),
  );
  const between = b - a - 1;
  if (between > 0 && t.encoded.tiles > 0)
    marks.push(
      words(
        'between',
        isWide ? { x: width, y: places.below - 1 } : { x: 0, y: places.below + 58 },
        between === 1 ? `tile ${a + 1} is all 0` : `tiles ${a + 1} to ${b - 1} are all 0`,
        { align: isWide ? 'end' : 'start', size: 12 },
      ),
    );
  const now = [0, B_COMPUTED, COUNTED, WRITTEN][picture] ?? WRITTEN;
  for (const mark of timeBars(layout, places.bars, now, [
    { id: 'A computes', line: 0, from: 0, to: A_COMPUTED, text: 'computes', look: 'computes' },
    { id: 'A counts', line: 0, from: A_COMPUTED, to: COUNTED, text: 'counts', look: 'computes' },
    { id: 'A stores', line: 0, from: COUNTED, to: WRITTEN, text: 'writes', look: 'writes' },
    { id: 'B computes', line: 1, from: 0, to: B_COMPUTED, text: 'computes', look: 'computes' },
    { id: 'B waits', line: 1, from: B_COMPUTED, to: COUNTED, text: 'waits for A', look: 'waits' },
    { id: 'B stores', line: 1, from: COUNTED, to: WRITTEN, text: 'writes', look: 'writes' },
  ]))
    marks.push(mark);
  return { width, height, marks, links };
}

/** After: cells of their own. `picture`: 0 the line parts, 1 B has stored, 2 A has stored. */
export function ownCells(t: TwellTrace, workers: TwoWorkers, layout: DrawingLayout, picture: number): Drawing {
  const { row, a, b } = workers;
  const places = PLACES[layout];
  const { width, height } = sizeOf(layout);
  const tiles = shownTiles(t, workers, layout);
  const boxes = tilePlaces(t, tiles, layout);
  const marks: DrawnMark[] = [...worker(t, 'A', row, a, places.headA), ...worker(t, 'B', row, b, places.headB)];
  const links: DrawnLink[] = [];
  for (const [i, tile] of tiles.entries()) {
    const box = boxes[i];
    const isStored = (tile === b && picture > 0) || (tile === a && picture > 1);
    const isWorkers = tile === a || tile === b;
    for (const mark of [
      ...tileBox(t, row, tile, box, {
        hasCount: isStored,
        values: isStored ? box.entries : 0,
        isPacked: false,
        frame: isWorkers ? 'strong' : 'thin',
      }),
      words(`tile name ${tile}`, { x: box.x, y: places.below + 2 }, `tile ${tile}`, {
        ...(isWorkers ? { tone: 'format', strong: true } : {}),
        size: 12,
      }),
    ])
      marks.push(mark);
    const perCell = box.pitch > 24 ? 1 : 0;
    for (let k = 0; k <= box.entries * perCell; k++) {
      const cell = boxCell(t, box, k);
      const look = { face: 'mono', size: 11, align: 'middle', strong: k === 0 } as const;
      marks.push(
        words(`order ${tile},${k}`, { x: cell.x + cell.w / 2, y: places.above }, k === 0 ? 'n' : String(k), {
          ...look,
          tone: k === 0 ? 'metadata' : 'neutral',
        }),
      );
    }
    // On a phone an arrow from A would cross B's numbers.
    if (!isStored || (layout === 'narrow' && tile === a)) continue;
    for (const [k, column] of firedIn(t, row, tile).slice(0, Math.min(MAX_ARROWS, box.entries)).entries())
      links.push({
        id: `stores ${tile},${k}`,
        from: cellName(row, column),
        // Above the number of the cell, where it has one.
        to: perCell > 0 ? `order ${tile},${k + 1}` : `value ${row},${tile},${k + 1}`,
        kind: 'curve',
        tone: 'values',
        arrow: true,
      });
  }
  const entries = boxes[0]?.entries ?? 0;
  const numbers = entries < 2 ? '1' : entries === 2 ? '1, 2' : entries === 3 ? '1, 2, 3' : `1 to ${entries}`;
  const legend = `n: how many. ${numbers}: a value with its neuron.`;
  marks.push(words('legend', { x: 0, y: places.below + 21 }, legend, { size: 12 }));
  const now = [0, B_STORED, A_STORED][picture] ?? A_STORED;
  for (const mark of timeBars(layout, places.bars, now, [
    { id: 'A computes', line: 0, from: 0, to: A_COMPUTED, text: 'computes', look: 'computes' },
    { id: 'A stores', line: 0, from: A_COMPUTED, to: A_STORED, text: 'stores', look: 'writes' },
    { id: 'B computes', line: 1, from: 0, to: B_COMPUTED, text: 'computes', look: 'computes' },
    { id: 'B stores', line: 1, from: B_COMPUTED, to: B_STORED, text: 'stores', look: 'writes' },
    {
      id: 'B next',
      line: 1,
      from: B_STORED,
      to: A_STORED,
      text: layout === 'wide' ? 'next tile' : 'next',
      look: 'next',
    },
  ]))
    marks.push(mark);
  return { width, height, marks, links };
}

function questionMark(i: number, { x, y, w, h }: Rect): DrawnMark {
  return words(`question ${i}`, { x: x + w / 2, y: y + h / 2 - 9 }, '?', {
    face: 'mono',
    align: 'middle',
    tone: 'danger',
    strong: true,
    size: 14,
  });
}

function numberOf(count: number): string {
  return ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven'][count] ?? String(count);
}

/*
 * Time, as a drawing: nothing is measured. B is done with computing before A, and what was stored once is not counted first.
 */
const B_COMPUTED = 7.5;
const A_COMPUTED = 10;
const COUNTED = 12.2;
const WRITTEN = 14.4;
const B_STORED = 9.7;
const A_STORED = 12.2;

interface Stretch {
  readonly id: string;
  readonly line: 0 | 1;
  readonly from: number;
  readonly to: number;
  readonly text: string;
  readonly look: 'computes' | 'writes' | 'waits' | 'next';
}

const BAR = 24;
const BAR_PITCH = 31;

/** What each worker does until `now`. */
function timeBars(layout: DrawingLayout, y: number, now: number, stretches: readonly Stretch[]): readonly DrawnMark[] {
  const isWide = layout === 'wide';
  const left = isWide ? 72 : 62;
  const unit = ((isWide ? 560 : NARROW.width - 4) - left) / WRITTEN;
  const end = left + WRITTEN * unit;
  const marks: DrawnMark[] = (['A', 'B'] as const).map((name, i) =>
    words(`time ${name}`, { x: 0, y: y + i * BAR_PITCH + 4 }, `worker ${name}`, { size: 12 }),
  );
  // On a phone every stretch has its word, too.
  const [size, letter] = isWide ? [12, 6.6] : [10.5, 5.4];
  for (const { id, line, from, to, text, look } of stretches) {
    const start = Math.min(from, now);
    const w = Math.max(0, (Math.min(to, now) - start) * unit - 2);
    const at = { x: left + start * unit, y: y + line * BAR_PITCH, w, h: BAR };
    const fits = text.length * letter + 2 <= w ? { text, face: 'sans' as const, size } : {};
    if (w === 0 && (look === 'waits' || look === 'next')) continue;
    marks.push(
      look === 'waits'
        ? { id: `time ${id}`, shape: 'frame', tone: 'danger', state: 'ghost', ...at, ...fits, strong: true }
        : look === 'next'
          ? { id: `time ${id}`, shape: 'box', tone: 'neutral', state: 'ghost', ...at, ...fits }
          : look === 'writes'
            ? { id: `time ${id}`, shape: 'box', tone: 'values', level: 1, ...at, ...fits }
            : { id: `time ${id}`, shape: 'box', tone: 'neutral', ...at, ...fits },
    );
  }
  const axis = y + 2 * BAR_PITCH + 4;
  marks.push(
    {
      id: 'time now',
      shape: 'box',
      tone: 'ink',
      level: 1,
      x: left + now * unit,
      y: y - 6,
      w: 1.5,
      h: 2 * BAR_PITCH + 5,
    },
    polyline('time axis', [
      [left, axis],
      [end, axis],
      [end - 5, axis - 3],
      [end, axis],
      [end - 5, axis + 3],
    ]),
    words('time', isWide ? { x: end + 8, y: axis - 9 } : { x: end, y: axis + 4 }, 'time, as a drawing', {
      size: 11,
      align: isWide ? 'start' : 'end',
    }),
  );
  return marks;
}
