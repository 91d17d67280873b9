import type { BenchRow } from '../../core/report.ts';
import { threeDigits } from '../../core/story/words.ts';

/**
 * Speed against dense with its quantiles; null where it was not compared, and where a time is below the clock's step: a
 * file may bring times of 0 ns, of which no ratio can be made.
 */
export function speedOf({ vsDense, medianNs }: BenchRow): BenchRow['vsDense'] {
  if (vsDense === null || medianNs === 0) return null;
  const { ratio, p10, p90 } = vsDense;
  return [ratio, p10, p90].every((value) => value > 0 && Number.isFinite(value)) ? vsDense : null;
}

/** How many times as fast one of two is, beside the two times that a reader divides. */
export interface Speed {
  /** the median of the rounds that both were timed in; without such rounds the quotient */
  readonly ratio: number;
  readonly p10: number | null;
  readonly p90: number | null;
  /** the other's median over this one's */
  readonly quotient: number;
  /** between the quarters of the rounds; absent where these were not kept: between p10 and p90 */
  readonly middle?: readonly [low: number, high: number];
}

/** Further than this from the quotient, a ratio is not that of the two times beside it. */
const APART = 0.1;

/** 'even': on both sides of 1, and so near that the two are equally fast. 'noisy': no single number tells the rounds. */
function kindOf(speed: Speed): 'clear' | 'even' | 'noisy' {
  const { ratio, p10, p90, quotient, middle = [p10 ?? ratio, p90 ?? ratio] } = speed;
  if (Math.abs(quotient / ratio - 1) > APART) return 'noisy';
  const isOverOne = (middle[0] < 1 && middle[1] > 1) || (quotient - 1) * (ratio - 1) < 0;
  if (!isOverOne) return 'clear';
  const [low, high] = rangeOf(speed);
  return high / low > 1 + APART ? 'noisy' : 'even';
}

/** What the rounds spread over, and what the two times say. */
function rangeOf({ ratio, p10, p90, quotient }: Speed): readonly [number, number] {
  const all = [ratio, p10 ?? ratio, p90 ?? ratio, quotient].filter(Number.isFinite);
  // bounded: four numbers
  return [Math.min(...all), Math.max(...all)];
}

/** The one number that may stand beside the two times; null where the rounds are too noisy for one. */
export function singleRatio(speed: Speed): number | null {
  const kind = kindOf(speed);
  // Equally fast ones are on the side of 1 that their times are on.
  return kind === 'noisy' ? null : kind === 'even' ? speed.quotient : speed.ratio;
}

/** In a table: 1.77×, or 12.0 to 49.0× where no single number tells it. */
export function speedText(speed: Speed): string {
  return `${digitsOf(speed)}×`;
}

/** Before 'as fast as': 1.77 times, or 12.0 to 49.0 times. */
export function speedTimes(speed: Speed): string {
  return `${digitsOf(speed)} times`;
}

/** What a reader finds who divides two times, which are printed with three digits. */
export function dividedTimes(ns: number | null | undefined, byNs: number | null | undefined): number {
  const [time, by] = [ns, byNs].map((value) => Number((value ?? Number.NaN).toPrecision(3)));
  return time / by;
}

/** Further than this from the quotient, a ratio of the rounds is said to be one. */
const ROUNDS_APART = 0.02;

/** Whether the ratio that stands beside two times is that of the rounds, and not the quotient that a reader finds. */
export function isOfRounds(speed: Speed): boolean {
  return kindOf(speed) === 'clear' && !(Math.abs(speed.quotient / speed.ratio - 1) <= ROUNDS_APART);
}

/** Behind two times: '1.77 times as fast', 'about as fast: 0.99 to 1.01 times', 'too noisy to divide: 12.0 to 49.0 times'. */
export function speedSentence(speed: Speed): string {
  const kind = kindOf(speed);
  if (kind === 'clear') return `${threeDigits(isOfRounds(speed) ? speed.ratio : speed.quotient)} times as fast`;
  return `${kind === 'even' ? 'about as fast' : 'too noisy to divide'}: ${speedTimes(speed)}`;
}

function digitsOf(speed: Speed): string {
  return kindOf(speed) === 'clear' ? threeDigits(speed.ratio) : rangeOf(speed).map(threeDigits).join(' to ');
}

/** What a ratio of bytes is called beside those of times. */
export const BY_BYTES = 'if only bytes counted';

/** Where CPU times come from, and what they are worth: every sentence with a speed that was measured there says both. */
export const ON_CPU = 'one thread of the CPU, in TypeScript';
export const NOT_OF_A_GPU = 'This says nothing about a GPU.';
