import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../core/format.ts';
import { type DeviceFacts, unsuitedReason } from '../../core/kernel/kernel.ts';
import { generate } from '../../generate/generate.ts';
import { ecCsr } from './index.ts';
import type { EcCsrParams } from './params.ts';
import { stagedKernel } from './staged-kernel.ts';

const DEVICE: DeviceFacts = {
  features: new Set(['subgroups']),
  limits: {
    maxStorageBufferBindingSize: 2 ** 30,
    maxBufferSize: 2 ** 30,
    maxComputeWorkgroupStorageSize: 49_152,
    maxComputeInvocationsPerWorkgroup: 1024,
    maxComputeWorkgroupSizeX: 1024,
  },
  subgroupMinSize: 32,
  subgroupMaxSize: 32,
  isFallback: false,
};

function encoded(rows: number, cols: number, density: number, chosen: Partial<EcCsrParams> = {}) {
  const matrix = generate({ pattern: 'uniform', rows, cols, density, seed: 1, options: {} });
  return ecCsr.encode(matrix, { ...defaultParams(ecCsr.params), ...chosen });
}

/** Why the kernel rejects a matrix; null if it supports it. */
function rejection(e: ReturnType<typeof encoded>, device: DeviceFacts = DEVICE): string | null {
  const support = stagedKernel.fits(e, device, {});
  return support.ok ? null : support.reason;
}

describe('ec-csr/spmv_staged', () => {
  const e = encoded(64, 256, 0.3);

  it('supports only the parameters that its shader is written for, and names the one that differs', () => {
    expect(unsuitedReason(stagedKernel, e)).toBe(null);
    expect(unsuitedReason(stagedKernel, { ...e, lanes: 16 })).toBe('is for lanes 32, found 16');
    expect(unsuitedReason(stagedKernel, { ...e, vectorSize: 2 })).toBe('is for vectorSize 4, found 2');
    expect(unsuitedReason(stagedKernel, { ...e, deltaBits: 4 })).toBe('is for deltaBits 8, found 4');
    expect(unsuitedReason(stagedKernel, { ...e, valueType: 'f32' })).toBe('is for valueType f16, found "f32"');
  });

  it('supports matrices that fit, with subgroups as wide as a block or narrower', () => {
    for (const subgroupMaxSize of [4, 8, 16, 32])
      expect(rejection(e, { ...DEVICE, subgroupMinSize: 4, subgroupMaxSize })).toBe(null);
  });

  it('names the limit that is exceeded', () => {
    expect(rejection(e, { ...DEVICE, subgroupMaxSize: 64 })).toBe(
      'a subgroup has up to 64 lanes on this device, expected at most 32',
    );
    expect(rejection(encoded(2, 12_288, 0.01))).toMatch(
      /memory for 12288 columns, .* 49152 \(maxComputeWorkgroupStorage/,
    );
    expect(rejection(encoded(2, 20_000, 0.01))).toMatch(/80000 bytes of memory for 20000 columns/);
    expect(rejection(encoded(2, 70_000, 0.001))).toBe(
      'supports only bases of 16 bits, found 70000 columns, which need 32',
    );
  });

  it('counts x and the sums in whole 16 bytes each, as a device does', () => {
    const limits = { ...DEVICE.limits, maxComputeWorkgroupStorageSize: 16_384 };
    expect(rejection(encoded(2, 4092, 0.01), { ...DEVICE, limits })).toBe(null);
    // 4093 columns and one sum would fit in the 4096 words; each rounded up to a multiple of 4 words, they do not.
    expect(rejection(encoded(2, 4093, 0.01), { ...DEVICE, limits })).toMatch(/needs 16400 bytes of memory/);
  });

  it('supports no more blocks per subgroup than it has lanes', () => {
    const narrow = { ...DEVICE.limits, maxComputeInvocationsPerWorkgroup: 32, maxComputeWorkgroupSizeX: 32 };
    const tall = encoded(128 * 33, 64, 0.1);
    expect(rejection(tall)).toBe(null);
    expect(rejection(tall, { ...DEVICE, limits: narrow })).toMatch(
      /^a subgroup would have 33 blocks or more, expected at most 32, one for each lane$/,
    );
  });

  it('ec-csr/spmv_staged has LANE_FOR_LANE only if every subgroup has 32 lanes', () => {
    const plan = stagedKernel.plan(e, DEVICE, {});
    expect(plan.passes[0].constants).toMatchObject({ LANE_FOR_LANE: 1, WORKGROUP_SIZE: 1024, SHARES: 32, SEGMENTS: 1 });
    const mixed = stagedKernel.plan(e, { ...DEVICE, subgroupMinSize: 16 }, {});
    expect(mixed.passes[0].constants).toMatchObject({ LANE_FOR_LANE: 0, SHARES: 32 });
  });

  it('counts all arrays, x and y as its bytes', () => {
    const plan = stagedKernel.plan(e, DEVICE, {});
    const arrays = plan.buffers.flatMap((b) => (b.role === 'sparse' ? [b.data.byteLength] : []));
    expect(plan.bytes).toBe(arrays.reduce((a, b) => a + b) + 4 * (64 + 256));
  });

  it('plans with the chosen tuning numbers, and throws if they give a subgroup too many blocks', () => {
    const chosen = { workgroups: 132, segments: 4, 'block cost': 700 };
    const [pass] = stagedKernel.plan(e, DEVICE, {}, chosen).passes;
    expect(pass.workgroups).toEqual([132, 1, 1]);
    expect(pass.constants).toMatchObject({ WORKGROUPS: 132, SEGMENTS: 4 });
    const tall = encoded(80, 64, 0.1);
    const narrow = { ...DEVICE.limits, maxComputeInvocationsPerWorkgroup: 32, maxComputeWorkgroupSizeX: 32 };
    const oneWorkgroup = { ...chosen, workgroups: 1 };
    expect(() => stagedKernel.plan(tall, { ...DEVICE, limits: narrow }, {}, oneWorkgroup)).toThrow(
      /^ec-csr\/spmv_staged with 1 workgroups: a subgroup would have \d+ blocks, expected at most 32, one for each lane$/,
    );
  });
});
