import people from './people.json';

// The people of tales (people.json): children, adults, and relatives.
export type Gender = 'm' | 'f';

export interface Person {
  readonly name: string;
  readonly gender: Gender;
}

const { CHILDREN: children, ADULTS: adults } = people;

/** Names that are no common words, which could begin a sentence: no Will, no May, no Mark. */
export const CHILDREN = children as readonly Person[];

/** As written in the middle of a sentence. */
export const ADULTS = adults as readonly Person[];

/** Words for relatives, such as 'mother': in the evening, a tale's part before its closing, one asks about facts. */
export const { FAMILY } = people;
