import { expect, it } from 'vitest';
import { quantise, STEP_SHARE } from './quantise.ts';

it('activations of the largest f32 stay finite in i8', () => {
  const largest = (2 - 2 ** -23) * 2 ** 127;
  const { scale, inverse, values } = quantise(Float32Array.of(largest, 1, 0, -3.4e38));
  expect(Array.from(values)).toEqual([127, 0, 0, -127]);
  expect(inverse).toBeGreaterThanOrEqual(2 ** -126);
  // 1 / 127 is rounded down, so 127 steps are never beyond the largest magnitude by more than one rounding.
  expect(127 * STEP_SHARE).toBeLessThan(1);
  expect(Math.fround(127 * scale)).toBeLessThanOrEqual(largest);
});
