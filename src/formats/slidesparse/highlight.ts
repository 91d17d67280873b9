import { densest, FIRST_LOOK, type Highlight, type RowColumns } from '../../core/highlight.ts';
import { KEPT, type SlideSparseParams, STRIDE, WINDOW, windowsPerGroup } from './params.ts';

/** The first group in which a window covers a weight that it has no room for: it slides on into the next window. Else most weights. */
export function highlight(
  [row]: readonly RowColumns[],
  shape: { cols: number },
  p: SlideSparseParams,
): Highlight | null {
  const step = 2 * p.halfGroup;
  for (let i = 0; i < row.length;) {
    const start = row[i] - (row[i] % step);
    let bits = 0;
    for (; i < row.length && row[i] < start + step; i++) bits |= 1 << (row[i] - start);
    // The group before it is seen, too.
    const from = Math.max(0, start - step);
    if (slidesOn(bits, p)) return { from, to: start + step - 1, amount: Number.POSITIVE_INFINITY, happens: true, step };
  }
  const full = densest([row], shape);
  return full && { ...full, amount: Math.min(full.amount, FIRST_LOOK.cols), step };
}

function slidesOn(group: number, p: SlideSparseParams): boolean {
  let left = group;
  for (let w = 0; w < windowsPerGroup(p); w++) {
    let room = KEPT;
    for (let c = w * STRIDE; c < w * STRIDE + WINDOW; c++) {
      if (((left >>> c) & 1) === 0) continue;
      if (room === 0) return true;
      room--;
      left &= ~(1 << c);
    }
  }
  return false;
}
