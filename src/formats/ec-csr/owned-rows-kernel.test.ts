import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../core/format.ts';
import { type DeviceFacts, unsuitedReason } from '../../core/kernel/kernel.ts';
import { generate } from '../../generate/generate.ts';
import { ecCsr } from './index.ts';
import { ownedRowsKernel } from './owned-rows-kernel.ts';

/** A device with WebGPU's default limits, which every device has. */
const MINIMUM: DeviceFacts = {
  features: new Set(),
  limits: {
    maxStorageBufferBindingSize: 2 ** 27,
    maxBufferSize: 2 ** 28,
    maxComputeWorkgroupStorageSize: 16_384,
    maxComputeInvocationsPerWorkgroup: 256,
    maxComputeWorkgroupSizeX: 256,
  },
  subgroupMinSize: 0,
  subgroupMaxSize: 0,
  isFallback: false,
};

function encoded(rows: number, cols: number, density: number) {
  const matrix = generate({ pattern: 'uniform', rows, cols, density, seed: 1, options: {} });
  return ecCsr.encode(matrix, defaultParams(ecCsr.params));
}

describe('ec-csr/spmv_owned_rows', () => {
  const e = encoded(64, 256, 0.3);

  it('supports only the parameters for which its shader was written', () => {
    expect(unsuitedReason(ownedRowsKernel, e)).toBe(null);
    expect(unsuitedReason(ownedRowsKernel, { ...e, lanes: 16 })).toBe('is for lanes 32, found 16');
  });

  it('fits the limits that every device has, and names a limit that it exceeds', () => {
    expect(ownedRowsKernel.features).toEqual([]);
    expect(ownedRowsKernel.fits(e, MINIMUM, {})).toMatchObject({ ok: true });
    const littleMemory = { ...MINIMUM, limits: { ...MINIMUM.limits, maxComputeWorkgroupStorageSize: 1024 } };
    expect(ownedRowsKernel.fits(e, littleMemory, {})).toMatchObject({
      reason: expect.stringMatching(/8192 bytes of memory/),
    });
    expect(ownedRowsKernel.fits(encoded(2, 70_000, 0.001), MINIMUM, {})).toMatchObject({
      reason: 'supports only bases of 16 bits, found 70000 columns, which need 32',
    });
  });

  it('assigns about eight rows to a workgroup, and tries counts near eight', () => {
    const choices = ownedRowsKernel.choices?.(e, MINIMUM, {});
    expect(choices).toContainEqual({ kind: 'one-of', name: 'workgroups', start: 8, values: [4, 8, 16] });
    const tall = ownedRowsKernel.choices?.(encoded(4000, 8, 0.1), MINIMUM, {});
    expect(tall?.[0]).toMatchObject({ start: 512, values: [256, 264, 512, 528, 1024, 1056] });
    const [pass] = ownedRowsKernel.plan(e, MINIMUM, {}).passes;
    expect(pass.workgroups).toEqual([8, 1, 1]);
    expect(pass.constants).toMatchObject({ WORKGROUP_SIZE: 256, ROWS: 8, ROW_LANES: 32 });
  });

  it('ec-csr/spmv_owned_rows has a plan with the constants that a timing trial chose, and throws if they do not fit', () => {
    const plan = ownedRowsKernel.plan(e, MINIMUM, {}, { workgroups: 4, lanes: 128, segments: 4 });
    expect(plan.passes[0].workgroups).toEqual([4, 1, 1]);
    expect(plan.passes[0].constants).toMatchObject({ WORKGROUP_SIZE: 128, ROWS: 16, ROW_LANES: 8, SEGMENTS: 4 });
    const singleWorkgroup = { workgroups: 1, lanes: 256, segments: 1 };
    expect(() => ownedRowsKernel.plan(e, MINIMUM, {}, singleWorkgroup)).toThrow(
      'ec-csr/spmv_owned_rows with 1 workgroups: 65536 bytes of memory, at most 16384',
    );
    expect(() =>
      ownedRowsKernel.plan(
        encoded(300, 8, 0.1),
        { ...MINIMUM, limits: { ...MINIMUM.limits, maxComputeWorkgroupStorageSize: 2 ** 20 } },
        {},
        singleWorkgroup,
      ),
    ).toThrow('a workgroup would have 300 rows, at most 255');
  });
});
