import type { Random } from '../src/core/number/random.ts';
import { threadMs } from './thread-time.ts';

/** A broken law: its name in a few words, the same for a smaller case, and what was found and expected. */
export interface Find {
  readonly law: string;
  readonly message: string;
}

/** One case, which can be tried, made smaller and saved. */
export interface Attempt {
  /** Null when every law holds. */
  find(): Promise<Find | null>;
  /** Smaller cases, the most aggressive first. */
  smaller(): Iterable<Attempt>;
  /** as returned by JSON.parse */
  toJson(): unknown;
}

/** A part of the code that the fuzzer attacks. */
export interface Target {
  readonly id: string;
  /** the name of a case, in the plural */
  readonly unit: string;
  /** share of the time of a run that tries everything */
  readonly share: number;
  generate(random: Random): Attempt;
  /** Throws if the value is not a case of this target. */
  fromJson(value: unknown): Attempt;
}

/** Longest time in milliseconds for which hostile input may block the page. */
export const SILENT_MS = 200;

/** How often a slow case is repeated: if it is slow every time, the case is slow, and not the machine. */
const MAX_TRIES = 4;

/**
 * A target from functions for its kind of case. Whatever `check` throws is a find, and so is a case that blocks its
 * thread for more than `limitMs`; null: only the limit of all cases holds.
 */
export function defineTarget<C>(parts: {
  readonly id: string;
  readonly unit: string;
  readonly share: number;
  readonly limitMs: number | null;
  /** for tests: what tells the time of a case; default: the clock, and in repetitions the work of the thread */
  readonly clock?: () => number;
  readonly generate: (random: Random) => C;
  readonly check: (c: C) => Find | null | Promise<Find | null>;
  readonly smaller: (c: C) => Iterable<C>;
  readonly toJson: (c: C) => unknown;
  readonly fromJson: (value: unknown) => C;
}): Target {
  const { limitMs, clock } = parts;
  const attempt = (c: C): Attempt => ({
    async find() {
      if (limitMs === null) return guarded(() => parts.check(c));
      let shortest = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < MAX_TRIES; tries++) {
        // Watching closely costs more than most cases, so only a case that was slow by the clock is watched.
        const { found, silentMs } = await checked(() => parts.check(c), tries === 0 ? roughly : closely, clock);
        if (found !== null) return found;
        shortest = Math.min(shortest, silentMs);
        if (shortest <= limitMs) return null;
      }
      const message = `${Math.round(shortest)} ms without giving the thread back, in the shortest of ${MAX_TRIES} tries`;
      return { law: `no case is silent for more than ${limitMs} ms`, message };
    },
    *smaller() {
      for (const less of parts.smaller(c)) yield attempt(less);
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

/** What a check finds; whatever it throws is a find. */
async function guarded(check: () => Find | null | Promise<Find | null>): Promise<Find | null> {
  try {
    return await check();
  } catch (error) {
    return { law: 'nothing throws unasked', message: stackOf(error) };
  }
}

/** How a case is watched. */
interface Watch {
  /** A time in milliseconds. */
  readonly clock: () => number;
  /** Calls `turn` whenever the thread is free, until the result is called. */
  readonly whenFree: (turn: () => void) => () => void;
}

const roughly: Watch = {
  clock: () => performance.now(),
  // A timer: the thread sleeps while a case waits for another. Several messages may be handled before it.
  whenFree(turn) {
    const waiting = setInterval(turn, 1);
    return () => clearInterval(waiting);
  },
};

/** By the work of its thread, and in every turn of it. */
const closely: Watch = {
  clock: threadMs,
  whenFree(turn) {
    const next = (): void => {
      turn();
      waiting = setImmediate(next);
    };
    let waiting = setImmediate(next);
    return () => clearImmediate(waiting);
  },
};

/** The finds of a check, and the longest time of its own work in which nothing else on its thread had a turn. */
async function checked(
  check: () => Find | null | Promise<Find | null>,
  watch: Watch,
  clock = watch.clock,
): Promise<{ readonly found: Find | null; readonly silentMs: number }> {
  let [start, silentMs] = [clock(), 0];
  const turn = (): void => {
    silentMs = Math.max(silentMs, clock() - start);
    start = clock();
  };
  const stop = watch.whenFree(turn);
  const found = await guarded(check);
  turn();
  stop();
  return { found, silentMs };
}

/** Most lines of a stack that are worth printing. */
const STACK_LINES = 6;

export function stackOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return (error.stack ?? error.message).split('\n').slice(0, STACK_LINES).join('\n');
}

/**
 * Shrinks a case that breaks a law: replaces it by the first smaller one that breaks the same law, until none is left
 * or time is up.
 */
export async function shrink(
  first: Attempt,
  find: Find,
  isLate: () => boolean,
): Promise<{ readonly attempt: Attempt; readonly find: Find }> {
  let best = { attempt: first, find };
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const attempt of best.attempt.smaller()) {
      if (isLate()) return best;
      const again = await attempt.find();
      if (again?.law !== find.law) continue;
      best = { attempt, find: again };
      isSmaller = true;
      break;
    }
  }
  return best;
}
