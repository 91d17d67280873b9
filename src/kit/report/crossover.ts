import type { Words } from '../../core/story/scene.ts';
import { listText, say, strong } from '../../core/story/words.ts';
import { roughLeftText } from '../words/shares.ts';

/** The largest difference in density between two measurements across which anything is interpolated. */
export const MAX_STEP = 0.4;

/** Where two formats A and B are equally fast on a shape, by the density of its matrix. */
export interface Crossover {
  /** the densities, ascending */
  readonly at: readonly number[];
  /** two neighbouring measurements around a change, too far apart to interpolate */
  readonly between: readonly [low: number, high: number] | null;
  /** A is faster at the smallest measured density */
  readonly startsAhead: boolean;
  /** the smallest and the largest measured density */
  readonly measuredFrom: number;
  readonly measuredTo: number;
}

/** The densities at which the faster of A and B changes. `points` ascend; ratio: the speed of A divided by that of B. */
export function crossoverOf(points: readonly { readonly density: number; readonly ratio: number }[]): Crossover | null {
  const first = points.at(0);
  const last = points.at(-1);
  if (!first || !last) return null;
  const at: number[] = [];
  let between: readonly [number, number] | null = null;
  for (const [i, { density: high, ratio }] of points.slice(1).entries()) {
    const { density: low, ratio: before } = points[i];
    if (before > 1 === ratio > 1) continue;
    const share = Math.log(before) / (Math.log(before) - Math.log(ratio));
    if (high - low > MAX_STEP + 1e-9) between ??= [low, high];
    else at.push(low + share * (high - low));
  }
  return { at, between, startsAhead: first.ratio > 1, measuredFrom: first.density, measuredTo: last.density };
}

/** The facts about A against B by weights left, on one device. */
export interface CrossoverFacts {
  /** measured: on this shape; published: by others, on any shape */
  readonly kind: 'measured' | 'published';
  /** the card of published times, following 'for': 'RTX 4090'; not used for measured ones */
  readonly on: string;
  readonly a: string;
  readonly b: string;
  readonly crossover: Crossover;
  /** the share of weights that the matrix has left, 0 to 1 */
  readonly shareLeft: number;
  /** A is faster at this share */
  readonly isAhead: boolean;
  /** the title of dense */
  readonly reference: string;
  /** value types with fewer bits in which dense is faster than A there; for published times, those not compared */
  readonly fewerBits: readonly string[];
}

/** 'MACKO is faster than dense f16 below 68 % left; at 50 % dense i4 and i8 are faster still.' */
export function crossoverWords(facts: CrossoverFacts): readonly Words[] {
  const { kind, on, a, b, crossover, shareLeft, isAhead, reference, fewerBits } = facts;
  const dense = `${reference} ${listText(fewerBits)}`;
  const is = fewerBits.length === 1 ? 'is' : 'are';
  const rest =
    fewerBits.length === 0
      ? ''
      : kind === 'published'
        ? `; ${dense} ${fewerBits.length === 1 ? 'was' : 'were'} not compared there`
        : `; at ${roughLeftText(shareLeft)} ${dense} ${is} faster${isAhead ? ' still' : ''}`;
  const opening = kind === 'published' ? `Published for ${on}: ` : '';
  return say`${opening}${a} ${strong(`${whereFaster(b, crossover)} left`)}${rest}.`;
}

/** 'is faster than dense f16 below 68 %' */
function whereFaster(b: string, crossover: Crossover): string {
  const { at, between, startsAhead, measuredFrom: from, measuredTo: to } = crossover;
  if (between !== null) return `is as fast as ${b} ${crossoverText(crossover)}`;
  if (at.length > 0) return `is faster than ${b} ${crossoverText(crossover)}`;
  return `is ${startsAhead ? 'faster' : 'slower'} than ${b} from ${roughLeftText(from)} to ${roughLeftText(to)}`;
}

/** The shares of weights left at which A is faster than B: 'below 65 %', 'ahead from 10 % to 50 %'. */
export function crossoverText(crossover: Crossover | null): string {
  if (crossover === null) return '–';
  const { at, between, startsAhead, measuredFrom: from, measuredTo: to } = crossover;
  if (between !== null) return `somewhere from ${roughLeftText(between[0])} to ${roughLeftText(between[1])}`;
  const [first, second] = at;
  if (at.length === 0) {
    const range = from === to ? `at ${roughLeftText(from)}` : `from ${roughLeftText(from)} to ${roughLeftText(to)}`;
    return `${startsAhead ? 'ahead' : 'behind'} ${range}`;
  }
  if (at.length === 1) return `${startsAhead ? 'below' : 'above'} ${roughLeftText(first)}`;
  return startsAhead
    ? `below ${roughLeftText(first)} and above ${roughLeftText(second)}`
    : `from ${roughLeftText(first)} to ${roughLeftText(second)}`;
}
