import type { Words } from '../../../core/story/scene.ts';
import { bytesText, countText, say, strong } from '../../../core/story/words.ts';

/** What is known of the whole matrix in one format. */
export interface SideAnswer {
  readonly name: string;
  /** of the whole matrix; null if the format cannot store it */
  readonly bytes: number | null;
  /** from the closed form: nobody has encoded it yet */
  readonly isExpected: boolean;
  /** of dense with the same value type */
  readonly effectiveDensity: number | null;
}

/** Bytes in one or both formats, and why A needs its own: '4 B of column for every 2 B of value', or null. */
export function answerWords(a: SideAnswer, b: SideAnswer | null, reason: string | null): readonly Words[] {
  const because = reason === null || a.bytes === null ? '.' : `: ${reason}.`;
  if (!b) {
    if (a.bytes === null) return say`${a.name} cannot store this matrix.`;
    const share = a.effectiveDensity === null ? '' : `, ${a.effectiveDensity.toFixed(2)} of dense`;
    return say`${a.name} stores this matrix in ${strong(size(a))}${share}${because}`;
  }
  if (a.bytes === null && b.bytes === null) return say`Neither ${a.name} nor ${b.name} can store this matrix.`;
  if (a.bytes === null) return say`${a.name} cannot store this matrix; ${b.name} stores it in ${strong(size(b))}.`;
  if (b.bytes === null) {
    return say`${a.name} stores this matrix in ${strong(size(a))}; ${b.name} cannot store it.`;
  }
  const both = `${size(a)}, ${b.name} in ${size(b, a.bytes < IN_FULL)}`;
  return say`${a.name} stores this matrix in ${strong(both)}${because}`;
}

/** Below, bytes are written in full. */
const IN_FULL = 1e6;

/** '199 352 bytes', '73.4 MB'. Of the second of two, the unit need not be said again. */
function size({ bytes, isExpected }: SideAnswer, isUnitSaid = false): string {
  const count = bytes ?? 0;
  const about = isExpected ? 'about ' : '';
  if (count >= IN_FULL) return `${about}${bytesText(count)}`;
  return `${about}${countText(count)}${isUnitSaid ? '' : ` ${count === 1 ? 'byte' : 'bytes'}`}`;
}
