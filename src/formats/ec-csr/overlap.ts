import type { SharedData } from '../../core/job.ts';
import { popcount } from '../../core/statistics/half-words.ts';

// The search for units with many common columns, which takes most of the time of encoding EC-CSR. Rows are merged into blocks
// level by level: the units of a level (blocks of 1, 2, 4 .. rows) are matched in rounds, and the blocks extracted from them
// are the units of the next level.

/**
 * The units of one level, with their columns as bits: unit u has column c if bit c % 32 of word u * words + floor(c / 32) is
 * set. `chunkCounts` contains, for unit u and chunk k of CHUNK_WORDS words, how many columns u has from chunk k on, so that
 * searches can stop early.
 */
export interface UnitBits {
  readonly units: number;
  /** words per unit, a multiple of CHUNK_WORDS */
  readonly words: number;
  readonly bits: Uint32Array;
  readonly chunkCounts: Uint32Array;
  /** by unit: the unit that took it as a partner in the round before, or itself if none did; FIRST_ROUND before any round */
  readonly takenBy: Int32Array;
}

/** `takenBy` of every unit before the first round: below every unit number. */
export const FIRST_ROUND = -1;

/** Words between two checks of whether a unit can still share enough. */
export const CHUNK_WORDS = 16;

/** Number of elements of a query's record. */
export const RECORD = 8;

/** Offsets in a record. A unit is -1 if there is none. */
const FIELD = { after: 0, skipA: 1, skipB: 2, needed: 3, best: 4, bestShared: 5, runnerUp: 6, takenByBelow: 7 };

/** `takenByBelow` of queries for any unit: above every unit number. */
const ANY_UNIT = 2 ** 31 - 1;

/**
 * Queries for the units that share most of a set of columns, with their results. Query q has the bits of its columns at
 * q * words; its record at q * 8 contains
 *
 * | element      | meaning |
 * |--------------|---------|
 * | after        | only units with higher numbers count |
 * | skipA, B     | two units that do not count |
 * | needed       | columns that a unit must share to be reported; raised by the search |
 * | best         | result: the unit that shares most, ties: the lowest number |
 * | bestShared   | how many it shares; before a search, needed - 1 |
 * | runnerUp     | result: the best of the others |
 * | takenByBelow | only units count whose `takenBy` is below this |
 *
 * `takenByBelow` skips units that were already tried without success. If unit u found no partner in the round before, every
 * unit that was free at its turn shared too few columns with it, and still does, since columns are only ever removed. Only
 * units that an earlier unit had taken by then (`takenBy` < u) were not free, and are tried now. Example: in the round before,
 * unit 5 found none, unit 2 took unit 7, and unit 6 took unit 8. Unit 5 now tries unit 7, but not unit 8, which was still
 * free at its turn.
 */
export interface Queries {
  readonly bits: Uint32Array;
  readonly records: Int32Array;
}

/** Searches for units that share columns. `plainOverlaps` and the engine in WebAssembly give identical answers. */
export interface OverlapEngine {
  /** Allocates zeroed bits for a level, which later searches use. Bits of an earlier level may become invalid. */
  allocate(units: number, words: number): UnitBits;
  /**
   * To be called before a search if bits have changed. From now on only units that have a 1 in `among`, the candidates of a
   * round, can be found. Returns what other threads need of the level.
   */
  prepare(among: Uint8Array): SharedData;
  /**
   * Runs queries against the units that have a 1 in `free`: those of `among` that are not taken yet. O(queries * units *
   * words) at worst.
   */
  search(free: Uint8Array, queries: Queries): void;
}

/** Words of bits per unit for a matrix with `cols` columns. */
export function wordsPerUnit(cols: number): number {
  return Math.max(1, Math.ceil(cols / 32 / CHUNK_WORDS)) * CHUNK_WORDS;
}

/** Computes `chunkCounts` of the set of columns number `set`, of a unit or of a query, from its bits. */
export function countChunks(words: number, bits: Uint32Array, chunkCounts: Uint32Array, set: number): void {
  const chunks = words / CHUNK_WORDS;
  let count = 0;
  for (let k = chunks - 1; k >= 0; k--) {
    const start = set * words + k * CHUNK_WORDS;
    for (let w = start; w < start + CHUNK_WORDS; w++) count += popcount(bits[w]);
    chunkCounts[set * chunks + k] = count;
  }
}

/** Columns of a unit. */
export function columnCount({ words, chunkCounts }: UnitBits, unit: number): number {
  return chunkCounts[unit * (words / CHUNK_WORDS)];
}

/** Allocates `count` queries. */
export function queriesFor(count: number, words: number): Queries {
  return { bits: new Uint32Array(count * words), records: new Int32Array(count * RECORD) };
}

/** Number of queries. */
export function queryCount({ records }: Queries): number {
  return records.length / RECORD;
}

/** Writes the record of query q, with nothing found yet. */
function setRecord(
  { records }: Queries,
  q: number,
  { after, skipA, skipB, takenByBelow }: Readonly<Record<'after' | 'skipA' | 'skipB' | 'takenByBelow', number>>,
  min: number,
): void {
  records.set([after, skipA, skipB, min, -1, min - 1, -1, takenByBelow], q * RECORD);
}

/** The result of query q. */
export function resultOf({ records }: Queries, q: number, field: 'best' | 'runnerUp'): number {
  return records[q * RECORD + FIELD[field]];
}

/** Whether query q requests partners again: then only units count that were taken in the round before. */
export function foundNoneBefore({ records }: Queries, q: number): boolean {
  return records[q * RECORD + FIELD.takenByBelow] !== ANY_UNIT;
}

/** The lowest unit that query q reads. */
export function lowestUnit({ records }: Queries, q: number): number {
  return records[q * RECORD + FIELD.after] + 1;
}

/**
 * Makes query q request partners of a unit: units after it that share at least `min` columns with it. `foundNoneBefore`: the
 * unit found none in the round before, so only units that earlier units had taken then are tried.
 */
export function queryPartners(
  { words, bits }: UnitBits,
  queries: Queries,
  q: number,
  unit: number,
  min: number,
  foundNoneBefore: boolean,
): void {
  queries.bits.set(bits.subarray(unit * words, (unit + 1) * words), q * words);
  setRecord(queries, q, { after: unit, skipA: -1, skipB: -1, takenByBelow: foundNoneBefore ? unit : ANY_UNIT }, min);
}

/** Makes query q request witnesses: other units that have at least `min` of the columns that `a` and `b` share. */
export function queryWitnesses(
  { words, bits }: UnitBits,
  queries: Queries,
  q: number,
  a: number,
  b: number,
  min: number,
): void {
  for (let w = 0; w < words; w++) queries.bits[q * words + w] = bits[a * words + w] & bits[b * words + w];
  setRecord(queries, q, { after: -1, skipA: a, skipB: b, takenByBelow: ANY_UNIT }, min);
}

/** Shared data of infinite size, which is never copied: searches stay on this thread. */
const NOT_COPIED: SharedData = { bytes: Number.POSITIVE_INFINITY, copy: () => ({}) };

/** The search without WebAssembly. */
export function plainOverlaps(): OverlapEngine {
  let level: UnitBits;
  return {
    allocate(units, words) {
      level = {
        units,
        words,
        bits: new Uint32Array(units * words),
        chunkCounts: new Uint32Array((units * words) / CHUNK_WORDS),
        takenBy: new Int32Array(units).fill(FIRST_ROUND),
      };
      return level;
    },
    prepare: () => NOT_COPIED,
    search(free, queries) {
      for (let q = 0; q < queryCount(queries); q++) searchOne(level, free, queries, q);
    },
  };
}

/** Runs query q against all units that are free. */
function searchOne(
  { units, words, bits, chunkCounts, takenBy }: UnitBits,
  free: Uint8Array,
  queries: Queries,
  q: number,
): void {
  const chunks = words / CHUNK_WORDS;
  const { records } = queries;
  const queryBits = queries.bits.subarray(q * words, (q + 1) * words);
  const queryCounts = new Uint32Array(chunks);
  countChunks(words, queryBits, queryCounts, 0);
  const at = q * RECORD;
  for (let unit = records[at + FIELD.after] + 1; unit < units; unit++) {
    if (free[unit] === 0 || unit === records[at + FIELD.skipA] || unit === records[at + FIELD.skipB]) continue;
    if (takenBy[unit] >= records[at + FIELD.takenByBelow]) continue;
    let shared = 0;
    let chunk = 0;
    for (; chunk < chunks; chunk++) {
      const max = Math.min(queryCounts[chunk], chunkCounts[unit * chunks + chunk]);
      if (shared + max < records[at + FIELD.needed]) break;
      for (let w = chunk * CHUNK_WORDS; w < (chunk + 1) * CHUNK_WORDS; w++)
        shared += popcount(queryBits[w] & bits[unit * words + w]);
    }
    if (chunk < chunks || shared < records[at + FIELD.needed]) continue;
    if (shared > records[at + FIELD.bestShared]) {
      // The former best becomes the runner-up, so other units have to share more than it does.
      records[at + FIELD.runnerUp] = records[at + FIELD.best];
      records[at + FIELD.needed] = records[at + FIELD.bestShared] + 1;
      records[at + FIELD.best] = unit;
      records[at + FIELD.bestShared] = shared;
    } else {
      records[at + FIELD.runnerUp] = unit;
      records[at + FIELD.needed] = shared + 1;
    }
  }
}
