/* Lost bits of a token: log2 of its probability under the dense model over that under the pruned model. */

import type { ReadToken } from '../service/types.ts';

/** A token that lost more bits than this is costly. */
const COSTLY_BITS = 1;

/** The index of the token that lost most bits; -1 if there is none. */
export function costliest(read: readonly ReadToken[]): number {
  let max = -1;
  for (const [i, { lost }] of read.entries()) if (max < 0 || lost > read[max].lost) max = i;
  return max;
}

/** Bits that the pruned model lost in the whole text. */
export function lostBits(read: readonly ReadToken[]): number {
  return read.reduce((sum, { lost }) => sum + lost, 0);
}

/** The next costly token in direction `by`; `from` itself if there is none. */
export function nextCostly(read: readonly ReadToken[], from: number, by: 1 | -1): number {
  for (let i = from + by; i >= 0 && i < read.length; i += by) if (read[i].lost > COSTLY_BITS) return i;
  return from;
}

/** Steps of the tint behind tokens: from how many lost bits. */
export const TINTS = [0.5, 1, 2, 4, 8] as const;

/** The step for lost bits: 0 for no tint, then 1 to the number of steps. */
export function tintOf(lost: number): number {
  return TINTS.filter((min) => lost >= min).length;
}

/** The opacity of each step, 0 first. */
export const TINT_OPACITY = [0, 0.09, 0.16, 0.26, 0.4, 0.57] as const;

/** The CSS of a step. */
export function tintStyle(tint: number): { readonly background: string } {
  return { background: `color-mix(in oklab, var(--tint) ${100 * TINT_OPACITY[tint]}%, transparent)` };
}
