import { expect, it } from 'vitest';
import { HARDWARE_2_4, storedShare } from './sliding-sizes.ts';
import { spenseShare } from './spense.ts';

// Spense is 2:4 in a part of the columns and dense in the others, so it can leave from half of the weights to all of them.

/** Columns of a window of the pattern 6:8. */
const WINDOW_6_8 = 8;

it('at 75 % left in f16, Spense takes 0.781 of dense, where 6:8 takes 0.844', () => {
  expect(spenseShare(0.75, 16)).toBe(0.78125);
  expect(storedShare(WINDOW_6_8, HARDWARE_2_4, 16)).toBe(0.84375);
});

it('is dense with all weights, 2:4 with half of them, and is NaN below half of the weights', () => {
  expect([spenseShare(1, 16), spenseShare(0.5, 16), spenseShare(0.5, 8)]).toEqual([1, 0.5625, 0.625]);
  expect([spenseShare(0.49, 16), spenseShare(1.01, 16)]).toEqual([Number.NaN, Number.NaN]);
});
