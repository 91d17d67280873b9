import type { PatternInfo } from './pattern.ts';
import table from './patterns.json';

export type { PatternInfo, PatternOption } from './pattern.ts';

/** Every pattern, in the order of the interface. Apart from the generators, which the page does without at first. */
export const patterns: readonly PatternInfo[] = table.map((one) =>
  one.id === 'n-of-m' ? { ...one, densities: ({ m }) => Array.from({ length: m + 1 }, (_, n) => n / m) } : one,
);
