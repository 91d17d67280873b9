/**
 * Tables by half word: 16 bits for 16 neighbouring columns of a row, 1 for a non-zero; bit 0 is the first
 * column.
 */
export interface HalfWordTables {
  /** number of set bits */
  readonly count: Uint8Array;
  /** index of the lowest and of the highest set bit; 255 if none is set */
  readonly first: Uint8Array;
  readonly last: Uint8Array;
  /** consecutive set bits from bit 0 up, and from bit 15 down */
  readonly lowRun: Uint8Array;
  readonly highRun: Uint8Array;
}

/** Columns of a half word. */
export const HALF_WORD_BITS = 16;

let tables: HalfWordTables | null = null;

/** The tables for all 65536 half words, built on first use. */
export function halfWordTables(): HalfWordTables {
  if (tables) return tables;
  const size = 2 ** HALF_WORD_BITS;
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

/** Number of set bits of a whole word of 32 bits. Source: Warren, Hacker's Delight, section 5-1. */
export function popcount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
