import { Random } from '../../../src/core/number/random.ts';
import { drawText, type DrawnText } from './grammar/draw-text.ts';
import { TALES } from './tale.ts';

/** A tale is a short story from a grammar: models train on one half of all 2^32 tales, and are tested on the other. */
export type Split = 'training' | 'held-out';

/** Tales per seed, and seeds per split: 2^31 tales of each split. */
export const SEED_BOUNDS = { tales: 2 ** 20, seeds: 2 ** 11 } as const;

/** The 32 bits that start the random draw of a tale, different for each: split, `seed`, `number`, high bits first. */
export function taleSeed(split: Split, seed: number, number: number): number {
  const { tales, seeds } = SEED_BOUNDS;
  if (!Number.isInteger(seed) || seed < 0 || seed >= seeds)
    throw new RangeError(`tales: found seed ${seed}, expected a whole number from 0 to ${seeds - 1}`);
  if (!Number.isInteger(number) || number < 0 || number >= tales)
    throw new RangeError(`tales: found number ${number}, expected a whole number from 0 to ${tales - 1}`);
  return (split === 'training' ? 0 : 2 ** 31) + seed * tales + number;
}

/** Generates tale `number` of a seed, with the information in its random choices, in bits. */
export function drawTale(split: Split, seed: number, number: number): DrawnText {
  return drawText(TALES, new Random(taleSeed(split, seed, number)));
}
