import { numberText, type Stated } from '../src/core/text/stated.ts';
import type { Frame, FrameContext } from '../src/story/frames.ts';
import type { Drawing, DrawnMark } from '../src/story/scene.ts';

/** What tests of directed stories check of frames and their pictures. */

/** Nothing is known besides the window. */
export const NOWHERE: FrameContext = { layout: 'wide', whole: null, recordedTimes: null };

export function frameOf(all: readonly Frame[], id: string): Frame {
  const found = all.find((frame) => frame.id === id);
  if (!found) throw new Error(`found ${all.map((frame) => frame.id).join(', ')}, expected '${id}'`);
  return found;
}

/** The picture at which a frame rests. */
export function lastPicture(frame: Frame, context = NOWHERE): Drawing {
  return frame.draw(frame.moves.length - 1, context);
}

/** The words of a mark; '' where it has none. */
export const textOf = ({ text, runs }: Pick<DrawnMark, 'text' | 'runs'>): string =>
  runs?.map((run) => run.text).join('') ?? text ?? '';

/** The words of the mark with an id; '' where it is not drawn. */
export const wordsAt = ({ marks }: Drawing, id: string): string => textOf(marks.find((mark) => mark.id === id) ?? {});

/** Points of the average character, of the size of its words. */
const ADVANCE = { sans: 0.54, mono: 0.6 } as const;

/** Marks that are outside of a picture, and words that are, by the average width of their characters. */
export function outside({ width, height, marks }: Drawing): readonly string[] {
  return marks.flatMap((mark): readonly string[] => {
    const { id, shape, text = '', runs, size = shape === 'text' ? 13 : 12, align = 'start' } = mark;
    const face = mark.face ?? (shape === 'text' ? 'sans' : 'mono');
    const message = runs?.map((run) => run.text).join('') ?? text;
    const isLoose = shape === 'text' && mark.w === 0;
    const w = isLoose ? message.length * size * ADVANCE[face] : mark.w;
    const x = isLoose && align !== 'start' ? mark.x - (align === 'end' ? w : w / 2) : mark.x;
    const h = shape === 'text' ? Math.max(mark.h, size * 1.2) : mark.h;
    const isInside = x >= -0.5 && mark.y >= -0.5 && x + w <= width + 0.5 && mark.y + h <= height + 0.5;
    return isInside ? [] : [`'${id}' at ${x}, ${mark.y}, ${w} × ${h}: ${message}`];
  });
}

/** Every number of a text is one of its facts, in their order; and every fact occurs. */
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
