import { type DrawingLayout, GUTTER, NARROW, unitText, WIDE, words } from '../../../../core/story/drawing.ts';
import { elementName } from '../../../../core/story/scene-parts.ts';
import type { Drawing, DrawnMark, TextRun } from '../../../../core/story/scene.ts';
import { numberText } from '../../../../core/story/stated.ts';
import { bytesNumber, countText, counted } from '../../../../core/story/words.ts';
import { entryCount, GROUP, placesFor, storedDelta } from '../../layout.ts';
import { bytesOfEntries, type Weight, type WindowFacts } from './facts.ts';
import { drawing, fitting, rowCells, rowGrid, weightLook, type Parts } from '../../../../core/story/drawn-rows.ts';
import { byteParts, bytesCounter } from './rows.ts';
import { entryName } from '../scene-entries.ts';

/* Pictures of the whole list, and of all its bytes against dense. */

/** Parts of rows in which the list is filled: the first is slow. */
const FILL_MS = [1600, 1000, 800, 600] as const;
const MARK_MS = 200;
const MAX_MARKS_MS = 1000;

/** How many rows are stored after each picture. O(rows). */
function filledRows({ t }: WindowFacts): readonly number[] {
  const { rows } = t.window;
  const parts = Math.min(FILL_MS.length, rows);
  return Array.from({ length: parts }, (_, i) =>
    i === parts - 1 ? rows : Math.max(1, Math.round(((i + 1) * rows) / parts)),
  );
}

/** How long the movement to each picture takes: rows, then the row marks. */
export function listMoves(facts: WindowFacts): readonly number[] {
  const marks = Math.min(MAX_MARKS_MS, MARK_MS * facts.t.encoded.indptr.length);
  return [...FILL_MS.slice(0, filledRows(facts).length), marks];
}

/** All rows in one list. The last picture has the row marks. */
export function listPicture(facts: WindowFacts, layout: DrawingLayout, picture: number): Drawing {
  const { t } = facts;
  const { indptr } = t.encoded;
  const filled = filledRows(facts);
  const isLast = picture >= filled.length;
  const rows = isLast ? t.window.rows : filled[picture];
  const entries = entryCount(t.encoded);
  const places = placesFor(entries);
  const isFull = rows === t.window.rows;
  const stored = isFull ? places : indptr[rows];
  const list = listGrid(layout, places);
  const top = smallMatrix(facts, layout);
  const y = top.end + (layout === 'wide' ? 32 : 20);
  const marks: Parts = [...top.marks];
  for (let entry = 0; entry < Math.min(places, list.count); entry++)
    marks.push(placeInList(facts, entry, placeOf(list, y, entry), entry < stored));
  if (layout === 'wide') {
    marks.push(
      words('weights', { x: 0, y: y + 4 }, 'weights', { tone: 'values' }),
      words('skips', { x: 0, y: y + 27 }, 'skips', { tone: 'indices' }),
    );
  }
  const end = y + list.lines * list.linePitch;
  if (isLast) marks.push(rowMarks(facts, list, y), listNotes(facts, layout, end, list.count));
  const bytes = isLast ? facts.bytes : partBytes(facts, stored);
  const sum = byteParts(bytes).map(({ value }) => bytesNumber(value));
  // On a phone the names below the bar say the same.
  const isRoom = layout === 'wide' || sum.join('').length < 12;
  const note = isLast ? (isRoom ? sum.join(' + ') : '') : counted(Math.min(stored, entries), 'place');
  marks.push(bytesCounter(layout, bytes, { title: 'all rows', dense: facts.dense, note }));
  return drawing(layout, marks);
}

/** Without the marks of the rows, which come last. */
function partBytes(facts: WindowFacts, stored: number): WindowFacts['bytes'] {
  const entries = entryCount(facts.t.encoded);
  if (stored >= entries) return { ...facts.bytes, marks: 0, scales: 0 };
  return bytesOfEntries(facts, 0, stored);
}

interface ListGrid {
  readonly x: number;
  readonly perLine: number;
  readonly pitch: number;
  /** places that are drawn */
  readonly count: number;
  readonly lines: number;
  readonly linePitch: number;
  readonly heights: readonly [number, number];
}

function listGrid(layout: DrawingLayout, length: number): ListGrid {
  const isWide = layout === 'wide';
  const perLine = isWide ? 24 : 12;
  const maxLines = isWide ? 2 : 4;
  const count = Math.min(length, perLine * maxLines);
  return {
    x: isWide ? GUTTER : 0,
    perLine,
    pitch: isWide ? 29 : 28.3,
    count,
    lines: Math.max(1, Math.ceil(count / perLine)),
    linePitch: isWide ? 72 : 64,
    heights: isWide ? [23, 19] : [22, 18],
  };
}

function placeOf({ x, perLine, pitch, linePitch }: ListGrid, y: number, entry: number): { x: number; y: number } {
  return { x: x + (entry % perLine) * pitch, y: y + Math.floor(entry / perLine) * linePitch };
}

function placeInList(
  facts: WindowFacts,
  entry: number,
  at: { readonly x: number; readonly y: number },
  isStored: boolean,
): readonly DrawnMark[] {
  const { t, unit } = facts;
  const w = 27;
  const [h1, h2] = [23, 19];
  const box = { shape: 'box' as const, tone: 'neutral' as const, x: at.x, w };
  const ids = [elementName('values', entry), elementName('deltas', entry)];
  const isTail = entry >= entryCount(t.encoded);
  if (!isStored)
    return [
      { ...box, id: `list ${entry} weight`, state: 'ghost', y: at.y, h: h1 },
      { ...box, id: `list ${entry} skip`, state: 'ghost', y: at.y + h1 + 1, h: h2 },
    ];
  const isPadding = isTail || t.isPadding[entry] === 1;
  const weight = isPadding ? null : weightOf(facts, entry);
  const text = weight ? unitText(weight.value, unit) : '0';
  const look = weight
    ? weightLook(facts, weight, null)
    : { tone: 'padding' as const, label: isTail ? 'a zero that fills the last eight' : 'a stored zero' };
  const about = [ids[0], entryName(entry), ...(look.about ?? [])];
  const first: DrawnMark = {
    ...box,
    id: ids[0],
    y: at.y,
    h: h1,
    ...look,
    text,
    size: Math.min(11.5, fitting(w - 1, text.length)),
    about,
  };
  if (isTail)
    return [
      first,
      {
        ...box,
        id: ids[1],
        tone: 'padding',
        y: at.y + h1 + 1,
        h: h2,
        label: 'no skip: the last word is filled',
      },
    ];
  const skip = String(storedDelta(t.encoded, entry));
  const second: DrawnMark = {
    ...box,
    id: ids[1],
    tone: 'indices',
    y: at.y + h1 + 1,
    h: h2,
    text: skip,
    size: Math.min(11, fitting(w - 1, skip.length)),
    about: [ids[1], entryName(entry)],
    label: `skip: ${skip}`,
  };
  return [first, second];
}

function weightOf({ weights, t }: WindowFacts, entry: number): Weight | null {
  return t.isPadding[entry] ? null : (weights.find((weight) => weight.entry === entry) ?? null);
}

/** The window small and pale, above the list. */
function smallMatrix(facts: WindowFacts, layout: DrawingLayout): { marks: readonly DrawnMark[]; end: number } {
  const { rows, cols } = facts.t.window;
  const isWide = layout === 'wide';
  const fold = Math.max(cols, isWide ? 32 : 16);
  const grid = {
    ...rowGrid(facts, { x: isWide ? GUTTER : 0, room: (isWide ? 760 : NARROW.width) - (isWide ? GUTTER : 0), fold }),
    size: null,
  };
  const count = Math.min(rows, 16);
  const pitch = Math.min(13, (isWide ? 56 : 48) / Math.max(1, count));
  const height = pitch - Math.min(1.5, pitch / 4);
  const marks: Parts = [
    {
      id: 'small matrix',
      shape: 'box',
      tone: 'neutral',
      x: grid.x,
      y: 2,
      w: Math.max(0, grid.fold * grid.pitch - 2),
      h: Math.max(0, count * pitch - 1),
      label: 'the matrix',
    },
  ];
  for (let row = 0; row < count; row++) {
    marks.push(
      rowCells(
        facts,
        grid,
        row,
        { yOf: () => 2 + row * pitch, height },
        { empty: () => null, weight: () => ({ state: 'dim' }) },
      ),
    );
    if (isWide && pitch >= 11) marks.push(words(`row ${row}`, { x: 0, y: row * pitch }, `row ${row}`, { size: 11 }));
  }
  return { marks: marks.flat(), end: 2 + count * pitch };
}

/** A line where each row begins, and one where the last ends; with words where there is room for them. */
function rowMarks({ t }: WindowFacts, list: ListGrid, y: number): readonly DrawnMark[] {
  const { indptr } = t.encoded;
  const rows = t.window.rows;
  // Empty rows begin where the next one does.
  const starts = [...new Set(indptr)].filter(
    (start) => start < list.count || (start === indptr[rows] && start <= list.count),
  );
  return starts.flatMap((start, i): DrawnMark[] => {
    const isEnd = start === indptr[rows];
    const own = [...indptr.subarray(0, rows)].flatMap((at, row) => (at === start ? [row] : []));
    const inLine = isEnd && start > 0 ? start - 1 : start;
    const at = placeOf(list, y, inLine);
    const x = at.x + (isEnd && start > 0 ? list.pitch : 0) - 1;
    const height = list.heights[0] + list.heights[1] + 4;
    const line: DrawnMark = {
      id: `mark ${start}`,
      shape: 'line',
      tone: 'metadata',
      x,
      y: at.y,
      w: 0,
      h: height,
      points: [
        [x, at.y - 4],
        [x, at.y + height],
      ],
      thickness: 2,
      label: isEnd ? `the list ends at ${start}` : `row ${own[own.length - 1]} begins at ${start}`,
    };
    const rowText =
      own.length === 1 ? `row ${own[0]}` : own.length > 1 ? `rows ${own[0]} to ${own[own.length - 1]}` : '';
    const long = isEnd ? `ends at ${start}` : `${rowText} ${own.length === 1 ? 'starts' : 'start'} at ${start}`;
    const next = starts.at(i + 1);
    const lineEnd = (Math.floor(inLine / list.perLine) + 1) * list.perLine;
    const until = next === undefined ? lineEnd : Math.min(next, lineEnd);
    // The word at the end of the list stands to the left of its line.
    const before = starts.at(i - 1) ?? 0;
    const roomLeft = (start - Math.max(before, Math.floor(inLine / list.perLine) * list.perLine)) * list.pitch;
    const roomRight = (until - start) * list.pitch - (next === indptr[rows] ? wordWidth(`ends at ${next}`) : 0);
    const room = isEnd ? roomLeft - 8 : roomRight;
    const text = [long, isEnd ? String(start) : rowText, String(start)].find((one) => wordWidth(one) <= room);
    if (text === undefined) return [line];
    const look = { size: 11.5, strong: true, tone: 'metadata' as const };
    const label = isEnd
      ? words(`mark ${start} text`, { x, y: at.y - 19 }, text, { ...look, align: 'end' })
      : words(`mark ${start} text`, { x: x + 1, y: at.y - 19 }, text, look);
    return [line, label];
  });
}

function wordWidth(text: string): number {
  return text.length * 6.4;
}

function listNotes(facts: WindowFacts, layout: DrawingLayout, y: number, drawn: number): readonly DrawnMark[] {
  const { t, bytes } = facts;
  const { indptr, scales: stored } = t.encoded;
  const places = placesFor(entryCount(t.encoded));
  const marks = numberText({ value: indptr.length, rounding: 'Word' });
  const scales =
    bytes.scales > 0
      ? `; ${counted(stored.length, 'scale')}, ${stored.BYTES_PER_ELEMENT} bytes each: ${bytes.scales}`
      : '';
  const tail = places - entryCount(t.encoded);
  const zeros = tail === 1 ? 'one zero fills' : `${numberText({ value: tail, rounding: 'word' })} zeros fill`;
  const eight = numberText({ value: GROUP, rounding: 'word' });
  const reads = `the GPU reads ${eight} at a time`;
  const filled =
    places === 0 ? '' : tail === 0 ? `${eight} by ${eight}: ${reads}` : `${zeros} the last ${eight}: ${reads}`;
  const rest = places > drawn ? `the first ${drawn} of ${countText(places)} places; ` : '';
  const rowMark: TextRun[] = [
    { text: `${marks} row ${indptr.length === 1 ? 'mark' : 'marks'}`, strong: true },
    { text: `, 4 bytes each: ${countText(bytes.marks)}${scales}` },
  ];
  const hasMore = rest !== '' || scales !== '';
  if (layout === 'wide') {
    const at = hasMore ? { x: GUTTER, y: y - 2 } : { x: WIDE.width, y: y - 20 };
    return [
      words('marks mean', { x: GUTTER, y: y - 20 }, rowMark, { tone: 'metadata' }),
      words('tail means', at, `${rest}${filled}`, { size: 12, align: hasMore ? 'start' : 'end' }),
    ];
  }
  return [
    words('marks mean', { x: 0, y: y - 10, w: NARROW.width }, rowMark, { tone: 'metadata', size: 12 }),
    words('tail means', { x: 0, y: y + (scales === '' ? 8 : 24), w: NARROW.width }, `${rest}${filled}`, { size: 11 }),
  ];
}
