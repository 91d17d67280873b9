// Guard words and loop budgets, which are added to the plan of a user's changed kernel before it runs.

import { describe, expect, it } from 'vitest';
import type { KernelPlan } from '../../../src/core/kernel/kernel.ts';
import { POISON_BITS } from '../../../src/core/operations/verify.ts';
import { withBudget, withGuards } from './draft-plan.ts';

const code = '@compute @workgroup_size(1) fn main() { loop { break; } }';
const plan: KernelPlan = {
  buffers: [
    { role: 'output', name: 'y', bytes: 8 },
    { role: 'output', name: 'z', bytes: 4 },
  ],
  passes: [
    { files: [{ path: 'a.wgsl', code }], constants: {}, bindings: ['y', 'z'], workgroups: [1, 1, 1] },
    { files: [{ path: 'b.wgsl', code }], constants: {}, bindings: ['z'], workgroups: [1, 1, 1] },
  ],
  bytes: 12,
};

const bytesOf = ({ buffers }: KernelPlan): number[] =>
  buffers.flatMap((buffer) => (buffer.role === 'output' ? [buffer.bytes] : []));

describe('guard words after the outputs of a draft', () => {
  it('are removed from the outputs, and report overwritten words with their position', () => {
    const guarded = withGuards(plan);
    const [y, z] = bytesOf(guarded.plan).map((bytes) => bytes / 4);
    const words = new Uint32Array(y + z).fill(POISON_BITS);
    words.set([1, 2], 0);
    words[y] = 3;
    expect(guarded.read(words)).toEqual({ words: Uint32Array.of(1, 2, 3), overruns: [] });
    words[2 + 5] = 9;
    words[2 + 7] = 9;
    expect(guarded.read(words).overruns).toEqual([{ name: 'y', words: 2, firstByte: 20 }]);
  });
});

describe('loop budgets in the plan of a draft', () => {
  it('report the stopped loop in a word after the outputs, also in plans of several passes', () => {
    const budgeted = withBudget(plan, 10);
    expect(budgeted.plan.passes.map(({ bindings }) => bindings)).toEqual([
      ['y', 'z', 'sparsescope_stopped'],
      ['z', 'sparsescope_stopped'],
    ]);
    const words = new Uint32Array(bytesOf(budgeted.plan).reduce((a, b) => a + b / 4, 0)).fill(POISON_BITS);
    expect(budgeted.read(words)).toEqual({ words: words.slice(0, 3), stopped: null });
    words[3] = 1;
    expect(budgeted.read(words).stopped).toEqual({ file: 'b.wgsl', line: 1 });
  });

  it('do not change a plan without loops', () => {
    const plain = { ...plan, passes: [{ ...plan.passes[0], files: [{ path: 'a.wgsl', code: 'fn main() { }' }] }] };
    expect(withBudget(plain, 10).plan).toBe(plain);
  });
});
