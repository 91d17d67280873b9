import { type Matrix, rowBuffer } from '../matrix/index.ts';
import type { Words } from './scene.ts';
import { say, strong, valueText } from './words.ts';

/** How a group of 4-bit values got its scale; `where`: which cells or entries share it. */
export function groupScaleWords(where: string, scale: number): readonly Words[] {
  if (scale === 0)
    return say`${where}: every value is 0, or nearly. A scale in f16 cannot be that small: that of this group is ${strong(0)}.`;
  const bottom = valueText(-8 * scale);
  return say`${where}: one scale in f16 for the group, ${strong(valueText(scale))}. It is the value of the largest magnitude over −8, so that 4 bits reach from ${bottom} to ${valueText(7 * scale)}.`;
}

/** How a row of `m` got its scale for i8; `what` the row stores: 'values'. O(columns of the row). */
export function scaleWords(m: Matrix, row: number, scale: number, what: string): readonly Words[] {
  const buffer = rowBuffer(m.cols);
  const n = m.readRow(row, buffer);
  if (n === 0) return say`Row ${row} has no non-zeros to scale; its scale is ${strong(1)}.`;
  const isHeld = buffer.values.subarray(0, n).some((value) => Math.fround(Math.abs(value) / 127) > 0);
  if (!isHeld)
    return say`The values of row ${row} are too small for a scale of their own. It is ${strong(1)}, and they are stored as 0.`;
  return say`Row ${row} gets one scale for its i8 ${what}: a step is worth ${strong(valueText(scale))}. That is its largest magnitude over 127.`;
}
