import { describe, expect, it } from 'vitest';
import type { EncodedMatrix } from '../format.ts';
import { largestNeeds } from './device-limits.ts';
import type { DeviceFacts, PassPlan, SizedPass } from './kernel.ts';
import { input, multiPassKernel, output, scratch, storedPart } from './multi-pass-plan.ts';

const DEVICE: DeviceFacts = {
  features: new Set(),
  limits: {
    maxStorageBufferBindingSize: 1000,
    maxBufferSize: 2000,
    maxComputeWorkgroupStorageSize: 16_384,
    maxComputeInvocationsPerWorkgroup: 256,
    maxComputeWorkgroupSizeX: 256,
    maxComputeWorkgroupsPerDimension: 65_535,
  },
  subgroupMinSize: 0,
  subgroupMaxSize: 0,
  isFallback: false,
};
const PASS: PassPlan = { files: [], constants: {}, bindings: [], workgroups: [1, 1, 1] };
const sized = (name: string, multiplyAdds: number): SizedPass => ({
  params: { role: 'params', name, data: Uint32Array.of(1) },
  pass: PASS,
  multiplyAdds,
});
const MATRIX: EncodedMatrix = { rows: 3, cols: 5, nnz: 2, checksums: {} };
const SPACE = { lanes: 64, memoryBytes: 0 };

const kernel = multiPassKernel<EncodedMatrix>({
  id: 'toy/block',
  title: 'a toy',
  operation: 'down',
  extraRoundings: 2,
  needs: (_e, _device, { width }) => ({ ...SPACE, lanes: width }),
  rejection: ({ rows }, { width }) => (rows === 7 ? `found 7 rows and ${width} columns` : null),
  partsOf: (e, { width }) => ({
    passes: [sized('sizes', 10), sized('sizes', 5), sized('more sizes', 0)],
    buffers: [
      input('x', e.rows * width),
      input('h', e.rows * e.cols, 'f32'),
      storedPart('words', new Uint32Array(6)),
      scratch('between', 500),
      { ...output('y', 4 * e.rows), movedBytes: 4 },
      output('z', 8),
    ],
  }),
});

describe('a kernel of several passes', () => {
  it('a kernel of several passes has one buffer for the sizes that passes share, and outputs in their order', () => {
    const plan = kernel.plan(MATRIX, DEVICE, { width: 16 });
    expect(plan.buffers.map(({ role, name }) => `${role} ${name}`)).toEqual(
      'params sizes, params more sizes, input x, input h, sparse words, scratch between, output y, output z'.split(
        ', ',
      ),
    );
    expect(plan.passes).toEqual([PASS, PASS, PASS]);
  });

  it('counts the bytes of every buffer once, except for scratch and where less is declared', () => {
    // x in bf16, h in f32, words, the 4 bytes that y declares, and z
    expect(kernel.plan(MATRIX, DEVICE, { width: 16 }).bytes).toBe(3 * 16 * 2 + 3 * 5 * 4 + 24 + 4 + 8);
  });

  it('adds up the multiply-adds of its passes, and has no `multiplyAdds` if the sum is 0', () => {
    expect(kernel.plan(MATRIX, DEVICE, { width: 16 }).multiplyAdds).toBe(15);
    const parts = { passes: [sized('sizes', 0)], buffers: [] };
    const copy = multiPassKernel<EncodedMatrix>({
      id: 'toy/copy',
      title: 'a toy',
      operation: 'convert',
      extraRoundings: 1,
      needs: () => SPACE,
      partsOf: () => parts,
    });
    expect(copy.plan(MATRIX, DEVICE, {})).not.toHaveProperty('multiplyAdds');
  });

  it.each([
    [{ ...MATRIX, rows: 7 }, 16, 'found 7 rows and 16 columns'],
    [{ ...MATRIX, rows: 20 }, 64, 'x takes 2560 bytes, but this device binds at most 1000'],
    [{ ...MATRIX, cols: 100 }, 16, 'h takes 1200 bytes, but this device binds at most 1000'],
    [{ ...MATRIX, rows: 1 }, 300, 'a workgroup needs 300 lanes, but this device runs at most 256'],
  ])('rejects sizes beyond the device limits: %o with width %i', (e, width, reason) => {
    const rejection = kernel.fits(e, DEVICE, { width });
    expect(rejection.ok ? 'admitted' : rejection.reason).toContain(reason);
    expect(kernel.fits(MATRIX, DEVICE, { width: 16 }).ok).toBe(true);
  });

  it('needs the maximum over its passes, for each kind of need', () => {
    const needs = [
      { lanes: 64, memoryBytes: 100 },
      { lanes: 32, memoryBytes: 200 },
    ];
    expect(largestNeeds(needs)).toEqual({ lanes: 64, memoryBytes: 200 });
  });
});
