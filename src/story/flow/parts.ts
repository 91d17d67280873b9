import type { TextRun, Tone } from '../scene.ts';
import { isNarrow, type LaidOut, moved, type Part, type LayoutSpace } from './layout-space.ts';
import { LINE, linesIn, type Text, type Size, textPx, widthOf, wordsMark } from './text-layout.ts';

/* Builds the parts of a picture of a story: texts, legends, and parts below or next to each other. */

/** Emphasised text, bold and in the darkest colour. */
export const ink = (text: string): TextRun => ({ text, strong: true, tone: 'ink' });

/** A text as a part: right of the gutter (the column of titles), in lines of the remaining width. */
export function note(
  id: string,
  text: Text,
  { size = 'text', tone = 'neutral', strong = false }: { size?: Size; tone?: Tone; strong?: boolean } = {},
): Part {
  return {
    titles: [],
    isText: true,
    naturalWidth: (available) => widthOf(available, text, textPx(available, size), strong),
    lay(available, width) {
      const px = textPx(available, size);
      const w = width - available.gutter;
      const mark = wordsMark(id, text, available.gutter, 0, { size: px, tone, strong, w });
      return { h: linesIn(available, text, px, w, strong) * px * LINE, marks: [mark] };
    },
  };
}

/** Longer meanings of a colour may be broken: they are wider than the narrowest stage, 304 px. */
const UNBROKEN_LENGTH = 32;

/** A legend: the meaning of each colour, next to a patch of it. */
export function legend(id: string, ...meanings: readonly (readonly [tone: Tone, words: string])[]): Part {
  // Padding is hatched.
  const patch = (tone: Tone): TextRun => ({ text: tone === 'padding' ? '\u25a8\u00a0' : '\u25a0\u00a0', tone });
  return note(
    id,
    meanings.flatMap(([tone, words]) => {
      const text = words.length > UNBROKEN_LENGTH ? words : words.replaceAll(' ', '\u00a0');
      return [patch(tone), { text: `${text}   ` }];
    }),
  );
}

/** One part, several parts, or none. */
type PartList = Part | readonly Part[] | null;

const partsOf = (lists: readonly PartList[]): readonly Part[] => lists.flatMap((list) => list ?? []);

/** Parts below each other, with the usual gap between them. */
export function stack(...lists: readonly PartList[]): Part {
  return stacked(partsOf(lists), ({ em, gapFactor }) => em * gapFactor);
}

/** Parts below each other with a small gap between them. */
export function tightStack(...lists: readonly PartList[]): Part {
  return stacked(partsOf(lists), ({ em }) => 0.25 * em);
}

/** The parts of each stack; where texts are right of cells, the parts of a stack within a stack are placed one by one. */
const partsOfStack = new WeakMap<Part, readonly Part[]>();

function stacked(parts: readonly Part[], gapOf: (available: LayoutSpace) => number): Part {
  const all = parts.flatMap((part) => partsOfStack.get(part) ?? [part]);
  const stack: Part = {
    titles: parts.flatMap(({ titles }) => titles),
    isText: parts.every(({ isText }) => isText === true),
    naturalWidth: (available) => widest(parts.map((part) => part.naturalWidth(available))),
    lay: (available, width) =>
      below(
        available.isBeside && !isNarrow(available)
          ? withTextsBeside(all, available, width)
          : parts.map((part) => part.lay(available, width)),
        gapOf(available),
      ),
  };
  partsOfStack.set(stack, all);
  return stack;
}

/** Gap between cells and the texts right of them, and minimum width of these texts, in em. */
const BESIDE_GAP = 2;
const MIN_TEXT_WIDTH = 20;

/** The parts below each other, with texts right of the parts before them if there is space for their lines. */
function withTextsBeside(parts: readonly Part[], available: LayoutSpace, width: number): readonly LaidOut[] {
  const laid: LaidOut[] = [];
  const { em } = available;
  // Parts [start, firstText) are no texts, and the texts [firstText, end) follow them.
  for (let start = 0; start < parts.length;) {
    let firstText = start;
    while (firstText < parts.length && !parts[firstText].isText) firstText++;
    let end = firstText;
    while (end < parts.length && parts[end].isText) end++;
    const leftParts = parts.slice(start, firstText).map((part) => part.lay(available, width));
    const right = leftParts.reduce((max, part) => Math.max(max, part.right ?? width), 0);
    const x = right + BESIDE_GAP * em;
    const textsIn = (space: LayoutSpace, textWidth: number): readonly LaidOut[] =>
      parts.slice(firstText, end).map((part) => part.lay(space, textWidth));
    if (leftParts.length === 0 || x + MIN_TEXT_WIDTH * em > width)
      laid.push(...leftParts, ...textsIn(available, width)); // bounded: the parts of a picture
    else {
      const [cells, words] = [
        below(leftParts, em * available.gapFactor),
        below(textsIn({ ...available, gutter: 0 }, width - x), (em * Math.min(1, available.gapFactor)) / 4),
      ];
      laid.push({ h: Math.max(cells.h, words.h), marks: [...cells.marks, ...moved(words.marks, x, 0)] });
    }
    start = end;
  }
  return laid;
}

/** The widest of these natural widths; null (all of the width) if one of them is null. */
function widest(widths: readonly (number | null)[]): number | null {
  return widths.reduce((max, w) => (max === null || w === null ? null : Math.max(max, w)), 0);
}

/** Laid out parts below each other; one without height has no gap. */
function below(parts: readonly LaidOut[], gap: number): LaidOut {
  let y = 0;
  const marks = parts.flatMap((part) => {
    const atY = moved(part.marks, 0, y);
    if (part.h > 0) y += part.h + gap;
    return atY;
  });
  return { h: Math.max(0, y - gap), marks };
}

/** Gap between parts next to each other, and between the lines of a row, in em. */
const ROW_GAP = 1.5;
const ROW_LINE_GAP = 0.8;

/** Parts next to each other, equally wide, as many on a line as fit. Only the first of a line has the gutter. */
export function row(...lists: readonly PartList[]): Part {
  const parts = partsOf(lists);
  return {
    titles: parts[0]?.titles ?? [],
    naturalWidth(available) {
      const partWidth = widest(parts.map((part) => part.naturalWidth(available)));
      return partWidth === null ? null : parts.length * partWidth + ROW_GAP * available.em * (parts.length - 1);
    },
    lay(available, width) {
      const gap = ROW_GAP * available.em;
      const widthOfEach = (n: number): number => (width - available.gutter - gap * (n - 1)) / n;
      const natural = widest(parts.map((part) => part.naturalWidth(available))) ?? Infinity;
      let perLine = isNarrow(available) ? 1 : parts.length;
      while (perLine > 1 && natural > widthOfEach(perLine)) perLine--;
      if (perLine <= 1)
        return below(
          parts.map((part) => part.lay(available, width)),
          ROW_LINE_GAP * available.em,
        );
      const partWidth = widthOfEach(perLine);
      const lines: LaidOut[] = [];
      for (let from = 0; from < parts.length; from += perLine) {
        const laid = parts
          .slice(from, from + perLine)
          .map((part, i) =>
            i === 0
              ? part.lay(available, available.gutter + partWidth)
              : part.lay({ ...available, gutter: 0 }, partWidth),
          );
        lines.push({
          h: Math.max(0, ...laid.map(({ h }) => h)), // bounded: the parts of one row
          marks: laid.flatMap(({ marks }, i) =>
            moved(marks, i === 0 ? 0 : available.gutter + i * (partWidth + gap), 0),
          ),
        });
      }
      return below(lines, ROW_LINE_GAP * available.em);
    },
  };
}

/** Draws `part` if its width fits, else `fallback`. */
export function fitting(part: Part, fallback: Part): Part {
  return {
    titles: [...part.titles, ...fallback.titles],
    naturalWidth: (available) => fallback.naturalWidth(available),
    lay: (available, width) =>
      ((part.naturalWidth(available) ?? 0) <= width - available.gutter ? part : fallback).lay(available, width),
  };
}

/** A part with a gap of half an em above it, for cells that do not line up with the cells of the part above. */
export function withGapAbove(part: Part): Part {
  return {
    ...part,
    lay(available, width) {
      const laid = part.lay(available, width);
      const gap = available.em / 2;
      return { ...laid, h: laid.h + gap, marks: moved(laid.marks, 0, gap) };
    },
  };
}

/** A part with a gutter as wide as these titles need, instead of the story's gutter. */
export function withOwnGutter(titles: readonly string[], part: Part): Part {
  return {
    ...part,
    titles: [],
    lay(available, width) {
      const px = textPx(available, 'text');
      const titleWidth = titles.reduce((max, title) => Math.max(max, widthOf(available, title, px, true)), 0);
      const { titleColumn } = available;
      if (titleColumn) titleColumn.px = Math.max(titleColumn.px, titleWidth);
      const gutter = (titleColumn?.px ?? titleWidth) + available.em;
      return part.lay({ ...available, gutter: isNarrow(available) ? 0 : gutter }, width);
    },
  };
}

/** A part in which all bars with titles of their own, and the texts between them, begin at the same x. */
export function withOneTitleColumn(part: Part): Part {
  return {
    ...part,
    titles: [],
    lay(available, width) {
      const titleColumn = { px: 0 };
      part.lay({ ...available, titleColumn }, width);
      const isWide = !isNarrow(available) && titleColumn.px > 0;
      return part.lay({ ...available, titleColumn, ...(isWide && { gutter: titleColumn.px + available.em }) }, width);
    },
  };
}

/** A part that is drawn from this state of its picture on; before that, its space is empty. States count from 0. */
export function since(state: number, part: Part): Part {
  return {
    ...part,
    lay(available, width) {
      const laid = part.lay(available, width);
      return available.state < state ? { ...laid, marks: [] } : laid;
    },
  };
}

/** Draws `before`, and from this state of its picture on `after` instead, in the space of the taller of the two. */
export function until(state: number, before: Part, after: Part): Part {
  return {
    ...after,
    titles: [...before.titles, ...after.titles],
    lay(available, width) {
      const [first, then] = [before, after].map((part) => part.lay(available, width));
      return { h: Math.max(first.h, then.h), marks: (available.state < state ? first : then).marks };
    },
  };
}
