import type { PatternInfo } from './pattern.ts';
import table from './patterns.json';

export type { PatternInfo, PatternOption } from './pattern.ts';

/** All patterns with their options, in the order of the form; `generate.ts` has their generators, which load later. */
export const patterns: readonly PatternInfo[] = table.map((one) =>
  one.id === 'n-of-m' ? { ...one, densities: ({ m }) => Array.from({ length: m + 1 }, (_, n) => n / m) } : one,
);
