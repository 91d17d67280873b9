// The result of a draft's run, collected from its events. Results are stored with a draft, under the names of the fields of
// `DraftResult`, `StoredCheck` and `WrongMap`; these names, `each`, `doing` and `on` among them, cannot change.

import type { Environment } from '../../../../src/core/report.ts';
import type { CompileMessage, DraftCheck, DraftEvent } from '../service/drafts/draft-types.ts';
import { ratio as ratioText } from '../../../../src/kit/words/quantity.ts';
import { speedFromTimes } from '../../../../src/kit/words/speed-of.ts';
import { countText } from '../../../../src/core/text/words.ts';

type EventOf<Stage extends DraftEvent['stage']> = Extract<DraftEvent, { readonly stage: Stage }>;

/** Which outputs of a run are incorrect. A point represents several outputs, since hundreds of maps are stored. */
export interface WrongMap {
  readonly outputs: number;
  /** the number of outputs per point */
  readonly each: number;
  /** 1 for each point with an incorrect output; length ceil(outputs / each) */
  readonly points: Uint8Array;
}

/** A draft's result on one matrix, as stored with a version of the draft. */
export type StoredCheck = Omit<DraftCheck, 'wrongOutputs'> & { readonly map?: WrongMap };

/** Most points of a `WrongMap`. */
export const MAX_POINTS = 2 ** 13;

/** The result so far of running a draft (a user's changed kernel), from the events of the worker. */
export interface DraftResult {
  readonly messages: readonly CompileMessage[];
  /** null until the compiler has answered */
  readonly compiled: boolean | null;
  readonly checks: readonly StoredCheck[];
  readonly budget: Omit<EventOf<'budget'>, 'stage'> | null;
  readonly timed: Omit<EventOf<'timed'>, 'stage'> | null;
  /** current activity of the worker; null if none */
  readonly doing: Omit<EventOf<'doing'>, 'stage'> | null;
  /** null while it runs */
  readonly ended: Omit<EventOf<'ended'>, 'stage'> | null;
  /** the matrix that is open in the page, in words; the draft is checked on other matrices as well */
  readonly on: string;
  /** the device, if known */
  readonly adapter: Environment['adapter'] | null;
}

/** The result of a run that has just begun. */
export function emptyResult(matrixTitle: string, adapter: DraftResult['adapter']): DraftResult {
  return {
    messages: [],
    compiled: null,
    checks: [],
    budget: null,
    timed: null,
    doing: null,
    ended: null,
    on: matrixTitle,
    adapter,
  };
}

/** The result after one more event. */
export function withEvent(result: DraftResult, event: DraftEvent): DraftResult {
  switch (event.stage) {
    case 'doing': {
      const { stage: _, ...activity } = event;
      return { ...result, doing: activity };
    }
    case 'compiled':
      return { ...result, compiled: event.ok, messages: event.messages };
    case 'checked':
      return { ...result, checks: [...result.checks, storedCheck(event)] };
    case 'budget': {
      const { stage: _, ...budget } = event;
      return { ...result, budget };
    }
    case 'timed': {
      const { stage: _, ...timed } = event;
      return { ...result, timed };
    }
    case 'ended':
      return { ...result, doing: null, ended: { ok: event.ok, sentence: event.sentence } };
  }
}

function storedCheck({ wrongOutputs, ...check }: DraftCheck): StoredCheck {
  return wrongOutputs === undefined ? check : { ...check, map: mapOf(wrongOutputs) };
}

/** The map of the outputs i with `wrong[i]` not 0. O(outputs). */
export function mapOf(wrong: Uint8Array): WrongMap {
  const outputsPerPoint = Math.max(1, Math.ceil(wrong.length / MAX_POINTS));
  const points = new Uint8Array(Math.ceil(wrong.length / outputsPerPoint));
  for (let i = 0; i < wrong.length; i++) if (wrong[i] !== 0) points[Math.floor(i / outputsPerPoint)] = 1;
  return { outputs: wrong.length, each: outputsPerPoint, points };
}

/** The number of incorrect outputs, over all matrices. */
export function wrongOutputCount({ checks }: DraftResult): number {
  let wrong = 0;
  for (const check of checks) wrong += check.wrong;
  return wrong;
}

/**
 * A version's result for a list, in a few words. The first of these states: 'not run'; 'does not compile, line 83';
 * 'stopped: too many steps'; 'rejected, 20 wrong', if outputs are wrong; 'rejected', if it wrote past the end of an output;
 * '1.07×', its speed; 'right', but not timed; 'not finished'; 'running'. A matrix that the kernel declined, because it does
 * not support it, is no reason to reject it.
 */
export function resultWords(result: DraftResult | null): { readonly text: string; readonly bad: boolean } {
  if (result === null) return { text: 'not run', bad: false };
  if (result.compiled === false) {
    const line = result.messages.find(({ severity, file }) => severity === 'error' && file !== null)?.line;
    return { text: `does not compile${line === undefined ? '' : `, line ${line}`}`, bad: true };
  }
  if (result.budget?.stopped) return { text: 'stopped: too many steps', bad: true };
  const wrong = wrongOutputCount(result);
  if (wrong > 0) return { text: `rejected, ${countText(wrong)} wrong`, bad: true };
  if (result.checks.some(({ ok, declined }) => !ok && declined === null)) return { text: 'rejected', bad: true };
  const ratio = draftSpeed(result);
  if (ratio !== null) return { text: ratioText(ratio), bad: false };
  if (result.ended?.ok) return { text: 'right', bad: false };
  return { text: result.ended ? 'not finished' : 'running', bad: result.ended !== null };
}

/** Speed relative to the original; null if not timed. */
export function draftSpeed(result: DraftResult | null): number | null {
  const rows = result?.timed?.rows ?? [];
  const [draft, original] = (['draft', 'original'] as const).map((who) => rows.find((row) => row.who === who));
  return draft?.vsOriginal ? speedFromTimes(draft.medianNs, original?.medianNs).ratio : null;
}
