import {
  cellText,
  type DrawingLayout,
  GUTTER,
  NARROW,
  polyline,
  sizeOf,
  WIDE,
  words,
} from '../../../core/story/drawing.ts';
import type { Drawing, DrawnLink, DrawnMark } from '../../../core/story/scene.ts';
import { cellName, magnitudeLevels } from '../../../core/story/scene-parts.ts';
import { fact, stated } from '../../../core/story/stated.ts';
import { countText } from '../../../core/story/words.ts';
import { capacityOf } from '../params.ts';
import { boxCell, boxPlace, type BoxState, parts, tileBox } from './script-boxes.ts';
import { columnsOfTile, firedIn, isFullFirst, type TileRow } from './script-find.ts';
import { cellMark, fitted, gridCells, type Rect, tokenGrid, valuesOf, zeroWords } from './script-grid.ts';
import type { TwellTrace } from './trace.ts';

/*
 * One tile of a token, enlarged, and its cells below it.
 */

/** Left edge and width of what is not a label. */
export function room(layout: DrawingLayout): { readonly x: number; readonly w: number } {
  return layout === 'wide' ? { x: GUTTER, w: WIDE.width - GUTTER } : { x: 0, w: NARROW.width };
}

/** 'three cells': a number up to twelve is a word. */
export function cellsText(count: number): string {
  return stated`${fact('cells', count, 'word', ['cell', 'cells'])}`.text;
}

const SMALL = 22;

/** A token on one line, with frames around some of its tiles. */
export function smallToken(
  t: TwellTrace,
  row: number,
  tiles: readonly number[],
  layout: DrawingLayout,
): { readonly marks: readonly DrawnMark[]; readonly frames: readonly Rect[]; readonly bottom: number } {
  // On a phone the whole token is one line here: only the enlarged tile has numbers.
  const grid = tokenGrid('wide', t, [row], { y: layout === 'wide' ? 4 : 20, height: SMALL, maxCell: SMALL });
  const scale = layout === 'wide' ? 1 : NARROW.width / (WIDE.width - GUTTER);
  const placed = (rect: Rect): Rect =>
    layout === 'wide' ? rect : { ...rect, x: (rect.x - GUTTER) * scale, w: rect.w * scale };
  const shown =
    layout === 'wide' ? grid : { ...grid, isNumbered: false, cell: (r: number, c: number) => placed(grid.cell(r, c)) };
  const frames = tiles.map((tile) => placed(grid.tile(row, tile)));
  const label = layout === 'wide' ? grid.labels : [words(`token ${row}`, { x: 0, y: 0 }, `token ${row}`, { size: 12 })];
  const outlines = frames.map((rect, i): DrawnMark => {
    const margin = layout === 'wide' ? 3 : 1;
    const x = Math.max(0, rect.x - margin);
    return {
      id: `framed ${row},${tiles[i]}`,
      shape: 'frame',
      tone: 'format',
      x,
      y: rect.y - 3,
      w: rect.x + rect.w + margin - 1 - x,
      h: rect.h + 6,
    };
  });
  return { marks: [...label, ...gridCells(t, shown), ...outlines], frames, bottom: grid.bottom };
}

/** Thin lines from a tile in its token to its enlarged cells. */
export function enlargement(id: string, from: Rect, to: Rect): readonly DrawnMark[] {
  const line = (side: string, x1: number, x2: number): DrawnMark =>
    polyline(
      `enlarged ${id} ${side}`,
      [
        [x1, from.y + from.h + 4],
        [x2, to.y - 3],
      ],
      { tone: 'format', state: 'dim' },
    );
  return [line('left', from.x, to.x), line('right', from.x + from.w, to.x + to.w)];
}

/** Columns and values of an enlarged tile, with its neurons' numbers below. */
export function largeTile(t: TwellTrace, { row, tile }: Pick<TileRow, 'row' | 'tile'>, at: Rect): readonly DrawnMark[] {
  const { from, to } = columnsOfTile(t, tile);
  const pitch = Math.min(120, at.w / Math.max(1, to - from));
  const values = valuesOf(t, row);
  const levelOf = magnitudeLevels(t.window);
  const marks: DrawnMark[] = [];
  let labelled = Number.NEGATIVE_INFINITY;
  for (let col = from; col < to; col++) {
    const rect = { x: at.x + (col - from) * pitch, y: at.y, w: pitch - (pitch < 20 ? 1 : 2), h: at.h };
    const value = values.get(col);
    const fired = value !== undefined;
    const text = fired ? fitted(cellText(value, rect.w), rect.w, 16) : {};
    const look = { ...text, level: levelOf(value ?? 0), from: cellName(row, col) };
    marks.push(cellMark(row, col, value, rect, look, `large ${row},${col}`));
    if (!fired && pitch >= 15) marks.push(zeroWords(`large zero ${row},${col}`, rect));
    const half = String(col).length * 3.8;
    const middle = Math.min(at.x + at.w - half, Math.max(at.x + half, rect.x + rect.w / 2));
    if ((pitch >= 22 || fired) && middle - labelled >= 20) {
      labelled = middle;
      const tone = fired ? ('indices' as const) : ('neutral' as const);
      const look = { face: 'mono', size: 12, align: 'middle', tone, strong: fired } as const;
      marks.push(words(`large neuron ${row},${col}`, { x: middle, y: at.y + at.h + 4 }, String(col), look));
    }
  }
  return marks;
}

/** Extent of the enlarged cells of a tile of `columns`. */
export function largeRect(columns: number, at: Rect): Rect {
  return { ...at, w: Math.min(120, at.w / Math.max(1, columns)) * columns };
}

/**
 * From the numbers of the neurons that fired to their first `values` stored values, and to the first `neurons` stored
 * numbers. `marks`: those of the picture, where a number without room is not drawn.
 */
export function storeLinks(
  marks: readonly DrawnMark[],
  { row, tile }: Pick<TileRow, 'row' | 'tile'>,
  columns: readonly number[],
  neurons = 0,
): readonly DrawnLink[] {
  return columns.flatMap((col, i): DrawnLink[] => {
    const number = `large neuron ${row},${col}`;
    const from = marks.some(({ id }) => id === number) ? number : `large ${row},${col}`;
    const curve = (id: string, what: string, tone: DrawnLink['tone']): DrawnLink => ({
      id: `${id} ${row},${tile},${i}`,
      from,
      to: `${what} ${row},${tile},${i + 1}`,
      kind: 'curve',
      tone,
      arrow: true,
    });
    const value = curve('stores', 'value', 'values');
    const neuron = curve('notes', 'neuron', 'indices');
    return i < neurons ? [value, neuron] : [value];
  });
}

const LARGE = { wide: { y: 62, h: 42 }, narrow: { y: 72, h: 36 } } as const;
const STORED = { wide: { y: 184, h: 42 }, narrow: { y: 200, h: 40 } } as const;

/** Slowly: 0 the tile is enlarged, 1 the value is stored, 2 its neuron, 3 the count. */
export function packedSlowly(t: TwellTrace, one: TileRow, layout: DrawingLayout, picture: number): Drawing {
  const { width, height } = sizeOf(layout);
  const isWide = layout === 'wide';
  const { x, w } = room(layout);
  const small = smallToken(t, one.row, [one.tile], layout);
  const { from, to } = columnsOfTile(t, one.tile);
  const large = largeRect(to - from, { x, w, ...LARGE[layout] });
  const place = boxPlace(t, { x, w, ...STORED[layout] });
  const shown = Math.min(one.count, place.entries);
  const values = picture >= 1 ? shown : 0;
  const neurons = picture >= 2 ? shown : 0;
  const state: BoxState = { hasCount: picture >= 3, values, neurons, isPacked: false };
  const marks: DrawnMark[] = [
    ...small.marks,
    ...enlargement('one', small.frames[0], large),
    ...largeTile(t, one, { x, w, ...LARGE[layout] }),
    ...tileBox(t, one.row, one.tile, place, state),
  ];
  const below = place.y + place.h + 6;
  const entry = boxCell(t, place, 1);
  const many = one.count > 1;
  const hasRoom = entry.w > 92;
  if (picture >= 1)
    marks.push(
      words('the value', { x: entry.x, y: below }, many ? 'values' : 'the value', { tone: 'values', size: 12 }),
    );
  if (picture >= 2)
    marks.push(
      words(
        'its neuron',
        { x: hasRoom ? parts(entry).neuron.x : entry.x + 62, y: below },
        many ? 'their neurons' : 'its neuron',
        {
          tone: 'indices',
          size: 12,
        },
      ),
    );
  const free = capacityOf(t.params) - one.count;
  if (picture >= 3) {
    const count = boxCell(t, place, 0);
    marks.push(words('how many', { x: count.x, y: place.y - 20 }, 'how many', { tone: 'metadata', size: 12 }));
    const cell = boxCell(t, place, shown + 1);
    const isBelow = hasRoom && shown < place.entries;
    if (free > 0)
      marks.push(
        words('still free', { x: isBelow ? cell.x : width, y: below }, `${cellsText(free)} still free`, {
          size: 12,
          align: isBelow ? 'start' : 'end',
        }),
      );
  }
  const bits =
    t.params.layout === 'packed'
      ? 'A cell, 32 bits: a value and its neuron, or the count.'
      : 'A value takes 16 bits, its neuron 32. Counts stand apart.';
  marks.push(words('bits', { x, y: below + (isWide ? 34 : 44), w }, bits));
  if (isWide)
    marks.push(
      words('large label', { x: 0, y: large.y + 12 }, `tile ${one.tile}`, { tone: 'format', strong: true }),
      words('neuron label', { x: 0, y: large.y + large.h + 4 }, 'neuron', { size: 12 }),
      words('stored label', { x: 0, y: place.y + 12 }, 'stored', { size: 12 }),
    );
  else marks.push(words('large label', { x: 64, y: 0 }, `tile ${one.tile}`, { tone: 'format', strong: true }));
  const more = one.count - shown;
  if (more > 0) marks.push(words('not drawn', { x, y: below + 18 }, `${countText(more)} more likewise`, { size: 12 }));
  return {
    width,
    height,
    marks,
    links: storeLinks(marks, one, firedIn(t, one.row, one.tile).slice(0, values), neurons),
  };
}

/** One tile of the frame of an empty and a full one. */
interface Half {
  readonly tile: TileRow;
  readonly isFull: boolean;
}

/**
 * An empty tile and a full one, side by side in the order of their token: 0 both are enlarged, then of each in turn what
 * is stored, and for the empty one, before that, its count.
 */
export function emptyAndFull(
  t: TwellTrace,
  { empty, full }: { readonly empty: TileRow | null; readonly full: TileRow | null },
  layout: DrawingLayout,
  picture: number,
): Drawing {
  const { width, height } = sizeOf(layout);
  const isWide = layout === 'wide';
  const [left, right] = isFullFirst({ empty, full }) ? [full, empty] : [empty, full];
  const halves = [left, right].flatMap((tile): Half[] => (tile ? [{ tile, isFull: tile === full }] : []));
  const ofOneToken = halves.every(({ tile }) => tile.row === halves[0].tile.row);
  const { x, w } = room(layout);
  const marks: DrawnMark[] = [];
  const links: DrawnLink[] = [];
  const small = ofOneToken
    ? smallToken(
        t,
        halves[0].tile.row,
        halves.map(({ tile }) => tile.tile),
        layout,
      )
    : null;
  if (small) for (const mark of small.marks) marks.push(mark);
  let first = 1;
  for (const [i, { tile, isFull }] of halves.entries()) {
    const own = { x, w };
    if (isWide && halves.length > 1) {
      own.w = (w - 16) / 2;
      own.x = x + i * (own.w + 16);
    }
    const top = isWide ? 0 : i * 206;
    const y = isWide ? 66 : 66 + top;
    const { from, to } = columnsOfTile(t, tile.tile);
    const at = { ...own, y, h: isWide ? 42 : 30 };
    const large = largeRect(to - from, at);
    if (small && isWide) for (const mark of enlargement(String(i), small.frames[i], large)) marks.push(mark);
    for (const mark of largeTile(t, tile, at)) marks.push(mark);
    const place = boxPlace(t, {
      ...own,
      x: own.x + (own.x === 0 ? 3 : 0),
      w: own.w - 4,
      y: isWide ? 184 : 146 + top,
      h: isWide ? 42 : 34,
    });
    const isStored = picture >= first;
    const isDone = picture >= first + 1;
    first += 2;
    for (const mark of tileBox(t, tile.row, tile.tile, place, {
      // The encoder writes the count last.
      hasCount: isFull ? isDone : isStored,
      values: isFull && isStored ? place.entries : 0,
      isPacked: isDone,
      frame: isStored ? 'strong' : 'thin',
    }))
      marks.push(mark);
    if (isFull && isStored)
      for (const link of storeLinks(marks, tile, firedIn(t, tile.row, tile.tile).slice(0, place.entries)))
        links.push(link);
    const where = ofOneToken ? `tile ${tile.tile}` : `tile ${tile.tile} of token ${tile.row}`;
    const isSecond = i > 0 && !isWide;
    if (!isWide || !ofOneToken)
      marks.push(
        words(`half ${i}`, { x: own.x, y: isWide ? 44 : isSecond ? y - 20 : 46 }, where, {
          tone: 'format',
          strong: true,
          size: 12,
        }),
      );
    const below = place.y + place.h + 8;
    const useless = cellsText(capacityOf(t.params));
    const said = isFull ? `${where}: full` : `${where}: ${useless} stored, but useless`;
    if (isDone) marks.push(words(`said ${i}`, { x: own.x, y: below }, said, { strong: true, tone: 'ink' }));
    if (isDone && !isFull)
      marks.push(
        words('price', { x: own.x, y: below + 18 }, 'Hatched: that is the price of not waiting.', { size: 12 }),
      );
    if (i === 0 && isWide)
      marks.push(
        words('large label', { x: 0, y: y + 12 }, 'numbers', { size: 12 }),
        words('neuron label', { x: 0, y: y + 46 }, 'neuron', { size: 12 }),
        words('stored label', { x: 0, y: place.y + 12 }, 'stored', { size: 12 }),
      );
  }
  return { width, height, marks, links };
}
