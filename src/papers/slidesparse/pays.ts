import { largest } from '../../core/number/statistics.ts';
import type { BenchReport } from '../../core/report.ts';
import type { Words } from '../../core/text/words.ts';
import { say, strong } from '../../core/text/words.ts';
import { HARDWARE_2_4, PUBLISHED_A100_SPEEDUPS, patternText, slidingOf } from '../../theory/sliding-windows.ts';
import { percent } from '../../kit/words/quantity.ts';
import { patternRows } from './pattern-rows.ts';
import { pointOf, type SweepPoint } from '../../kit/report/sweep-series.ts';
import { times } from '../../kit/words/rates.ts';

/** Alpha, the speed of 2:4 over dense, as sparse tensor cores promise it. */
export const TENSOR_CORE_ALPHA = 2;

/** Measured and predicted speed of one pattern (2N-2):2N. */
interface PatternSpeed {
  /** N */
  readonly halfGroup: number;
  /** '6:8' */
  readonly pattern: string;
  /** columns after the sliding windows are laid out as 2:4, over columns before */
  readonly gamma: number;
  /** alpha / gamma */
  readonly predicted: number;
  readonly measured: SweepPoint;
  /** by the authors, on an A100 with sparse tensor cores */
  readonly published: number | null;
}

/** Whether SlideSparse pays on a device (is at least as fast as dense), pattern by pattern. */
export interface Payoff {
  /** measured speed of 2:4 over dense */
  readonly alpha: number;
  /** by rising N; the first is 2:4 */
  readonly patterns: readonly PatternSpeed[];
  /** N at which alpha / gamma is 1, seldom whole; null if alpha / gamma is above 1, or below 1, for every N */
  readonly breakEven: number | null;
}

/** The N at which alpha / gamma is 1: 2 / (2 - alpha); null if there is none of at least 2. */
export function breakEvenHalfGroup(alpha: number): number | null {
  if (alpha < 1 || alpha >= 2) return null;
  return 2 / (2 - alpha);
}

/** Predicted and measured speed of the patterns of a report; null unless 2:4 and another were timed. */
export function payoffOf(report: BenchReport): Payoff | null {
  const rows = patternRows(report);
  const alpha = rows.find(({ halfGroup }) => halfGroup === 2)?.ratio;
  if (rows.length < 2 || alpha === undefined) return null;
  const patterns = rows.flatMap(({ halfGroup, row }): PatternSpeed[] => {
    const sliding = slidingOf({ kept: 2 * halfGroup - 2, group: 2 * halfGroup }, HARDWARE_2_4);
    const measured = pointOf(report, row, halfGroup);
    if (typeof sliding === 'string' || !measured) return [];
    const pattern = patternText(sliding.pattern);
    return [
      {
        halfGroup,
        pattern,
        gamma: sliding.expansion,
        predicted: alpha / sliding.expansion,
        measured,
        published: PUBLISHED_A100_SPEEDUPS.get(pattern) ?? null,
      },
    ];
  });
  return { alpha, patterns, breakEven: breakEvenHalfGroup(alpha) };
}

/** The largest difference between predicted and measured speed, as a share of the predicted. */
function worstPrediction({ patterns }: Payoff): number {
  return largest(
    patterns.map(({ predicted, measured }) => Math.abs(measured.ratio / predicted - 1)),
    0,
  );
}

/** Text on whether SlideSparse pays on the device of a run, and what it would need to pay. */
export function payoffWords(payoff: Payoff): readonly Words[] {
  const { alpha, patterns } = payoff;
  const paying = patterns.filter(({ measured }) => measured.ratio >= 1).map(({ pattern }) => pattern);
  const losing = patterns.filter(({ measured }) => measured.ratio < 1).map(({ pattern }) => pattern);
  const within = Math.max(1, Math.ceil(100 * worstPrediction(payoff) - 1e-9)) / 100;
  const prediction = say` 2:4 runs ${times(alpha)} as fast as dense, which is alpha, and a slid row is gamma times as long: alpha / gamma predicts every pattern. Measured speeds lie within ${percent(within, 0)} of it.`;
  const promise = say` With the alpha of 2 of sparse tensor cores, every pattern would be faster.`;
  if (paying.length === 0) {
    const no = say`${strong('It does not pay on this device:')} no pattern is as fast as dense.`;
    return [...no, ...prediction, ...promise];
  }
  if (losing.length === 0) {
    return [...say`${strong('It pays on this device')} with every pattern that ran.`, ...prediction];
  }
  const some = strong(`It pays on this device with ${paying.join(', ')}`);
  return [...say`${some}, and not with ${losing.join(', ')}.`, ...prediction, ...promise];
}
