import { expect, test } from 'vitest';
import { clockStepNs } from './clock-step.ts';

test('clockStepNs finds the step of a coarse clock', () => {
  let t = 0;
  expect(clockStepNs(() => Math.floor((t += 0.01) / 0.1) * 0.1)).toBe(100_000);
});
