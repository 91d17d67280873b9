import { type DrawingLayout, GUTTER, NARROW, words } from '../../../../core/story/drawing.ts';
import type { Drawing, DrawnMark } from '../../../../core/story/scene.ts';
import { counted, countText } from '../../../../core/story/words.ts';
import { bitCells, bitsOf, COLUMN_BITS } from './bits.ts';
import type { WindowFacts } from './facts.ts';
import { aloneGrid, drawing, fitting, type RowGrid, type Parts } from '../../../../core/story/drawn-rows.ts';
import { leftOf, lineOf, plainRow } from './rows.ts';

/* Pictures of skips: below each weight, what they save, and what their bits can say. */

/** Rows whose skips are drawn, and how far the frame has come: one row, all rows, and what that costs. */
export function skipsPicture(facts: WindowFacts, layout: DrawingLayout, picture: number): Drawing {
  const isWide = layout === 'wide';
  const grid = aloneGrid(facts, layout);
  const longest = facts.lanes?.row ?? 0;
  const maxRows = Math.max(1, Math.floor(4 / grid.lines));
  const rows = skipRows(facts, maxRows);
  const isFolded = grid.lines > 1;
  const height = isWide && !isFolded ? 24 : 22;
  const pitch = isWide ? (isFolded ? 62 : 52) : 66;
  const marks: Parts = [];
  let y = isWide ? 16 : 18;
  for (const row of rows) {
    const yOf = (line: number): number => y + line * pitch;
    const numbers = row === rows[0] || !isWide;
    const cells = plainRow(facts, grid, row, { yOf, height, isStrong: row === longest && picture === 0 });
    marks.push(
      cells
        .filter(({ id }) => numbers || !id.startsWith('columns '))
        .map((mark) => (mark.id.startsWith('columns ') ? { ...mark, id: `${mark.id} of ${row}` } : mark)),
    );
    if (picture > 0 || row === longest) marks.push(skipsOfRow(facts, grid, row, (line) => yOf(line) + height));
    y += grid.lines * pitch;
  }
  y = Math.max(y, isWide ? 224 : 284);
  marks.push(
    words('skip means', { x: grid.x, y: isWide ? y : y - 4, w: isWide ? 0 : NARROW.width }, skipMeans(facts), {
      tone: 'indices',
      size: isWide ? 13 : 12,
    }),
    bitsStrip(facts, layout, y + (isWide ? 32 : 48), picture < 2),
  );
  return drawing(layout, marks);
}

/** Up to `count` rows of the window in order, among them those that frames speak of. */
function skipRows({ ofRow, lead, lanes, wide }: WindowFacts, count: number): readonly number[] {
  const wanted = [lanes?.row, lead?.row, wide?.row, ...ofRow.keys()].filter((row) => row !== undefined);
  return [...new Set(wanted)].slice(0, count).toSorted((a, b) => a - b);
}

/** Below each weight of a row its skip, and a line over the columns that it counts. */
function skipsOfRow(
  { ofRow, maxSkip }: WindowFacts,
  grid: RowGrid,
  row: number,
  yOf: (line: number) => number,
): readonly DrawnMark[] {
  return ofRow[row].flatMap(({ column, skip, entry }): DrawnMark[] => {
    const isWide = skip > maxSkip;
    const tone = isWide ? 'neutral' : 'indices';
    const from = column - skip;
    const lines = new Set(Array.from({ length: skip }, (_, i) => lineOf(grid, from + i)));
    const y = yOf(lineOf(grid, column)) + 8;
    const text = isWide ? '?' : String(skip);
    return [
      ...[...lines].map((line): DrawnMark => {
        const begin = leftOf(grid, Math.max(from, line * grid.fold));
        const last = Math.min(column - 1, (line + 1) * grid.fold - 1);
        const x2 = leftOf(grid, last) + grid.pitch - 2;
        const top = yOf(line) + 5;
        const state = isWide ? { state: 'ghost' as const } : {};
        return {
          id: `counted ${entry} ${line}`,
          shape: 'line',
          tone,
          x: begin,
          y: top,
          w: x2 - begin,
          h: 0,
          points: [
            [begin, top],
            [x2, top],
          ],
          thickness: 1.5,
          ...state,
        };
      }),
      words(`skip ${entry}`, { x: leftOf(grid, column) + grid.pitch / 2 - 1, y: y - 1 }, text, {
        align: 'middle',
        face: 'mono',
        strong: true,
        tone,
        size: Math.min(12, fitting(grid.pitch, text.length)),
      }),
    ];
  });
}

function skipMeans({ weights, maxSkip }: WindowFacts): DrawnMark['runs'] & object {
  const small = weights.filter(({ skip }) => skip <= maxSkip);
  const longest = small.reduce((max, { skip }) => Math.max(max, skip), 0);
  const share =
    small.length === weights.length
      ? `All ${small.length}`
      : `${countText(small.length)} of the ${countText(weights.length)}`;
  return [
    { text: 'Skip', strong: true },
    { text: `: empty columns before the weight. ` },
    { text: small.length === 0 ? '' : `${share} are ${longest === 0 ? '0' : `${longest} or less`}.` },
  ];
}

/** The bits of a weight and of where it is: first the obvious way, then with its skip. */
function bitsStrip(facts: WindowFacts, layout: DrawingLayout, y: number, isObvious: boolean): readonly DrawnMark[] {
  const isWide = layout === 'wide';
  const { valueBits, skipBits } = facts;
  const [x, width] = isWide ? [GUTTER, 384] : [0, NARROW.width];
  const all = valueBits + COLUMN_BITS;
  const at = (bits: number): number => x + (width * bits) / all;
  const h = 26;
  const where = isObvious ? COLUMN_BITS : skipBits;
  const saved = COLUMN_BITS - where;
  const skipWidth = at(valueBits + where) - at(valueBits) - 2;
  const label = isObvious ? `column: ${COLUMN_BITS} bits` : skipWidth > 40 ? `skip: ${skipBits}` : String(skipBits);
  const marks: Parts = [
    {
      id: 'strip saved',
      shape: 'box',
      tone: 'neutral',
      state: 'ghost',
      x: at(valueBits + where),
      y,
      w: at(all) - at(valueBits + where),
      h,
      text: saved === 0 ? '' : `${saved} bits saved`,
      face: 'sans',
    },
    {
      id: 'strip weight',
      shape: 'box',
      tone: 'values',
      level: 1,
      x,
      y,
      w: at(valueBits) - x - 2,
      h,
      text: `${valueBits} bits`,
      face: 'sans',
    },
    {
      id: 'strip skip',
      shape: 'box',
      tone: 'indices',
      level: 1,
      x: at(valueBits),
      y,
      w: skipWidth,
      h,
      text: label,
      face: 'sans',
      size: 11,
    },
  ];
  const said = isObvious
    ? [{ text: `${all} bits`, strong: true, tone: 'ink' as const }, { text: ' a weight' }]
    : [{ text: `${valueBits + skipBits} bits`, strong: true, tone: 'ink' as const }, { text: ` instead of ${all}` }];
  marks.push(words('strip text', isWide ? { x: x + width + 14, y: y + 2 } : { x: 0, y: y + 34 }, said, { size: 15 }));
  if (isWide) marks.push(words('strip title', { x: 0, y: y + 4 }, 'a weight', { size: 12, strong: true, tone: 'ink' }));
  return marks.flat();
}

/** Patterns that are drawn: of many the first and last eight. */
const DRAWN_PATTERNS = 16;

/** All numbers that the bits of a skip can write: a few before the answer, all after it. */
export function patternsPicture(facts: WindowFacts, layout: DrawingLayout, isAnswered: boolean): Drawing {
  const { skipBits, maxSkip } = facts;
  const count = Math.min(DRAWN_PATTERNS, maxSkip + 1);
  const known = isAnswered ? count : Math.max(1, Math.min(4, count / 4));
  const isWide = layout === 'wide';
  const perLine = isWide ? (skipBits > 4 ? 8 : 16) : skipBits > 4 ? 3 : 4;
  const pitch = (isWide ? 760 : NARROW.width) / Math.max(perLine, 3);
  const bitPitch = Math.min(14, (pitch - (isWide ? 8 : 12)) / skipBits);
  const at = {
    pitch,
    bitPitch,
    perLine,
    top: isWide ? 20 : 10,
    linePitch: isWide ? 72 : 58,
    bits: skipBits,
  };
  const bottom = at.top + Math.ceil(count / perLine) * at.linePitch;
  const half = DRAWN_PATTERNS / 2;
  const isPart = maxSkip + 1 > DRAWN_PATTERNS;
  const which = isAnswered
    ? isPart
      ? 'the first and the last patterns'
      : 'all patterns'
    : `the first ${known === 1 ? 'pattern' : 'patterns'}`;
  return drawing(layout, [
    ...Array.from({ length: count }, (_, i) => i).flatMap((i) =>
      pattern(i, i < half ? i : maxSkip + 1 - count + i, at, i < known),
    ),
    words('patterns', { x: 0, y: bottom }, `${which} of ${counted(skipBits, 'bit')}`, { size: 12 }),
  ]);
}

/** Number `value` and its bits, or a dashed outline of these. */
function pattern(
  i: number,
  value: number,
  at: {
    readonly pitch: number;
    readonly bitPitch: number;
    readonly perLine: number;
    readonly top: number;
    readonly linePitch: number;
    readonly bits: number;
  },
  isKnown: boolean,
): readonly DrawnMark[] {
  const width = at.bits * at.bitPitch;
  const x = (i % at.perLine) * at.pitch;
  const y = at.top + Math.floor(i / at.perLine) * at.linePitch;
  const place = { x, y: y + 20, h: 24 };
  if (!isKnown)
    return [{ id: `pattern ${i}`, shape: 'box', tone: 'neutral', state: 'ghost', ...place, w: width - 1.5 }];
  return [
    words(`pattern ${i} number`, { x: x + width / 2, y }, String(value), {
      align: 'middle',
      face: 'mono',
      strong: true,
      tone: 'indices',
      size: 14,
    }),
    ...bitCells(
      `pattern ${i}`,
      bitsOf(value, at.bits),
      { ...place, pitch: at.bitPitch, height: place.h },
      { tone: 'indices', gap: 1 },
    ),
  ];
}
