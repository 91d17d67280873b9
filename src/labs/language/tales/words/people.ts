import people from './people.json';

export type Gender = 'm' | 'f';

export interface Person {
  readonly name: string;
  readonly gender: Gender;
}

const { CHILDREN: children, ADULTS: adults } = people;

/** No name is the beginning of another one's sentence: no Will, no May, no Mark. */
export const CHILDREN = children as readonly Person[];

/** As they are called in the middle of a sentence. */
export const ADULTS = adults as readonly Person[];

/** Who asks in the evening. */
export const { FAMILY } = people;
