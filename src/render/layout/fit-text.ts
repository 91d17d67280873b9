import type { Mark, UnitKind } from '../../core/story/scene.ts';
import type { Font, TextMeasurer } from '../text-measurer.ts';
import type { PlacedMark, Rect } from './laid-out.ts';
import { SMALLEST_TEXT, UNITS } from './metrics.ts';

// One object for each font: thousands of marks share them, and comparing them is comparing references.
const MONO: readonly Font[] = Array.from({ length: 14 }, (_, px) => ({ face: 'mono', px }));
const MEASURE: readonly [Font, Font] = [
  { face: 'mono', px: 12 },
  { face: 'mono', px: 12, strong: true },
];
const WORDS: readonly [Font, Font] = [
  { face: 'sans', px: 12 },
  { face: 'sans', px: 12, strong: true },
];
/** The text layout of a mark without words, by size. */
const NO_WORDS = MONO.map((font) => ({ text: null, font }));

/** The words of a mark in the largest size that fits, or none. */
export function fitText(
  mark: Mark,
  rect: Rect,
  unit: UnitKind,
  right: number,
  measure: TextMeasurer,
): Pick<PlacedMark, 'text' | 'font'> {
  const largest = UNITS[unit].fontPx;
  const none = NO_WORDS[Math.min(12, largest)];
  if (mark.text === undefined || mark.text === '') return none;
  if (mark.shape === 'text') {
    const font = WORDS[mark.focus ? 1 : 0];
    return { text: shorten(mark.text, right - rect.x, font, measure), font };
  }
  if (mark.shape === 'bracket') {
    const font = MEASURE[mark.focus ? 1 : 0];
    return { text: measure(mark.text, font) <= rect.w + 6 ? mark.text : null, font };
  }
  if (mark.shape === 'line' || mark.state === 'ghost') return none;
  for (let px = largest; px >= SMALLEST_TEXT; px--) {
    const font = MONO[px];
    if (px + 2 <= rect.h && measure(mark.text, font) + 4 <= rect.w) return { text: mark.text, font };
  }
  return none;
}

/** The text, cut with '…' to the width; null if not even three characters fit. */
export function shorten(text: string, width: number, font: Font, measure: TextMeasurer): string | null {
  if (measure(text, font) <= width) return text;
  for (let n = text.length - 1; n >= 3; n--) {
    const cut = `${text.slice(0, n).trimEnd()}…`;
    if (measure(cut, font) <= width) return cut;
  }
  return null;
}

/** Boxes of the same width in one panel use one font size, the smallest that any of them needs. */
export function withEvenText(marks: readonly PlacedMark[]): readonly PlacedMark[] {
  const sizes = new Map<number, number>();
  let isEven = true;
  for (const { mark, text, font } of marks) {
    if (mark.shape !== 'box' || text === null) continue;
    const px = sizes.get(mark.w);
    if (px !== undefined && px !== font.px) isEven = false;
    if (px === undefined || font.px < px) sizes.set(mark.w, font.px);
  }
  if (isEven) return marks;
  return marks.map((placed) => {
    const px = sizes.get(placed.mark.w);
    if (placed.mark.shape !== 'box' || placed.text === null || px === undefined || px === placed.font.px) return placed;
    return { ...placed, font: MONO[px] };
  });
}
