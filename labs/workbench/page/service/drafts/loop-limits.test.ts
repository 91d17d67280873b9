// loopLimit, the maximum number of iterations of each loop in a draft (a user's changed kernel).

import { expect, it } from 'vitest';
import type { KernelPlan } from '../../../../../src/core/kernel/kernel.ts';
import { loopLimit } from './loop-limits.ts';

const planOf = (code: string): KernelPlan => ({
  buffers: [],
  passes: [{ files: [{ path: 'a.wgsl', code }], constants: {}, bindings: [], workgroups: [1, 1, 1] }],
  bytes: 0,
});
const loops = (count: number): string => `fn main() { ${'for (var i = 0u; i < 9u; i++) { a += i; } '.repeat(count)} }`;

it('loopLimit divides iterations among many loops, with a minimum for a row and a column', () => {
  const matrix = { rows: 100, cols: 200 };
  const limitOfOneLoop = loopLimit(matrix, planOf(loops(1)));
  expect(limitOfOneLoop).toBe(65_536 + 16 * 300);
  expect(loopLimit(matrix, planOf(loops(4)))).toBe(limitOfOneLoop);
  const limitOfManyLoops = loopLimit(matrix, planOf(loops(300)));
  expect(300 * limitOfManyLoops).toBeLessThan(64 * limitOfOneLoop);
  expect(limitOfManyLoops).toBeGreaterThanOrEqual(1024 + 2 * 300);
});
