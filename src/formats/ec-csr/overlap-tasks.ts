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
  const count = wanted.length / QUERY_FIELDS;
  const best = new Int32Array(2 * count);
  for (let start = 0; start < count; start += MAX_QUERIES) {
    const n = Math.min(MAX_QUERIES, count - start);
    for (let q = 0; q < n; q++) {
      const at = (start + q) * QUERY_FIELDS;
      const [a, b, least] = [wanted[at], wanted[at + 1], wanted[at + 2]];
      if (b < 0) askForPartners(u, queries, q, a, least, b === REPEATED);
      else askForWitnesses(u, queries, q, a, b, least);
    }
    engine.search(u, n);
    for (let q = 0; q < n; q++) {
      best[2 * (start + q)] = found(queries, q, 'first');
      best[2 * (start + q) + 1] = found(queries, q, 'second');
    }
  }
  return best;
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
