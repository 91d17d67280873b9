import { type DrawingLayout, sizeOf, words } from '../../../core/story/drawing.ts';
import type { Drawing, DrawnLink, DrawnMark } from '../../../core/story/scene.ts';
import { fact, numberText, stated } from '../../../core/story/stated.ts';
import { capitalised, countText } from '../../../core/story/words.ts';
import { lowerCompression } from '../overflow.ts';
import { capacityOf, slotsOf } from '../params.ts';
import { boxCell, type BoxPlace, boxPlace, entryMarks, MAX_ENTRIES, tileBox } from './script-boxes.ts';
import { columnsOfTile, firedIn, type TileRow } from './script-find.ts';
import { fitted, type Rect, valuesOf } from './script-grid.ts';
import { enlargement, largeRect, cellsText, largeTile, room as roomOf, smallToken, storeLinks } from './script-pack.ts';
import type { TwellTrace } from './trace.ts';

/*
 * The odd case: one more neuron fires in a tile than fits.
 */

const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

/** 'a fourth' where three fit, 'an eighth'; 'one more' where there is no short word for it. */
export function another(capacity: number): string {
  const ordinal = ORDINALS[capacity];
  if (ordinal === undefined) return 'one more';
  return `${ordinal.startsWith('e') ? 'an' : 'a'} ${ordinal}`;
}

function wordOf(count: number): string {
  return numberText({ value: count, rounding: 'word' });
}

interface Rows {
  readonly large: { readonly y: number; readonly h: number };
  readonly box: { readonly y: number; readonly h: number };
  /** of the entry without a cell */
  readonly extra: Rect;
  readonly said: number;
  readonly way: { readonly y: number; readonly h: number };
}

const ROWS: Readonly<Record<DrawingLayout, Rows>> = {
  wide: {
    large: { y: 56, h: 38 },
    box: { y: 140, h: 38 },
    extra: { x: 644, y: 148, w: 112, h: 36 },
    said: 192,
    way: { y: 240, h: 38 },
  },
  narrow: {
    large: { y: 72, h: 34 },
    box: { y: 162, h: 38 },
    extra: { x: 232, y: 214, w: 104, h: 36 },
    said: 216,
    way: { y: 330, h: 38 },
  },
};

/** The question: a full tile, and one more value. */
export function fourthFires(t: TwellTrace, tile: TileRow, layout: DrawingLayout, picture: number): Drawing {
  const { width, height } = sizeOf(layout);
  const isWide = layout === 'wide';
  const capacity = capacityOf(t.params);
  const place = boxPlace(t, { x: 4, y: isWide ? 90 : 110, w: isWide ? 590 : 332, h: 46 });
  const extra = isWide ? { x: 632, y: 90, w: 124, h: 46 } : { x: 210, y: 200, w: 126, h: 44 };
  const isFull = tile.count === capacity;
  const room = stated`${fact('values', capacity, 'word', ['value', 'values'])}`.text;
  const said = isFull ? `A full tile: one count, ${room}.` : `A tile: one count, ${room}.`;
  const text = another(capacity);
  const marks: DrawnMark[] = [
    words('whose', { x: 4, y: place.y - 30 }, `token ${tile.row}, tile ${tile.tile}`, { tone: 'format', strong: true }),
    ...tileBox(t, tile.row, tile.tile, place, { hasCount: true, isPacked: false, frame: 'strong' }),
    words('said', { x: 4, y: place.y + place.h + 12, w: isWide ? 560 : 190 }, said),
    picture === 0
      ? { id: 'extra', shape: 'box', tone: 'neutral', state: 'ghost', ...extra, text, face: 'sans', size: 13 }
      : { id: 'extra', shape: 'frame', tone: 'danger', state: 'ghost', ...extra, text, face: 'sans', size: 13 },
  ];
  return { width, height, marks };
}

/** What would hold so many in a tile: cells of a value, the count among the cells of a tile or beside them. */
interface WayOut {
  readonly entries: number;
  readonly isApart: boolean;
  readonly said: readonly [string, string];
}

function wayOut(t: TwellTrace, count: number): WayOut | null {
  const { params } = t;
  const fit = `${wordOf(count)} fit`;
  if (params.layout === 'packed' && slotsOf(params) >= count)
    return {
      entries: slotsOf(params),
      isApart: true,
      said: ['counts apart', `all ${cellsText(slotsOf(params))} hold values: ${fit}`],
    };
  const lower = lowerCompression(count, params);
  if (lower === undefined) return null;
  const entries = capacityOf({ ...params, compression: lower });
  return {
    entries,
    isApart: params.layout === 'split',
    said: [
      'larger tiles',
      `compression ${lower} instead of ${params.compression}: ${wordOf(count)} of ${cellsText(entries)}`,
    ],
  };
}

/** A tile in which more neurons fire than fit: 0 enlarged, 1 what fits, 2 what does not, 3 a way out. */
export function oneTooManyFired(t: TwellTrace, over: TileRow, layout: DrawingLayout, picture: number): Drawing {
  const { width, height } = sizeOf(layout);
  const { row, tile, count } = over;
  const capacity = capacityOf(t.params);
  const base = tokenAndBox(t, over, layout);
  const { place } = base;
  const columns = firedIn(t, row, tile);
  const values = valuesOf(t, row);
  const entryOf = (k: number) => ({ value: values.get(columns[k]) ?? 0, column: columns[k] });
  const shown = Math.min(capacity, place.entries);
  const marks: DrawnMark[] = [...base.marks];
  const links: DrawnLink[] = [];
  const isRefused = picture >= 2;
  const where = `token ${row}, tile ${tile}`;
  const countCell = boxCell(t, place, 0);
  marks.push(
    isRefused
      ? {
          id: `count ${row},${tile}`,
          shape: 'box',
          tone: 'danger',
          ...countCell,
          ...fitted(countCell.w > 90 ? `count: ${count}` : String(count), countCell.w, 14),
          strong: true,
        }
      : { id: `slot ${row},${tile},0`, shape: 'box', tone: 'neutral', state: 'ghost', ...countCell },
  );
  for (let k = 1; k <= shown; k++) {
    const cell = boxCell(t, place, k);
    if (picture >= 1)
      for (const mark of entryMarks(entryOf(k - 1), cell, { row, id: `${row},${tile},${k}`, names: [], where }))
        marks.push(mark);
    else marks.push({ id: `slot ${row},${tile},${k}`, shape: 'box', tone: 'neutral', state: 'ghost', ...cell });
  }
  if (picture >= 1) for (const link of storeLinks(marks, over, columns.slice(0, shown))) links.push(link);
  const said = `“${where}: ${countText(count)}, more than the ${countText(capacity)} that ${capacity === 1 ? 'fits' : 'fit'}”: nothing is stored or lost`;
  if (isRefused) {
    const { extra } = ROWS[layout];
    const look = { row, id: `${row},${tile},${capacity + 1}`, names: [], where };
    for (const mark of entryMarks(entryOf(capacity), inner(extra), look)) marks.push(mark);
    marks.push(
      { id: 'extra', shape: 'frame', tone: 'danger', state: 'ghost', ...extra },
      { ...frameAround(t, place), id: 'refused', shape: 'frame', tone: 'danger' },
      words('said', { x: base.x, y: ROWS[layout].said, w: layout === 'wide' ? 570 : 212 }, said, {
        tone: 'danger',
        strong: true,
        size: 12,
      }),
    );
    // On a phone the arrow would cross the cells of the others.
    if (layout === 'wide')
      links.push({
        id: 'no cell',
        from: storeLinks(marks, over, [columns[capacity]])[0].from,
        to: `value ${row},${tile},${capacity + 1}`,
        kind: 'curve',
        tone: 'danger',
        arrow: true,
      });
  }
  if (picture >= 3) {
    const entries = Array.from({ length: count }, (_, k) => entryOf(k));
    for (const mark of wayMarks(t, over, layout, { count: String(count), entries })) marks.push(mark);
  }
  return { width, height, marks, links };
}

/** As many as fit, and that one more would not: 0 enlarged and stored, 1 what would not fit, 2 a way out. */
export function oneWouldNotFit(t: TwellTrace, subject: TileRow, layout: DrawingLayout, picture: number): Drawing {
  const { width, height } = sizeOf(layout);
  const { row, tile, count } = subject;
  const capacity = capacityOf(t.params);
  const base = tokenAndBox(t, subject, layout);
  const marks: DrawnMark[] = [
    ...base.marks,
    ...tileBox(t, row, tile, base.place, { hasCount: true, isPacked: false, frame: 'strong' }),
  ];
  if (picture >= 1) {
    const said = `${another(capacity)} would have no cell: TwELL would refuse the matrix`;
    marks.push(
      {
        id: 'extra',
        shape: 'frame',
        tone: 'danger',
        state: 'ghost',
        ...ROWS[layout].extra,
        text: another(capacity),
        face: 'sans',
        size: 13,
      },
      words('said', { x: base.x, y: ROWS[layout].said, w: layout === 'wide' ? 570 : 212 }, capitalised(said), {
        tone: 'danger',
        strong: true,
        size: 12,
      }),
    );
  }
  if (picture >= 2) {
    const values = valuesOf(t, row);
    const entries = firedIn(t, row, tile).map((column) => ({ value: values.get(column) ?? 0, column }));
    for (const mark of wayMarks(t, { ...subject, count: capacity + 1 }, layout, { count: String(count), entries }))
      marks.push(mark);
  }
  return {
    width,
    height,
    marks,
    links: storeLinks(marks, subject, firedIn(t, row, tile).slice(0, base.place.entries)),
  };
}

/** The token, its enlarged tile, and where the cells of that are. */
function tokenAndBox(
  t: TwellTrace,
  { row, tile }: TileRow,
  layout: DrawingLayout,
): { readonly marks: readonly DrawnMark[]; readonly place: BoxPlace; readonly x: number } {
  const isWide = layout === 'wide';
  const { x, w } = roomOf(layout);
  const rows = ROWS[layout];
  const small = smallToken(t, row, [tile], layout);
  const { from, to } = columnsOfTile(t, tile);
  const large = largeRect(to - from, { x, w, ...rows.large });
  const place = boxPlace(t, { x: isWide ? x : 3, y: rows.box.y, w: isWide ? 560 : w - 6, h: rows.box.h });
  const fits = `${wordOf(capacityOf(t.params))} ${capacityOf(t.params) === 1 ? 'fits' : 'fit'}`;
  const labels = isWide
    ? [
        words('large label', { x: 0, y: large.y + 10 }, `tile ${tile}`, { tone: 'format', strong: true }),
        words('neuron label', { x: 0, y: large.y + large.h + 4 }, 'neuron', { size: 12 }),
        words('stored label', { x: 0, y: place.y + 10 }, fits, { size: 12 }),
      ]
    : [
        words('large label', { x: 64, y: 0 }, `tile ${tile}`, { tone: 'format', strong: true }),
        words('stored label', { x: 0, y: place.y - 22 }, fits, { size: 12 }),
      ];
  return {
    marks: [
      ...small.marks,
      ...(isWide ? enlargement('one', small.frames[0], large) : []),
      ...largeTile(t, { row, tile }, { x, w, ...rows.large }),
      ...labels,
    ],
    place,
    x,
  };
}

/** One way out, large: cells of its own for every value. */
function wayMarks(
  t: TwellTrace,
  { row, tile, count }: TileRow,
  layout: DrawingLayout,
  stored: { readonly count: string; readonly entries: readonly { readonly value: number; readonly column: number }[] },
): readonly DrawnMark[] {
  const { width } = sizeOf(layout);
  const { y, h } = ROWS[layout].way;
  const { x } = roomOf(layout);
  const isWide = layout === 'wide';
  const way = wayOut(t, count);
  const title = isWide
    ? words('way', { x: 0, y: y - 2, w: 56 }, 'one way out', { strong: true, tone: 'ink' })
    : words('way', { x: 0, y: y - 34 }, 'one way out', { strong: true, tone: 'ink' });
  const rule: DrawnMark = {
    id: 'rule',
    shape: 'line',
    tone: 'neutral',
    x: 0,
    y: isWide ? y - 16 : y - 44,
    w: width,
    h: 0,
  };
  if (!way) {
    const none = 'No setting has room: keep the token whole.';
    return [rule, title, words('way said', { x, y: y + 8, w: width - x }, none)];
  }
  const drawn = Math.min(way.entries, MAX_ENTRIES + 1);
  const countWidth = isWide ? 62 : 40;
  const left = isWide ? x + 12 : 3;
  const start = left + countWidth + (way.isApart ? 26 : 6);
  const pitch = (width - 4 - start) / drawn;
  const cellOf = (k: number): Rect => ({ x: start + k * pitch, y, w: pitch - 4, h });
  const countCell = { x: left, y, w: countWidth, h };
  const marks: DrawnMark[] = [
    rule,
    title,
    {
      id: 'way count',
      shape: 'box',
      tone: 'metadata',
      ...countCell,
      ...fitted(stored.count, countCell.w, 16),
      from: `count ${row},${tile}`,
    },
  ];
  for (let k = 0; k < drawn; k++) {
    const entry = stored.entries[k];
    if (!entry) {
      marks.push({ id: `way slot ${k}`, shape: 'box', tone: 'neutral', state: 'ghost', ...cellOf(k) });
      continue;
    }
    const look = {
      row,
      id: `way ${k}`,
      names: [],
      where: `token ${row}, tile ${tile}`,
      from: `value ${row},${tile},${k + 1}`,
    };
    for (const mark of entryMarks(entry, cellOf(k), look)) marks.push(mark);
  }
  const first = way.isApart ? start : left;
  const last = cellOf(drawn - 1);
  if (way.isApart) marks.push({ id: 'way list', shape: 'frame', tone: 'metadata', ...around(countCell) });
  marks.push({
    id: 'way box',
    shape: 'frame',
    tone: 'format',
    ...around({ x: first, y, w: last.x + last.w - first, h }),
  });
  const [ofCount, ofCells] = way.said;
  marks.push(
    words('way counts', { x: Math.max(0, left - 3), y: y + h + 8 }, ofCount, { tone: 'metadata', size: 12 }),
    words('way cells', isWide ? { x: width, y: y + h + 8 } : { x: 0, y: y + h + 28 }, ofCells, {
      align: isWide ? 'end' : 'start',
      size: 12,
    }),
  );
  return marks;
}

function around({ x, y, w, h }: Rect): Rect {
  const left = Math.max(0, x - 3);
  return { x: left, y: y - 3, w: x + w + 3 - left, h: h + 6 };
}

function inner({ x, y, w, h }: Rect): Rect {
  return { x: x + 4, y: y + 4, w: w - 8, h: h - 8 };
}

/** Around all drawn cells of a tile. */
function frameAround(t: TwellTrace, place: BoxPlace): Rect {
  const last = boxCell(t, place, place.entries);
  return around({ x: place.x, y: place.y, w: last.x + last.w - place.x, h: place.h });
}
