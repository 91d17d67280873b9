/**
 * Unit rows as bits: unit u has column c when bit c % 32 of word u * words + floor(c / 32) is set.
 * `chunkCounts` holds, for unit u and chunk k, how many columns u has from chunk k on; searches stop early by it.
 */
export interface UnitBits {
  readonly units: number;
  /** words per unit, a multiple of CHUNK_WORDS */
  readonly words: number;
  readonly bits: Uint32Array;
  readonly chunkCounts: Uint32Array;
  /** 1 for a unit that may become a partner */
  readonly free: Uint8Array;
}

/** Words between two looks at whether a pair can still win. */
export const CHUNK_WORDS = 16;

/** The best partner of a unit, or partner -1 when none shares enough. */
export interface Partner {
  readonly partner: number;
  readonly shared: number;
}

/** Finds partners; the plain one below and the WebAssembly one give identical answers. */
export interface OverlapEngine {
  /** Zeroed bits for a level. The bits of the level before may be gone afterwards. */
  allocate(units: number, words: number): UnitBits;
  /**
   * The unit after `unit` with `free[j] = 1` that shares the most columns with it, at least `least` (above 0); of equals
   * the one with the lowest number. O(units * words) at worst.
   */
  bestPartner(u: UnitBits, unit: number, least: number): Partner;
}

/** Number of set bits of a 32-bit word. */
export function popcount(word: number): number {
  let v = word - ((word >>> 1) & 0x55555555);
  v = (v & 0x33333333) + ((v >>> 2) & 0x33333333);
  return Math.imul((v + (v >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function wordsPerUnit(cols: number): number {
  return Math.max(1, Math.ceil(cols / 32 / CHUNK_WORDS)) * CHUNK_WORDS;
}

/** Fills the suffix counts of one unit from its bits. */
export function countChunks({ words, bits, chunkCounts }: UnitBits, unit: number): void {
  const chunks = words / CHUNK_WORDS;
  let count = 0;
  for (let k = chunks - 1; k >= 0; k--) {
    const start = unit * words + k * CHUNK_WORDS;
    for (let w = start; w < start + CHUNK_WORDS; w++) count += popcount(bits[w]);
    chunkCounts[unit * chunks + k] = count;
  }
}

/** The search in plain TypeScript. */
export const plainOverlaps: OverlapEngine = {
  allocate: (units, words) => ({
    units,
    words,
    bits: new Uint32Array(units * words),
    chunkCounts: new Uint32Array((units * words) / CHUNK_WORDS),
    free: new Uint8Array(units),
  }),
  bestPartner({ units, words, bits, chunkCounts, free }, unit, least) {
    const chunks = words / CHUNK_WORDS;
    const own = unit * words;
    let partner = -1;
    // A pair has to reach `least`, and to pass what was found before it.
    let needed = least;
    for (let j = unit + 1; j < units; j++) {
      if (free[j] === 0) continue;
      let shared = 0;
      let k = 0;
      for (; k < chunks; k++) {
        const left = Math.min(chunkCounts[unit * chunks + k], chunkCounts[j * chunks + k]);
        if (shared + left < needed) break;
        const other = j * words;
        for (let w = k * CHUNK_WORDS; w < (k + 1) * CHUNK_WORDS; w++)
          shared += popcount(bits[own + w] & bits[other + w]);
      }
      if (k === chunks && shared >= needed) {
        partner = j;
        needed = shared + 1;
      }
    }
    return { partner, shared: partner < 0 ? 0 : needed - 1 };
  },
};
