// Where tales take place, and how a thing that gets stuck there is freed.

import places from './places.json';

/** What keeps a child from a thing that is stuck; tools and reasons depend on this trouble. */
export type Trouble = 'water' | 'high' | 'narrow' | 'deep' | 'thorns';

/** Where a thing can get stuck. */
export interface Spot {
  /** 'into the pond' */
  readonly into: string;
  /** 'in the pond' */
  readonly in: string;
  readonly trouble: Trouble;
}

/** Where a thing can be hidden. */
export interface HidingPlace {
  readonly where: string;
  /** Too small for anything large. */
  readonly small: boolean;
}

/** The setting of a tale. */
export interface Setting {
  readonly name: string;
  /** 'in the park' */
  readonly in: string;
  readonly outdoors: boolean;
  readonly spots: readonly Spot[];
  readonly hides: readonly HidingPlace[];
}

interface Tool {
  readonly a: string;
  readonly the: string;
}

export const SETTINGS = places.SETTINGS as readonly Setting[];
/** What reaches a thing that is stuck: 'a net'. */
export const TOOLS: Readonly<Record<Trouble, readonly Tool[]>> = places.TOOLS;
/** Why no hand reaches it: 'the water was too deep'. */
export const REASONS: Readonly<Record<Trouble, readonly string[]>> = places.REASONS;
/** What is done with the tool: 'fished it out'. */
export const RESCUES: Readonly<Record<Trouble, readonly string[]>> = places.RESCUES;
