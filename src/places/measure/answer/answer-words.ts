import type { Words } from '../../../core/story/scene.ts';
import { say, strong } from '../../../core/story/words.ts';
import { isMeaningful, type TimeBound } from '../../../kit/report/time-bound.ts';
import { secondTime, time } from '../../../kit/words/quantity.ts';
import { times } from '../../../kit/words/rates.ts';
import { isOfRounds, type Speed, speedSentence } from '../../../kit/words/speed-of.ts';
import { SIMPLE_KERNEL } from '../../../kit/words/timed-name.ts';

/** A format's time, or its lower bound. */
export interface SideTime {
  readonly name: string;
  /** measured, in ns */
  readonly ns: number | null;
  /** null if there is no bound */
  readonly bound: TimeBound | null;
  /** why it cannot store the matrix, or was not timed, without a final full stop */
  readonly reason: string | null;
  readonly cannotStore: boolean;
  /** the format has one simple kernel, which its time mentions */
  readonly isSimple: boolean;
}

export interface AnswerFacts {
  readonly a: SideTime;
  readonly b: SideTime | null;
  /** its name, following 'On': 'NVIDIA H200', 'this GPU' */
  readonly device: string;
  /** measured, of A against B */
  readonly speed: Speed | null;
  /** bytes of B over those of A: not a bound, since either may be read below the full speed */
  readonly byBytes: number | null;
  /** times of A and B are from two runs */
  readonly isApart: boolean;
  /** times are from another matrix, of the same shape and density */
  readonly isLike: boolean;
  /** the matrix, in words */
  readonly of: string;
  readonly tokens: number;
  /** the feed-forward block that contains the matrix was timed */
  readonly isBlock: boolean;
  /** a sentence after every time: that it says nothing about a GPU */
  readonly caution: string;
}

/** The answer of Measure in one or two sentences: the measured times and, separately, the ratio of their bytes. */
export function answerWords(facts: AnswerFacts): readonly Words[] {
  const { a, b, device, speed, byBytes } = facts;
  for (const side of b ? [a, b] : [a]) {
    if (side.cannotStore) return say`${side.name} cannot store ${facts.of}: ${stripped(side.reason ?? '')}.`;
  }
  const caution = facts.caution === '' ? '' : ` ${facts.caution}`;
  const matrix = facts.isLike ? 'a random matrix like it' : facts.of;
  const what = facts.isBlock
    ? `computes a feed-forward block with ${facts.isLike ? 'activations like these' : 'these activations'}`
    : `multiplies ${matrix}${facts.tokens === 1 ? '' : ` with ${facts.tokens} tokens`}`;
  if (a.ns !== null && b === null) {
    return say`On ${device}, ${timedName(a)} ${what} in ${strong(time(a.ns))}.${caution}`;
  }
  if (a.ns !== null && b && b.ns !== null && speed !== null) {
    const where = facts.isApart ? ', in another run' : isOfRounds(speed) ? '; round by round' : '';
    const both = `${time(a.ns)}, ${timedName(b)} in ${secondTime(b.ns, a.ns)}${where}: ${speedSentence(speed)}`;
    const bytes = byBytes === null ? '' : ` If only bytes counted: ${times(byBytes)}.`;
    return say`On ${device}, ${timedName(a)} ${what} in ${strong(both)}.${bytes}${caution}`;
  }
  const [timed, other] = a.ns !== null ? [a, b] : [b, a];
  if (timed && timed.ns !== null && other) {
    const why = other.reason === null ? ' was not timed' : ` was not timed: ${stripped(other.reason)}`;
    return say`On ${device}, ${timedName(timed)} ${what} in ${strong(time(timed.ns))}; ${other.name}${why}.${caution}`;
  }
  return untimedWords(facts);
}

/** 'ELL (one simple kernel)' */
function timedName({ name, isSimple }: SideTime): string {
  return isSimple ? `${name} (${SIMPLE_KERNEL})` : name;
}

/** Without a measurement: the bound by bytes and an empty dispatch. */
function untimedWords({ a, b, device, byBytes }: AnswerFacts): readonly Words[] {
  const opening = `${b ? 'Neither was' : `${a.name} was not`} timed on ${device}`;
  if (a.bound === null) return say`${opening}.`;
  if (!isMeaningful(a.bound)) return say`${opening}: ${a.name}’s bytes are read in less than 1\u202fµs.`;
  const { ns, by } = a.bound;
  const atLeast = `at least ${time(ns)}`;
  if (b && by === 'dispatch' && b.bound?.by === 'dispatch') {
    return say`${opening}, too small to time: starting any kernel takes ${strong(time(ns))}.`;
  }
  if (by === 'dispatch')
    return say`${opening}, ${b ? `${a.name} as ` : ''}too small to time: starting any kernel takes ${strong(time(ns))}.`;
  if (!b) return say`${opening}: its bytes take ${strong(atLeast)}.`;
  if (b.bound?.by !== 'bytes' || !isMeaningful(b.bound) || byBytes === null) {
    return say`${opening}: ${a.name}’s bytes take ${strong(atLeast)}.`;
  }
  const both = `${atLeast}, those of ${b.name} ${secondTime(b.bound.ns, ns)}`;
  return say`${opening}: ${a.name}’s bytes take ${strong(both)}. If only bytes counted: ${times(byBytes)}.`;
}

function stripped(reason: string): string {
  return reason.replace(/\.$/, '');
}
