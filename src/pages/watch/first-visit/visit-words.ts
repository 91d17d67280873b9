/* Texts of the first screen. */

import { countText } from '../../../core/text/words.ts';
import { SOFTWARE_GPU } from '../../../kit/words/ran-instead.ts';
import { time } from '../../../kit/words/quantity.ts';
import type { VisitTimes } from './visit-times.ts';

/** How much of a matrix is zeros: 'Half', '70 %'. */
export function zerosText(density: number): string {
  const percent = Math.round(100 * (1 - density));
  return percent === 50 ? 'Half' : `${percent}\u202f%`;
}

/** '73.4 MB', with one decimal so that two can be compared; '73.4' if the unit was named before (`isUnitNamed`). */
export function megabytes(bytes: number, isUnitNamed = false): string {
  return `${(bytes / 1e6).toFixed(1)}${isUnitNamed ? '' : '\u202fMB'}`;
}

/** Two times in ns: '23.9 µs instead of 30.1', with the unit named once if both have the same. */
export function pairText(a: number, b: number): string {
  const [first, second] = [time(a), time(b)];
  const unitOf = (text: string): string => text.replace(/^[\d.]+/, '');
  return `${first} instead of ${unitOf(first) === unitOf(second) ? second.slice(0, -unitOf(second).length) : second}`;
}

/** The end of the headline in three parts, the second emphasised: ' and takes', '24.0 µs instead of 30.4', ''. */
export function headlineEnding({
  a,
  b,
  isSoftware,
}: Pick<VisitTimes, 'a' | 'b' | 'isSoftware'>): readonly [string, string, string] {
  return [a < b ? ' and takes' : ', yet takes', pairText(a, b), isSoftware ? ` on ${SOFTWARE_GPU}` : ''];
}

/** '100 000 times slower'; '10 times faster' if the device reads slower than the animation, as a simulated GPU. */
export function paceText(by: number | null): string {
  if (by === null || by === 1) return '';
  return by > 1 ? `${countText(by)} times slower` : `${countText(1 / by)} times faster`;
}
