// The drawing of two texts, for stories and files.

import { freeTokens, brokenTokens, type TextPair } from '../text/text-pair.ts';
import { TINT_OPACITY, tintOf } from '../text/lost-bits.ts';
import { drawnTokens, type Line, wrapTokens } from '../text/wrap.ts';
import type { Drawing, DrawingColors, DrawingMark } from './drawing.ts';

/** Heights of a pair of lines, and of a single line, as multiples of the font size. */
const PAIR = 3.3;
const LINE = 1.35;
/** Positions and sizes below a baseline or, if negative, above it; as multiples of the font size. */
const TINT_TOP = -0.95;
const TINT_HEIGHT = 1.25;
const UNDERLINE = 0.2;
const NOTE_BASELINE = 0.95;
const NOTE_SIZE = 0.68;
/** Where the pruned model loses at least this many bits on a token, the token that it expected is shown below. */
const NOTED_BITS = 2;

interface TextDrawingOptions {
  /** 'held': the pruned model reads the dense model's text; 'free': it writes its own text */
  readonly mode: 'held' | 'free';
  /** number of tokens after the prompt in the lower lines */
  readonly count: number;
  readonly width: number;
  /** px; the font shrinks to fit this height; null: no limit */
  readonly height: number | null;
  /** font sizes, px */
  readonly largest: number;
  readonly smallest: number;
  /** width of a text at a font size of 1 px */
  readonly measure: (text: string) => number;
  readonly colors: DrawingColors;
}

/** A drawing of the dense model's text; below each line, what the pruned model has read or written so far. */
export function textDrawing(text: TextPair, options: TextDrawingOptions): Drawing {
  const { mode, count, width, height, largest, smallest, measure, colors } = options;
  const promptLength = text.prompt.length;
  const upperTokens = drawnTokens([...text.prompt, ...text.dense]);
  const freeTextTokens = drawnTokens([...text.prompt, ...freeTokens(text)]);
  const lowerTokens = mode === 'free' ? freeTextTokens : upperTokens;
  const linesOf = (tokens: readonly string[], size: number): readonly Line[] =>
    wrapTokens(tokens, width, (piece) => size * measure(piece));
  // The same size in both modes, so that nothing moves from one to the other.
  const pairsAt = (size: number): number =>
    Math.max(linesOf(upperTokens, size).length, linesOf(freeTextTokens, size).length);
  let size = largest;
  while (height !== null && size > smallest && pairsAt(size) * PAIR * size > height) size -= 0.5;
  const upperLines = linesOf(upperTokens, size);
  const lowerLines = linesOf(lowerTokens, size);
  // The word of the first error, such as one of spelling (tales/judge.ts), is red and underlined.
  const brokenRange = mode === 'free' ? brokenTokens(text) : null;
  // The first token at which the pruned model's own text differs.
  const firstDifference = mode === 'free' ? (text.free?.firstDifference ?? 0) : Number.POSITIVE_INFINITY;
  // Comments with `bounded:` name the limits on the lengths of these lists.
  const boxes: DrawingMark[] = [];
  const texts: DrawingMark[] = [];
  const pairs = Math.max(upperLines.length, lowerLines.length);
  for (let i = 0; i < pairs; i++) {
    const top = i * PAIR * size;
    const dense = upperLines[i];
    const line = lowerLines[i];
    if (dense)
      texts.push(textAt(0, top + size, upperTokens.slice(dense.from, dense.to).join('').trimStart(), colors.muted)); // bounded: lines
    if (line) drawLine(line, top + LINE * size + size);
  }
  return { width, height: pairs * PAIR * size, marks: [...boxes, ...texts] };

  function textAt(x: number, y: number, words: string, fill: string, weight: 400 | 600 = 400): DrawingMark {
    return { kind: 'text', x, y, text: words, size, fill, weight, width: size * measure(words) };
  }

  function drawLine({ from, to }: Line, baseline: number): void {
    let written = '';
    let noteEnd = Number.NEGATIVE_INFINITY;
    for (let i = from; i < to; i++) {
      const token = i - promptLength;
      if (token >= count) return;
      const piece = i === from ? lowerTokens[i].trimStart() : lowerTokens[i];
      const trimmedPiece = piece.trimStart();
      const x = size * measure(written + piece.slice(0, piece.length - trimmedPiece.length));
      written += piece;
      const end = size * measure(written);
      const readToken = token >= 0 && token < firstDifference ? text.readTokens[token] : undefined;
      const tint = readToken && mode === 'held' ? tintOf(readToken.lost) : 0;
      if (tint > 0)
        // bounded: tokens of a text
        boxes.push({
          kind: 'rect',
          x: x - 1,
          y: baseline + TINT_TOP * size,
          width: end - x + 2,
          height: TINT_HEIGHT * size,
          fill: colors.tint,
          alpha: TINT_OPACITY[tint],
        });
      const isBroken = brokenRange !== null && token >= brokenRange.from && token < brokenRange.to;
      const isShared = token < 0 || (mode === 'free' && token < firstDifference);
      const fill = isBroken ? colors.danger : isShared ? colors.muted : colors.text;
      texts.push(textAt(x, baseline, trimmedPiece, fill, isBroken ? 600 : 400)); // bounded: tokens of a text
      if (isBroken)
        // bounded: tokens of a text
        boxes.push({ kind: 'rect', x, y: baseline + UNDERLINE * size, width: end - x, height: 2, fill: colors.danger });
      const note =
        readToken && mode === 'held' && readToken.lost >= NOTED_BITS ? readToken.prunedToken?.trim() : undefined;
      if (note && x > noteEnd) {
        const noteSize = NOTE_SIZE * size;
        texts.push({
          kind: 'text',
          x,
          y: baseline + NOTE_BASELINE * size,
          text: note,
          size: noteSize,
          fill: colors.danger,
        }); // bounded: tokens of a text
        noteEnd = x + noteSize * measure(note);
      }
    }
  }
}
