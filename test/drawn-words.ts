// Checks that the words in a drawing do not overlap, leave it, or exceed their boxes, with estimated text sizes.

import type { Drawing } from '../src/story/scene.ts';
import { placeDrawing } from '../src/render/layout/drawing.ts';
import { estimateTextWidth } from '../src/render/text-measurer.ts';

interface Words {
  readonly mark: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly h: number;
}

/** Allowed error of estimated widths and heights, in points. */
const TOLERANCE = 2;
/** Share of a line's height that letters fill. */
const LETTERS = 0.7;

/** Minimum distance between letters and an outline, in points. */
const OUTLINE_GAP = 2;

/** Messages about words of a drawing that overlap each other or an outline, leave the drawing, or are wider than their box. O(words²). */
export function wordProblems(drawing: Drawing): string[] {
  const margin = placeDrawing({ ...drawing, marks: [] }, atOneToOne(drawing)).height - drawing.height;
  const words = placedWords(drawing, margin / 2);
  const wrong: string[] = [];
  for (const { mark, text, x, y, w, h } of words)
    if (x < -TOLERANCE || y < -TOLERANCE || x + w > drawing.width + TOLERANCE || y + h > drawing.height + TOLERANCE)
      wrong.push(
        `'${text}' of '${mark}' leaves the drawing: ${Math.round(x)}, ${Math.round(y)}, ${Math.round(w)} wide`,
      );
  for (const [i, a] of words.entries())
    for (const b of words.slice(i + 1)) {
      const across = Math.min(a.x + a.w, b.x + b.w) - Math.max(a.x, b.x);
      const down = Math.min(a.y + a.h, b.y + b.h) - Math.max(a.y, b.y);
      if (a.mark !== b.mark && across > TOLERANCE && down > TOLERANCE)
        wrong.push(`'${a.text}' of '${a.mark}' is below '${b.text}' of '${b.mark}'`);
    }
  for (const { id, shape, x, y, w, h } of drawing.marks) {
    if (shape !== 'frame') continue;
    for (const word of words) {
      const isAcross = Math.min(word.x + word.w, x + w) - Math.max(word.x, x) > TOLERANCE;
      const touches = [y, y + h].some((edge) => edge > word.y - OUTLINE_GAP && edge < word.y + word.h + OUTLINE_GAP);
      if (isAcross && touches) wrong.push(`'${word.text}' of '${word.mark}' touches the outline '${id}'`);
    }
  }
  for (const { id, shape, text, w, size = 12, state } of drawing.marks)
    if (
      (shape === 'box' || shape === 'frame') &&
      text !== undefined &&
      state !== 'ghost' &&
      text.length * size * 0.54 > w + TOLERANCE
    )
      wrong.push(`'${text}' is wider than '${id}'`);
  return wrong;
}

function atOneToOne({ width, height }: Drawing) {
  return { width: width + 16, stageHeight: height + 16, measure: estimateTextWidth };
}

function placedWords(drawing: Drawing, margin: number): readonly Words[] {
  return placeDrawing(drawing, atOneToOne(drawing)).marks.flatMap(({ mark, text, font, x, y, w, h }): Words[] => {
    if (text === null || (mark.shape !== 'text' && mark.shape !== 'bracket')) return [];
    const isBracket = mark.shape === 'bracket';
    const width = isBracket ? estimateTextWidth(text, font) : w;
    const left = isBracket ? x + (w - width) / 2 : x;
    const height = isBracket ? font.px * 1.4 : h;
    const top = isBracket ? y + (h - height) / 2 : y;
    const letters = height * LETTERS;
    return [
      {
        mark: mark.id.replace(/ \d+\.\d+$/, ''),
        text,
        x: left - margin,
        y: top + (height - letters) / 2 - margin,
        w: width,
        h: letters,
      },
    ];
  });
}
