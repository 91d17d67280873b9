/** The independent random sequences that are derived from the seed of a generated matrix, by number. */
export const STREAM = { columns: 1, values: 2, arrangement: 3, rows: 4 } as const;

/** The seed of a sequence of STREAM: for the same `stream`, different seeds give different results. */
export function streamSeed(seed: number, stream: number): number {
  return mix(mix(seed) + Math.imul(stream, 0x9e3779b1));
}

/** The seed of a row of a matrix, different for every row. */
export function rowSeed(seed: number, row: number): number {
  return mix(streamSeed(seed, STREAM.rows) + row);
}

/** A bijection of the 32-bit words that hides their order: the finaliser of MurmurHash3 (Appleby). */
export function mix(word: number): number {
  let z = word | 0;
  z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
  z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
  return (z ^ (z >>> 16)) >>> 0;
}
