import { type DrawingLayout, GUTTER, NARROW, polyline, words } from '../../../../core/story/drawing.ts';
import { elementName } from '../../../../core/story/scene-parts.ts';
import type { Drawing, DrawnLink, DrawnMark, TextRun } from '../../../../core/story/scene.ts';
import { entryName } from '../scene-entries.ts';
import type { Weight, WideSkip, WindowFacts } from './facts.ts';
import {
  type Arrangement,
  arranged,
  besides,
  byteFrames,
  cellLink,
  counting,
  placeFrame,
  placeMarks,
  rowCounter,
  rowMarks,
  wordOf,
} from './places.ts';
import { drawing, type Parts } from '../../../../core/story/drawn-rows.ts';
import { bytesNumber } from '../../../../core/story/words.ts';
import { leftOf, lineOf, measure } from './rows.ts';

/* Pictures of a skip that is too long for its bits, and of the zeros that are stored on the way. */

/** A skip that is too long. Pictures: the count stops, zeros are stored, their columns and the rest count, the weight. */
export function widePicture(facts: WindowFacts, layout: DrawingLayout, wide: WideSkip, picture: number): Drawing {
  const a = arranged(facts, layout, wide.row);
  const { maxSkip } = facts;
  const firstZero = wide.entry - wide.zeros;
  const end = picture > 2 ? wide.entry + 1 : picture > 0 ? wide.entry : firstZero;
  const from = firstPlace(facts, a, wide.entry);
  const start = wide.column - wide.skip;
  const yOf = (line: number): number => a.yOf(line) + a.height + 3;
  const about = [entryName(wide.entry)];
  const marks: Parts = [...rowMarks(facts, a, new Set(picture > 2 ? [wide.column] : []))];
  for (let i = 0; i < wide.zeros; i++) {
    const begin = start + i * (maxSkip + 1);
    const column = begin + maxSkip;
    if (i > 0 && picture === 0) break;
    const look = { text: String(maxSkip), longText: `${maxSkip} empty columns`, tone: 'indices' as const, about };
    marks.push(measure(`skip of ${firstZero + i}`, a.grid, [begin, column], { yOf }, look));
    if (picture > 0) marks.push(zeroCell(a, firstZero + i, column));
    if (picture > 1) marks.push(measure(`own ${i}`, a.grid, [column, column + 1], { yOf }, { text: '1', tone: 'ink' }));
  }
  if (picture > 1 && wide.rest > 0)
    marks.push(
      measure(
        `skip of ${wide.entry}`,
        a.grid,
        [wide.column - wide.rest, wide.column],
        { yOf },
        { text: String(wide.rest), tone: 'indices', about },
      ),
    );
  if (picture > 1) marks.push(sumMarks(facts, a, wide));
  marks.push(placeMarks(facts, a, { from, stored: end, skipped: end }));
  const current = Array.from({ length: wide.zeros + 1 }, (_, i) => firstZero + i).filter(
    (entry) => entry < end && entry >= from,
  );
  marks.push(
    current.map((entry, i) => placeFrame(a, from, entry, i)),
    byteFrames(facts, a, from, end),
  );
  const bits = facts.valueBits + facts.skipBits;
  const short = wide.zeros === 1 ? 'the zero: stored but useless' : `${wordOf(wide.zeros)} zeros: useless`;
  const zeros =
    wide.zeros === 1
      ? `the zero: ${bits} bits, stored but useless`
      : `${wordOf(wide.zeros)} zeros, ${bits} bits each: useless`;
  marks.push(
    rowCounter(facts, a, end, (total) =>
      picture > 0 ? (layout === 'wide' ? zeros : short) : `row ${a.row} so far: ${bytesNumber(total)} bytes`,
    ),
  );
  const links: DrawnLink[] = [];
  if (picture > 0)
    for (let entry = Math.max(from, firstZero); entry < wide.entry; entry++) {
      const column = start + (entry - firstZero + 1) * (maxSkip + 1) - 1;
      // Curves from the lines above would cross cells and each other.
      if (wide.zeros > 1 && lineOf(a.grid, column) < lineOf(a.grid, wide.column)) continue;
      links.push({
        id: `link ${entry}`,
        from: picture > 1 ? `own ${entry - firstZero} text` : `zero ${entry}`,
        to: elementName('values', entry),
        kind: 'curve',
        tone: 'neutral',
      });
    }
  if (picture > 2) {
    const stem = stemOf(a, wide.column);
    marks.push(stem);
    links.push({ ...cellLink(wide), from: stem.id });
  }
  return drawing(layout, marks, links);
}

/** From the weight's cell down past the numbers of the skips, so that its curve crosses none of them. */
function stemOf({ grid, yOf, height }: Arrangement, column: number): DrawnMark {
  const x = leftOf(grid, column) + grid.pitch / 2 - 1;
  const top = yOf(lineOf(grid, column)) + height + 2;
  const bottom = top + 22;
  const points = [
    [x, top],
    [x, bottom + 2],
  ] as const;
  // Its rectangle is its lower end: there the curve begins.
  return { ...polyline('stem', points, { tone: 'ink', thickness: 1.1 }), y: bottom };
}

/** The first place that is drawn: that of the row, or a later one, so that `entry` has one. */
function firstPlace({ t }: WindowFacts, { row, places }: Arrangement, entry: number): number {
  return Math.max(t.encoded.indptr[row], entry - places.count + 1);
}

/** The stored zero in its column of the row. */
function zeroCell({ grid, yOf, height }: Arrangement, entry: number, column: number): DrawnMark {
  return {
    id: `zero ${entry}`,
    shape: 'box',
    tone: 'padding',
    x: leftOf(grid, column),
    y: yOf(Math.floor(column / grid.fold)),
    w: grid.pitch - 2,
    h: height,
    focus: true,
    label: `column ${column}: a stored zero`,
    about: [entryName(entry)],
    ...(grid.size !== null && { text: '0', size: grid.size }),
  };
}

/** Sums with more terms are written as a product. */
const MAX_ZEROS_IN_SUM = 3;

/** Above the row: what the stored skips and the zeros' own columns add up to. */
function sumMarks({ maxSkip }: WindowFacts, { layout, grid, yOf }: Arrangement, wide: WideSkip): readonly DrawnMark[] {
  const skip = { text: String(maxSkip), tone: 'indices' as const };
  const one: TextRun = { text: ' + 1 + ' };
  const terms: TextRun[] =
    wide.zeros <= MAX_ZEROS_IN_SUM
      ? Array.from({ length: wide.zeros }, () => [skip, one]).flat()
      : [{ text: `${wide.zeros} \u00d7 (` }, skip, { text: ' + 1) + ' }];
  const runs: TextRun[] = [...terms, { text: String(wide.rest), tone: 'indices' }, { text: ` = ${wide.skip}` }];
  const own = wide.zeros === 1 ? '1: the zero\u2019s own column' : '1: a zero\u2019s own column';
  const length = runs.reduce((sum, { text }) => sum + text.length, 0);
  if (layout === 'narrow')
    return [
      words('sum', { x: 0, y: 0, w: NARROW.width }, runs, { size: 16, strong: true, tone: 'ink', align: 'middle' }),
      words('own column', { x: 0, y: 21, w: NARROW.width }, own, { size: 11, align: 'middle' }),
    ];
  const isOneLine = Math.floor((wide.column - wide.skip) / grid.fold) === Math.floor((wide.column - 1) / grid.fold);
  const left = leftOf(grid, wide.column - wide.skip);
  const right = isOneLine ? leftOf(grid, wide.column - 1) + grid.pitch - 2 : grid.x + grid.fold * grid.pitch;
  const half = length * 4.7;
  const middle = Math.max(GUTTER + half, Math.min(560 - half, (left + right) / 2));
  const marks: Parts = [
    words('sum', { x: middle, y: 0 }, runs, { size: 16, strong: true, tone: 'ink', align: 'middle' }),
    words('own column', { x: middle + half + 14, y: 3 }, own, { size: 12 }),
  ];
  if (isOneLine)
    marks.push({
      id: 'sum bracket',
      shape: 'bracket',
      tone: 'ink',
      opensDown: true,
      x: left,
      y: yOf(0) - 22,
      w: right - left,
      h: 8,
    });
  return marks.flat();
}

/** A window whose skips all fit: the longest of them. */
export function longestPicture(facts: WindowFacts, layout: DrawingLayout, weight: Weight): Drawing {
  const a = arranged(facts, layout, weight.row);
  const from = firstPlace(facts, a, weight.entry);
  const end = weight.entry + 1;
  return drawing(
    layout,
    [
      ...rowMarks(facts, a, new Set([weight.column])),
      ...counting(a, weight),
      ...besides(a, weight, 'the longest skip'),
      ...placeMarks(facts, a, { from, stored: end, skipped: end }),
      placeFrame(a, from, weight.entry, 0),
      ...byteFrames(facts, a, from, end),
      ...rowCounter(facts, a, end, () => `row ${a.row} so far, no stored zero`),
    ],
    [cellLink(weight)],
  );
}
