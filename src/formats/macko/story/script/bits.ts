import { counter, type DrawingLayout, GUTTER, NARROW, unitText, words } from '../../../../core/story/drawing.ts';
import { elementName } from '../../../../core/story/scene-parts.ts';
import type { Drawing, DrawnMark, Tone } from '../../../../core/story/scene.ts';
import { numberText } from '../../../../core/story/stated.ts';
import { packedQ4 } from '../../../../core/number/index.ts';
import { bytesNumber, countText, counted } from '../../../../core/story/words.ts';
import { entryName } from '../scene-entries.ts';
import type { Weight, WindowFacts } from './facts.ts';
import { aloneGrid, drawing, exactText, fitting, weightLook } from '../../../../core/story/drawn-rows.ts';
import { plainRow } from './rows.ts';

/* Pictures of bits: the obvious way to say where a weight is, the columns that are skipped, and what a skip can say. */

/** Bits that say in the obvious way where a weight is. */
export const COLUMN_BITS = 16;
/** Weights whose bits are drawn in the obvious way. */
const DRAWN_WEIGHTS = 5;

/** How many weights of a row have their bits drawn, one after the other. */
export function drawnWeights({ ofRow }: WindowFacts, row: number): number {
  return Math.min(DRAWN_WEIGHTS, ofRow[row].length);
}

/** A number in bits, highest first. */
export function bitCells(
  id: string,
  bits: string,
  at: { readonly x: number; readonly y: number; readonly pitch: number; readonly height: number },
  look: { readonly tone: Tone; readonly about?: readonly string[]; readonly from?: string; readonly gap?: number },
): readonly DrawnMark[] {
  const size = Math.min(11, fitting(at.pitch - 1, 1.2));
  return Array.from(bits, (bit, i) => ({
    id: `${id}.${bits.length - 1 - i}`,
    shape: 'box',
    tone: look.tone,
    x: at.x + i * at.pitch,
    y: at.y,
    w: at.pitch - (look.gap ?? 1.5),
    h: at.height,
    level: Number(bit),
    ...(size >= 6.5 && { text: bit, size }),
    ...(look.about && { about: look.about }),
    ...(look.from !== undefined && { from: look.from }),
  }));
}

export function bitsOf(value: number, bits: number): string {
  return value.toString(2).padStart(bits, '0');
}

/** The bits of a skip. */
export function skipBitCells(
  facts: WindowFacts,
  entry: number,
  skip: number,
  at: { readonly x: number; readonly y: number; readonly width: number; readonly height: number },
  look: { readonly about?: readonly string[]; readonly from?: string } = {},
): readonly DrawnMark[] {
  const pitch = at.width / facts.skipBits;
  return bitCells(`bit ${entry}`, bitsOf(skip, facts.skipBits), { ...at, pitch }, { tone: 'indices', ...look });
}

/** Bits of a weight as it is stored, highest first. */
function weightBits({ t, valueBits }: WindowFacts, entry: number): string {
  const { values } = t.encoded;
  if (values instanceof Uint8Array) return bitsOf(packedQ4(values, entry), valueBits);
  const bytes = new Uint8Array(values.buffer, values.byteOffset + (entry * valueBits) / 8, valueBits / 8);
  return Array.from(bytes, (byte) => bitsOf(byte, 8))
    .toReversed()
    .join('');
}

/** The first `done` weights of a row in the obvious way: each with the bits of its column's number. */
export function obviousPicture(facts: WindowFacts, layout: DrawingLayout, row: number, done: number): Drawing {
  const all = facts.ofRow[row];
  const grid = aloneGrid(facts, layout);
  const isWide = layout === 'wide';
  const linePitch = isWide ? 38 : grid.lines > 2 ? 34 : 42;
  const yOf = (line: number): number => 18 + line * linePitch;
  const y = yOf(grid.lines - 1) + (isWide ? 32 : 28);
  const shown = all.slice(0, Math.min(done, isWide || grid.lines <= 2 ? DRAWN_WEIGHTS : DRAWN_WEIGHTS - 1));
  const marks: DrawnMark[] = [
    ...plainRow(facts, grid, row, { yOf, height: isWide ? 22 : 20 }),
    ...(isWide ? wideBits(facts, shown, y) : narrowBits(facts, shown, y)),
  ];
  const isLast = done >= drawnWeights(facts, row);
  const end = y + 20 + shown.length * (isWide ? 32 : 46);
  const note = obviousNote(facts, all, shown);
  if (isLast && note !== '')
    marks.push(words('alike', { x: grid.x, y: end, w: isWide ? 0 : NARROW.width }, note, { size: isWide ? 12 : 11 }));
  // All weights of the row count, also those without room for their bits.
  return drawing(layout, [...marks, ...obviousCounter(facts, layout, row, isLast ? all.length : done)]);
}

function wideBits(facts: WindowFacts, shown: readonly Weight[], y: number): readonly DrawnMark[] {
  const pitch = Math.min(14.5, 542 / (facts.valueBits + COLUMN_BITS));
  const x = GUTTER + 70;
  const columnX = x + facts.valueBits * pitch + 14;
  return [
    words('weight bits', { x, y }, 'the weight', { strong: true, tone: 'values' }),
    words('column bits', { x: columnX, y }, 'its column number', {
      strong: true,
      tone: 'indices',
    }),
    ...shown.flatMap((weight, i) => {
      const at = { y: y + 20 + i * 32, height: 24, pitch };
      return [
        ...obviousWeight(facts, weight, { y: at.y, x: GUTTER, w: 62 }),
        ...obviousBits(facts, weight, { ...at, x }, { ...at, x: columnX }),
        words(`column ${i}`, { x: columnX + COLUMN_BITS * pitch + 8, y: at.y + 3 }, `column ${weight.column}`, {
          tone: 'indices',
        }),
      ];
    }),
  ];
}

function narrowBits(facts: WindowFacts, shown: readonly Weight[], y: number): readonly DrawnMark[] {
  const x = 70;
  const pitchOf = (bits: number): number => Math.min(16.8, (NARROW.width - x) / bits);
  return [
    words('weight bits', { x: 0, y }, 'the weight', {
      strong: true,
      tone: 'values',
      size: 12,
    }),
    words('column bits', { x: NARROW.width, y }, 'its column number', {
      strong: true,
      tone: 'indices',
      size: 12,
      align: 'end',
    }),
    ...shown.flatMap((weight, i) => {
      const at = { x, y: y + 20 + i * 46, height: 18 };
      return [
        ...obviousWeight(facts, weight, { y: at.y, x: 0, w: 60 }),
        ...obviousBits(
          facts,
          weight,
          { ...at, pitch: pitchOf(facts.valueBits) },
          { ...at, y: at.y + 20, pitch: pitchOf(COLUMN_BITS) },
        ),
        words(`column ${i}`, { x: 0, y: at.y + 22 }, `column ${weight.column}`, { tone: 'indices', size: 12 }),
      ];
    }),
  ];
}

function obviousWeight(
  facts: WindowFacts,
  weight: Weight,
  at: { readonly x: number; readonly y: number; readonly w: number },
): readonly DrawnMark[] {
  const text = exactText(facts, weight.value, 1);
  const look = weightLook(facts, weight, null);
  const id = elementName('values', weight.entry);
  const h = at.w > 60 ? 24 : 18;
  const from = look.about?.[0];
  return [
    {
      id,
      shape: 'box',
      tone: 'neutral',
      ...look,
      ...at,
      h,
      text,
      size: Math.min(12, fitting(at.w - 4, text.length)),
      ...(from !== undefined && { from }),
    },
  ];
}

interface BitsAt {
  readonly x: number;
  readonly y: number;
  readonly pitch: number;
  readonly height: number;
}

function obviousBits(facts: WindowFacts, weight: Weight, ofWeight: BitsAt, ofColumn: BitsAt): readonly DrawnMark[] {
  const about = [entryName(weight.entry)];
  const from = elementName('values', weight.entry);
  return [
    ...bitCells(`weight bit ${weight.entry}`, weightBits(facts, weight.entry), ofWeight, {
      tone: 'values',
      about,
      from,
    }),
    ...bitCells(`column bit ${weight.entry}`, bitsOf(weight.column, COLUMN_BITS), ofColumn, {
      tone: 'indices',
      about,
      from,
    }),
  ];
}

/** Why weights that look alike have other bits; and how many of the row are not drawn. */
function obviousNote(facts: WindowFacts, all: readonly Weight[], shown: readonly Weight[]): string {
  const alike = new Map<string, Set<string>>();
  for (const { value } of shown) {
    const text = unitText(value, facts.unit);
    alike.set(text, (alike.get(text) ?? new Set()).add(exactText(facts, value, 1)));
  }
  const [text, exact] = [...alike].reduce((max, one) => (one[1].size > max[1].size ? one : max));
  const differ =
    exact.size > 1
      ? `: the ${numberText({ value: exact.size, rounding: 'word' })} ${text}s are different numbers.`
      : '.';
  const digit = facts.unit.name === null || facts.unit.perOne < 1 ? '' : `One digit more than above${differ} `;
  const rest = all.length - shown.length;
  return `${digit}${rest > 0 ? `${counted(rest, 'more weight')} in this row.` : ''}`.trim();
}

const SHARE_OF_WHERE: Readonly<Record<number, string>> = {
  4: 'four fifths say where',
  8: 'two thirds say where',
  16: 'half of it says where',
  32: 'a third says where',
};

function obviousCounter(facts: WindowFacts, layout: DrawingLayout, row: number, done: number): readonly DrawnMark[] {
  const weights = (done * facts.valueBits) / 8;
  const columns = (done * COLUMN_BITS) / 8;
  const dense = (facts.t.window.cols * facts.valueBits) / 8;
  const each = (facts.valueBits + COLUMN_BITS) / 8;
  return counter(layout, {
    title: `row ${row}`,
    parts: [
      { tone: 'values', value: weights, label: `weights ${bytesNumber(weights)}` },
      { tone: 'indices', value: columns, label: `column numbers ${bytesNumber(columns)}` },
    ],
    of: dense,
    ...(layout === 'wide' && { ofText: `dense ${bytesNumber(dense)}` }),
    number: bytesNumber(weights + columns),
    unit: `of ${bytesNumber(dense)} bytes`,
    note: `${layout === 'wide' ? `${countText(done)} \u00d7 ${each} bytes: ` : ''}${SHARE_OF_WHERE[facts.valueBits]}`,
  });
}
