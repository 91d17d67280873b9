// The people of tales.

import people from './people.json';

// The people of tales, short stories from a grammar: children, adults, and relatives.
export type Gender = 'm' | 'f';

export interface Person {
  readonly name: string;
  readonly gender: Gender;
}

const { CHILDREN: children, ADULTS: adults } = people;

/** No name is also a word that could begin a sentence: no Will, no May, no Mark. */
export const CHILDREN = children as readonly Person[];

/** Their names are written as in the middle of a sentence. */
export const ADULTS = adults as readonly Person[];

/** Words for relatives, such as 'mother': near the end of a tale, one of them asks about its facts. */
export const { FAMILY } = people;
