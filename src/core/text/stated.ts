import { densityText, meanText, shareText } from './rounded.ts';
import { bytesText, capitalised, countText, threeDigits } from './words.ts';

/* Texts whose numbers are named facts, so that a test can compute each number a second time. */

/**
 * How a text writes a number: as a count; a count up to twelve as a 'word', or as a 'Word' first in a sentence; a
 * mean; per cent of 1 ('share') or of the weights ('left'); three digits; a size in bytes; or with this many decimals.
 */
type Rounding = 'count' | 'word' | 'Word' | 'mean' | 'share' | 'left' | 'digits' | 'size' | number;

/**
 * The object of a number: the whole matrix, the visible region of it ('cut'), an example that all stories share, or a
 * recording. Facts with the same name and scope have the same value in all texts.
 */
type Scope = 'matrix' | 'cut' | 'example' | 'recorded';

/**
 * A number in a text, with a name by which tests compute it a second time, without the code of the text: of reasons for
 * sizes in `src/formats/contract/stated.test.ts`, of frames in `sums.test.ts` beside it and in each story's
 * `facts.test.ts`.
 */
export interface NamedFact {
  readonly name: string;
  readonly value: number;
  readonly rounding: Rounding;
  /** default: the scope of the whole text; in a frame of a story, the region */
  readonly scope?: Scope;
  /** the noun after the number, in singular and plural */
  readonly unit?: readonly [one: string, many: string];
}

/** A sentence or a clause with the facts that it names, in their order. */
export interface Stated {
  readonly text: string;
  readonly facts: readonly NamedFact[];
}

/** Makes a fact for `stated`. */
export function fact(name: string, value: number, rounding: Rounding = 'count', unit?: NamedFact['unit']): NamedFact {
  return { name, value, rounding, ...(unit && { unit }) };
}

/** Fewer bytes than this are written in full. */
const MAX_IN_FULL = 1e6;

/** Bytes of the whole matrix, stored in one way: '199 352 bytes', '73.4 MB'. `omitsUnit`: 'bytes' is left out. */
export function sizeFact(way: string, bytes: number, omitsUnit = false): NamedFact {
  const unit = omitsUnit || bytes >= MAX_IN_FULL ? undefined : (['byte', 'bytes'] as const);
  return { ...fact(`bytes of the matrix, ${way}`, bytes, 'size', unit), scope: 'matrix' };
}

/** The text with this scope for all its facts that have none. */
export function scoped(scope: Scope, { text, facts }: Stated): Stated {
  return { text, facts: facts.map((named) => ({ scope, ...named })) };
}

const WORDS = 'no one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** The number of a fact as it is written in a text, without the unit. */
export function numberText({ value, rounding }: Pick<NamedFact, 'value' | 'rounding'>): string {
  if (rounding === 'count') return countText(value);
  if (rounding === 'word') return value < WORDS.length ? WORDS[value] : countText(value);
  if (rounding === 'Word') return capitalised(numberText({ value, rounding: 'word' }));
  if (rounding === 'mean') return meanText(value);
  if (rounding === 'left') return densityText(value);
  if (rounding === 'digits') return threeDigits(value);
  if (rounding === 'size') return value < MAX_IN_FULL ? countText(value) : bytesText(value);
  return rounding === 'share' ? shareText(value) : value.toFixed(rounding);
}

const isOne = (number: string): boolean => number === '1' || number.toLowerCase() === WORDS[1];

/** Template for a text in which every number is a named fact; an inserted `Stated` adds its facts. */
export function stated(texts: TemplateStringsArray, ...parts: readonly (NamedFact | Stated | string)[]): Stated {
  const facts: NamedFact[] = [];
  let text = texts[0];
  for (const [i, part] of parts.entries()) {
    if (typeof part === 'string') text += part;
    else if ('facts' in part) {
      text += part.text;
      for (const inner of part.facts) facts.push(inner);
    } else {
      const number = numberText(part);
      text += part.unit ? `${number} ${part.unit[isOne(number) ? 0 : 1]}` : number;
      facts.push(part);
    }
    text += texts[i + 1];
  }
  return { text, facts };
}
