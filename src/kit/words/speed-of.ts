import type { BenchRow } from '../../core/report.ts';
import { threeDigits } from '../../core/story/words.ts';
import type { AnyListedFormat } from '../../core/format.ts';

/** A row's ratio to dense with its quantiles; null if it was not compared, or if a time of 0 ns allows no ratio. */
export function speedOf({ vsDense, medianNs }: BenchRow): BenchRow['vsDense'] {
  if (vsDense === null || medianNs === 0) return null;
  const { ratio, p10, p90 } = vsDense;
  return [ratio, p10, p90].every((value) => value > 0 && Number.isFinite(value)) ? vsDense : null;
}

/** How many times as fast one kernel is as another, and the quotient of their median times. */
export interface Speed {
  /** the median ratio over rounds that timed both; without such rounds the quotient */
  readonly ratio: number;
  readonly p10: number | null;
  readonly p90: number | null;
  /** the other kernel's median time over this kernel's */
  readonly quotient: number;
  /** quartiles of the ratios of rounds; absent if these are not stored: then p10 and p90 are used */
  readonly quartiles?: readonly [low: number, high: number];
}

/** The relative distance from the quotient above which a ratio contradicts the two times. */
const MAX_DISTANCE = 0.1;

/** 'clear': the ratio describes the rounds. 'even': rounds lie on both sides of 1, near it. 'noisy': no number does. */
function kindOf(speed: Speed): 'clear' | 'even' | 'noisy' {
  const { ratio, p10, p90, quotient, quartiles = [p10 ?? ratio, p90 ?? ratio] } = speed;
  if (Math.abs(quotient / ratio - 1) > MAX_DISTANCE) return 'noisy';
  const straddlesOne = (quartiles[0] < 1 && quartiles[1] > 1) || (quotient - 1) * (ratio - 1) < 0;
  if (!straddlesOne) return 'clear';
  const [low, high] = rangeOf(speed);
  return high / low > 1 + MAX_DISTANCE ? 'noisy' : 'even';
}

/** The range of the rounds, extended to the quotient of the two times. */
function rangeOf({ ratio, p10, p90, quotient }: Speed): readonly [number, number] {
  const all = [ratio, p10 ?? ratio, p90 ?? ratio, quotient].filter(Number.isFinite);
  // bounded: four numbers
  return [Math.min(...all), Math.max(...all)];
}

/** The single number to show beside the two times; null if the rounds are too noisy for one. */
export function singleRatio(speed: Speed): number | null {
  const kind = kindOf(speed);
  // If even, the number has to be on the same side of 1 as the quotient of the times.
  return kind === 'noisy' ? null : kind === 'even' ? speed.quotient : speed.ratio;
}

/** In a table: 1.77×, or 12.0 to 49.0× if no single number describes it. */
export function speedText(speed: Speed): string {
  return `${digitsOf(speed)}×`;
}

/** Before 'as fast as': 1.77 times, or 12.0 to 49.0 times. */
export function speedTimes(speed: Speed): string {
  return `${digitsOf(speed)} times`;
}

/** The quotient of two times as a reader computes it from the three printed digits. */
export function dividedTimes(ns: number | null | undefined, byNs: number | null | undefined): number {
  const [time, by] = [ns, byNs].map((value) => Number((value ?? Number.NaN).toPrecision(3)));
  return time / by;
}

/** The relative distance from the quotient above which a sentence says that a ratio is that of the rounds. */
const ROUNDS_DISTANCE = 0.02;

/** Whether the ratio beside two times is that of the rounds, and not their quotient. */
export function isOfRounds(speed: Speed): boolean {
  return kindOf(speed) === 'clear' && !(Math.abs(speed.quotient / speed.ratio - 1) <= ROUNDS_DISTANCE);
}

/**
 * The last ratio of a run over its first, which is measured before all kernels of both formats are tried. In 105 visits
 * with new profiles on an H200 it was 0.98 to 1.12.
 */
const LAST_OVER_FIRST = { low: 0.975, high: 1.12 };

/** The ratio at the end of a run as its beginning tells it: '1.18 to 1.36 times as fast once other kernels are tried'. */
export function earlySpeedSentence({ ratio }: Speed): string {
  const { low, high } = LAST_OVER_FIRST;
  return `${threeDigits(low * ratio)} to ${threeDigits(high * ratio)} times as fast once other kernels are tried`;
}

/** '1.77 times as fast', 'about as fast: 0.99 to 1.01 times' or 'too noisy to divide: 12.0 to 49.0 times'. */
export function speedSentence(speed: Speed): string {
  const kind = kindOf(speed);
  if (kind === 'clear') return `${threeDigits(isOfRounds(speed) ? speed.ratio : speed.quotient)} times as fast`;
  return `${kind === 'even' ? 'about as fast' : 'too noisy to divide'}: ${speedTimes(speed)}`;
}

function digitsOf(speed: Speed): string {
  return kindOf(speed) === 'clear' ? threeDigits(speed.ratio) : rangeOf(speed).map(threeDigits).join(' to ');
}

/** The label of a ratio of bytes, beside ratios of times. */
export const BY_BYTES = 'if only bytes counted';

/** Where times of the CPU are from: every sentence with such a speed says so, followed by NOT_OF_A_GPU. */
export const ON_CPU = 'one thread of the CPU, in TypeScript';
export const NOT_OF_A_GPU = 'This says nothing about a GPU.';

/** The words after a format's name if its time is of a simple kernel, which is written to be read, and not tuned. */
export const SIMPLE_KERNEL = 'one simple kernel';

/** Whether a timed row is of a simple kernel of the format. */
export function isOfSimpleKernel(
  { kernels }: Pick<AnyListedFormat, 'kernels'>,
  timed: Pick<BenchRow, 'kernel'> | null | undefined,
): boolean {
  return kernels.some(({ id, isSimple }) => isSimple === true && timed?.kernel === id);
}
