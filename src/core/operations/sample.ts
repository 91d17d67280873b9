import { Random } from '../number/random.ts';

/** How an oracle samples outputs that are too many to compute in f64. */
export interface Sampling {
  readonly seed: number;
  /** share of the usual number of multiply-adds that it may spend, above 0 and at most 1 */
  readonly share: number;
}

/** Multiply-adds of an oracle, a second or two in f64; beyond them it samples the tokens. */
export const MAX_MULTIPLY_ADDS = 2 ** 28;

/** The same outputs every time, for single checks. */
const FIXED_SAMPLING: Sampling = { seed: 0, share: 1 };

/**
 * Which of `count` rows or tokens to compare if `max` are affordable: all of them, or `max` of them (a share of that with
 * `sampling.share`), chosen at random with the first and the last among them, ascending. Same arguments, same choice.
 */
export function sampleOf(count: number, max: number, { seed, share }: Sampling = FIXED_SAMPLING): Uint32Array {
  const affordable = Math.max(2, Math.floor(max * share));
  if (count <= affordable) return Uint32Array.from({ length: count }, (_, i) => i);
  const random = new Random((count ^ Math.imul(seed, 0x9e3779b1)) >>> 0);
  const chosen = new Set([0, count - 1]);
  while (chosen.size < affordable) chosen.add(random.below(count));
  return Uint32Array.from(chosen).toSorted();
}
