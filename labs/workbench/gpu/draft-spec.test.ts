// draftSpec: the kernel that results from a user's changes of files and constants.

import { describe, expect, it } from 'vitest';
import { defaultParams, type EncodedMatrix } from '../../../src/core/format.ts';
import type { KernelSpec } from '../../../src/core/kernel/kernel.ts';
import { formatById } from '../../../src/formats/registry.ts';
import { exampleDevice, exampleMatrix } from '../../../src/gpu/example-device.ts';
import { type DraftChange, draftSpec } from './draft-spec.ts';

const format = formatById('csr');
const encoded: EncodedMatrix = format.encode(exampleMatrix(1000, 64), defaultParams(format.params));
const kernel = (id: string): KernelSpec<EncodedMatrix> => {
  const kernel: KernelSpec<EncodedMatrix> | undefined = format.kernels.find((candidate) => candidate.id === id);
  if (!kernel) throw new Error(id);
  return kernel;
};
const scalar = kernel('csr/spmv_scalar');
const planOf = (change: Partial<DraftChange>, spec = scalar) =>
  draftSpec(spec, { files: {}, overrides: {}, ...change }).plan(encoded, exampleDevice(), {});

describe('draftSpec(spec, change)', () => {
  it('replaces the text of the changed file, and leaves the original kernel unchanged', () => {
    const [pass] = planOf({ files: { 'csr/spmv_scalar.wgsl': 'fn main() { }' } }).passes;
    expect(pass.files.at(-1)).toEqual({ path: 'csr/spmv_scalar.wgsl', code: 'fn main() { }' });
    // The draft declares no override, so none is set.
    expect(pass.constants).toEqual({});
    expect(scalar.plan(encoded, exampleDevice(), {}).passes[0].files.at(-1)?.code).toContain('WORKGROUP_SIZE');
    expect(draftSpec(scalar, { files: {}, overrides: {} })).toMatchObject({ id: 'csr/spmv_scalar (draft)' });
  });

  it('dispatches according to its overrides, if the kernel has a choice for them', () => {
    const subgroup = kernel('csr/spmv_subgroup');
    const [before] = planOf({}, subgroup).passes;
    const lanes = 2 * before.constants.WORKGROUP_SIZE;
    const [pass] = planOf({ overrides: { WORKGROUP_SIZE: lanes } }, subgroup).passes;
    expect(pass.constants.WORKGROUP_SIZE).toBe(lanes);
    expect(pass.workgroups[0]).toBe(before.workgroups[0] / 2);
  });

  it('dispatches one workgroup for every rowsPerWorkgroup rows, and rejects a fraction', () => {
    expect(planOf({ rowsPerWorkgroup: 3 }).passes[0].workgroups).toEqual([334, 1, 1]);
    expect(() => planOf({ rowsPerWorkgroup: 0.5 })).toThrow('rows per workgroup: found 0.5, expected a whole number');
  });

  it('rejects a text that uses the name of a loop counter, with which it could evade the loop budget, before it is compiled', () => {
    const code = 'fn main() { let sparsescope_iterations_0 = 1u; loop { } }';
    expect(() => planOf({ files: { 'csr/spmv_scalar.wgsl': code } })).toThrow(
      "found the name 'sparsescope_iterations_0'",
    );
  });

  it('rejects unknown files and overrides', () => {
    expect(() => planOf({ files: { 'csr/other.wgsl': '' } })).toThrow(
      'found a draft of csr/other.wgsl, expected one of',
    );
    expect(() => planOf({ overrides: { LANES: 1 } })).toThrow("found 'LANES', expected one of WORKGROUP_SIZE");
  });
});
