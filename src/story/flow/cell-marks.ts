import type { DrawnMark, Tone } from '../scene.ts';
import { cellName, cellOfMark } from '../scene-parts.ts';
import type { LayoutSpace } from './layout-space.ts';
import { LINE, type Text, widthOf, wordsMark } from './text-layout.ts';

/**
 * A cell of a matrix or an array, and its style. lit: in full colour, a cell that the frame is about. plain: pale.
 * empty: without text. ghost: a dashed outline, not filled yet, or not in this row. outline: only a frame, for a
 * related cell, such as an element of x. words: text without a box.
 */
export interface Cell {
  readonly text?: string;
  readonly tone?: Tone;
  readonly style?: 'plain' | 'lit' | 'empty' | 'ghost' | 'outline' | 'words';
  /** with an additional outline, for a special cell */
  readonly ring?: boolean;
  /** two rows high: the row below has no cell here */
  readonly isTall?: boolean;
  readonly id?: string;
  /** id of the mark from whose position the cell moves here */
  readonly from?: string;
  readonly label?: string;
  /** names of the things that the cell shows: marks that share a name are highlighted together */
  readonly highlightNames?: readonly string[];
}

/** A bracket above or below cells [from, to), with a text. If the text is empty, only the bracket's space is kept. */
export interface Span {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly text: Text;
  readonly tone?: Tone;
  readonly above?: boolean;
}

/** A cell, or a run of cells that is replaced by its count, `text`. */
export interface CellOrRun {
  readonly from: number;
  readonly to: number;
  readonly text?: string | undefined;
  /** width in cells */
  readonly units: number;
  /** a run of all cells before the first or after the last that fits: no bracket covers it */
  readonly isOutside?: boolean | undefined;
}

/** A cell or run with its position: cells [start, end) of a line. */
export interface PlacedCellOrRun extends CellOrRun {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

/** Where cells of a line are, in px. */
export interface Grid {
  readonly available: LayoutSpace;
  readonly width: number;
  /** width of the column of titles left of the cells, px */
  readonly gutter: number;
  /** font size of numbers and of texts at brackets */
  readonly small: number;
  /** left edge of the cell `start` of a line, and right edge of the cell before `end` */
  readonly xOf: (start: number) => number;
  readonly rightOf: (end: number) => number;
}

/** px between texts on one line. */
const TEXT_GAP = 6;
/** px: the height of a bracket. */
const BRACKET = 8;

/** Numbers above the cells of a line: the first, every fourth and the last, if they fit. */
export function axisMarks(
  { available, width, small, xOf, rightOf }: Grid,
  id: string,
  text: (i: number) => string,
  items: readonly PlacedCellOrRun[],
  cellsOfRow: number,
): readonly DrawnMark[] {
  const font = { face: 'mono', px: small } as const;
  const numbers = items
    .filter(({ text: words }) => words === undefined)
    .map((item, n, all) => {
      const words = text(item.from);
      const w = available.measure(words, font);
      const x = Math.max(w / 2, Math.min((xOf(item.start) + rightOf(item.end)) / 2, width - w / 2));
      const isEnd = n === all.length - 1 || (n > 0 && all[n - 1].to !== item.from);
      // Numbers with a lower rank have priority: both ends of the line and of a gap, then every fourth.
      return { i: item.from, words, x, w, rank: isEnd || n === 0 ? 0 : item.from % 4 === 0 ? 1 : 2 };
    });
  const drawnNumbers: typeof numbers = [];
  for (const number of numbers.toSorted((a, b) => a.rank - b.rank || a.i - b.i)) {
    if (cellsOfRow > MAX_ALL_NUMBERED && number.rank === 2) continue;
    const hasSpace = drawnNumbers.every(({ x, w }) => Math.abs(x - number.x) >= (w + number.w) / 2 + TEXT_GAP);
    if (hasSpace) drawnNumbers.push(number);
  }
  return drawnNumbers.map(({ i, words, x }) => ({
    ...wordsMark(`${id} ${i}`, words, x, 0, { size: small, align: 'middle' }),
    face: 'mono',
  }));
}

/** A row of at most this many cells, on all its lines, has a number above each of them. */
const MAX_ALL_NUMBERED = 8;

/** The brackets above or below one line of cells, with their texts, stacked where they overlap. `h`: their height. */
export function spanMarks(
  { available, width, gutter, small, xOf, rightOf }: Grid,
  spans: readonly Span[],
  above: boolean,
  items: readonly PlacedCellOrRun[],
  line: number,
): { readonly h: number; readonly marks: readonly DrawnMark[] } {
  /** for each tier of the stack, from the cells outwards: where its last bracket and its last text end, px */
  const tiers: { bracket: number; words: number }[] = [];
  const pieces = spans.flatMap((span) => {
    if ((span.above ?? false) !== above) return [];
    const covered = items.filter(({ from, to, isOutside }) => from < span.to && to > span.from && !isOutside);
    const onThisLine = covered.filter((item) => item.line === line);
    const [first, last] = [onThisLine.at(0), onThisLine.at(-1)];
    if (!first || !last) return [];
    // A bracket over several lines has its text at the longest piece.
    const itemsByLine = new Map<number, number>();
    for (const item of covered) itemsByLine.set(item.line, (itemsByLine.get(item.line) ?? 0) + 1);
    const [[lineOfText]] = [...itemsByLine].toSorted((a, b) => b[1] - a[1]);
    const [left, right] = [xOf(first.start), rightOf(last.end)];
    const textWidth = widthOf(available, span.text, small, true);
    const hasWords = lineOfText === line && textWidth > 0;
    const start = Math.max(gutter, Math.min((left + right - textWidth) / 2, width - textWidth));
    const free = tiers.findIndex(({ bracket, words }) => bracket < left && (!hasWords || words + TEXT_GAP <= start));
    const tier = free < 0 ? tiers.length : free;
    tiers[tier] = { bracket: right, words: hasWords ? start + textWidth : (tiers[tier]?.words ?? -TEXT_GAP) };
    return [{ span, left, right, start, textWidth, hasWords, tier }];
  });
  // A text above cells is repeated at the bracket's pieces on other lines where it fits.
  const hasText = ({ left, right, start, textWidth, tier, hasWords }: (typeof pieces)[number]): boolean =>
    hasWords ||
    (above &&
      textWidth <= right - left &&
      pieces.every(
        (other) =>
          !other.hasWords ||
          other.tier !== tier ||
          other.start + other.textWidth + TEXT_GAP <= start ||
          start + textWidth + TEXT_GAP <= other.start,
      ));
  const tierHeight = BRACKET + small * LINE + 2;
  const marks = pieces.flatMap((piece): DrawnMark[] => {
    const { span, left, right, start, textWidth, hasWords, tier } = piece;
    if (span.text === '') return [];
    const top = (above ? tiers.length - 1 - tier : tier) * tierHeight;
    const style = { tone: span.tone ?? 'ink', h: BRACKET } as const;
    const bracket: DrawnMark = {
      id: lineId(span.id, line),
      shape: 'bracket',
      ...style,
      x: left,
      y: above ? top + small * LINE : top,
      w: right - left,
      ...(above && { opensDown: true }),
    };
    if (!hasText(piece)) return [bracket];
    const id = hasWords ? `${span.id} words` : lineId(`${span.id} words`, line + 1);
    const words = { size: small, tone: style.tone, strong: true, align: 'middle' } as const;
    return [bracket, wordsMark(id, span.text, start + textWidth / 2, above ? top : top + BRACKET, words)];
  });
  return { h: tiers.length === 0 ? 0 : tiers.length * tierHeight + 2, marks };
}

const lineId = (id: string, line: number): string => (line === 0 ? id : `${id} line ${line}`);

/** The text for a run of omitted cells: their count. */
export function omittedCount(
  id: string,
  text: string,
  rect: Pick<DrawnMark, 'x' | 'y' | 'w' | 'h'>,
  size: number,
): DrawnMark {
  const top = rect.y + (rect.h - size * LINE) / 2;
  return wordsMark(id, text, rect.x + rect.w / 2, top, { size, align: 'middle' });
}

/** The mark of a cell in its rectangle. `isBare`: the cell's text is in the tooltip alone. */
export function cellMark(
  cell: Cell,
  id: string,
  rect: Pick<DrawnMark, 'x' | 'y' | 'w' | 'h'>,
  size: number,
  tone: Tone = 'neutral',
  isBare = false,
): DrawnMark {
  const { text, style = text === undefined ? 'empty' : 'plain', from, label = text } = cell;
  // A mark that represents a cell is highlighted together with it.
  const matrixCell = cellOfMark(cell.id ?? id);
  const highlightNames = cell.highlightNames ?? (matrixCell && [cellName(matrixCell.row, matrixCell.col)]);
  // A frame is drawn around its rectangle, which is inset, so that the frame does not touch its neighbour. A narrow
  // frame, or one around a long text, may.
  const insetY = style === 'outline' ? 1 : 0;
  const insetX = rect.w < SMALL_FRAME || (text ?? '').length > NUMBER_LENGTH ? insetY : 2 * insetY;
  return {
    id: cell.id ?? id,
    shape: style === 'words' ? 'text' : style === 'outline' ? 'frame' : 'box',
    tone: style === 'ghost' || style === 'empty' ? 'neutral' : (cell.tone ?? tone),
    x: rect.x + insetX,
    y: rect.y + insetY,
    w: rect.w - 2 * insetX,
    h: rect.h - 2 * insetY,
    size,
    ...(text !== undefined && !isBare && { text }),
    ...(from !== undefined && { from }),
    ...(label !== undefined && { label }),
    ...(highlightNames && { highlightNames }),
    ...(cell.ring && { focus: true }),
    ...(style === 'words' && { strong: true, face: 'mono', align: 'middle' }),
    ...(style === 'ghost' && { state: 'ghost' }),
    ...(style === 'empty' && { level: 0 }),
    ...(style === 'lit' && { level: 1 }),
    ...(style === 'plain' && { level: isBare ? PLAIN_BARE_LEVEL : PLAIN_LEVEL }),
  };
}

/** A frame may touch its neighbours if it is narrower than this, px, or if its text has more than these characters. */
const SMALL_FRAME = 30;
const NUMBER_LENGTH = 3;

/** Strength of the colour of cells that the frame is not about, from 0 to 1; without text it is their only mark. */
const PLAIN_LEVEL = 0.12;
const PLAIN_BARE_LEVEL = 0.6;
