import type { DrawnMark, Tone } from '../scene.ts';
import { countText, MINUS } from '../../core/text/words.ts';
import {
  axisMarks,
  type Cell,
  cellMark,
  type Grid,
  type CellOrRun,
  omittedCount,
  type PlacedCellOrRun,
  type Span,
  spanMarks,
} from './cell-marks.ts';
import { isNarrow, type Part, type LayoutSpace } from './layout-space.ts';
import { LINE, smallestText, textPx, widthOf, wordsMark } from './text-layout.ts';

/** A row of cells with its title, and with brackets above or below the cells. */
export interface CellRow {
  readonly id: string;
  readonly title?: string;
  readonly tone?: Tone;
  readonly strong?: boolean;
  /** words right of its cells */
  readonly after?: string;
  /** null: no cell is drawn */
  cell(i: number): Cell | null;
  readonly spans?: readonly Span[];
}

/** The row of cells that shows an array, a cell per element. */
export function arrayRow(
  id: string,
  title: string,
  tone: Tone,
  cell: CellRow['cell'],
  spans: readonly Span[] = [],
): CellRow {
  return { id, title, tone, cell, spans };
}

/** How rows of cells are drawn, and which cells may be omitted in a narrow picture. */
export interface CellsStyle {
  readonly count: number;
  /** numbers above the cells; every fourth if more do not fit */
  readonly axis?: ((i: number) => string) | null;
  /** a gap follows each group of this many cells: a tile, a lane, a block */
  readonly group?: number;
  /** width of a cell at most, in em */
  readonly max?: number;
  /** texts of the same cells in other pictures, so that cells are equally wide in all */
  readonly widest?: readonly string[];
  /** further texts that limit the size of the font, but not the length of lines */
  readonly sized?: readonly string[];
  /** texts right of the same columns in other parts of the picture: their width stays free here, too */
  readonly afters?: readonly string[];
  /** titles left of the same columns in other parts, so that all columns begin at the same x even on a phone */
  readonly besides?: readonly string[];
  /** maximum groups on a line: lines then have whole groups, if at least one group fits */
  readonly groupsPerLine?: number;
  /** cells [from, to) that stay on one line where the choice of the lines' length can achieve it */
  readonly unbroken?: readonly (readonly [number, number])[];
  /**
   * most lines; cells that do not fit are counted instead of drawn: runs of empty cells, then cells far from `focus`
   */
  readonly lines?: number;
  readonly focus?: number;
  /** whether lines are made shorter where the text would otherwise be small */
  readonly hasWideGaps?: boolean;
  /** cells without text, all on one line; some are omitted only if there are more than 64: for a whole matrix */
  readonly bare?: boolean;
  /** text and cells are enlarged on a phone, as long as every picture of the story fits */
  readonly grows?: boolean;
  /** rows touch, since their boxes are parts of one box; no title is between them */
  readonly isJoined?: boolean;
  /** columns that are drawn even if they are empty here, since other pictures need them */
  readonly hasWeight?: (i: number) => boolean;
}

/** Lengths of a line in cells to choose from, where not all cells fit on one. */
const PER_LINE = [64, 48, 32, 24, 16, 12, 8, 6, 4, 3, 2, 1];
/** The same for the only line of a row whose empty cells are counted. */
const ONE_LINE = [8, 12, 16, 24, 32, 48, 64];
/** In em, added to the width of texts if the longest has a minus, which then touches neither edge nor neighbour. */
const MINUS_PAD = 0.3;
/** px between larger texts of cells next to each other. */
const TEXT_GAP = 8;
/** px between titles of one line. */
const TITLE_GAP = 14;
/** px from the cells of a row to the text right of them. */
const GAP = 8;
/** px between boxes that are parts of one box. */
const JOINT = 1;
/** Least width of a cell without text, and of one with text, px. */
const MIN_BARE = 3;
const MIN_CELL = 10;
/** px around the text of a cell, and of an outlined cell. */
const PAD = 1.5;
const OUTLINED_PAD = 4.5;
/** Usual height of a cell relative to its text. */
const USUAL_HEIGHT = 1.6;
/** Largest width and height of cells that grow, in em, and their largest height relative to their width. */
const WIDEST = 6.5;
const HIGHEST = 4.5;
const TALLER = 1.35;
/** Text in higher cells is larger: by this share of the factor by which they are higher, up to this factor of running text. */
const LARGER_TEXT = 0.6;
const LARGEST_TEXT = 1.8;
/** Maximum factor of the height of cells without text. */
const MAX_BARE = 3;
/** Least height of cells as a share of the usual one, at which text still fits. */
const LOWEST = 0.8;
/** Share of the running text's size below which text is small. */
const SMALL = 0.8;
/** Shorter runs of empty cells are drawn. */
const MIN_RUN = 3;
/** In rows of more cells than this, empty cells are counted instead of drawn even if they fit. */
const WIDE = 64;

/** A part of a picture: rows of cells that share their columns, on as many lines as their texts need. O(cells). */
export function cells(style: CellsStyle, rows: readonly CellRow[]): Part {
  const { count } = style;
  const cellsByRow = rows.map((row) => Array.from({ length: count }, (_, i) => row.cell(i)));
  const texts = [...cellsByRow.flatMap((row) => row.flatMap((cell) => cell?.text ?? [])), ...(style.widest ?? [])];
  let cachedRuns: ReturnType<typeof blankRuns> | null = null;
  const runs = () => (cachedRuns ??= blankRuns(rows, cellsByRow, style));
  /** width of the widest text of a cell, which limits the cells of a line, and of any text that limits the font, in em */
  const [textWidth, fontLimitWidth] = [texts, [...texts, ...(style.sized ?? [])]].map((some) => {
    const widthIn = widthOfWords(some);
    return (available: LayoutSpace): number => (style.bare ? 0 : widthIn(available));
  });
  const pad = cellsByRow.some((row) => row.some((cell) => cell?.style === 'outline')) ? OUTLINED_PAD : PAD;
  /** least width of a cell, px */
  const minPxFor = (available: LayoutSpace): number =>
    style.bare ? MIN_BARE : Math.max(MIN_CELL, textWidth(available) * smallestText(available) + pad);
  return {
    titles: rows.flatMap(({ title }) => title ?? []),
    naturalWidth(available) {
      const cellsWidth =
        count * minPxFor(available) + gaps(style, available, count) + widthNextToCells(available, rows, style);
      const labels = rows.flatMap(({ spans = [] }) => spans.map((span) => span.text));
      return labels.reduce(
        (max, words) => Math.max(max, widthOf(available, words, textPx(available, 'small'), true)),
        cellsWidth,
      );
    },
    lay(available, width) {
      if (count === 0 || rows.length === 0) return { h: 0, marks: [] };
      const advance = textWidth(available);
      const fontAdvance = fontLimitWidth(available);
      const minPx = minPxFor(available);
      const small = textPx(available, 'small');
      const side = sidePx(available, style.bare);
      const afterWidth = widthNextToCells(available, rows, style);
      const allTitles = [...rows.map(({ title = '' }) => title), ...(style.besides ?? [])];
      const titleWidth = allTitles.reduce((max, title) => Math.max(max, widthOf(available, title, side, true) + 6), 0);
      const oneLine = count * minPx + gaps(style, available, count);
      const gutter =
        available.gutter > 0 || !isNarrow(available)
          ? available.gutter
          : titleWidth > 6 && oneLine <= width - titleWidth - afterWidth
            ? titleWidth
            : 0;
      const space = width - gutter - afterWidth;
      const maxPx = Math.max(minPx, widestCell(style, available) * available.em);
      /** px from a cell to the next, in a line of n cells */
      const pitchOf = (n: number): number => Math.min(maxPx, (space - gaps(style, available, n)) / n);
      const itemsFor = (n: number): readonly CellOrRun[] =>
        itemsOf(style, runs, n, (label) => (widthOf(available, label, small) + 8) / pitchOf(n));
      const usualPerLine = cellsOfLine(style, available, space, minPx, advance);
      // Fewer and larger cells, if the cells that remain after counting the empty cells fit on one line.
      const perLine =
        (count > WIDE &&
          ONE_LINE.find((n) => n * minPx + gaps(style, available, n) <= space && fitsOneLine(itemsFor(n), n))) ||
        Math.min(usualPerLine, WIDE);
      const pitch = pitchOf(perLine);
      const gap = pitch < 6 ? 0.5 : pitch < 24 ? 1 : 2;
      const usualText = cellText(available, pitch - pad + PAD - gap, fontAdvance);
      const { grow } = available;
      const usualHeight = usualText * USUAL_HEIGHT * Math.max(LOWEST, Math.min(grow, 1));
      const maxHeight = Math.min((available.isSmall ? WIDEST : HIGHEST) * available.em, TALLER * (pitch - gap));
      const grownHeight = Math.max(usualHeight, Math.min(usualHeight * Math.max(1, grow), maxHeight));
      // Larger text needs a distance from the text of the next cell.
      const largestText = available.em * Math.min(LARGEST_TEXT, (LARGER_TEXT * grownHeight) / usualHeight);
      const largerText = cellText({ ...available, em: largestText }, pitch - pad - gap - TEXT_GAP, fontAdvance);
      const size = Math.max(usualText, largerText);
      // A title next to small text needs the height of a line.
      const titleHeight = titleWidth > 6 && gutter > 0 ? side * LINE : 0;
      const h = style.bare
        ? Math.round(small * Math.max(LOWEST, isNarrow(available) ? grow : 1.15 * Math.min(grow, MAX_BARE)))
        : Math.max(titleHeight, grownHeight);
      // If only the height is needed, and no cell is omitted, the number of lines follows from the number of cells.
      const linesAreCounted =
        available.heightOnly &&
        count <= Math.min(WIDE, (style.lines ?? 3) * perLine) &&
        rows.every(({ spans }) => !spans?.length);
      const items = linesAreCounted ? [] : placed(itemsFor(perLine), perLine);
      const xOf = (start: number): number =>
        gutter + start * pitch + (style.group ? Math.floor(start / style.group) * groupGap(available) : 0);
      const grid: Grid = { available, width, gutter, small, xOf, rightOf: (end) => xOf(end - 1) + pitch - gap };
      const marks: DrawnMark[] = [];
      // Text next to small cells is higher than the cells.
      let y = style.bare ? Math.max(0, (side * LINE - h) / 2) : 0;
      const lines = linesAreCounted ? Math.ceil(count / perLine) : (items.at(-1)?.line ?? 0) + 1;
      for (let line = 0; line < lines; line++) {
        const lineItems = items.filter((item) => item.line === line);
        /** On a phone, titles are above the cells of the first line. */
        const titlesAbove = (titledRows: readonly CellRow[]): void => {
          if (line > 0 || gutter > 0 || !isNarrow(available)) return;
          let x = 0;
          for (const row of titledRows) {
            const { id, title } = row;
            if (title === undefined) continue;
            // Two titles on one line would read as heads of columns, though their rows are below each other.
            const label = x > 0 && titledRows.length === 2 ? `below: ${title}` : title;
            marks.push(wordsMark(`title ${id}`, label, x, y, { ...titleStyle(row), size: small }));
            x += widthOf(available, label, small, row.strong) + TITLE_GAP;
          }
          if (x > 0) y += small * LINE;
        };
        if (style.axis) titlesAbove(rows.slice(0, 1));
        if (style.axis) {
          if (!available.heightOnly)
            for (const mark of axisMarks(grid, `axis ${rows[0].id}`, style.axis, lineItems, count))
              marks.push({ ...mark, y });
          y += small * LINE;
        }
        for (const [r, row] of rows.entries()) {
          const spans = (above: boolean): void => {
            const laid = spanMarks(grid, row.spans ?? [], above, items, line);
            for (const mark of laid.marks) marks.push({ ...mark, y: mark.y + y });
            y += laid.h;
          };
          spans(true);
          if (!style.isJoined && !(style.axis && r === 0)) titlesAbove([row]);
          if (style.isJoined && r === 0) titlesAbove(style.axis ? rows.slice(1) : rows);
          if (row.title !== undefined && (line === 0 || style.isJoined) && gutter > 0) {
            const id = line === 0 ? `title ${row.id}` : `title ${row.id} ${line}`;
            marks.push(wordsMark(id, row.title, 0, y + (h - side * LINE) / 2, { ...titleStyle(row), size: side }));
          }
          const last = line === 0 && !available.heightOnly ? lineItems.at(-1) : undefined;
          if (row.after !== undefined && last) {
            const [x, middle] = [grid.rightOf(last.end) + GAP, y + (h - side * LINE) / 2];
            marks.push(wordsMark(`after ${row.id}`, row.after, x, middle, { ...titleStyle(row), size: side }));
          }
          for (const { from, start, end, text: label } of available.heightOnly ? [] : lineItems) {
            const rect = { x: xOf(start), y, w: grid.rightOf(end) - xOf(start), h };
            if (label !== undefined) {
              if (r === 0) marks.push(omittedCount(`${row.id} left out ${from}`, label, rect, small));
            } else {
              const cell = cellsByRow[r][from];
              const box = cell?.isTall ? { ...rect, h: 2 * h + JOINT } : rect;
              if (cell) marks.push(cellMark(cell, `${row.id} ${from}`, box, size, row.tone, style.bare === true));
            }
          }
          y += h + (style.bare ? 2 : style.isJoined && r < rows.length - 1 ? JOINT : 3);
          spans(false);
        }
        if (line < lines - 1) y += 0.4 * available.em;
      }
      // The text of a bracket is centred, so half of it may be right of the cells.
      const bracketWidths = rows.flatMap(({ spans = [] }) =>
        spans.map(({ text }) => widthOf(available, text, small, true)),
      );
      const right = xOf(Math.min(perLine, count)) + afterWidth + Math.max(0, ...bracketWidths) / 2; // bounded: brackets
      return { h: y - 3, right: Math.min(width, right), marks };
    },
  };
}

/**
 * Maximum width of a cell, in em. Cells that may grow become wider as they become higher; the cells of a small matrix
 * are square.
 */
function widestCell({ max = 3, grows, bare }: CellsStyle, { grow, isSmall }: LayoutSpace): number {
  const square = Math.min(USUAL_HEIGHT * Math.max(1.2, grow), WIDEST);
  if (isSmall && !bare) return grows ? Math.max(square, Math.min(max, 3)) : square;
  return grows ? Math.min(max * grow, Math.max(max, WIDEST)) : max;
}

const titleStyle = ({ tone = 'neutral', strong = false }: CellRow) => ({ tone, strong }) as const;

const sidePx = (available: LayoutSpace, isBare = false): number =>
  textPx(available, isBare || isNarrow(available) ? 'small' : 'text');

/** px for the text right of the cells. */
const widthNextToCells = (
  available: LayoutSpace,
  rows: readonly CellRow[],
  { bare, afters = [] }: CellsStyle,
): number =>
  [...rows.flatMap(({ after }) => after ?? []), ...afters].reduce(
    (max, after) => Math.max(max, GAP + widthOf(available, after, sidePx(available, bare), true)),
    0,
  );

const groupGap = ({ em }: LayoutSpace): number => 0.7 * em;

/** The width of all gaps between groups in a line of `count` cells, in px. */
function gaps({ group = 0 }: CellsStyle, available: LayoutSpace, count: number): number {
  return group > 0 ? (Math.ceil(count / group) - 1) * groupGap(available) : 0;
}

/** Width of the widest of some texts, in em. */
function widthOfWords(texts: readonly string[]): (available: LayoutSpace) => number {
  const longest = [...new Set(texts)].toSorted((a, b) => b.length - a.length).slice(0, 3);
  const isSigned = longest.some((text) => text.startsWith(MINUS) && text.length === longest[0].length);
  return ({ measure }) =>
    Math.max(
      0.6,
      ...longest.map((text) => measure(text, { face: 'mono', px: 100 }) / 100), // bounded: 3
    ) + (isSigned ? MINUS_PAD : 0);
}

/** Font size of the text in a cell of this width, in half px; `advance`: width of the text in em. */
function cellText(available: LayoutSpace, width: number, advance: number): number {
  if (advance === 0) return textPx(available, 'small');
  const fits = Math.floor((width / advance) * 2) / 2;
  return Math.max(smallestText(available), Math.min(available.em, fits));
}

/** Cells on each line in `space` px, where a cell needs `minPx` px. */
function cellsOfLine(style: CellsStyle, available: LayoutSpace, space: number, minPx: number, advance: number): number {
  const { count, lines = 3, hasWideGaps, groupsPerLine = 0, group = 1, unbroken = [] } = style;
  const fitsOnLine = (n: number): boolean => n * minPx + gaps(style, available, n) <= space;
  if (style.bare) return count;
  if (groupsPerLine > 0) {
    let together = Math.min(groupsPerLine, Math.ceil(count / group));
    while (together > 1 && !fitsOnLine(together * group)) together--;
    if (fitsOnLine(together * group)) return together * group;
  }
  const lengths = lineLengths(style);
  const longest = fitsOnLine(count) ? count : (lengths.find((n) => n < count && fitsOnLine(n)) ?? 1);
  const linesFor = (n: number): number => Math.ceil(count / n);
  const brokenRanges = (n: number): number =>
    unbroken.filter(([from, to]) => Math.floor(from / n) < Math.floor((to - 1) / n)).length;
  // Fewer cells per line, on as many lines, make the lines more equal in length.
  const candidates = longest === count ? [] : lengths.filter((n) => n <= longest && linesFor(n) === linesFor(longest));
  let [n = longest] = candidates.toReversed().toSorted((a, b) => brokenRanges(a) - brokenRanges(b));
  if (!hasWideGaps) return n;
  const isSmall = (perLine: number): boolean =>
    cellText(available, space / perLine - 2, advance) < SMALL * available.em;
  for (const fewer of lengths) if (fewer < n && isSmall(n) && linesFor(fewer) <= lines) n = fewer;
  return n;
}

/** Lengths of a line that end with a group, or divide groups equally. */
function lineLengths({ group = 0 }: CellsStyle): readonly number[] {
  return group > 0 ? PER_LINE.filter((n) => n % group === 0 || group % n === 0) : PER_LINE;
}

/** The word after a count of omitted cells: empty cells, or 'more' cells, not filled yet or too far from the focus. */
type OmittedKind = 'empty' | 'more';

/** Runs of columns without text in any row; no bracket begins or ends within a run. */
function blankRuns(
  rows: readonly CellRow[],
  cellsByRow: readonly (readonly (Cell | null)[])[],
  { count, hasWeight }: Pick<CellsStyle, 'count' | 'hasWeight'>,
) {
  const edges = new Set(rows.flatMap(({ spans = [] }) => spans.flatMap(({ from, to }) => [from, to])));
  const isEmpty = (cell: Cell | null): boolean =>
    cell?.text === undefined && !cell?.ring && cell?.style !== 'lit' && cell?.style !== 'plain';
  const isBlank = (i: number): boolean => !hasWeight?.(i) && cellsByRow.every((row) => isEmpty(row[i]));
  // Cells that are not filled yet do not count as empty.
  const isGhost = (i: number): boolean => cellsByRow.every((row) => !row[i] || row[i].style === 'ghost');
  const runs: { readonly from: number; readonly to: number; readonly what: OmittedKind }[] = [];
  for (let from = 0; from < count; from++) {
    if (!isBlank(from)) continue;
    let to = from + 1;
    while (to < count && isBlank(to) && !edges.has(to) && isGhost(to) === isGhost(from)) to++;
    if (to - from >= MIN_RUN) runs.push({ from, to, what: isGhost(from) ? 'more' : 'empty' });
    from = to - 1;
  }
  return runs;
}

/**
 * The content of lines of `perLine` cells: all cells, or counts instead of runs of empty cells, or only the cells
 * near `focus`. `cellsFor`: width of a text in cells.
 */
function itemsOf(
  { count, lines = 3, focus = 0, bare }: CellsStyle,
  runs: () => ReturnType<typeof blankRuns>,
  perLine: number,
  cellsFor: (label: string) => number,
): readonly CellOrRun[] {
  const single = (from: number, to: number): readonly CellOrRun[] =>
    Array.from({ length: to - from }, (_, i) => ({ from: from + i, to: from + i + 1, units: 1 }));
  const omitted = (from: number, to: number, what: OmittedKind, isOutside = false): CellOrRun => {
    const label = `${countText(to - from)} ${what}`;
    return { from, to, text: label, units: Math.min(perLine, Math.ceil(cellsFor(label))), isOutside };
  };
  if (count <= WIDE && (bare || count <= lines * perLine)) return single(0, count);
  const items: CellOrRun[] = [];
  let done = 0;
  for (const { from, to, what } of runs()) {
    const run = omitted(from, to, what);
    if (run.units >= to - from) continue;
    for (const cell of single(done, from)) items.push(cell);
    items.push(run);
    done = to;
  }
  for (const cell of single(done, count)) items.push(cell);
  const countUnits = omitted(0, count, 'more', true).units;
  const largest = items.reduce((max, { units }) => Math.max(max, units), countUnits);
  // The end of a line stays free where the next item does not fit.
  const free = lines * perLine - (lines - 1) * (largest - 1);
  /** by item, the width of all items before it, in cells */
  const before = [0];
  for (const { units } of items) before.push(before[before.length - 1] + units);
  const sum = (from: number, to: number): number => before[to] - before[from];
  if (sum(0, items.length) <= free) return items;
  // The items begin with the first cell, unless that omits the focus; then a third of the cells is before the focus.
  const focused = items.findIndex(({ to }) => to > focus);
  let first = 0;
  if (focused >= free || sum(0, focused + 1) > free - countUnits)
    for (first = focused; first > 0 && sum(first - 1, focused) <= free / 3;) first--;
  let last = first + 1;
  while (last < items.length && sum(first, last + 1) <= free - (first > 0 ? 2 : 1) * countUnits) last++;
  const [start, end] = [items[first].from, items[last - 1].to];
  return [
    ...(start > 0 ? [omitted(0, start, 'more', true)] : []),
    ...items.slice(first, last),
    ...(end < count ? [omitted(end, count, 'more', true)] : []),
  ];
}

/** Whether all items fit on one line, and only empty cells are omitted. */
const fitsOneLine = (items: readonly CellOrRun[], perLine: number): boolean =>
  unitsOf(items) <= perLine && !items.some(({ isOutside }) => isOutside);

const unitsOf = (items: readonly CellOrRun[]): number => items.reduce((sum, { units }) => sum + units, 0);

/** The items with their line and their position in the line, in cells. */
function placed(items: readonly CellOrRun[], perLine: number): readonly PlacedCellOrRun[] {
  let [line, start] = [0, 0];
  return items.map(({ from, to, text: label, units, isOutside }) => {
    if (start + units > perLine) [line, start] = [line + 1, 0];
    // Field by field: spreading the item would take most of the time of a picture.
    const place = { from, to, text: label, units, isOutside, line, start, end: start + units };
    start += units;
    return place;
  });
}
