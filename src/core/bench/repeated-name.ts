import type { Shape } from '../format.ts';

/** Cells of a matrix that repeats the open one, at most: those of 4096 × 4096. */
export const MAX_REPEATED_CELLS = 2 ** 24;

/** What reports call a matrix that repeats another one: 'pasted.tsv, repeated to 4096 × 4096'. */
export function repeatedName(name: string, { rows, cols }: Shape): string {
  return `${name}, repeated to ${rows} × ${cols}`;
}
