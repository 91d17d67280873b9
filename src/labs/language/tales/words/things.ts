import things from './things.json';

/**
 * Properties of a thing, a letter each: r rolls, w is carried by the wind, s small, l large, o only outdoors, p made of painted
 * wood, b can break, i shines, n from nature, y a toy.
 */
const { KINDS } = things;

export type Noun = keyof typeof KINDS;

export const NOUNS = Object.keys(KINDS) as Noun[];

export const is = (noun: Noun, kind: string): boolean => KINDS[noun].includes(kind);

export const { COLORS } = things;

export type Color = (typeof COLORS)[number];

/** With their weights; '' is no adjective. */
export const { ADJECTIVES } = things;

export type Adjective = keyof typeof ADJECTIVES;

export function fits(adjective: Adjective, noun: Noun): boolean {
  switch (adjective) {
    case '':
    case 'lovely':
    case 'strange':
    case 'funny':
    case 'beautiful':
    case 'splendid':
    case 'precious':
      return true;
    case 'fancy':
    case 'plain':
      return !is(noun, 'n');
    case 'faded':
      return !is(noun, 'n') && !is(noun, 'i') && !is(noun, 'p') && noun !== 'balloon';
    case 'heavy':
      return is(noun, 'l') && !is(noun, 'w');
    case 'dusty':
      return !is(noun, 'n');
    case 'big':
      return !is(noun, 's');
    case 'little':
      return !is(noun, 'l');
    case 'tiny':
      return is(noun, 's');
    case 'old':
      return !is(noun, 'n') && noun !== 'balloon';
    case 'new':
      return !is(noun, 'n');
    case 'shiny':
      return is(noun, 'i');
    case 'pretty':
      return !['wheel', 'truck', 'bucket', 'robot'].includes(noun);
    case 'wooden':
      return is(noun, 'p');
  }
}

/** 'little red' or 'red wooden': the words before the noun. */
export function described(adjective: Adjective, color: Color): string {
  if (adjective === '') return color;
  return adjective === 'wooden' ? `${color} wooden` : `${adjective} ${color}`;
}

export const withArticle = (words: string): string => `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
