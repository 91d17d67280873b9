import type { PatternInfo } from './pattern.ts';
import table from './patterns.json';

export type { PatternInfo, PatternOption } from './pattern.ts';

/** Kinds of random matrices with their options, in the order of their form; `generate.ts`, loaded later, makes them. */
export const patterns: readonly PatternInfo[] = table.map((one) =>
  one.id === 'n-of-m' ? { ...one, densities: ({ m }) => Array.from({ length: m + 1 }, (_, n) => n / m) } : one,
);
