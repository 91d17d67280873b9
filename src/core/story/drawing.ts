import type { DrawnMark, TextRun, Tone } from './scene.ts';
import { valueText } from './words.ts';

/**
 * Parts that the drawings of all directed stories share, so that the same thing always has the same look and place. Lengths
 * are in points.
 */

/** Extent of every drawing of a story, so that nothing changes its size from frame to frame. */
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

/** A line through points, from the first on. */
function polyline(
  id: string,
  points: readonly [readonly [x: number, y: number], ...(readonly [x: number, y: number])[]],
  look: Partial<Pick<DrawnMark, 'tone' | 'state' | 'thickness'>> = {},
): DrawnMark {
  const [[x, y]] = points;
  return { id, shape: 'line', tone: 'neutral', x, y, w: 0, h: 0, points, ...look };
}

/** A weight as a cell shows it: in a narrow cell two digits without the leading zero, or more if they would be zeros. */
export function cellText(value: number, width: number): string {
  const sign = value < 0 ? '\u2212' : '';
  const size = Math.abs(value);
  const digits =
    size === 0 || size >= 0.005 ? size.toFixed(2) : size >= 0.0005 ? size.toFixed(3) : size.toExponential(0);
  return sign + (width < 40 ? digits.replace(/^0(?=\.)/, '') : digits);
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

export interface CellLook {
  readonly tone?: Tone;
  readonly level?: number;
  readonly state?: 'ghost' | 'dim' | 'bare';
  readonly focus?: boolean;
  readonly text?: string;
  readonly label?: string;
  readonly about?: readonly string[];
  readonly from?: string;
  readonly size?: number;
  readonly strong?: boolean;
}

/** Cells in a row, `pitch` from one to the next, with a gap of 2 between them; `look` is null where none is drawn. */
export function cellRow(
  at: { readonly x: number; readonly y: number; readonly pitch: number; readonly height: number },
  count: number,
  idOf: (i: number) => string,
  look: (i: number) => CellLook | null,
): readonly DrawnMark[] {
  return Array.from({ length: count }, (_, i) => i).flatMap((i): DrawnMark[] => {
    const found = look(i);
    const place = { x: at.x + i * at.pitch, y: at.y, w: at.pitch - 2, h: at.height };
    return found ? [{ id: idOf(i), shape: 'box', tone: 'neutral', ...place, ...found }] : [];
  });
}

/** A part of a counter's bar. */
export interface CounterPart {
  readonly tone: Tone;
  readonly value: number;
  /** below the bar: 'weights 88'; none where the part needs no name */
  readonly label?: string;
  /** drawn pale: still to come */
  readonly isPale?: boolean;
  /** its length in dense: the part starts a dashed outline of this length and leaves the rest empty */
  readonly room?: number;
}

/** Bytes (or work) so far, against dense as a dashed outline. It is always in the same place. */
export interface Counter {
  /** left of the bar: 'row 0', 'all rows', 'bytes' */
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
/** Between the rooms of a counter's parts. */
const ROOM_GAP = 4;

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
  const hasRooms = given.parts.some(({ room }) => room !== undefined);
  const ghost = { shape: 'box', tone: 'neutral', state: 'ghost' } as const;
  const marks: DrawnMark[] = hasRooms ? [] : [{ id: 'counter dense', ...ghost, ...dense }];
  let end = x;
  const labels: { readonly i: number; readonly part: CounterPart; readonly text: string; x: number }[] = [];
  for (const [i, part] of given.parts.entries()) {
    const w = part.value * scale;
    const level = part.isPale ? 0 : 1;
    const room = part.room === undefined ? w : Math.max(0, part.room * scale - ROOM_GAP);
    if (part.room !== undefined && w < room)
      marks.push({ id: `counter room ${i}`, ...ghost, x: end, y, w: room, h: BAR_HEIGHT });
    const filled = { x: end, y, w: Math.min(w, room), h: BAR_HEIGHT };
    marks.push({ id: `counter part ${i}`, shape: 'box', tone: part.tone, level, ...filled });
    if (part.label !== undefined) labels.push({ i, part, text: part.label, x: end });
    end += part.room === undefined ? w : part.room * scale;
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

/** One bar of a verdict. */
export interface VerdictBar {
  readonly id: string;
  readonly title: string;
  /** below or behind the title */
  readonly note?: string;
  readonly value: number;
  /** after the bar, large: '23.9 µs' */
  readonly text: string;
  /** after that: '1.26 times as fast' */
  readonly more?: string;
  /** format: filled with its colour; reference: grey; rival: an outline */
  readonly look: 'format' | 'reference' | 'rival';
  /** the words after the bar say that it lost */
  readonly isLoss?: boolean;
}

/** Where the words after a bar start: after the line, if it would cross them. */
function textStart(x: number, text: string, line: number | undefined): number {
  const crosses = line !== undefined && line > x - 8 && line < x + text.length * 8;
  return crosses ? line + 8 : x;
}

/** At most three bars on one linear axis from 0, with a line at `mark`. `share`: how far they have grown, 0 to 1. */
export function verdictBars(
  layout: DrawingLayout,
  bars: readonly VerdictBar[],
  at: {
    readonly y: number;
    readonly max: number;
    readonly share: number;
    readonly mark?: { readonly value: number; readonly text: string };
  },
): readonly DrawnMark[] {
  const isWide = layout === 'wide';
  const [x, width] = isWide ? [210, 330] : [0, 190];
  const pitch = isWide ? 48 : 66;
  const height = isWide ? 30 : 32;
  const scale = at.max > 0 ? width / at.max : 0;
  const marks = bars.flatMap((bar, i): DrawnMark[] => {
    const y = at.y + i * pitch;
    const barY = isWide ? y : y + 20;
    const w = bar.value * scale * at.share;
    const textX = textStart(x + w + 8, bar.text, at.mark && x + at.mark.value * scale);
    const tone: Tone = bar.look === 'format' ? 'format' : 'neutral';
    const body: DrawnMark =
      bar.look === 'rival'
        ? { id: `bar ${bar.id}`, shape: 'frame', tone: 'ink', x, y: barY, w, h: height }
        : { id: `bar ${bar.id}`, shape: 'box', tone, level: 1, x, y: barY, w, h: height };
    const title = words(`bar title ${bar.id}`, { x: 0, y: isWide ? y + 6 : y }, bar.title, {
      tone: 'ink',
      strong: bar.look === 'format',
    });
    const note =
      bar.note === undefined
        ? []
        : [
            words(`bar note ${bar.id}`, isWide ? { x: x - 10, y: y + 7 } : { x: NARROW.width, y }, bar.note, {
              align: 'end',
              face: 'mono',
              size: 11,
            }),
          ];
    const value = words(
      `bar text ${bar.id}`,
      { x: textX, y: barY + (isWide ? 6 : 2) },
      [
        { text: bar.text, strong: true, tone: bar.isLoss ? 'danger' : 'ink' },
        ...(bar.more !== undefined && isWide ? [{ text: `  ${bar.more}` }] : []),
      ],
      { size: 14 },
    );
    const below =
      bar.more !== undefined && !isWide
        ? [words(`bar more ${bar.id}`, { x: textX, y: barY + 19 }, bar.more, { size: 11 })]
        : [];
    return [body, title, ...note, value, ...below];
  });
  if (!at.mark) return marks;
  const lineX = x + at.mark.value * scale;
  // On a phone the titles are above the bars: the line leaves them out.
  const stretches = isWide
    ? [[at.y - 8, at.y + bars.length * pitch] as const]
    : bars.map((_, i) => [at.y + i * pitch + 16, at.y + i * pitch + 24 + height] as const);
  return [
    ...marks,
    ...stretches.map(([top, bottom], i) =>
      polyline(
        `bar mark ${i}`,
        [
          [lineX, top],
          [lineX, bottom],
        ],
        { tone: 'ink', state: 'ghost' },
      ),
    ),
    words('bar mark text', { x: lineX, y: at.y - 26 }, at.mark.text, { align: 'middle', size: 11 }),
  ];
}
