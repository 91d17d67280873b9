import places from './places.json';

/** Obstacles between a child and something; the fitting tools and reasons depend on them. */
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
export interface Hide {
  readonly where: string;
  /** Too small for anything large. */
  readonly small: boolean;
}

/** Where a tale takes place. */
export interface Setting {
  readonly name: string;
  /** 'in the park' */
  readonly in: string;
  readonly outdoors: boolean;
  readonly spots: readonly Spot[];
  readonly hides: readonly Hide[];
}

interface Tool {
  readonly a: string;
  readonly the: string;
}

export const SETTINGS = places.SETTINGS as readonly Setting[];
/**
 * What reaches a thing that is stuck, why no hand did, and what was done with the tool: 'a net', 'the water was too deep',
 * 'fished it out'.
 */
export const TOOLS: Readonly<Record<Trouble, readonly Tool[]>> = places.TOOLS;
export const REASONS: Readonly<Record<Trouble, readonly string[]>> = places.REASONS;
export const RESCUES: Readonly<Record<Trouble, readonly string[]>> = places.RESCUES;
