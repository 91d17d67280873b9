// The things in tales (short stories written by a grammar): nouns and their properties, colors and adjectives.

import things from './things.json';

/**
 * The properties of every thing, a letter each: r rolls, w is carried by the wind, s small, l large, o only outdoors,
 * p made of painted wood, b can break, i shines, n from nature, y a toy.
 */
const { KINDS } = things;

/** The name of a thing. */
export type Noun = keyof typeof KINDS;

export const NOUNS = Object.keys(KINDS) as Noun[];

/** Whether a thing has a property, by its letter. */
export const hasProperty = (noun: Noun, property: string): boolean => KINDS[noun].includes(property);

export const { COLORS } = things;

export type Color = (typeof COLORS)[number];

/** Adjectives with their weights, relative to each other; '' is no adjective. */
export const { ADJECTIVES } = things;

export type Adjective = keyof typeof ADJECTIVES;

/** Whether an adjective suits a thing. */
export function fitsNoun(adjective: Adjective, noun: Noun): boolean {
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
      return !hasProperty(noun, 'n');
    case 'faded':
      return !hasProperty(noun, 'n') && !hasProperty(noun, 'i') && !hasProperty(noun, 'p') && noun !== 'balloon';
    case 'heavy':
      return hasProperty(noun, 'l') && !hasProperty(noun, 'w');
    case 'dusty':
      return !hasProperty(noun, 'n');
    case 'big':
      return !hasProperty(noun, 's');
    case 'little':
      return !hasProperty(noun, 'l');
    case 'tiny':
      return hasProperty(noun, 's');
    case 'old':
      return !hasProperty(noun, 'n') && noun !== 'balloon';
    case 'new':
      return !hasProperty(noun, 'n');
    case 'shiny':
      return hasProperty(noun, 'i');
    case 'pretty':
      return !['wheel', 'truck', 'bucket', 'robot'].includes(noun);
    case 'wooden':
      return hasProperty(noun, 'p');
  }
}

/** 'little red' or 'red wooden': the words before the noun. */
export function description(adjective: Adjective, color: Color): string {
  if (adjective === '') return color;
  return adjective === 'wooden' ? `${color} wooden` : `${adjective} ${color}`;
}

export const withArticle = (words: string): string => `${/^[aeiou]/.test(words) ? 'an' : 'a'} ${words}`;
