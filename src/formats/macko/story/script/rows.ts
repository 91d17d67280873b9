import { type CellLook, counter, type CounterPart, type DrawingLayout, words } from '../../../../core/story/drawing.ts';
import { columnNumbers, rowCells, type RowGrid } from '../../../../core/story/drawn-rows.ts';
import { cellName } from '../../../../core/story/scene-parts.ts';
import type { DrawnMark, Tone } from '../../../../core/story/scene.ts';
import { bytesNumber } from '../../../../core/story/words.ts';
import type { Bytes, Weight, WindowFacts } from './facts.ts';
import { sumOf } from './facts.ts';

export function lineOf({ fold }: RowGrid, column: number): number {
  return Math.floor(column / fold);
}

/** Left edge of a column. */
export function leftOf({ x, fold, pitch }: RowGrid, column: number): number {
  return x + (column % fold) * pitch;
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
        face: /^\d+$/.test(said) ? 'mono' : 'sans',
        size: 12,
        strong: true,
        tone: look.tone,
      }),
    ];
  });
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
