import { type Matrix, rowBuffer } from '../matrix/index.ts';
import type { Words } from './scene.ts';
import { say, strong, valueText } from './words.ts';

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
