/** Tables by pattern: which of 16 neighbouring columns of a row hold a non-zero, the first column in bit 0. */
export interface HalfWords {
  /** number of set bits */
  readonly count: Uint8Array;
  /** index of the lowest and of the highest set bit */
  readonly first: Uint8Array;
  readonly last: Uint8Array;
  /** consecutive set bits from bit 0 up, and from bit 15 down */
  readonly lowRun: Uint8Array;
  readonly highRun: Uint8Array;
}

/** Columns of a pattern: half a word of 32 bits. */
export const HALF_WORD = 16;

let tables: HalfWords | null = null;

/** The tables of all 65536 patterns, built on first use. */
export function halfWords(): HalfWords {
  if (tables) return tables;
  const size = 2 ** HALF_WORD;
  const built = {
    count: new Uint8Array(size),
    first: new Uint8Array(size),
    last: new Uint8Array(size),
    lowRun: new Uint8Array(size),
    highRun: new Uint8Array(size),
  };
  for (let p = 0; p < size; p++) {
    built.count[p] = (p & 1) + built.count[p >>> 1];
    built.first[p] = 31 - Math.clz32(p & -p);
    built.last[p] = 31 - Math.clz32(p);
    built.lowRun[p] = p & 1 ? 1 + built.lowRun[p >>> 1] : 0;
    built.highRun[p] = Math.clz32(~(p << 16));
  }
  tables = built;
  return built;
}

/** Number of set bits of a 32-bit word. Source: Warren, Hacker's Delight, section 5-1. */
export function popcount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
