import { Random } from '../number/random.ts';

/**
 * Which of `count` things are looked at where `most` are affordable: all of them, or `most` chosen at random with the
 * first and the last among them, ascending. The same count gives the same choice.
 */
export function sampleOf(count: number, most: number): Uint32Array {
  if (count <= Math.max(2, most)) return Uint32Array.from({ length: count }, (_, i) => i);
  const random = new Random(count);
  const chosen = new Set([0, count - 1]);
  while (chosen.size < most) chosen.add(random.below(count));
  return Uint32Array.from(chosen).toSorted();
}
