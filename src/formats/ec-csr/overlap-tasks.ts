import type { TaskKind } from '../../core/tasks.ts';
import { type LevelCopy, openLevel } from './overlap-wasm.ts';
import {
  queryPartners,
  queryWitnesses,
  resultOf,
  type OverlapEngine,
  type Queries,
  queriesFor,
  queryCount,
  type UnitBits,
} from './overlap.ts';

// The search for overlaps of units (rows, or blocks that the level before merged: overlap.ts) as tasks for threads.

/** Queries that a thread answers together, and the units that they may find. */
export interface OverlapTask {
  /** one byte per unit, 1 for a unit that may be found */
  readonly free: Uint8Array;
  readonly queries: Queries;
}

/** `other` in a query for partners: REPEATED if its unit found none in the round before, else FIRST_TIME. */
export const FIRST_TIME = -1;
export const REPEATED = -2;

/**
 * [unit, FIRST_TIME or REPEATED, min] requests partners: units after `unit` that share at least `min` columns with it.
 * [a, b, min] requests witnesses: other units that have at least `min` of the columns that a and b share.
 */
export type OverlapQuery = readonly [unit: number, other: number, min: number];

/** The task of answering these queries, among units with a 1 in `free`. */
export function overlapTask(u: UnitBits, free: Uint8Array, requests: readonly OverlapQuery[]): OverlapTask {
  const queries = queriesFor(requests.length, u.words);
  for (const [q, [a, b, min]] of requests.entries()) {
    if (b < 0) queryPartners(u, queries, q, a, min, b === REPEATED);
    else queryWitnesses(u, queries, q, a, b, min);
  }
  return { free, queries };
}

/** Finds, for every query, the two units that share the most columns: two numbers per query, -1 for none. */
export function runOverlapTask(engine: Pick<OverlapEngine, 'search'>, { free, queries }: OverlapTask): Int32Array {
  engine.search(free, queries);
  const best = new Int32Array(2 * queryCount(queries));
  for (let q = 0; q < queryCount(queries); q++) {
    best[2 * q] = resultOf(queries, q, 'best');
    best[2 * q + 1] = resultOf(queries, q, 'runnerUp');
  }
  return best;
}

/** Like `runOverlapTask`, on another thread, which has a copy of all units of a level of merging. */
export const overlapTasks: TaskKind<LevelCopy, OverlapTask, Int32Array> = {
  name: 'ec-csr/overlaps',
  open(level) {
    const engine = openLevel(level);
    return (task) => runOverlapTask(engine, task);
  },
};
