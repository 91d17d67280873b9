import { densest, FIRST_LOOK, type Highlight, type RowColumns, type Tally } from '../../core/highlight.ts';
import { fact } from '../../core/story/stated.ts';
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

/** Whether a weight of this group slides on. */
const slidesOn = (group: number, p: SlideSparseParams): boolean => slid(group, p) > 0;

/** Weights of a group that a window covers and has no room for: each counts once for every such window. */
function slid(group: number, p: SlideSparseParams): number {
  let [left, count] = [group, 0];
  for (let w = 0; w < windowsPerGroup(p); w++) {
    let room = KEPT;
    for (let c = w * STRIDE; c < w * STRIDE + WINDOW; c++) {
      if (((left >>> c) & 1) === 0) continue;
      if (room > 0) left &= ~(1 << c);
      else count++;
      room--;
    }
  }
  return count;
}

/** How often a window has no room for a weight, in groups that fit, and how many hold more than fits. */
export function tally(p: SlideSparseParams): Tally {
  const width = 2 * p.halfGroup;
  const known = new Int32Array(2 ** width).fill(-1);
  let [count, over] = [0, 0];
  return {
    row(columns) {
      for (let i = 0; i < columns.length;) {
        const start = columns[i] - (columns[i] % width);
        const first = i;
        let bits = 0;
        for (; i < columns.length && columns[i] < start + width; i++) bits |= 1 << (columns[i] - start);
        if (i - first > width - KEPT) {
          over++;
          continue;
        }
        if (known[bits] < 0) known[bits] = slid(bits, p);
        count += known[bits];
      }
    },
    facts: () => [fact('slides', count), fact('groups that are refused', over)],
  };
}
