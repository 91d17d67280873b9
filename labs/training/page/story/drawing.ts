// Drawings of the training story: marks placed by hand in points (1 px at scale 1), with a counter below.

import { type DrawingLayout, type DrawingSpace, drawingSize } from '../../../../src/story/drawing-space.ts';
import type { Drawing, DrawnMark, TextRun, Tone } from '../../../../src/story/scene.ts';

/** y of the counter's top, near the bottom of the drawing. */
const COUNTER_Y = { wide: 300, narrow: 420 } as const;

/** Largest scale. */
const MAX_SCALE = 2.25;
/** Smallest scale, as a share of the scale that fills the width: in less height, the picture is scrolled. */
const MIN_SHARE = { wide: 0.75, narrow: 0.8 } as const;
/** Size in points of words for which none is set. */
const usualSize = ({ shape }: DrawnMark): number => (shape === 'box' || shape === 'frame' ? 12 : 13);

/**
 * A drawing of these marks, enlarged to fill the available space; `height`: the largest visible y. On a phone
 * it always fills the width, since words are small there; in less height only its rows move closer together.
 */
export function drawing(
  layout: DrawingLayout,
  parts: readonly (DrawnMark | readonly DrawnMark[])[],
  height: number = drawingSize(layout).height,
): Drawing {
  const marks = parts.flat();
  const { width, height: fullHeight } = drawingSize(layout);
  return {
    width,
    height,
    marks,
    inSpace(space: DrawingSpace) {
      const byWidth = space.width / width;
      const x = Math.min(MAX_SCALE, byWidth);
      const y = Math.min(x, Math.max(space.height / fullHeight, byWidth * MIN_SHARE[layout]));
      const scale = layout === 'narrow' ? { x, y } : { x: y, y };
      return { width: width * scale.x, height: height * scale.y, marks: marks.map((mark) => enlarged(mark, scale)) };
    },
  };
}

function enlarged(mark: DrawnMark, scale: { readonly x: number; readonly y: number }): DrawnMark {
  // Words grow in half px, rounded down, so that a tight fit remains one at every scale.
  const size = Math.floor((mark.size ?? usualSize(mark)) * scale.x * 2) / 2;
  return { ...mark, x: mark.x * scale.x, y: mark.y * scale.y, w: mark.w * scale.x, h: mark.h * scale.y, size };
}

/** A mark with text at a point. `at.w`: the text is broken into lines of this width. */
export function textMark(
  id: string,
  at: { readonly x: number; readonly y: number; readonly w?: number },
  text: string | readonly TextRun[],
  style: Partial<Pick<DrawnMark, 'size' | 'strong' | 'tone'>> = {},
): DrawnMark {
  const content = typeof text === 'string' ? { text } : { runs: text };
  return { id, shape: 'text', tone: 'neutral', ...at, w: at.w ?? 0, h: 0, ...content, ...style };
}

/**
 * A bar with a number: a count, in a dashed outline as long as its maximum. All drawings have it at the same position.
 */
interface Counter {
  /** left of the bar */
  readonly title: string;
  /** the bar, left to right; with a label below */
  readonly parts: readonly { readonly tone: Tone; readonly value: number; readonly label?: string }[];
  /** the length of the dashed outline */
  readonly max: number;
  /** the number, large, and what follows it: '140', 'of 256' */
  readonly number: string;
  readonly unit: string;
}

/** Width of the words left of pictures, in points. */
export const GUTTER = 64;
const COUNTER_WIDTH = 460;
const BAR_HEIGHT = 16;

/** Mean width of a letter of the labels below a counter's bar, and the gap after a label, in points. */
const LABEL_LETTER = 5.9;
const LABEL_GAP = 8;

const labelWidth = (text: string): number => text.length * LABEL_LETTER + LABEL_GAP;

/** The marks of a counter. O(parts). */
export function counter(layout: DrawingLayout, { title, parts, max, number, unit }: Counter): readonly DrawnMark[] {
  const isWide = layout === 'wide';
  const y = COUNTER_Y[layout] + (isWide ? 0 : 18);
  const x = isWide ? GUTTER : 0;
  const width = isWide ? COUNTER_WIDTH : drawingSize('narrow').width;
  const marks: DrawnMark[] = [
    { id: 'counter dense', shape: 'box', tone: 'neutral', state: 'ghost', x, y, w: width, h: BAR_HEIGHT },
  ];
  let end = x;
  let labelsEnd = x;
  for (const [i, { tone, value, label }] of parts.entries()) {
    const w = (value / max) * width;
    marks.push({ id: `counter part ${i}`, shape: 'box', tone, level: 1, x: end, y, w, h: BAR_HEIGHT });
    if (label !== undefined) {
      const start = Math.max(labelsEnd, Math.min(end, x + width - labelWidth(label)));
      marks.push(textMark(`counter label ${i}`, { x: start, y: y + BAR_HEIGHT + 3 }, label, { tone, size: 11 }));
      labelsEnd = start + labelWidth(label);
    }
    end += w;
  }
  const position = isWide ? { x: x + width + 16, y: y - 3 } : { x: 0, y: y - 26 };
  const runs: readonly TextRun[] = [{ text: number, strong: true, tone: 'ink' }, { text: ` ${unit}` }];
  marks.push(textMark('counter number', position, runs, { size: isWide ? 17 : 16 }));
  if (isWide) marks.push(textMark('counter title', { x: 0, y: y + 1 }, title, { size: 12, strong: true, tone: 'ink' }));
  return marks;
}
