import type { Random } from '../core/number/random.ts';

/** Shuffles the elements in place (Fisher-Yates; Durstenfeld). */
export function shuffle(array: Float64Array | Uint32Array, random: Random): void {
  for (let i = 0; i < array.length; i++) {
    const other = i + random.below(array.length - i);
    [array[i], array[other]] = [array[other], array[i]];
  }
}

/** The numbers below `count` in random order. */
export function shuffledOrder(count: number, random: Random): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  shuffle(order, random);
  return order;
}
