import { Random } from '../number/random.ts';

/** How an oracle (reference result in f64) samples outputs that are too many to compute. */
export interface Sampling {
  readonly seed: number;
  /** fraction of the affordable outputs that are computed, above 0 and at most 1 */
  readonly share: number;
}

/** Most multiply-adds of an oracle, which take a second or two; for more, tokens are sampled. */
export const MAX_MULTIPLY_ADDS = 2 ** 28;

/** The sampling of a single check: always the same outputs. */
const FIXED_SAMPLING: Sampling = { seed: 0, share: 1 };

/**
 * Which of `count` rows or tokens to compare if `max` are affordable: all or, if they are too many, max * share of them
 * at random, with the first and the last; ascending. The same arguments give the same sample.
 */
export function sampleOf(count: number, max: number, { seed, share }: Sampling = FIXED_SAMPLING): Uint32Array {
  const affordable = Math.max(2, Math.floor(max * share));
  if (count <= affordable) return Uint32Array.from({ length: count }, (_, i) => i);
  const random = new Random((count ^ Math.imul(seed, 0x9e3779b1)) >>> 0);
  const chosen = new Set([0, count - 1]);
  while (chosen.size < affordable) chosen.add(random.below(count));
  return Uint32Array.from(chosen).toSorted();
}
