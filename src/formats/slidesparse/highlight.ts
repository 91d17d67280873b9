import { FIRST_REGION } from '../../core/cut.ts';
import { densestColumns, type HighlightOfRows } from '../../core/highlight.ts';
import type { Tally } from '../../core/tally.ts';
import { fact } from '../../core/text/stated.ts';
import { KEPT, type SlideSparseParams, STRIDE, WINDOW, windowsPerGroup } from './params.ts';

/**
 * Finds the columns of a row that a story shows first: the first group in which a weight slides on to the next window,
 * else the columns with most non-zeros.
 */
export function highlight(p: SlideSparseParams, shape: { readonly cols: number }): HighlightOfRows {
  const width = 2 * p.halfGroup;
  const slides = slidesOf(p);
  return ([row]) => {
    for (let i = 0; i < row.length;) {
      const start = row[i] - (row[i] % width);
      let bits = 0;
      for (; i < row.length && row[i] < start + width; i++) bits |= 1 << (row[i] - start);
      if (slides(bits) === 0) continue;
      // Shows the previous group, too.
      const from = Math.max(0, start - width);
      return { from, to: start + width - 1, score: Number.POSITIVE_INFINITY, hasCase: true, step: width };
    }
    const densest = densestColumns([row], shape);
    if (!densest) return null;
    const { from, to, score } = densest;
    return { from, to, score: Math.min(score, FIRST_REGION.cols), hasCase: false, step: width };
  };
}

/** `slideCount` with a cache. */
function slidesOf(p: SlideSparseParams): (group: number) => number {
  const cache = new Int32Array(2 ** (2 * p.halfGroup)).fill(-1);
  return (group) => {
    if (cache[group] < 0) cache[group] = slideCount(group, p);
    return cache[group];
  };
}

/**
 * The number of slides in a group: how often a window sees a weight that it cannot store since it is full, so that the
 * weight slides on to the next window. `group`: bit c is set if column c has a weight.
 */
function slideCount(group: number, p: SlideSparseParams): number {
  let [remaining, count] = [group, 0];
  for (let w = 0; w < windowsPerGroup(p); w++) {
    let freeSlots = KEPT;
    for (let c = w * STRIDE; c < w * STRIDE + WINDOW; c++) {
      if (((remaining >>> c) & 1) === 0) continue;
      if (freeSlots > 0) remaining &= ~(1 << c);
      else count++;
      freeSlots--;
    }
  }
  return count;
}

/** Counts the slides in all groups that fit the pattern, the groups that do not, and all groups with weights. */
export function tally(p: SlideSparseParams): Tally {
  const width = 2 * p.halfGroup;
  const slides = slidesOf(p);
  let [slideTotal, rejectedGroups, groups] = [0, 0, 0];
  return {
    row(columns) {
      for (let i = 0; i < columns.length;) {
        const start = columns[i] - (columns[i] % width);
        const first = i;
        let bits = 0;
        for (; i < columns.length && columns[i] < start + width; i++) bits |= 1 << (columns[i] - start);
        groups++;
        if (i - first > width - KEPT) {
          rejectedGroups++;
          continue;
        }
        slideTotal += slides(bits);
      }
    },
    facts: () => [
      fact('slides', slideTotal),
      fact('groups that are refused', rejectedGroups),
      fact('groups with weights', groups),
    ],
  };
}
