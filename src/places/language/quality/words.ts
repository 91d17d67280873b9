import { counted } from '../../../core/story/words.ts';
import type { MeasuredQuality } from '../service/quality-types.ts';
import { denseOf, type QualityPoint } from './points.ts';

/** What bytes say: whether narrow values beat pruning at the same bytes. */
export function bytesWords(points: readonly QualityPoint[]): string {
  const narrow = points.find((p) => p.way === 'none' && p.valueType === 'i4');
  const dense = denseOf(points);
  if (!narrow || !dense) return 'of the matrices';
  const pruned = points.filter((p) => p.way !== 'none' && p.trained === 0 && p.bytes <= 1);
  const better = pruned.filter((p) => p.above < narrow.above && p.bytes <= narrow.bytes);
  return better.length === 0 && pruned.length > 0 ? 'i4 alone beats all pruning' : 'of the matrices';
}

/** Where this browser measures, and what was measured already where that is known. */
export function whereWords(measured: readonly Pick<MeasuredQuality, 'where'>[]): string {
  const places = new Set(measured.flatMap(({ where }) => where));
  if (places.size === 0) return 'on the GPU, or on the CPU where there is none';
  if (places.size > 1) return 'on this GPU, and some on the processor';
  return places.has('gpu') ? 'on this GPU' : 'on this machine’s processor';
}

/** What was measured in this browser: `count` points of a page whose others are recorded. */
export function measureWords(measured: readonly QualityPoint[], isRecorded: boolean, count: number): string {
  if (isRecorded && count === 0) {
    return 'What is drawn was recorded on another machine; rings are what is measured here.';
  }
  if (measured.length === 0) {
    return 'Nothing was recorded for this model. First points come after some seconds and grow more certain.';
  }
  const tales = Math.min(...measured.map((p) => p.tales)); // bounded: the points of the page
  const each = `${counted(measured.length, 'point')} measured here, on at least ${tales} tales each`;
  return isRecorded ? `${each}: rings, with two standard errors.` : `${each}.`;
}
