import { Random } from '../number/random.ts';

/** How an oracle samples outputs that are too many to compute in f64. */
export interface Sampling {
  readonly seed: number;
  /** fraction of the outputs that would be affordable, above 0 and at most 1 */
  readonly share: number;
}

/** Maximum multiply-adds of an oracle, in a second or two in f64; beyond it tokens are sampled. */
export const MAX_MULTIPLY_ADDS = 2 ** 28;

/** For single checks: the same outputs every time. */
const FIXED_SAMPLING: Sampling = { seed: 0, share: 1 };

/**
 * Which of `count` rows or tokens to compare if `max` are affordable: all, or else max * share of them at random, the
 * first and the last included; ascending. Same arguments, same sample.
 */
export function sampleOf(count: number, max: number, { seed, share }: Sampling = FIXED_SAMPLING): Uint32Array {
  const affordable = Math.max(2, Math.floor(max * share));
  if (count <= affordable) return Uint32Array.from({ length: count }, (_, i) => i);
  const random = new Random((count ^ Math.imul(seed, 0x9e3779b1)) >>> 0);
  const chosen = new Set([0, count - 1]);
  while (chosen.size < affordable) chosen.add(random.below(count));
  return Uint32Array.from(chosen).toSorted();
}
