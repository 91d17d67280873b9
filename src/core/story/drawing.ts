import type { DrawnMark, TextRun, Tone } from './scene.ts';
import { valueText } from './words.ts';

/* Marks of drawings whose positions are fixed, in points, and the units of numbers in cells. */

/** Extent of a drawing that is not laid out for its room. */
export const WIDE = { width: 760, height: 340 } as const;
export const NARROW = { width: 340, height: 470 } as const;
/** Top of the counter, which always stands at the bottom. */
const COUNTER_Y = { wide: 300, narrow: 420 } as const;

export type DrawingLayout = 'wide' | 'narrow';

/** The extent of a drawing. */
export function sizeOf(layout: DrawingLayout): typeof WIDE | typeof NARROW {
  return layout === 'wide' ? WIDE : NARROW;
}

/** Words at a point. `at.w`: they are broken to lines of this width. */
export function words(
  id: string,
  at: { readonly x: number; readonly y: number; readonly w?: number },
  text: string | readonly TextRun[],
  look: Partial<Pick<DrawnMark, 'size' | 'face' | 'strong' | 'align' | 'tone' | 'focus' | 'from'>> = {},
): DrawnMark {
  const said = typeof text === 'string' ? { text } : { runs: text };
  return { id, shape: 'text', tone: 'neutral', ...at, w: at.w ?? 0, h: 0, ...said, ...look };
}

/** How the cells of a window write their weights: whole numbers, so that they fit. */
export interface CellUnit {
  readonly perOne: number;
  /** 'tenths'; null where cells hold the weights as they are */
  readonly name: string | null;
}

const UNITS: readonly CellUnit[] = [
  { perOne: 1, name: null },
  { perOne: 10, name: 'tenths' },
  { perOne: 100, name: 'hundredths' },
  { perOne: 1000, name: 'thousandths' },
  { perOne: 1e4, name: 'ten-thousandths' },
  { perOne: 0.1, name: 'tens' },
  { perOne: 0.01, name: 'hundreds' },
  { perOne: 0.001, name: 'thousands' },
];
/** A weight this close to a whole number is one that was rounded to its type. */
const NEARLY_WHOLE = 0.01;

/** The unit in which all values are whole numbers of two digits, or else the unit of the largest. O(values). */
export function cellUnit(values: Iterable<number>): CellUnit {
  const finite = Array.from(values, Math.abs).filter(Number.isFinite);
  const max = finite.reduce((a, b) => Math.max(a, b), 0);
  const fits = ({ perOne }: CellUnit): boolean => max * perOne < 99.5;
  const isWhole = ({ perOne }: CellUnit): boolean =>
    finite.every((value) => {
      const whole = Math.round(value * perOne);
      return Math.abs(value * perOne - whole) <= NEARLY_WHOLE * Math.min(1, whole);
    });
  return (
    UNITS.find((unit) => fits(unit) && isWhole(unit)) ??
    UNITS.find((unit) => fits(unit) && max * unit.perOne >= 9.95) ??
    UNITS[0]
  );
}

/** A weight as a whole number of the unit; one that is far too large, in a few characters: 3e38, ∞; one that is nearly 0: ~0. */
export function unitText(value: number, { perOne }: CellUnit): string {
  const rounded = Math.round(Math.abs(value) * perOne);
  if (!(rounded < 1000)) return valueText(value);
  if (rounded === 0) return value === 0 ? '0' : '~0';
  return (value < 0 ? '\u2212' : '') + String(rounded);
}

/** The unit of numbers in cells, by the largest of them, as a sentence after another one; none without a unit. */
export function unitMeans(values: readonly number[], unit: CellUnit): string {
  if (unit.name === null || values.length === 0) return '';
  const largest = values.reduce((max, value) => (Math.abs(value) > Math.abs(max) ? value : max));
  return ` In ${unit.name}: ${unitText(largest, unit)} is ${valueText(largest)}.`;
}

/** A part of a counter's bar. */
interface CounterPart {
  readonly tone: Tone;
  readonly value: number;
  /** below the bar: 'weights 88'; none where the part needs no name */
  readonly label?: string;
}

/** Bytes (or work) so far, against dense as a dashed outline. It is always in the same place. */
export interface Counter {
  /** left of the bar: 'row 0', 'these rows', 'bytes' */
  readonly title: string;
  readonly parts: readonly CounterPart[];
  /** the length of the dashed outline: dense; parts that are longer make it shorter than the bar */
  readonly of: number;
  /** at the right end of the bar, below it: 'dense 256' */
  readonly ofText?: string;
  /** the number, large, and what follows it: '140', 'of 256 bytes' */
  readonly number: string;
  readonly unit: string;
  /** below the number */
  readonly note?: string;
}

/** Width of the words left of pictures: row labels, titles of arrays and of the counter. */
export const GUTTER = 64;
const COUNTER_WIDTH = 460;
const BAR_HEIGHT = 16;

/** Width of the words below a counter's bar, with the gap after them. */
const labelWidth = ({ text }: { readonly text: string }): number => text.length * 5.9 + 8;

/** Moves labels to the right of those before them, then to the left until the last ends with the bar. */
function placeLabels(labels: readonly { readonly text: string; x: number }[], start: number, end: number): void {
  let free = start;
  for (const label of labels) {
    label.x = Math.max(label.x, free);
    free = label.x + labelWidth(label);
  }
  let limit = end + 8;
  for (const label of labels.toReversed()) {
    label.x = Math.max(start, Math.min(label.x, limit - labelWidth(label)));
    limit = label.x;
  }
}

/** The marks of a counter. O(parts). */
export function counter(layout: DrawingLayout, given: Counter): readonly DrawnMark[] {
  const isWide = layout === 'wide';
  const y = COUNTER_Y[layout] + (isWide ? 0 : 18);
  const x = isWide ? GUTTER : 0;
  const width = isWide ? COUNTER_WIDTH : NARROW.width;
  const longest = Math.max(
    given.of,
    given.parts.reduce((all, { value }) => all + value, 0),
  );
  const scale = longest > 0 ? width / longest : 0;
  const dense = { x, y, w: given.of * scale, h: BAR_HEIGHT };
  const marks: DrawnMark[] = [{ id: 'counter dense', shape: 'box', tone: 'neutral', state: 'ghost', ...dense }];
  let end = x;
  const labels: { readonly i: number; readonly part: CounterPart; readonly text: string; x: number }[] = [];
  for (const [i, part] of given.parts.entries()) {
    const w = part.value * scale;
    marks.push({ id: `counter part ${i}`, shape: 'box', tone: part.tone, level: 1, x: end, y, w, h: BAR_HEIGHT });
    if (part.label !== undefined) labels.push({ i, part, text: part.label, x: end });
    end += w;
  }
  placeLabels(labels, x, x + width - (given.ofText === undefined ? 0 : labelWidth({ text: given.ofText })));
  for (const { i, part, text, x: start } of labels) {
    const at = { x: start, y: y + BAR_HEIGHT + 3 };
    marks.push(words(`counter label ${i}`, at, text, { tone: part.tone, size: 11 }));
  }
  if (given.ofText !== undefined)
    marks.push(words('counter of', { x: x + width, y: y + BAR_HEIGHT + 3 }, given.ofText, { align: 'end', size: 11 }));
  const numberAt = isWide ? { x: x + width + 16, y: y - 3 } : { x: 0, y: y - 26 };
  marks.push(
    words('counter number', numberAt, [{ text: given.number, strong: true, tone: 'ink' }, { text: ` ${given.unit}` }], {
      size: isWide ? 17 : 16,
    }),
  );
  if (given.note !== undefined) {
    const noteAt = isWide ? { x: x + width + 16, y: y + BAR_HEIGHT + 4 } : { x: NARROW.width, y: y - 22 };
    marks.push(words('counter note', noteAt, given.note, { size: 11, ...(!isWide && { align: 'end' as const }) }));
  }
  if (isWide)
    marks.push(words('counter title', { x: 0, y: y + 1 }, given.title, { size: 12, strong: true, tone: 'ink' }));
  return marks;
}
