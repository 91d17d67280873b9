// The interface of fuzz targets, the limit on work between turns of the event loop, and shrinking by delta
// debugging.

import type { Random } from '../src/core/number/random.ts';
import { workDone } from './work.ts';

/** A broken law: its name in a few words, the same for a smaller case, and what was found and expected. */
export interface Fault {
  readonly law: string;
  readonly message: string;
}

/** One case, which can be tried, made smaller and saved. */
export interface Attempt {
  /** Checks the laws; null if all are satisfied. */
  find(): Promise<Fault | null>;
  /** Smaller cases, those that leave out most first. */
  smaller(): Iterable<Attempt>;
  /** as returned by JSON.parse */
  toJson(): unknown;
}

/** A part of the code that the fuzzer attacks. */
export interface Target {
  readonly id: string;
  /** the name of a case, in the plural */
  readonly unit: string;
  /** its share of the time, in a run of all targets */
  readonly share: number;
  generate(random: Random): Attempt;
  /** Throws if the value is not a case of this target. */
  fromJson(value: unknown): Attempt;
}

/** Maximum steps (work.ts) for which hostile input may block the page: some 50 to 200 ms, at 2 to 20 ns a step. */
export const SILENT_STEPS = 10_000_000;

/**
 * A target from functions for its kind of case. Any error of `check` is a fault, and so is a case that blocks its thread
 * for more than `maxSteps`; null: only the limit of all cases applies.
 */
export function defineTarget<C>(parts: {
  readonly id: string;
  readonly unit: string;
  readonly share: number;
  readonly maxSteps: number | null;
  /** returns the number of steps so far; only tests replace it */
  readonly steps?: () => number;
  readonly generate: (random: Random) => C;
  readonly check: (c: C) => Fault | null | Promise<Fault | null>;
  readonly smaller: (c: C) => Iterable<C>;
  readonly toJson: (c: C) => unknown;
  readonly fromJson: (value: unknown) => C;
}): Target {
  const { maxSteps, steps = workDone } = parts;
  const attempt = (c: C): Attempt => ({
    async find() {
      if (maxSteps === null) return resultOrFault(() => parts.check(c));
      let silentSteps = 0;
      // The timer may miss turns, but costs little. Only a case that seems to block is checked again at every turn.
      for (const whenFree of [onTimer, onEveryTurn]) {
        const tried = await withSilentSteps(() => parts.check(c), whenFree, steps);
        if (tried.found !== null) return tried.found;
        silentSteps = tried.silentSteps;
        if (silentSteps <= maxSteps) return null;
      }
      const message = `${silentSteps} steps without giving the thread back`;
      return { law: `no case is silent for more than ${maxSteps} steps`, message };
    },
    *smaller() {
      for (const smallerCase of parts.smaller(c)) yield attempt(smallerCase);
    },
    toJson: () => parts.toJson(c),
  });
  return {
    id: parts.id,
    unit: parts.unit,
    share: parts.share,
    generate: (random) => attempt(parts.generate(random)),
    fromJson: (value) => attempt(parts.fromJson(value)),
  };
}

/** Returns the result of a check; an error that it throws becomes a fault. */
async function resultOrFault(check: () => Fault | null | Promise<Fault | null>): Promise<Fault | null> {
  try {
    return await check();
  } catch (error) {
    return { law: 'a check throws no error', message: stackOf(error) };
  }
}

/** Calls `turn` whenever the thread is free, until the returned function is called. */
type WhenFree = (turn: () => void) => () => void;

/** Every millisecond: the thread can sleep while a case waits, but may handle several messages before the timer. */
const onTimer: WhenFree = (turn) => {
  const waiting = setInterval(turn, 1);
  return () => clearInterval(waiting);
};

/** At every turn of the event loop: exact, but the thread never sleeps. */
const onEveryTurn: WhenFree = (turn) => {
  const next = (): void => {
    turn();
    waiting = setImmediate(next);
  };
  let waiting = setImmediate(next);
  return () => clearImmediate(waiting);
};

/** Returns the result of a check, and its maximum number of steps between two turns of the event loop. */
async function withSilentSteps(
  check: () => Fault | null | Promise<Fault | null>,
  whenFree: WhenFree,
  steps: () => number,
): Promise<{ readonly found: Fault | null; readonly silentSteps: number }> {
  let [start, silentSteps] = [steps(), 0];
  const turn = (): void => {
    silentSteps = Math.max(silentSteps, steps() - start);
    start = steps();
  };
  const stop = whenFree(turn);
  const found = await resultOrFault(check);
  turn();
  stop();
  return { found, silentSteps };
}

/** Maximum printed lines of a stack trace. */
const STACK_LINES = 6;

/** Returns the first lines of an error's stack trace. */
export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.stack ?? error.message).split('\n').slice(0, STACK_LINES).join('\n');
}

/**
 * Shrinks a case that breaks a law by delta debugging: replaces it by the first smaller one that breaks the same law,
 * until none remains or time is up.
 */
export async function shrink(
  first: Attempt,
  fault: Fault,
  isLate: () => boolean,
): Promise<{ readonly attempt: Attempt; readonly fault: Fault }> {
  let best = { attempt: first, fault };
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const attempt of best.attempt.smaller()) {
      if (isLate()) return best;
      const again = await attempt.find();
      if (again?.law !== fault.law) continue;
      best = { attempt, fault: again };
      isSmaller = true;
      break;
    }
  }
  return best;
}
