import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { KernelError } from '../core/errors.ts';
import { denseMatrix } from '../core/matrix/index.ts';
import { expectedOf } from '../core/operations/operation.ts';
import { SPMV } from '../core/operations/index.ts';
import { POISON_BITS, verifyOutputs } from '../core/operations/verify.ts';
import { DeviceLostError, type GpuContext } from './device.ts';
import { runKernel } from '../../test/run-kernel.ts';
import { openTestDevice, randomMatrix, TOY_WGSL, toyEncode, toyKernel, toyPlan } from '../../test/gpu.ts';
import { verifyKernel } from './verify.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openTestDevice();
});
afterAll(() => context.destroy());

const matrix = randomMatrix(130, 37, 0.4, 1);
const encoded = toyEncode(matrix);
const inputs = SPMV.inputs(matrix, {}, 2);
const run = (code: string) => runKernel(context, 'toy/spmv', toyPlan(encoded, code), inputs);

describe('openDevice', () => {
  test('recognises the test device as a software adapter, and reads its limits and subgroup size', () => {
    expect(context.facts.isFallback).toBe(true);
    expect(context.facts.features).toContain('timestamp-query');
    expect(context.facts.subgroupMinSize).toBe(4);
    expect(context.facts.limits.maxStorageBufferBindingSize).toBeGreaterThanOrEqual(2 ** 27);
    expect(context.environment.adapter.vendor).not.toBe('');
  });
});

describe('running one kernel', () => {
  test('returns the product within the error bound', async () => {
    const verified = await verifyKernel(context, toyKernel(), encoded, matrix, {}, 2);
    expect(verified).toMatchObject({ ok: true, outputs: 130, failureCount: 0 });
    expect(verified.worstShare).toBeGreaterThan(0);
  });

  test('names the file and the line of a compile error', async () => {
    const broken = TOY_WGSL.replace('y[row] = sum;', 'y[row] = summ;');
    await expect(run(broken)).rejects.toThrow(KernelError);
    await expect(run(broken)).rejects.toThrow(/^toy\/spmv\.wgsl:17: .*summ/);
  });

  test('names the file and the line of an error in a directive', async () => {
    await expect(run(`// a comment\nenable no_such_feature;\n${TOY_WGSL}`)).rejects.toThrow(/^toy\/spmv\.wgsl:2: /);
  });

  test('rejects an unknown override', async () => {
    const plan = toyPlan(encoded);
    const passes = [{ ...plan.passes[0], constants: { LANES: 64, LANE: 2 } }];
    await expect(runKernel(context, 'toy/spmv', { ...plan, passes }, inputs)).rejects.toThrow(/^toy\/spmv: .*LANE/);
  });

  test('rejects a binding that the shader does not declare, and vice versa', async () => {
    const plan = toyPlan(encoded);
    const fiveBindings = [{ ...plan.passes[0], bindings: ['params', 'data', 'x', 'y', 'data'] }];
    await expect(runKernel(context, 'toy', { ...plan, passes: fiveBindings }, inputs)).rejects.toThrow(
      "toy/spmv.wgsl: found no declaration of binding 4, expected 'data'",
    );
    const threeBindings = [{ ...plan.passes[0], bindings: ['params', 'data', 'x'] }];
    await expect(runKernel(context, 'toy', { ...plan, passes: threeBindings }, inputs)).rejects.toThrow(
      'toy/spmv.wgsl: declares binding 3, but toy binds 3: params, data, x',
    );
  });

  test('fills outputs with poison before the run, so that an output that a kernel does not write is detected', async () => {
    const lazy = TOY_WGSL.replace('row >= params.rows', 'row >= params.rows || row == 7u');
    const output = await run(lazy);
    expect(new Uint32Array(output.buffer)[7]).toBe(POISON_BITS);
    const verified = verifyOutputs(output, expectedOf(SPMV, matrix, inputs, {}, { extraRoundings: 1 }));
    expect(verified).toMatchObject({ ok: false, failureCount: 1 });
    expect(verified.failures[0]).toMatchObject({ row: 7, found: 'unwritten' });
  });

  test('fills scratch memory with poison before the run', async () => {
    const code = `@group(0) @binding(0) var<storage, read_write> kept: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<u32>;
@compute @workgroup_size(1) fn main() { y[0] = kept[0]; }`;
    const output = await runKernel(
      context,
      'toy/scratch',
      {
        buffers: [
          { role: 'scratch', name: 'kept', bytes: 4 },
          { role: 'output', name: 'y', bytes: 4 },
        ],
        passes: [
          {
            files: [{ path: 'toy/scratch.wgsl', code }],
            constants: {},
            bindings: ['kept', 'y'],
            workgroups: [1, 1, 1],
          },
        ],
        bytes: 8,
      },
      {},
    );
    expect(new Uint32Array(output.buffer)[0]).toBe(POISON_BITS);
  });

  test('detects a kernel that is wrong in one row', async () => {
    const wrong = TOY_WGSL.replace('y[row] = sum;', 'y[row] = select(sum, sum * 1.0001 + 0.0001, row == 99u);');
    const verified = await verifyKernel(context, toyKernel(wrong), encoded, matrix, {}, 2);
    expect(verified).toMatchObject({ ok: false, failureCount: 1 });
    expect(verified.failures[0].row).toBe(99);
    expect(verified.worstShare).toBeGreaterThan(1);
  });

  test('packs f16 inputs and rejects a value that f16 cannot represent', async () => {
    const code = `@group(0) @binding(0) var<storage, read> x: array<u32>;
@group(0) @binding(1) var<storage, read_write> y: array<f32>;
@compute @workgroup_size(1) fn main() {
  for (var i = 0u; i < 3u; i++) { y[i] = unpack2x16float(x[i / 2u])[i % 2u]; }
}`;
    const runHalf = (x: Float32Array) =>
      runKernel(
        context,
        'toy/half',
        {
          buffers: [
            { role: 'input', name: 'x', type: 'f16' },
            { role: 'output', name: 'y', bytes: 12 },
          ],
          passes: [
            { files: [{ path: 'toy/half.wgsl', code }], constants: {}, bindings: ['x', 'y'], workgroups: [1, 1, 1] },
          ],
          bytes: 18,
        },
        { x },
      );
    expect([...(await runHalf(Float32Array.of(1.5, -0.25, 65504)))]).toEqual([1.5, -0.25, 65504]);
    await expect(runHalf(Float32Array.of(1, 0.1, 2))).rejects.toThrow(
      /^x\[1\]: found 0\.1\d*, expected a value that f16 represents exactly$/,
    );
  });

  test('rejects an array above the limit, with the limit and the required size', async () => {
    const limit = context.facts.limits.maxStorageBufferBindingSize;
    const plan = toyPlan(toyEncode(denseMatrix(1, 1, Float32Array.of(1))));
    const buffers = plan.buffers.map((b) =>
      b.role === 'sparse' ? { role: 'scratch' as const, name: b.name, bytes: limit + 16 } : b,
    );
    await expect(runKernel(context, 'toy', { ...plan, buffers }, { x: Float32Array.of(1) })).rejects.toThrow(
      `toy: data: needs a buffer of ${limit + 16} bytes, the limit of this GPU is ${limit}`,
    );
  });

  test('rejects workgroups outside the limit', async () => {
    const plan = toyPlan(encoded);
    const passes = [{ ...plan.passes[0], workgroups: [70000, 1, 1] as const }];
    await expect(runKernel(context, 'toy', { ...plan, passes }, inputs)).rejects.toThrow(
      'toy: found 70000 × 1 × 1 workgroups, expected 1 to 65535 in each dimension',
    );
  });

  test('rejects with DeviceLostError if the device was destroyed', async () => {
    const other = await openTestDevice();
    other.destroy();
    await expect(runKernel(other, 'toy', toyPlan(encoded), inputs)).rejects.toThrow(DeviceLostError);
    expect(await other.lost).toBe('the GPU device was closed');
  });
});
