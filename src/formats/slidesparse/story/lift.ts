import { STRIDE, type HalfGroup, WINDOW } from '../params.ts';

/** First column that word j of a lifted row repeats: group floor(j / (N - 1)), window j % (N - 1). */
function liftedStart(word: number, halfGroup: HalfGroup): number {
  const perGroup = halfGroup - 1;
  // step: lift
  return Math.floor(word / perGroup) * 2 * halfGroup + (word % perGroup) * STRIDE;
}

/**
 * Lifts a quantised row: word j holds the four values of window j, the lowest byte first; 0 past the last column.
 * `words`: windows of a row. Source: SlideSparse paper, algorithm 1, pass 2.
 */
export function lift(values: Int8Array, halfGroup: HalfGroup, words: number): Uint32Array {
  const lifted = new Uint32Array(words);
  for (let j = 0; j < words; j++) {
    const start = liftedStart(j, halfGroup);
    for (let i = 0; i < WINDOW && start + i < values.length; i++) {
      // step: pack
      lifted[j] |= (values[start + i] & 0xff) << (8 * i);
    }
  }
  return lifted;
}
