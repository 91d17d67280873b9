import {
  type CellLook,
  cellRow,
  counter,
  type CounterPart,
  type DrawingLayout,
  GUTTER,
  sizeOf,
  unitText,
  words,
} from '../../../../core/story/drawing.ts';
import { cellName, magnitudeLevels, ticks } from '../../../../core/story/scene-parts.ts';
import type { Drawing, DrawnLink, DrawnMark, Tone } from '../../../../core/story/scene.ts';
import { countText, valueText } from '../../../../core/story/words.ts';
import type { Bytes, Weight, WindowFacts } from './facts.ts';
import { sumOf } from './facts.ts';
import { entryName } from '../scene-entries.ts';

/*
 * Rows of the window in the pictures of the frames: on lines of 32 columns, of 16 on a phone.
 */

/** Narrower cells have no numbers. */
const MIN_NUMBERED = 16;
const MAX_PITCH = 36;
/** Advance of a character of the mono face, in its size. */
const ADVANCE = 0.6;

/** Marks one by one or several at a time, in the order in which they are drawn. */
export type Parts = (DrawnMark | readonly DrawnMark[])[];

export function drawing(layout: DrawingLayout, parts: Readonly<Parts>, links?: readonly DrawnLink[]): Drawing {
  return { ...sizeOf(layout), marks: parts.flat(), ...(links && { links }) };
}

/** A weight with `more` digits more than its cell has. */
export function exactText({ unit }: WindowFacts, value: number, more: number): string {
  const digits = Math.log10(unit.perOne) + (unit.name === null ? 0 : more);
  const isPlain = Number.isFinite(value) && unit.perOne >= 1;
  return isPlain ? value.toFixed(digits).replace('-', '\u2212') : valueText(value);
}

/** Where the columns of a row are. */
export interface RowGrid {
  readonly x: number;
  readonly pitch: number;
  /** columns of a line, and lines of a row */
  readonly fold: number;
  readonly lines: number;
  readonly cols: number;
  /** points of the weights' numbers; null where there is no room for any */
  readonly size: number | null;
}

/** `room`: the width for the cells. `fold`: columns of a line at most. */
export function rowGrid(
  { t, weights, unit }: WindowFacts,
  at: { readonly x: number; readonly room: number; readonly fold: number },
): RowGrid {
  const { cols } = t.window;
  const fold = Math.max(1, Math.min(cols, at.fold));
  const pitch = Math.min(MAX_PITCH, at.room / fold);
  const digits = weights.reduce((max, { value }) => Math.max(max, unitText(value, unit).length), 1);
  const size = Math.min(12, fitting(pitch - 2, digits));
  return {
    x: at.x,
    pitch,
    fold,
    lines: Math.max(1, Math.ceil(cols / fold)),
    cols,
    size: pitch >= MIN_NUMBERED && size >= 7 ? size : null,
  };
}

/** The size in which as many characters of the mono face fit. */
export function fitting(width: number, characters: number): number {
  return width / (ADVANCE * Math.max(1, characters));
}

/** The grid of a row that stands alone: the whole width. */
export function aloneGrid(facts: WindowFacts, layout: DrawingLayout): RowGrid {
  const { width } = sizeOf(layout);
  return layout === 'wide'
    ? rowGrid(facts, { x: GUTTER, room: width - GUTTER, fold: 32 })
    : rowGrid(facts, { x: 0, room: width, fold: 16 });
}

export function lineOf({ fold }: RowGrid, column: number): number {
  return Math.floor(column / fold);
}

/** Left edge of a column. */
export function leftOf({ x, fold, pitch }: RowGrid, column: number): number {
  return x + (column % fold) * pitch;
}

/** Every fourth column's number above line `line`. */
export function columnNumbers(grid: RowGrid, line: number, y: number, id = 'columns'): readonly DrawnMark[] {
  const first = line * grid.fold;
  return ticks(first, Math.min(grid.cols, first + grid.fold)).map(({ at, text }) =>
    words(`${id} ${first + at}`, { x: grid.x + (at + 0.5) * grid.pitch - 1, y }, text, {
      align: 'middle',
      face: 'mono',
      size: 10,
    }),
  );
}

/** How a weight's cell is drawn. */
export function weightLook(facts: WindowFacts, weight: Weight, size: number | null): CellLook {
  const { row, column, value, entry } = weight;
  return {
    tone: 'values',
    level: magnitudeLevels(facts.t.window)(value),
    label: `row ${row}, column ${column}: ${valueText(value)}`,
    about: [cellName(row, column), entryName(entry)],
    ...(size !== null && { text: unitText(value, facts.unit), size }),
  };
}

/** One row, with `emptyLook` for what it holds besides weights. `yOf`: top of each line. */
export function rowCells(
  facts: WindowFacts,
  grid: RowGrid,
  row: number,
  at: { readonly yOf: (line: number) => number; readonly height: number },
  look: {
    readonly empty: (column: number) => CellLook | null;
    readonly weight?: (weight: Weight) => CellLook;
  },
): readonly DrawnMark[] {
  const byColumn = new Map(facts.ofRow[row].map((weight) => [weight.column, weight]));
  return Array.from({ length: grid.lines }, (_, line) => line).flatMap((line) => {
    const first = line * grid.fold;
    return cellRow(
      { x: grid.x, y: at.yOf(line), pitch: grid.pitch, height: at.height },
      Math.min(grid.fold, grid.cols - first),
      (i) => cellName(row, first + i),
      (i) => {
        const weight = byColumn.get(first + i);
        if (!weight) return look.empty(first + i);
        return { ...weightLook(facts, weight, grid.size), ...look.weight?.(weight) };
      },
    );
  });
}

/** A row whose empty columns are pale, with its columns' numbers above each line. */
export function plainRow(
  facts: WindowFacts,
  grid: RowGrid,
  row: number,
  at: { readonly yOf: (line: number) => number; readonly height: number; readonly isStrong?: boolean },
  weight?: (weight: Weight) => CellLook,
): readonly DrawnMark[] {
  const isWide = grid.x > 0;
  const right = grid.x + grid.fold * grid.pitch - 2;
  const place = isWide ? { x: 0, y: at.yOf(0) + at.height / 2 - 9 } : { x: right, y: at.yOf(0) - 17 };
  const title = words(`row ${row}`, place, `row ${row}`, {
    size: 12,
    align: isWide ? 'start' : 'end',
    strong: at.isStrong === true,
    tone: at.isStrong ? 'ink' : 'neutral',
  });
  const numbers = Array.from({ length: grid.lines }, (_, line) => columnNumbers(grid, line, at.yOf(line) - 15));
  return [
    // On a phone the row's name stands at the end of the first line of numbers.
    ...numbers.flatMap((line, i) => (isWide || i > 0 ? line : line.filter(({ x }) => x < right - 50))),
    title,
    ...rowCells(facts, grid, row, at, {
      empty: (column) => ({ label: `row ${row}, column ${column}: empty`, about: [cellName(row, column)] }),
      ...(weight && { weight }),
    }),
  ];
}

/** A measure below columns [from, to), in parts where it crosses lines. `text` stands below its middle. */
export function measure(
  id: string,
  grid: RowGrid,
  [from, to]: readonly [from: number, to: number],
  at: { readonly yOf: (line: number) => number },
  look: { readonly text: string; readonly longText?: string; readonly tone: Tone; readonly about?: readonly string[] },
): readonly DrawnMark[] {
  const [first, last] = [lineOf(grid, from), lineOf(grid, to - 1)];
  return Array.from({ length: last - first + 1 }, (_, i) => first + i).flatMap((line): DrawnMark[] => {
    const begin = Math.max(from, line * grid.fold);
    const end = Math.min(to, (line + 1) * grid.fold);
    const y = at.yOf(line);
    const x = leftOf(grid, begin);
    const w = (end - begin) * grid.pitch - 2;
    const part = line === first ? id : `${id} ${line}`;
    const isLong = end - begin >= 5;
    const whole = isLong && look.longText !== undefined ? look.longText : look.text;
    const said =
      first === last
        ? whole
        : line === last && isLong
          ? `\u2026 to here: ${look.text}`
          : isLong
            ? `${whole} \u2026`
            : '\u2026';
    const width = said.length * 7;
    const middle = Math.max(grid.x + width / 2, Math.min(grid.x + grid.fold * grid.pitch - width / 2, x + w / 2));
    const centre = first === last && said.length <= 2 ? x + w / 2 : middle;
    return [
      { id: part, shape: 'bracket', tone: look.tone, x, y, w, h: 10, ...(look.about && { about: look.about }) },
      words(`${part} text`, { x: centre, y: y + 8 }, said, {
        align: 'middle',
        face: 'mono',
        size: 12,
        strong: true,
        tone: look.tone,
      }),
    ];
  });
}

/** Bytes with up to three decimals: 2.5. */
export function bytesNumber(bytes: number): string {
  return Number.isInteger(bytes) ? countText(bytes) : String(Number(bytes.toFixed(3)));
}

const PARTS = [
  { key: 'weights', tone: 'values', one: 'weights' },
  { key: 'zeros', tone: 'padding', one: 'zeros' },
  { key: 'skips', tone: 'indices', one: 'skips' },
  { key: 'marks', tone: 'metadata', one: 'row marks' },
  { key: 'scales', tone: 'metadata', one: 'scales' },
] as const;

/** The kinds of bytes that there are, with their words and tones. */
export function byteParts(bytes: Bytes): readonly { name: string; tone: Tone; value: number }[] {
  return PARTS.map(({ key, tone, one }) => ({ name: one, tone, value: bytes[key] })).filter(({ value }) => value > 0);
}

/** The counter of stored bytes against dense. */
export function bytesCounter(
  layout: DrawingLayout,
  bytes: Bytes,
  against: { readonly title: string; readonly dense: number; readonly note?: string },
): readonly DrawnMark[] {
  // On a phone five names have room for one word each.
  const isShort = layout === 'narrow' && bytes.scales > 0;
  const parts = byteParts(bytes).map(({ name, tone, value }): CounterPart => {
    const label = `${isShort ? name.replace('row ', '') : name} ${bytesNumber(value)}`;
    return { tone, value, label };
  });
  return counter(layout, {
    title: against.title,
    parts,
    of: against.dense,
    ...(layout === 'wide' && { ofText: `dense ${bytesNumber(against.dense)}` }),
    number: bytesNumber(sumOf(bytes)),
    unit: `of ${bytesNumber(against.dense)} bytes`,
    ...(against.note !== undefined && { note: against.note }),
  });
}
