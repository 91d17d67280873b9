/** Patterns N:M; the later ones are (2N - 2):2N, which slide onto 2:4 hardware. */
export const PATTERNS: readonly (readonly [kept: number, group: number])[] = [
  [1, 4],
  [2, 4],
  [4, 8],
  [4, 6],
  [6, 8],
  [8, 10],
  [10, 12],
  [14, 16],
];

/** Of pruning at random. */
export const PRUNE_SEED = 1;
