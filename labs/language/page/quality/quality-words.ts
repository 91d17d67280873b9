// The words of the tab Quality next to its charts.

import { largest, smallest } from '../../../../src/core/number/statistics.ts';
import { counted } from '../../../../src/core/text/words.ts';
import type { MeasuredQuality } from '../service/types.ts';
import { isI4Best } from './answer.ts';
import type { QualityPoint } from './points.ts';
import type { KnownQuality } from './use-known-quality.ts';

/** The title of charts of bits per byte above the floor, the least possible. */
export const QUALITY_TITLE = 'Loss above the best possible';

/** States that unpruned 4-bit values beat any pruning to as few bytes; '' if they do not. */
export function bytesWords(points: readonly QualityPoint[]): string {
  return isI4Best(points) ? 'Unpruned, 4 bits beat any pruning to as few bytes.' : '';
}

/** A count that all points share, or 'at least' the smallest, since measurements here grow. Null if all are 0. */
function sharedCount(points: readonly QualityPoint[], countOf: (point: QualityPoint) => number): string | null {
  const counts = points.map(countOf).filter((count) => count > 0);
  if (counts.length === 0) return null;
  const min = smallest(counts);
  return min === largest(counts) ? String(min) : `at least ${min}`;
}

/** Labels for the amount of data: held-out tales (short stories) that models read, their bytes, and judged tales. */
export function asideTexts({
  recorded,
  points,
  bytesPerTale,
}: Pick<KnownQuality, 'recorded' | 'points' | 'bytesPerTale'>): readonly string[] {
  const tales = sharedCount(points, (p) => p.tales);
  const kilobytes = Math.round((smallest(points.map((p) => p.tales)) * bytesPerTale) / 1000);
  const judged = sharedCount(points, (p) => p.judged);
  return [
    ...(tales === null
      ? []
      : [
          `${tales} held-out ${tales === '1' ? 'tale' : 'tales'}, ${kilobytes} kB, ${recorded ? 'recorded' : 'measured here'}`,
        ]),
    ...(judged === null ? [] : [`judged ${judged} tales per point`]),
  ];
}

/** Whether this browser has measured on the GPU or the CPU; before a measurement, where it will. */
export function whereText(measured: readonly Pick<MeasuredQuality, 'where'>[]): string {
  const positions = new Set(measured.flatMap(({ where }) => where));
  if (positions.size === 0) return 'on the GPU, else the CPU';
  if (positions.size > 1) return 'on this GPU and the CPU';
  return positions.has('gpu') ? 'on this GPU' : 'on this CPU';
}

/**
 * A note on what this browser measured. `count`: its points in addition to a recording; `measured`: these, or all if 0.
 */
export function measureText(measured: readonly QualityPoint[], isRecorded: boolean, count: number): string {
  if (isRecorded && count === 0) {
    return 'Dots and squares: recorded. Rings: measured in this browser.';
  }
  if (measured.length === 0) {
    return 'Nothing is recorded. First points take seconds.';
  }
  const tales = Math.min(...measured.map((p) => p.tales)); // bounded: the points of the page
  const summary = `${counted(measured.length, 'point')} measured here, at least ${tales} tales each`;
  return isRecorded ? `${summary}: rings, with two standard errors.` : `${summary}.`;
}
