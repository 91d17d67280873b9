import { numberText, type Stated } from '../src/core/text/stated.ts';
import type { Frame, FrameContext } from '../src/story/frames.ts';
import type { Drawing, DrawnMark } from '../src/story/scene.ts';

/** Helpers for tests of stories: find frames, read their text, and check bounds and numbers. */

/** The context of a frame without a whole matrix and without recorded times. */
export const NOWHERE: FrameContext = { layout: 'wide', wholeMatrix: null, recordedTimes: null };

/** The frame with an id. Throws if there is none. */
export function frameOf(all: readonly Frame[], id: string): Frame {
  const frame = all.find((candidate) => candidate.id === id);
  if (!frame) throw new Error(`found ${all.map((candidate) => candidate.id).join(', ')}, expected '${id}'`);
  return frame;
}

/** The picture at the end of a frame's animation. */
export function lastPicture(frame: Frame, context = NOWHERE): Drawing {
  return frame.draw(frame.moves.length - 1, context);
}

/** The text of a mark; '' if it has none. */
export const textOf = ({ text, runs }: Pick<DrawnMark, 'text' | 'runs'>): string =>
  runs?.map((run) => run.text).join('') ?? text ?? '';

/** The text of the mark with an id; '' if it is not drawn. */
export const wordsAt = ({ marks }: Drawing, id: string): string => textOf(marks.find((mark) => mark.id === id) ?? {});

/** Average width of a character, as a share of the font size. */
const ADVANCE = { sans: 0.54, mono: 0.6 } as const;

/** Messages about marks that lie outside of a picture. The width of free text is estimated from its characters. */
export function outside({ width, height, marks }: Drawing): readonly string[] {
  return marks.flatMap((mark): readonly string[] => {
    const { id, shape, text = '', runs, size = shape === 'text' ? 13 : 12, align = 'start' } = mark;
    const face = mark.face ?? (shape === 'text' ? 'sans' : 'mono');
    const message = runs?.map((run) => run.text).join('') ?? text;
    // Text without a width has no box: its extent follows from its characters and alignment.
    const isFreeText = shape === 'text' && mark.w === 0;
    const w = isFreeText ? message.length * size * ADVANCE[face] : mark.w;
    const x = isFreeText && align !== 'start' ? mark.x - (align === 'end' ? w : w / 2) : mark.x;
    const h = shape === 'text' ? Math.max(mark.h, size * 1.2) : mark.h;
    const isInside = x >= -0.5 && mark.y >= -0.5 && x + w <= width + 0.5 && mark.y + h <= height + 0.5;
    return isInside ? [] : [`'${id}' at ${x}, ${mark.y}, ${w} × ${h}: ${message}`];
  });
}

/** Messages about numbers in a text that are none of its facts, and about facts that do not occur in it. */
export function unnamedNumbers({ text, facts }: Stated): string[] {
  const plain = text.replaceAll('*', '');
  const texts = [...plain.matchAll(/(?<![a-z])\d[\d\u202f.]*\d|(?<![a-z\d])\d/g)].map(([number]) => number);
  const named = facts.map((fact) =>
    numberText(fact)
      .replace(/[^\d\u202f.]/g, '')
      .trim(),
  );
  // '4-bit', '2:4', 'i4' and numbers behind a capital and a hyphen are names.
  const isName = (number: string): boolean =>
    new RegExp(`\\b${number}(-bit|:\\d)|(\\d:|[A-Z]-)${number}\\b`).test(plain);
  const wrong = texts.filter((number) => !named.includes(number) && !isName(number));
  return [
    ...wrong.map((number) => `'${plain}': ${number} is no fact`),
    ...named
      .filter((number) => number !== '' && !texts.includes(number))
      .map((number) => `'${plain}': ${number} does not occur`),
  ];
}
