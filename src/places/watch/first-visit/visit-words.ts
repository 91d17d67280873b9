import { countText } from '../../../core/story/words.ts';
import { SOFTWARE_GPU } from '../../../kit/words/no-card.ts';
import { time } from '../../../kit/words/quantity.ts';
import type { VisitFacts, VisitTimes } from './facts.ts';

/** 'Half', '70 %': how much of a matrix is zeros. */
export function zerosOf(left: number): string {
  const percent = Math.round(100 * (1 - left));
  return percent === 50 ? 'Half' : `${percent}\u202f%`;
}

/** ', chosen for its long gap' where a stretch is far from having as many weights left as the matrix has. */
export function stretchWords(weights: number, columns: number, left: number): string {
  return Math.abs(weights / columns - left) > TYPICAL ? ', chosen for its long gap' : '';
}

/** 14 to 18 of 32 columns are like a matrix of which half is left. */
const TYPICAL = 2.5 / 32;

/** '73.4 MB', with one decimal so that two can be compared. */
export function megabytes(bytes: number, isUnitSaid = false): string {
  return `${(bytes / 1e6).toFixed(1)}${isUnitSaid ? '' : '\u202fMB'}`;
}

/** '23.9 µs instead of 30.1': the unit is said once where both have it. */
export function pairOf(a: number, b: number): string {
  const [first, second] = [time(a), time(b)];
  const unitOf = (text: string): string => text.replace(/^[\d.]+/, '');
  return `${first} instead of ${unitOf(first) === unitOf(second) ? second.slice(0, -unitOf(second).length) : second}`;
}

/** What leads to the time where A takes less. */
export const DONE_IN = 'so the GPU is done with it in';

/** What less to read came to. */
export function endOf({ a, b, isSoftware }: Pick<VisitTimes, 'a' | 'b' | 'isSoftware'>): string {
  if (isSoftware) return a < b ? `so ${SOFTWARE_GPU} is done with it in` : `yet ${SOFTWARE_GPU} takes`;
  return a < b ? DONE_IN : 'yet this GPU takes';
}

/** What the matrix takes without being pruned: its bytes, and its time where the same run has it. */
export function unprunedWords(
  { bits, bytes }: Pick<NonNullable<VisitFacts['unpruned']>, 'bits' | 'bytes'>,
  times: Pick<VisitTimes, 'unpruned' | 'isSoftware'> | null,
): string {
  const ns = times?.unpruned ?? null;
  const takes = ns === null ? '' : ` and ${time(ns)}${times?.isSoftware ? ` on ${SOFTWARE_GPU}` : ''}`;
  return `Without pruning, in ${bits} bits, it takes ${megabytes(bytes)}${takes}`;
}

/** ', shown 100 000 times slower than it is': a CPU that plays a GPU may take longer than anyone watches */
export function paceOf(by: number | null): string {
  if (by === null || by === 1) return '';
  return `, shown ${by > 1 ? `${countText(by)} times slower` : `${countText(1 / by)} times faster`} than it is`;
}
