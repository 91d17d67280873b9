// leftOutParts, for ablations: a kernel without one of its parts.

import { describe, expect, it } from 'vitest';
import type { EncodedMatrix } from '../../../src/core/format.ts';
import type { KernelPlan } from '../../../src/core/kernel/kernel.ts';
import { leftOutParts } from './left-out-parts.ts';

const plan = (code: string): KernelPlan => ({
  buffers: [{ role: 'output', name: 'y', bytes: 4 }],
  passes: [{ files: [{ path: 'a.wgsl', code }], constants: {}, bindings: ['values', 'y'], workgroups: [1, 1, 1] }],
  bytes: 4,
});

const code = `@group(0) @binding(0) var<storage, read> values: array<vec4<u32>>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
alias Sums = vec4<f32>;
var<workgroup> sums: array<Sums, 64>;
@compute @workgroup_size(64) fn main(@builtin(local_invocation_index) lane: u32) {
  sums[lane] = bitcast<vec4<f32>>(values[values[lane].x]);
  workgroupBarrier();
  y[lane] = sums[lane ^ 1u].x;
}`;

const encoded = { rows: 64, cols: 64, nnz: 64 } as EncodedMatrix;

const textOf = (parts: readonly { name: string; plan: KernelPlan }[], name: string): string =>
  (parts.find((part) => part.name === name)?.plan.passes[0].files ?? []).map((file) => file.code).join('');

describe('leftOutParts, for ablations of a kernel', () => {
  const parts = leftOutParts(plan(code), { alwaysRead: [] }, encoded);
  it('lists the reads of each array, of all arrays together, and barriers', () => {
    expect(parts.map(({ name }) => name)).toEqual([
      'reads of values',
      'reads of sums',
      'any of these reads',
      'barriers',
    ]);
  });
  it('replaces reads by a function of the index, also nested reads, and leaves stores unchanged', () => {
    expect(textOf(parts, 'reads of values')).toContain('left_out_values(left_out_values(lane).x)');
    expect(textOf(parts, 'reads of sums')).toContain('sums[lane] = bitcast<vec4<f32>>(values[values[lane].x]);');
    expect(textOf(parts, 'reads of sums')).toContain('y[lane] = left_out_sums(lane ^ 1u).x;');
    expect(textOf(parts, 'barriers')).not.toContain('Barrier');
  });
  it('does not replace values that determine the length of loops', () => {
    const partsWithoutValues = leftOutParts(plan(code), { alwaysRead: ['values'] }, encoded);
    expect(partsWithoutValues.map(({ name }) => name)).toEqual(['reads of sums', 'barriers']);
  });
  it('throws if a text to replace does not occur', () => {
    const texts = [{ name: 'x', path: 'a.wgsl', replaced: [['no such text', '']] as const }];
    expect(() => leftOutParts(plan(code), { alwaysRead: [], texts }, encoded)).toThrow(RangeError);
  });
});
