import type { DrawnMark, Tone } from '../scene.ts';
import { isNarrow, type Part, type LayoutSpace } from './layout-space.ts';
import { LINE, type Text, textPx, widthOf, wordsMark } from './text-layout.ts';

/** A segment of a bar, up to `to` on the axis; `from`: default the end of the segment before it. */
interface BarPart {
  readonly to: number;
  readonly from?: number;
  readonly tone: Tone;
  /** lit: filled. plain: pale. ghost: a dashed outline, for what is missing. outline: the bar to compare with */
  readonly style?: 'lit' | 'plain' | 'ghost' | 'outline';
  /** text in the segment, or below it where it does not fit */
  readonly text?: string;
  readonly label?: string;
  /** names of the things that it shows, as in `Mark` */
  readonly highlightNames?: readonly string[];
}

/** A bar of a chart, with its title and texts. */
export interface Bar {
  readonly id: string;
  readonly title: string;
  readonly strong?: boolean;
  readonly parts: readonly BarPart[];
  /** text after the end of the bar */
  readonly after?: Text;
  /** a thinner bar below for a second quantity, with text after it; `to` 0: the text alone */
  readonly lowerBar?: { readonly to: number; readonly text: string };
}

/** The axis of a chart of bars, and how they are drawn. */
export interface BarsStyle {
  readonly id: string;
  /** the value at the right end; bars are shorter where the texts after them need space */
  readonly max: number;
  /** the meaning of lengths: 'time: shorter is better' */
  readonly meaning?: string;
  /** of a bar, in em; default 1.6 */
  readonly height?: number;
  /** the widest text after a bar in other pictures: its width stays free, so that bars are equally long in all */
  readonly widest?: Text;
  /** the column of titles is as wide as these titles need, not as the gutter that all pictures of the story share */
  readonly isAlone?: boolean;
  /** with `isAlone`: titles of other charts in the same picture, whose bars begin at the same x as these */
  readonly besides?: readonly string[];
  /** a frame of the story moves through several pictures: bars have no length in the first, and grow in the second */
  readonly grow?: boolean;
}

/** px from a bar to the text after it. */
const AFTER_GAP = 10;
/** Strength of the colour of a thinner bar, from 0 to 1. */
const THIN_LEVEL = 0.5;
/** The least scale of bars, as a share of the scale at which the axis fills the width. */
const MIN_SCALE = 0.02;
/** Factor of the scale at each attempt to fit the texts. */
const SCALE_STEP = 0.97;
/** How much bars grow in height, as a share of the growth of the gaps (`gapFactor`). */
const BAR_GROWTH = 0.5;
/** Height of a thinner bar, as a share of the line of text next to it. */
const THIN_HEIGHT = 0.5;

/**
 * A part of a picture: horizontal bars on one axis from 0, drawn as long as the space for their texts allows.
 * O(segments).
 */
export function bars(style: BarsStyle, lines: readonly Bar[]): Part {
  const {
    id,
    max,
    meaning,
    height = 1.6,
    isAlone = false,
    besides: otherTitles = [],
    widest = '',
    grow = false,
  } = style;
  return {
    titles: isAlone ? [] : lines.map(({ title }) => title),
    naturalWidth: () => null, // takes all of the width
    lay(available, width) {
      const [text, small] = [textPx(available, 'text'), textPx(available, 'small')];
      const allTitles = [...lines.map(({ title }) => title), ...otherTitles];
      const titleWidth = Math.max(0, ...allTitles.map((title) => widthOf(available, title, text, true))); // bounded: bars of a picture
      // Titles are above their bars where there is no column for them, and texts after bars are above, too.
      const isAbove = isNarrow(available) || (!isAlone && available.gutter === 0);
      const { titleColumn } = available;
      if (isAlone && titleColumn) titleColumn.px = Math.max(titleColumn.px, titleWidth);
      const left = isAbove ? 0 : isAlone ? (titleColumn?.px ?? titleWidth) + available.em : available.gutter;
      const reserved = widthOf(available, widest, text);
      const afterWidths = lines.map(({ after }) =>
        after === undefined || isAbove ? 0 : Math.max(reserved, widthOf(available, after, text)),
      );
      const underWidths = lines.map(({ lowerBar }) => (lowerBar ? widthOf(available, lowerBar.text, small) : 0));
      const afterX = (i: number, scale: number): number => left + endOf(lines[i]) * scale + AFTER_GAP;
      const underX = (i: number, scale: number): number =>
        lines[i].lowerBar?.to ? left + lines[i].lowerBar.to * scale + AFTER_GAP : left;
      const textsFit = (scale: number): boolean =>
        lines.every(
          (line, i) =>
            left + endOf(line) * scale <= width &&
            (afterWidths[i] === 0 || afterX(i, scale) + afterWidths[i] <= width) &&
            (underWidths[i] === 0 || underX(i, scale) + underWidths[i] <= width),
        );
      // px per unit of the axis: bars become shorter until all texts fit.
      let scale = max > 0 ? (width - left) / max : 0;
      while (scale > MIN_SCALE * (width / max) && !textsFit(scale)) scale *= SCALE_STEP;
      // Bars with text in them do not shrink with the gaps.
      const hasTextInside = lines.some(({ parts }) => parts.some((part) => part.text !== undefined));
      const growth = Math.max(hasTextInside ? 0 : -1, available.gapFactor - 1);
      const styleHeight = height * available.em * (1 + BAR_GROWTH * growth);
      const h = isAbove ? styleHeight : Math.max(styleHeight, text * LINE);
      const isBeforeGrowth = grow && available.state === 0;
      const marks: DrawnMark[] = [];
      let y = 0;
      if (meaning !== undefined) {
        marks.push(wordsMark(`${id} means`, meaning, left, y, { size: small }));
        y += small * LINE + 4;
      }
      const gap = 0.5 * available.em * available.gapFactor;
      for (const [i, line] of lines.entries()) {
        const title = { tone: line.strong ? 'ink' : 'neutral', strong: line.strong ?? false } as const;
        const after = isBeforeGrowth ? undefined : line.after;
        if (isAbove) {
          marks.push(wordsMark(`${id} title ${line.id}`, line.title, 0, y, { ...title, size: small }));
          const afterWidth = line.after === undefined ? 0 : widthOf(available, line.after, small);
          const isAfterNextToTitle =
            widthOf(available, line.title, small, line.strong) + AFTER_GAP + afterWidth <= width;
          if (!isAfterNextToTitle) y += small * LINE;
          const afterStyle = { size: small, tone: 'ink', align: isAfterNextToTitle ? 'end' : 'start' } as const;
          if (after !== undefined)
            marks.push(wordsMark(`${id} after ${line.id}`, after, isAfterNextToTitle ? width : 0, y, afterStyle));
          y += small * LINE + 1;
        } else {
          const middle = y + (h - text * LINE) / 2;
          marks.push(wordsMark(`${id} title ${line.id}`, line.title, 0, middle, { ...title, size: text }));
          if (after !== undefined)
            marks.push(
              wordsMark(`${id} after ${line.id}`, after, afterX(i, scale), middle, { size: text, tone: 'ink' }),
            );
        }
        const laid = partMarks(available, `${id} ${line.id}`, line.parts, {
          left,
          width,
          scale,
          h,
          small,
          isBeforeGrowth,
        });
        for (const mark of laid.marks) marks.push({ ...mark, y: mark.y + y });
        y += h + laid.below;
        const { lowerBar } = line;
        if (lowerBar) {
          const lineHeight = small * LINE;
          const thinBar = { x: left, y: y + ((1 - THIN_HEIGHT) / 2) * lineHeight, h: THIN_HEIGHT * lineHeight };
          const w = isBeforeGrowth ? 1 : Math.max(1, lowerBar.to * scale - 1);
          const underId = `${id} under ${line.id}`;
          const label = `${line.title}: ${lowerBar.text}`;
          if (lowerBar.to > 0)
            marks.push({ id: underId, shape: 'box', ...thinBar, w, tone: 'neutral', level: THIN_LEVEL, label });
          if (!isBeforeGrowth)
            marks.push(wordsMark(`${underId} words`, lowerBar.text, underX(i, scale), y, { size: small }));
          y += lineHeight;
        }
        y += gap;
      }
      y -= gap;
      return { h: y, marks };
    },
  };
}

/** The value at which a bar ends. */
function endOf({ parts }: Bar): number {
  return parts.reduce((max, { to }) => Math.max(max, to), 0);
}

/** px between texts of segments on one line below a bar. */
const TEXT_GAP = 12;

/** The segments of a bar; texts that do not fit inside are drawn below it, in `below` px. */
function partMarks(
  available: LayoutSpace,
  id: string,
  parts: readonly BarPart[],
  geometry: { left: number; width: number; scale: number; h: number; small: number; isBeforeGrowth: boolean },
): { readonly marks: readonly DrawnMark[]; readonly below: number } {
  const { left, width, scale, h, small, isBeforeGrowth } = geometry;
  /** right end of the last text on each line below the bar */
  const lineEnds: number[] = [];
  let end = 0;
  const marks = parts.flatMap((part, p): DrawnMark[] => {
    const from = part.from ?? end;
    end = part.to;
    const [x, w] = [left + from * scale, (part.to - from) * scale];
    const style = part.style ?? 'lit';
    const textWidth = part.text === undefined ? 0 : widthOf(available, part.text, small);
    // Text on hatching is hard to read.
    const isInside = textWidth > 0 && textWidth + 8 <= w && part.tone !== 'padding';
    const box: DrawnMark = {
      id: `${id} ${p}`,
      shape: style === 'outline' ? 'frame' : 'box',
      tone: style === 'ghost' ? 'neutral' : part.tone,
      x,
      y: 0,
      w: isBeforeGrowth ? 1 : Math.max(1, w - 1),
      h,
      // A frame is drawn around its rectangle, so the rectangle is inset.
      ...(style === 'outline' && { x: x + 1, w: isBeforeGrowth ? 1 : Math.max(1, w - 3), y: 1, h: h - 2 }),
      ...(style === 'ghost' ? { state: 'ghost' } : { level: style === 'lit' ? 1 : 0.12 }),
      ...(isInside && !isBeforeGrowth && { text: part.text, face: 'sans', size: small }),
      ...((part.label ?? part.text) !== undefined && { label: part.label ?? part.text }),
      ...(part.highlightNames && { highlightNames: part.highlightNames }),
    };
    if (textWidth === 0 || isInside || isBeforeGrowth) return [box];
    // Texts follow each other on a line as far as they fit.
    const after = (line: number): number => Math.max(x, (lineEnds[line] ?? -TEXT_GAP) + TEXT_GAP);
    const free = lineEnds.findIndex((_, line) => after(line) + textWidth <= width);
    const textLine = free < 0 ? lineEnds.length : free;
    const start = Math.max(0, Math.min(after(textLine), width - textWidth));
    lineEnds[textLine] = start + textWidth;
    const words = { size: small, tone: part.tone === 'padding' ? 'neutral' : part.tone } as const;
    return [box, wordsMark(`${id} ${p} words`, part.text ?? '', start, h + 2 + textLine * small * LINE, words)];
  });
  return { marks, below: lineEnds.length === 0 ? 0 : lineEnds.length * small * LINE + 4 };
}
