import { type DrawingLayout, GUTTER, NARROW, unitText, words } from '../../../../core/story/drawing.ts';
import { cellName, elementName } from '../../../../core/story/scene-parts.ts';
import type { Drawing, DrawnLink, DrawnMark } from '../../../../core/story/scene.ts';
import { numberText } from '../../../../core/story/stated.ts';
import { counted } from '../../../../core/story/words.ts';
import { storedDelta } from '../../layout.ts';
import { skipBitCells } from './bits.ts';
import { bytesOfEntries, sumOf, type Weight, type WindowFacts } from './facts.ts';
import { aloneGrid, drawing, type RowGrid, weightLook, type Parts } from '../../../../core/story/drawn-rows.ts';
import { bytesCounter, leftOf, lineOf, measure, plainRow } from './rows.ts';
import { entryName, lowBits } from '../scene-entries.ts';

/* Pictures of one row and the first places of its list: weights and skips are stored one by one. */

/** Places that are drawn. */
const PLACES = { wide: 9, narrow: 5 } as const;

/** How one of these pictures is arranged. */
export interface Arrangement {
  readonly layout: DrawingLayout;
  readonly grid: RowGrid;
  readonly row: number;
  readonly height: number;
  readonly yOf: (line: number) => number;
  readonly places: { readonly x: number; readonly y: number; readonly pitch: number; readonly count: number };
}

/** `hasSum`: a sum stands above the row. */
export function arranged(facts: WindowFacts, layout: DrawingLayout, row: number): Arrangement {
  const grid = aloneGrid(facts, layout);
  const isWide = layout === 'wide';
  const linePitch = isWide ? 66 : grid.lines <= 2 ? 74 : 58;
  const top = isWide ? 46 : grid.lines === 1 ? 90 : 56;
  const lineEnd = top + (grid.lines - 1) * linePitch;
  return {
    layout,
    grid,
    row,
    height: isWide ? (grid.lines === 1 ? 28 : 22) : grid.lines <= 2 ? 30 : 18,
    yOf: (line) => top + line * linePitch,
    places: isWide
      ? { x: GUTTER, y: grid.lines === 1 ? 158 : 168, pitch: 69, count: PLACES.wide }
      : { x: 0, y: Math.max(226, lineEnd + 54), pitch: 68, count: PLACES.narrow },
  };
}

/** A row as it stands above its places. */
export function rowMarks(facts: WindowFacts, a: Arrangement, focus: ReadonlySet<number>): readonly DrawnMark[] {
  return plainRow(facts, a.grid, a.row, { yOf: a.yOf, height: a.height, isStrong: true }, ({ column }) =>
    focus.has(column) ? { focus: true } : {},
  );
}

/**
 * Places of the list from entry `from` on: those before `stored` hold a weight, those before `skipped` its skip as well,
 * the others are dashed.
 */
export function placeMarks(
  facts: WindowFacts,
  { layout, places, row }: Arrangement,
  at: { readonly from: number; readonly stored: number; readonly skipped: number },
): readonly DrawnMark[] {
  const { t } = facts;
  const end = t.encoded.indptr[row + 1];
  const isWide = layout === 'wide';
  const w = places.pitch - (isWide ? 7 : 3);
  const [h1, h2, h3] = isWide ? [28, 24, 20] : [34, 28, 20];
  const marks: Parts = [];
  for (let i = 0; i < places.count; i++) {
    const entry = at.from + i;
    const box = { shape: 'box' as const, tone: 'neutral' as const, x: places.x + i * places.pitch, w };
    const [y1, y2, y3] = [places.y, places.y + h1 + 3, places.y + h1 + h2 + 6];
    const about = [entryName(entry)];
    const isPadding = entry < end && t.isPadding[entry] === 1;
    if (entry < Math.min(at.stored, end)) {
      const look = isPadding
        ? { tone: 'padding' as const, text: '0', strong: true, label: 'a stored zero' }
        : weightLook(facts, weightAt(facts, entry), 13);
      const from = isPadding ? `zero ${entry}` : cellName(row, t.columnOf[entry]);
      marks.push({
        ...box,
        id: elementName('values', entry),
        y: y1,
        h: h1,
        ...look,
        size: 13,
        about: [elementName('values', entry), ...about, ...(isPadding ? [] : [from])],
        from,
      });
    } else marks.push({ ...box, id: `place ${i} weight`, state: 'ghost', y: y1, h: h1 });
    if (entry < Math.min(at.skipped, end)) {
      const skip = storedDelta(t.encoded, entry);
      const names = [elementName('deltas', entry), ...about];
      marks.push(
        {
          ...box,
          id: elementName('deltas', entry),
          tone: 'indices',
          y: y2,
          h: h2,
          text: String(skip),
          size: 13,
          about: names,
          from: `skip of ${entry}`,
          label: `skip: ${counted(skip, 'empty column')}`,
        },
        skipBitCells(
          facts,
          entry,
          skip,
          { x: box.x, y: y3, width: w + 1.5, height: h3 },
          { about: names, from: elementName('deltas', entry) },
        ),
      );
    } else
      marks.push(
        { ...box, id: `place ${i} skip`, state: 'ghost', y: y2, h: h2 },
        { ...box, id: `place ${i} bits`, state: 'ghost', y: y3, h: h3 },
      );
  }
  return [...marks.flat(), ...placeTitles(layout, places)];
}

function placeTitles(layout: DrawingLayout, { y }: Arrangement['places']): readonly DrawnMark[] {
  if (layout === 'narrow') return [words('places', { x: 0, y: y + 98 }, 'weights, skips, skips in bits', { size: 12 })];
  return [
    words('weights', { x: 0, y: y + 5 }, 'weights', { tone: 'values' }),
    words('skips', { x: 0, y: y + 34 }, 'skips', { tone: 'indices' }),
    words('skip bits', { x: 0, y: y + 59 }, 'in bits', { tone: 'indices' }),
  ];
}

function weightAt({ weights }: WindowFacts, entry: number): Weight {
  const found = weights.find((weight) => weight.entry === entry);
  if (!found) throw new Error(`entry ${entry}: found padding, expected a weight`);
  return found;
}

/** An outline around the weight and skip of a place. */
export function placeFrame({ layout, places }: Arrangement, from: number, entry: number, index: number): DrawnMark {
  const isWide = layout === 'wide';
  const x = Math.max(0, places.x + (entry - from) * places.pitch - 1);
  const h = isWide ? 57 : 67;
  return {
    id: `current place ${index}`,
    shape: 'frame',
    tone: 'ink',
    x,
    y: places.y - 1,
    w: places.pitch - (isWide ? 5 : 1),
    h,
  };
}

/** Outlines of the bytes that are full: those of skips that lie side by side. */
export function byteFrames(facts: WindowFacts, a: Arrangement, from: number, skipped: number): readonly DrawnMark[] {
  const perByte = 8 / facts.skipBits;
  if (perByte === 1) return [];
  const isWide = a.layout === 'wide';
  const y = a.places.y + (isWide ? 57 : 67);
  const marks: Parts = [];
  for (
    let first = Math.ceil(from / perByte) * perByte;
    first + perByte <= Math.min(skipped, from + a.places.count);
    first += perByte
  )
    marks.push({
      id: `byte ${first / perByte}`,
      shape: 'frame',
      tone: 'indices',
      x: Math.max(0, a.places.x + (first - from) * a.places.pitch - 1),
      y,
      w: perByte * a.places.pitch - (isWide ? 6 : 2),
      h: 22,
      label: `byte ${first / perByte} of the skips, the first in its ${lowBits(facts.skipBits)}`,
    });
  return marks.flat();
}

/** The columns before a weight, counted. */
export function counting(a: Arrangement, { column, skip, entry }: Weight): readonly DrawnMark[] {
  const yOf = (line: number): number => a.yOf(line) + a.height + 3;
  const id = `skip of ${entry}`;
  if (skip > 0)
    return measure(
      id,
      a.grid,
      [column - skip, column],
      { yOf },
      { text: String(skip), tone: 'indices', about: [entryName(entry)] },
    );
  const x = Math.max(0, leftOf(a.grid, column) - 1);
  const y = yOf(Math.floor(column / a.grid.fold));
  return [
    {
      id,
      shape: 'line',
      tone: 'indices',
      x,
      y,
      w: 0,
      h: 8,
      points: [
        [x, y - 2],
        [x, y + 6],
      ],
      thickness: 2,
    },
    words(`${id} text`, { x: Math.max(5, x), y: y + 8 }, '0', {
      align: 'middle',
      face: 'mono',
      size: 12,
      strong: true,
      tone: 'indices',
    }),
  ];
}

/** Words beside what is counted: to the right of the last of these columns, or below the row where there is no room. */
export function besides(a: Arrangement, { column, skip }: Weight, text: string): readonly DrawnMark[] {
  const line = lineOf(a.grid, column);
  const x = leftOf(a.grid, column) + a.grid.pitch + 12;
  const room = (a.layout === 'wide' ? 760 : NARROW.width) - x;
  if (text.length * 7.1 > room || line < a.grid.lines - 1 || lineOf(a.grid, column - skip) < line) return [];
  return [words('beside', { x, y: a.yOf(line) + a.height + 12 }, text, { tone: 'indices' })];
}

export function rowCounter(
  facts: WindowFacts,
  a: Arrangement,
  to: number,
  note: (total: number) => string,
  skipped = to,
): readonly DrawnMark[] {
  const from = facts.t.encoded.indptr[a.row];
  const bytes = bytesOfEntries(facts, from, to);
  const stored = { ...bytes, skips: ((skipped - from) * facts.skipBits) / 8 };
  const dense = (facts.t.window.cols * facts.valueBits) / 8;
  return bytesCounter(a.layout, stored, { title: `row ${a.row}`, dense, note: note(sumOf(stored)) });
}

/** The first weight: its columns are counted, it is stored, and then its skip. */
export function firstWeightPicture(
  facts: WindowFacts,
  layout: DrawingLayout,
  weight: Weight,
  picture: number,
): Drawing {
  const a = arranged(facts, layout, weight.row);
  const { entry, column, skip } = weight;
  const [stored, skipped] = [picture > 0 ? entry + 1 : entry, picture > 1 ? entry + 1 : entry];
  const note = `${wordOf(skip)} empty ${skip === 1 ? 'column' : 'columns'}${skip === 0 ? '' : skip === 1 ? `: column ${column - 1}` : `: ${column - skip} to ${column - 1}`}`;
  const marks = [
    ...rowMarks(facts, a, new Set([column])),
    ...counting(a, weight),
    ...besides(a, weight, note),
    ...placeMarks(facts, a, { from: entry, stored, skipped }),
    ...(picture > 0 ? [placeFrame(a, entry, entry, 0)] : []),
    ...rowCounter(facts, a, stored, () => `row ${a.row} so far: ${facts.valueBits} + ${facts.skipBits} bits`, skipped),
  ];
  return drawing(layout, marks, picture > 0 ? [cellLink(weight)] : []);
}

export function cellLink({ row, column, entry }: Weight): DrawnLink {
  return {
    id: `link ${entry}`,
    from: cellName(row, column),
    to: elementName('values', entry),
    kind: 'curve',
    tone: 'neutral',
  };
}

export function wordOf(n: number): string {
  return numberText({ value: n, rounding: 'word' });
}

/** The second and third weight. Pictures: the second, a rest, the third, and a byte that closes around its skips. */
export function nextWeightsPicture(
  facts: WindowFacts,
  layout: DrawingLayout,
  slow: readonly Weight[],
  picture: number,
): Drawing {
  const [first, ...next] = slow;
  const a = arranged(facts, layout, first.row);
  const arrived = next.slice(0, picture < 2 ? 1 : 2);
  const end = arrived[arrived.length - 1].entry + 1;
  const from = first.entry;
  const columns = next.map(
    ({ skip, value, column }) =>
      `${wordOf(skip).replace(/^no$/, 'none')} before ${unitText(value, facts.unit)}${skip > 0 && skip < 3 ? ` (${columnsText(column - skip, column - 1)})` : ''}`,
  );
  const note = columns.slice(0, arrived.length).join('; ');
  const perByte = 8 / facts.skipBits;
  const bytes = picture > 2 ? byteFrames(facts, a, from, end) : [];
  const marks = [
    ...rowMarks(facts, a, new Set(arrived.map(({ column }) => column))),
    ...arrived.flatMap((weight) => counting(a, weight)),
    ...besides(a, arrived[arrived.length - 1], note),
    ...placeMarks(facts, a, { from, stored: end, skipped: end }),
    ...arrived.map(({ entry }, i) => placeFrame(a, from, entry, i)),
    ...bytes,
    ...(bytes.length > 0
      ? [
          words(
            'byte means',
            layout === 'wide' ? { x: bytes[0].x + 8, y: bytes[0].y + 24 } : { x: NARROW.width, y: a.places.y + 115 },
            `${wordOf(perByte)} skips, one byte: ${lowBits(facts.skipBits)} first`,
            { tone: 'indices', size: 12, align: layout === 'wide' ? 'start' : 'end' },
          ),
        ]
      : []),
    ...rowCounter(
      facts,
      a,
      end,
      () => `row ${a.row} so far: ${arrived.length + 1} \u00d7 ${facts.valueBits + facts.skipBits} bits`,
    ),
  ];
  return drawing(layout, marks, arrived.map(cellLink));
}

function columnsText(from: number, to: number): string {
  return from === to ? `column ${from}` : `columns ${from} and ${to}`;
}
