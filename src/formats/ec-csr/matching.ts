import type { Progress, SharedData, Steps } from '../../core/job.ts';
import { runTasks } from '../../core/tasks.ts';
import { columnCount, type OverlapEngine, type UnitBits } from './overlap.ts';
import {
  FIRST_TIME,
  overlapTask,
  type OverlapTask,
  overlapTasks,
  REPEATED,
  runOverlapTask,
  type OverlapQuery,
} from './overlap-tasks.ts';

/** A matched pair of units: rows or, at later levels, blocks that the level before extracted. */
export interface Match {
  readonly unit: number;
  readonly partner: number;
}

/** What the searches of one round need. `bits` must not change during the round: `engine` was prepared for them. */
export interface Round {
  readonly engine: OverlapEngine;
  readonly bits: UnitBits;
  readonly shared: SharedData; // the level, for other threads
  /** by unit: 1 if the unit found no partner in the round before, else 0 */
  readonly foundNone: Uint8Array;
  /** progress of the whole extraction when `share` of the searches, from 0 to 1, is done */
  progress(share: number): Progress;
}

/** Columns that all queries of a task visit: at most (about 4 ms), and at least (0.2 ms) except for the last task. */
const MAX_PER_TASK = 2 ** 29;
const MIN_PER_TASK = 2 ** 25;

/** If all queries visit fewer columns, other threads, each with a copy of the level, cost more than they save. */
const WORTH_SPREADING = 2 ** 26;

/** Most queries of a task: data that a search fetched from memory for one query is in the cache for the others. */
const MAX_QUERIES = 64;

/** A task gets this share of the remaining queries: tasks get shorter, so that all threads end together. */
const TASK_SHARE = 1 / 8;

/** Units between two yields of `matchSteps`: about 10 ms of work in a large level if all are looked up again. */
const UNITS_PER_YIELD = 16;

/** A batch is at most this share of the free units: lookups for units that are matched meanwhile are wasted. */
const BATCH_SHARE = 1 / 16;
/** Fewest units of a batch, if as many are free. */
const MIN_BATCH = 16;

/**
 * Algorithm 2 of the paper: walks the units in order and matches each free unit with the later free unit that shares
 * the most columns, at least `min`; of equals the first. `free` has 1 for the units that take part, and is modified.
 *
 * Partners are looked up for a batch of units at a time, on several threads. A unit whose two best have been taken
 * meanwhile is looked up again, so that the pairs are the same as without batches. Sets `bits.takenBy` and `foundNone`,
 * which limit the lookups of the level's next round.
 */
export function* matchSteps(round: Round, free: Uint8Array, min: number): Steps<readonly Match[]> {
  const { engine, bits, foundNone, progress } = round;
  const matches: Match[] = [];
  const takenBy = new Int32Array(bits.units);
  for (let unit = 0; unit < bits.units; unit++) takenBy[unit] = unit;
  const foundNoneNow = new Uint8Array(bits.units);
  const queryOf = (unit: number): OverlapQuery => [unit, foundNone[unit] === 1 ? REPEATED : FIRST_TIME, min];
  const lookUp = (unit: number): number => runOverlapTask(engine, overlapTask(bits, free, [queryOf(unit)]))[0];
  for (let next = 0; ;) {
    const batch = freeUnits(free, next);
    if (batch.length === 0) break;
    const queries = batch.map(queryOf);
    const best = yield* search(round, free, queries, (share) => (batch[0] + share * batch.length) / bits.units);
    for (const [i, unit] of batch.entries()) {
      if (i % UNITS_PER_YIELD === UNITS_PER_YIELD - 1) yield progress((batch[0] + batch.length) / bits.units);
      if (free[unit] === 0) continue;
      free[unit] = 0;
      const isFree = (other: number): boolean => other < 0 || free[other] === 1;
      const partner = [best[2 * i], best[2 * i + 1]].find(isFree) ?? lookUp(unit);
      if (partner < 0) {
        foundNoneNow[unit] = 1;
        continue;
      }
      free[partner] = 0;
      takenBy[partner] = unit;
      matches.push({ unit, partner });
    }
    next = batch[batch.length - 1] + 1;
  }
  // Only now: the lookups of this round were limited by the round before.
  bits.takenBy.set(takenBy);
  foundNone.set(foundNoneNow);
  return matches;
}

/** The next free units, as many as fit in a batch. */
function freeUnits(free: Uint8Array, from: number): number[] {
  let count = 0;
  for (let u = from; u < free.length; u++) count += free[u];
  const max = Math.max(MIN_BATCH, Math.floor(count * BATCH_SHARE));
  const units: number[] = [];
  for (let u = from; u < free.length && units.length < max; u++) if (free[u] === 1) units.push(u);
  return units;
}

/** A query for witnesses of a pair: units that have at least `min` of its shared columns, for a larger block. */
export interface WitnessQuery extends Match {
  readonly min: number;
}

/** For each pair, up to two units (1 in `among`) with the most of the pair's shared columns, at least `min`. */
export function* witnessSteps(
  round: Round,
  among: Uint8Array,
  pairs: readonly WitnessQuery[],
): Steps<readonly (readonly number[])[]> {
  const queries = pairs.map(({ unit, partner, min }): OverlapQuery => [unit, partner, min]);
  const best = yield* search(round, among, queries, (share) => share);
  return pairs.map((_, i) => [best[2 * i], best[2 * i + 1]].filter((unit) => unit >= 0));
}

/** The best unit and the runner-up of each query, -1 for none; on several threads if there is enough to do. */
function* search(
  { engine, bits, shared, progress }: Round,
  free: Uint8Array,
  queries: readonly OverlapQuery[],
  shareDone: (share: number) => number,
): Steps<Int32Array> {
  const inputs: OverlapTask[] = [];
  // The caller continues to modify `free`, and other threads get a copy anyway.
  const freeNow = free.slice();
  let start = 0;
  for (const count of taskSizes(queries, bits)) {
    inputs.push(overlapTask(bits, freeNow, queries.slice(start, start + count)));
    start += count;
  }
  const outputs = yield* runTasks({
    kind: overlapTasks.name,
    shared,
    inputs,
    inline: (task: OverlapTask) => runOverlapTask(engine, task),
    progress: (done) => progress(shareDone(done / inputs.length)),
  });
  const best = new Int32Array(2 * queries.length);
  let offset = 0;
  for (const output of outputs) {
    best.set(output, offset);
    offset += output.length;
  }
  return best;
}

/** How many queries each task has; a single task if several threads are not worth it. O(units + queries). */
function taskSizes(queries: readonly OverlapQuery[], bits: UnitBits): number[] {
  // Columns of all units, and of those that were taken as a partner in the round before.
  const columns = { ofAll: 0, ofTaken: 0 };
  for (let unit = 0; unit < bits.units; unit++) {
    const count = columnCount(bits, unit);
    columns.ofAll += count;
    if (bits.takenBy[unit] < unit) columns.ofTaken += count;
  }
  let total = 0;
  for (const [, kind] of queries) total += kind === REPEATED ? columns.ofTaken : columns.ofAll;
  if (total < WORTH_SPREADING) return [queries.length];
  const perQuery = total / queries.length;
  const max = Math.max(1, Math.min(MAX_QUERIES, Math.floor(MAX_PER_TASK / perQuery)));
  const min = Math.min(max, Math.ceil(MIN_PER_TASK / perQuery));
  const sizes: number[] = [];
  for (let rest = queries.length; rest > 0; rest -= sizes[sizes.length - 1]) {
    sizes.push(Math.min(rest, max, Math.max(min, Math.ceil(rest * TASK_SHARE))));
  }
  return sizes;
}
