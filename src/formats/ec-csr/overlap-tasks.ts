import type { SharedData } from '../../core/job.ts';
import type { TaskKind } from '../../core/tasks.ts';
import { fastOverlaps } from './overlap-wasm.ts';
import { askForPartners, askForWitnesses, found, MAX_QUERIES, type OverlapEngine, type UnitBits } from './overlap.ts';

/** The unit rows of a level, as another thread gets them. */
export type LevelCopy = Omit<UnitBits, 'free'>;

/** One task: some queries, and who may be found. */
export interface OverlapTask {
  /** one byte per unit, 1 for a unit that may be found */
  readonly free: Uint8Array;
  /**
   * Three numbers per query. `unit, -1, least`: partners of a unit, after it, that share at least `least` columns with it;
   * -2 in the place of -1 when it found nobody in the round before.
   * `a, b, least`: witnesses, other units that have at least `least` of the columns that a and b share.
   */
  readonly queries: Int32Array;
}

/** In the place of a second unit: partners are wanted, for the first time or again. */
export const FIRST_TIME = -1;
export const REPEATED = -2;

/** Numbers per query of an OverlapTask. */
export const QUERY_FIELDS = 3;

/** Finds, for every query, the best unit and the best of the others: two numbers per query, -1 where there is none. */
export function runOverlapTask(engine: OverlapEngine, u: UnitBits, { free, queries: wanted }: OverlapTask): Int32Array {
  u.free.set(free);
  const queries = engine.queries();
  const best = new Int32Array((2 * wanted.length) / QUERY_FIELDS);
  // Those that are asked again have fewer units to look at, if no other is among them.
  for (const group of [kindOf(wanted, false), kindOf(wanted, true)]) {
    for (let start = 0; start < group.length; start += MAX_QUERIES) {
      const asked = group.slice(start, start + MAX_QUERIES);
      for (const [q, i] of asked.entries()) {
        const [a, b, least] = wanted.subarray(i * QUERY_FIELDS);
        if (b < 0) askForPartners(u, queries, q, a, least, b === REPEATED);
        else askForWitnesses(u, queries, q, a, b, least);
      }
      engine.search(u, asked.length);
      for (const [q, i] of asked.entries()) {
        best[2 * i] = found(queries, q, 'first');
        best[2 * i + 1] = found(queries, q, 'second');
      }
    }
  }
  return best;
}

/** The numbers of the queries that ask again, or of the others. */
function kindOf(wanted: Int32Array, isRepeated: boolean): number[] {
  const numbers: number[] = [];
  for (let i = 0; i < wanted.length / QUERY_FIELDS; i++) {
    if ((wanted[i * QUERY_FIELDS + 1] === REPEATED) === isRepeated) numbers.push(i);
  }
  return numbers;
}

/** The same on another thread, which has a copy of the level. */
export const overlapTasks: TaskKind<LevelCopy, OverlapTask, Int32Array> = {
  name: 'ec-csr/overlaps',
  open({ units, words, bits, chunkCounts, takenAt }) {
    const engine = fastOverlaps();
    const u = engine.allocate(units, words);
    u.bits.set(bits);
    u.chunkCounts.set(chunkCounts);
    u.takenAt.set(takenAt);
    return (task) => runOverlapTask(engine, u, task);
  },
};

/** A level to be copied for other threads; it must not change while they work on it. */
export function sharedLevel({ units, words, bits, chunkCounts, takenAt }: UnitBits): SharedData {
  return {
    // The search has the bits by column as well.
    bytes: 2 * bits.byteLength + chunkCounts.byteLength + takenAt.byteLength,
    copy: (): Readonly<Record<keyof LevelCopy, unknown>> => ({
      units,
      words,
      bits: bits.slice(),
      chunkCounts: chunkCounts.slice(),
      takenAt: takenAt.slice(),
    }),
  };
}
