import { describe, expect, it } from 'vitest';
import { defaultParams, type EncodedMatrix } from '../../../src/core/format.ts';
import type { KernelPlan, KernelSpec } from '../../../src/core/kernel/kernel.ts';
import { SPMV } from '../../../src/core/operations/index.ts';
import { exampleDevice, exampleMatrix } from '../../../src/gpu/index.ts';
import { addingPlan } from './chain/adding.ts';
import { PREFETCH_BINDINGS, prefetchingPlan } from './chain/prefetching.ts';
import type { StageDevice } from './chain/stage-device.ts';
import { formats } from '../../../src/formats/registry.ts';

/**
 * Changes to the text of a product's kernel in a chain (a decoder on the GPU): instead of storing its rows, it adds
 * them to the residual stream (addingPlan), or it prefetches the weights of the next product (prefetchingPlan).
 * chain.gpu.test.ts compares the results with the oracle.
 */

const kernels = formats.flatMap((format) =>
  format.kernels
    .filter(({ operation }: KernelSpec<EncodedMatrix>) => operation === SPMV.id)
    .map((spec: KernelSpec<EncodedMatrix>) => ({ id: spec.id, spec, format })),
);
/** The format whose kernels cannot be changed: they clear the output, and several workgroups add to a row. */
const ADDS_PARTS = 'ec-csr/';

const withStorage = (maxStorageBuffersPerShaderStage: number): StageDevice => ({
  ...exampleDevice(),
  limits: { ...exampleDevice().limits, maxStorageBuffersPerShaderStage },
});
const DEVICE_WITH_16_BUFFERS = withStorage(16);

/** Returns the plan of a kernel on a matrix, with the first parameters that the kernel supports. */
function planOf({ spec, format }: (typeof kernels)[number], rows = 64): KernelPlan {
  const firstParams = Object.fromEntries(Object.entries(spec.only ?? {}).map(([name, values]) => [name, values[0]]));
  const encoded = format.encode(exampleMatrix(rows, 64), { ...defaultParams(format.params), ...firstParams });
  return spec.plan(encoded, exampleDevice(), {});
}

/** Checks that appended code declares no name twice. */
function expectUniqueNames(code: string): void {
  const names = [...code.matchAll(/^(?:@.* )?(?:fn|const|override|alias|struct|var<[^>]*>) (\w+)/gm)].map(
    ([, name]) => name,
  );
  expect(names.length).toBeGreaterThan(5);
  expect(names).toEqual([...new Set(names)]);
}

describe('addingPlan', () => {
  it.each(kernels)('replaces the stores of rows in $id by additions to the stream', (kernel) => {
    const plan = planOf(kernel);
    const adding = addingPlan(plan, DEVICE_WITH_16_BUFFERS);
    expect(adding === null).toBe(kernel.id.startsWith(ADDS_PARTS));
    if (adding === null) return;
    const [before, after] = [plan, adding].map(({ passes }) => passes.at(-1));
    const code = after?.files.map((file) => file.code).join('\n') ?? '';
    // At least one call in addition to the declaration, and no store except in the declaration.
    expect(code.match(/\badd_row\(/g)?.length).toBeGreaterThan(1);
    expect(code.match(/\by\[.*\] =/g)).toEqual(['y[row] =']);
    expectUniqueNames(code);
    expect(after?.bindings.slice(0, -3)).toEqual(before?.bindings);
    expect(adding.passes.slice(0, -1)).toEqual(plan.passes.slice(0, -1));
  });

  it('needs three bindings more than the product, and returns null without them', () => {
    const plan = planOf(kernels[0]);
    const bindingCount = plan.passes[0].bindings.length - 1;
    expect(addingPlan(plan, withStorage(bindingCount + 3))).not.toBeNull();
    expect(addingPlan(plan, withStorage(bindingCount + 2))).toBeNull();
  });

  it('rejects a kernel that uses its output in another way', () => {
    const plan = planOf(kernels[0]);
    const changed = (from: RegExp, to: string) => ({
      ...plan,
      passes: plan.passes.map((pass) => ({
        ...pass,
        files: pass.files.map((file) => ({ ...file, code: file.code.replace(from, to) })),
      })),
    });
    expect(() => addingPlan(changed(/y\[row\] = /, 'y[row] += '), exampleDevice())).toThrow(
      /found y in "y\[", expected a store of one number$/,
    );
    expect(() => addingPlan(changed(/> y: array<f32>/, '> y: array<vec4<f32>>'), exampleDevice())).toThrow(
      /found no output of numbers at binding \d, expected one$/,
    );
  });
});

describe('prefetchingPlan', () => {
  const MIB = 2 ** 20;
  const rows = 4096;
  const plan = planOf(kernels[0], rows);
  const bindingCount = plan.passes[0].bindings.length;
  const codeOf = (changed: typeof plan): string =>
    (changed.passes.at(-1)?.files ?? []).map(({ code }) => code).join('\n');

  it.each(kernels)(
    'makes $id read a word of each 1 MiB page of the next weights, and store its rows as before',
    (kernel) => {
      const before = planOf(kernel);
      const after = prefetchingPlan(before, [3 * MIB], DEVICE_WITH_16_BUFFERS);
      expect(after === before).toBe(kernel.id.startsWith(ADDS_PARTS));
      if (after === before) return;
      expect(codeOf(after).match(/\bstore_and_prefetch\(/g)?.length).toBeGreaterThan(1);
      expectUniqueNames(codeOf(after));
      expect(codeOf(after).match(/\by\[.*\] =/g)).toEqual(['y[row] =']);
      const bindings = before.passes.at(-1)?.bindings ?? [];
      const more = [PREFETCH_BINDINGS.array(0), PREFETCH_BINDINGS.neverRead];
      expect(after.passes.at(-1)?.bindings).toEqual([...bindings, ...more]);
    },
  );

  it('distributes the pages over the rows that are stored', () => {
    // Five pages (three, of which the last is short, and two) for 4096 rows: every 512th row reads one.
    const code = codeOf(prefetchingPlan(plan, [2 * MIB + 4, 2 * MIB], DEVICE_WITH_16_BUFFERS));
    expect(code).toContain('(row & 511u) == 0u && prefetched_word(row / 512u)');
    expect(code).toContain('if (page < 3u) { return prefetched_0[(page - 0u) * 262144u]; }');
    expect(code).toContain('if (page < 5u) { return prefetched_1[(page - 3u) * 262144u]; }');
  });

  it('reads one page per row if there are more pages than rows', () => {
    const code = codeOf(prefetchingPlan(plan, [2 * rows * MIB], DEVICE_WITH_16_BUFFERS));
    expect(code).toContain('(row & 0u) == 0u && prefetched_word(row / 1u)');
  });

  it('also changes a plan of addingPlan', () => {
    const adding = addingPlan(plan, DEVICE_WITH_16_BUFFERS);
    const code = adding && codeOf(prefetchingPlan(adding, [MIB], DEVICE_WITH_16_BUFFERS));
    expect(code).toContain('store_and_prefetch(row, sum);');
    expect(code).toContain('y[row] = value;');
  });

  it('returns the same plan if the arrays are shorter than a page, or the device has no free binding', () => {
    expect(prefetchingPlan(plan, [MIB - 4, 4], DEVICE_WITH_16_BUFFERS)).toBe(plan);
    expect(prefetchingPlan(plan, [MIB], withStorage(bindingCount))).toBe(plan);
    // One array is left out; the binding for memory that is never read stays.
    const pass = prefetchingPlan(plan, [4, MIB, MIB], withStorage(bindingCount + 1)).passes.at(-1);
    expect(pass?.bindings.slice(bindingCount)).toEqual([PREFETCH_BINDINGS.array(1), PREFETCH_BINDINGS.neverRead]);
  });
});
