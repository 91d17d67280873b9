import type { PatternInfo } from './pattern.ts';
import table from './patterns.json';

export type { PatternInfo, PatternOption } from './pattern.ts';

/** The kinds of random matrices that `generate.ts` makes, with their options, in the order of the form. */
export const patterns: readonly PatternInfo[] = table.map((info) =>
  info.id === 'n-of-m' ? { ...info, densities: ({ m }) => Array.from({ length: m + 1 }, (_, n) => n / m) } : info,
);
