// The work of one thread of the fuzzer: it generates cases of the targets in turn, and shrinks cases that break a
// law.

import { Random } from '../src/core/number/random.ts';
import { type Fault, shrink, type Target } from './target.ts';

/** The task of a thread. */
export interface ThreadPlan {
  readonly seed: number;
  /** cases `thread`, `thread + threads`, ... of every target are this thread's */
  readonly thread: number;
  readonly threads: number;
  readonly targets: readonly {
    readonly id: string;
    /** index of the first case */
    readonly from: number;
    /** null: as many as there is time for */
    readonly count: number | null;
  }[];
  /** when the run ends, by Date.now(); null if counts end it */
  readonly endsAt: number | null;
  readonly againstScipy: boolean;
  /** the thread's current case, for its supervisor: see PULSE */
  readonly pulse: SharedArrayBuffer;
}

/** Words of the pulse: which target, which case of it, and the second of Date.now() at which it was begun. */
export const PULSE = { target: 0, index: 1, second: 2, words: 3 } as const;

/** Messages of a thread: its progress, a case that breaks a law, and the end. */
export type ThreadMessage =
  | { readonly kind: 'progress'; readonly target: string; readonly tried: number; readonly next: number }
  | {
      readonly kind: 'find';
      readonly target: string;
      readonly index: number;
      readonly fault: Fault;
      readonly json: unknown;
      readonly isSmallest: boolean;
    }
  | { readonly kind: 'done' };

/** Milliseconds that one target runs before the next target. */
const TURN_MS = 100;
/** Time limit for shrinking one case. */
const SHRINK_MS = 30_000;

/** Returns the generator of random numbers of a case: the same on every thread, and in any order. */
export function randomOf(seed: number, target: string, index: number): Random {
  // A hash like FNV-1a over the target's name; the second constant spreads consecutive case numbers over 32 bits.
  let hash = seed >>> 0;
  for (const letter of target) hash = Math.imul(hash ^ (letter.codePointAt(0) ?? 0), 0x01000193);
  return new Random(Math.imul(hash ^ index, 0x9e3779b1) ^ (hash >>> 15));
}

/** Tries cases of all targets, a turn of each after the other, until counts are reached or time is up. */
export async function runThread(
  plan: ThreadPlan,
  targets: readonly Target[],
  post: (message: ThreadMessage) => void,
): Promise<void> {
  const pulse = new Int32Array(plan.pulse);
  const reportedLaws = new Set<string>();
  const turns = plan.targets.flatMap(({ id, from, count }) => {
    const target = targets.find((candidate) => candidate.id === id);
    return target ? [{ target, next: from, count, spentMs: 0 }] : [];
  });
  const isLate = (): boolean => plan.endsAt !== null && Date.now() >= plan.endsAt;
  while (!isLate()) {
    // The next turn belongs to the target that has had the least time compared with its share.
    const unfinished = turns.filter(({ next, count }) => count === null || next < count);
    if (unfinished.length === 0) break;
    const turn = unfinished.reduce((a, b) => (b.spentMs / b.target.share < a.spentMs / a.target.share ? b : a));
    const { target } = turn;
    const start = performance.now();
    let tried = 0;
    while (performance.now() - start < TURN_MS && (turn.count === null || turn.next < turn.count) && !isLate()) {
      const index = turn.next;
      pulse[PULSE.target] = targets.indexOf(target);
      pulse[PULSE.index] = index;
      pulse[PULSE.second] = Math.floor(Date.now() / 1000);
      turn.next += plan.threads;
      tried++;
      const attempt = target.generate(randomOf(plan.seed, target.id, index));
      const fault = await attempt.find();
      // Each broken law of a target is reported once: first as found, then as the smallest case that breaks it.
      if (fault === null || reportedLaws.has(`${target.id} ${fault.law}`)) continue;
      reportedLaws.add(`${target.id} ${fault.law}`);
      post({ kind: 'find', target: target.id, index, fault, json: attempt.toJson(), isSmallest: false });
      const shrinkEnd = performance.now() + SHRINK_MS;
      const smallest = await shrink(attempt, fault, () => {
        pulse[PULSE.second] = Math.floor(Date.now() / 1000);
        return performance.now() >= shrinkEnd;
      });
      post({
        kind: 'find',
        target: target.id,
        index,
        fault: smallest.fault,
        json: smallest.attempt.toJson(),
        isSmallest: true,
      });
    }
    turn.spentMs += performance.now() - start;
    post({ kind: 'progress', target: target.id, tried, next: turn.next });
  }
  post({ kind: 'done' });
}
