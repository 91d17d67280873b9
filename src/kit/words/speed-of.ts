import type { BenchRow } from '../../core/report.ts';
import { threeDigits } from '../../core/text/words.ts';
import type { AnyListedFormat } from '../../core/format.ts';

/** A row's ratio to dense with its quantiles; null if it was not compared, or if a time of 0 ns allows no ratio. */
export function speedOf({ vsDense, medianNs }: BenchRow): BenchRow['vsDense'] {
  if (vsDense === null || medianNs === 0) return null;
  const { ratio, p10, p90 } = vsDense;
  return [ratio, p10, p90].every((value) => value > 0 && Number.isFinite(value)) ? vsDense : null;
}

/** The ratios of the rounds that timed both of two kernels. */
export interface RoundRatios {
  /** their median */
  readonly ratio: number;
  readonly p10: number;
  readonly p90: number;
  /** absent if they are not stored: then p10 and p90 are used */
  readonly quartiles?: readonly [low: number, high: number];
}

/** How many times as fast one kernel is as another. */
export interface Speed {
  /** the other kernel's median time over this kernel's, both in the three digits in which they are shown */
  readonly ratio: number;
  /** how much the ratio varies from round to round; null without rounds that timed both */
  readonly rounds: RoundRatios | null;
}

/**
 * The speed of a kernel that takes `ns` against one that takes `otherNs`. Every ratio of two measured times that the page
 * shows is computed here: it equals the quotient of the two times as printed.
 */
export function speedFromTimes(
  ns: number | null | undefined,
  otherNs: number | null | undefined,
  rounds: RoundRatios | null = null,
): Speed {
  const [time, other] = [ns, otherNs].map((value) => Number((value ?? Number.NaN).toPrecision(3)));
  return { ratio: other / time, rounds };
}

/** The lowest and highest ratio to draw: p10 and p90 of the rounds, extended to the ratio itself. */
export function speedRange({ ratio, rounds }: Speed): readonly [low: number, high: number] {
  return rounds === null ? [ratio, ratio] : [Math.min(ratio, rounds.p10), Math.max(ratio, rounds.p90)];
}

/** Maximum relative distance between the ratio of two times and their rounds' ratio; beyond it they contradict. */
const MAX_DISTANCE = 0.1;

/** 'clear': the ratio describes the rounds. 'even': rounds lie on both sides of 1, near it. 'noisy': no number does. */
function kindOf(speed: Speed): 'clear' | 'even' | 'noisy' {
  const { ratio, rounds } = speed;
  if (rounds === null) return 'clear';
  if (Math.abs(ratio / rounds.ratio - 1) > MAX_DISTANCE) return 'noisy';
  const { quartiles = [rounds.p10, rounds.p90] } = rounds;
  const straddlesOne = (quartiles[0] < 1 && quartiles[1] > 1) || (ratio - 1) * (rounds.ratio - 1) < 0;
  if (!straddlesOne) return 'clear';
  const [low, high] = rangeOf(speed);
  return high / low > 1 + MAX_DISTANCE ? 'noisy' : 'even';
}

/** The range of the rounds with their median, extended to the ratio of the two times. */
function rangeOf(speed: Speed): readonly [number, number] {
  const ofRounds = speed.rounds?.ratio ?? speed.ratio;
  const all = [ofRounds, ...speedRange(speed)].filter(Number.isFinite);
  // bounded: three numbers
  return [Math.min(...all), Math.max(...all)];
}

/** The single number to show next to the two times; null if the rounds are too noisy for one. */
export function singleRatio(speed: Speed): number | null {
  return kindOf(speed) === 'noisy' ? null : speed.ratio;
}

/** In a table: 1.77×, or 12.0 to 49.0× if no single number describes it. */
export function speedText(speed: Speed): string {
  return `${digitsOf(speed)}×`;
}

/** Before 'as fast as': 1.77 times, or 12.0 to 49.0 times. */
export function speedTimes(speed: Speed): string {
  return `${digitsOf(speed)} times`;
}

/**
 * The last ratio of a run over its first, which is measured before all kernels of both formats are tried. In 105 visits
 * with new profiles on an H200 it was 0.98 to 1.12.
 */
const LAST_OVER_FIRST = { low: 0.975, high: 1.12 };

/** The ratio at the end of a run, as predicted at its start: '1.18 to 1.36 times as fast once other kernels are tried'. */
export function earlySpeedText({ ratio }: Speed): string {
  const { low, high } = LAST_OVER_FIRST;
  return `${threeDigits(low * ratio)} to ${threeDigits(high * ratio)} times as fast once other kernels are tried`;
}

/** '1.77 times as fast', 'about as fast: 0.99 to 1.01 times' or 'too noisy to divide: 12.0 to 49.0 times'. */
export function speedMessage(speed: Speed): string {
  const kind = kindOf(speed);
  if (kind === 'clear') return `${speedTimes(speed)} as fast`;
  return `${kind === 'even' ? 'about as fast' : 'too noisy to divide'}: ${speedTimes(speed)}`;
}

function digitsOf(speed: Speed): string {
  return kindOf(speed) === 'clear' ? threeDigits(speed.ratio) : rangeOf(speed).map(threeDigits).join(' to ');
}

/** The label of a ratio of bytes, next to ratios of times. */
export const BY_BYTES = 'by bytes alone';

/** Where times of the CPU are from: every text with such a speed contains it, followed by NOT_OF_A_GPU. */
export const ON_CPU = 'one thread of the CPU, in TypeScript';
export const NOT_OF_A_GPU = 'A GPU has other times.';

/** The words after a format's name if its time is of a simple kernel, which is written to be read, and not tuned. */
export const SIMPLE_KERNEL = 'one simple kernel';

/** Whether a timed row is of a simple kernel of the format. */
export function isOfSimpleKernel(
  { kernels }: Pick<AnyListedFormat, 'kernels'>,
  timed: Pick<BenchRow, 'kernel'> | null | undefined,
): boolean {
  return kernels.some(({ id, isSimple }) => isSimple === true && timed?.kernel === id);
}
