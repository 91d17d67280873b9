import type { Random } from '../core/number/random.ts';

/** Puts the elements into a random order, in place (Fisher and Yates; Durstenfeld). */
export function shuffle(array: Float64Array | Uint32Array, random: Random): void {
  for (let i = 0; i < array.length; i++) {
    const other = i + random.below(array.length - i);
    const kept = array[i];
    array[i] = array[other];
    array[other] = kept;
  }
}
