import { describe, expect, it } from 'vitest';
import { type DeviceFacts, splitWorkgroups } from './kernel.ts';
import { fitsDevice, nextPowerOfTwo, type SpmvBuffers, spmvPlan } from './spmv-plan.ts';

const DEVICE: DeviceFacts = {
  features: new Set(),
  limits: {
    maxStorageBufferBindingSize: 1000,
    maxBufferSize: 2000,
    maxComputeWorkgroupStorageSize: 64,
    maxComputeInvocationsPerWorkgroup: 256,
    maxComputeWorkgroupSizeX: 128,
  },
  subgroupMinSize: 0,
  subgroupMaxSize: 0,
  isFallback: false,
};

const BUFFERS: SpmvBuffers = {
  rows: 10,
  cols: 20,
  params: [10, 20],
  arrays: [
    { name: 'data', data: new Uint16Array(100) },
    { name: 'indptr', data: new Uint32Array(11) },
  ],
  xType: 'f16',
  trailing: [{ name: 'scales', data: new Float32Array(10) }],
};

const reason = (b: SpmvBuffers, lanes = 128, memoryBytes = 64): string => {
  const support = fitsDevice(b, { lanes, memoryBytes }, DEVICE);
  return support.ok ? 'admitted' : support.reason;
};

describe('fitsDevice', () => {
  it('supports sizes equal to the limits', () => {
    expect(reason({ ...BUFFERS, arrays: [{ name: 'data', data: new Uint8Array(1000) }] })).toBe('admitted');
  });

  it.each([
    ['an array', { ...BUFFERS, arrays: [{ name: 'data', data: new Uint8Array(1001) }] }, 'data takes 1001 bytes'],
    [
      'a trailing array',
      { ...BUFFERS, trailing: [{ name: 'scales', data: new Uint8Array(1001) }] },
      'scales takes 1001',
    ],
    ['x in f16', { ...BUFFERS, cols: 501 }, 'x takes 1002 bytes'],
    ['x in f32', { ...BUFFERS, cols: 251, xType: 'f32' }, 'x takes 1004 bytes'],
    ['y', { ...BUFFERS, rows: 251 }, 'y takes 1004 bytes'],
  ] as const)('names the buffer and the limit when %s is too large', (_, buffers, text) => {
    expect(reason(buffers)).toContain(text);
    expect(reason(buffers)).toContain('at most 1000 (maxStorageBufferBindingSize)');
  });

  it('names the limit of workgroup memory and of lanes', () => {
    expect(reason(BUFFERS, 128, 65)).toBe(
      'a workgroup needs 65 bytes of memory for 20 columns, but this device has 64 (maxComputeWorkgroupStorageSize)',
    );
    expect(reason(BUFFERS, 129, 64)).toBe(
      'a workgroup needs 129 lanes, but this device runs at most 128 (maxComputeWorkgroupSizeX)',
    );
  });
});

describe('spmvPlan', () => {
  const plan = spmvPlan(BUFFERS, { files: [], constants: { LANES: 1 }, workgroupCount: 70_000 });

  it('binds sizes, arrays, x, y and then further arrays', () => {
    expect(plan.passes[0].bindings).toEqual(['params', 'data', 'indptr', 'x', 'y', 'scales']);
    expect(plan.buffers.map((b) => b.role)).toEqual(['params', 'sparse', 'sparse', 'input', 'output', 'sparse']);
  });

  it('counts every array, x and y once', () => expect(plan.bytes).toBe(200 + 44 + 40 + 20 * 2 + 10 * 4));

  it('splits workgroups beyond the limit of one dimension', () => {
    const [x, y, z] = plan.passes[0].workgroups;
    expect(x).toBeLessThanOrEqual(65_535);
    expect(x * y * z).toBeGreaterThanOrEqual(70_000);
    expect([0, 65_535, 65_536].map((count) => splitWorkgroups(count))).toEqual([
      [1, 1, 1],
      [65_535, 1, 1],
      [32_768, 2, 1],
    ]);
  });
});

it.each([
  [0, 1],
  [0.5, 1],
  [1, 1],
  [2, 2],
  [3, 4],
  [1024, 1024],
  [1025, 2048],
])('nextPowerOfTwo of %d is %d', (n, expected) => expect(nextPowerOfTwo(n)).toBe(expected));
