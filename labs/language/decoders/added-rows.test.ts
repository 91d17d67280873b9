import { describe, expect, it } from 'vitest';
import { defaultParams, type EncodedMatrix } from '../../../src/core/format.ts';
import type { KernelPlan, KernelSpec } from '../../../src/core/kernel/kernel.ts';
import { SPMV } from '../../../src/core/operations/index.ts';
import { exampleDevice, exampleMatrix } from '../../../src/gpu/index.ts';
import { addingPlan } from './chain/adding.ts';
import { PREFETCH_BINDINGS, prefetchingPlan } from './chain/prefetching.ts';
import type { StageDevice } from './chain/stages.ts';
import { formats } from '../../../src/formats/registry.ts';

/**
 * Kernels that store each row once can add it to the stream of a model instead. chain.gpu.test.ts compares the results with
 * the oracle, and checks that other kernels are unchanged, since they would add parts of rows.
 */

const kernels = formats.flatMap((format) =>
  format.kernels
    .filter(({ operation }: KernelSpec<EncodedMatrix>) => operation === SPMV.id)
    .map((spec: KernelSpec<EncodedMatrix>) => ({ id: spec.id, spec, format })),
);
/** Its rows are cleared first, and several workgroups add to them. */
const ADDS_PARTS = 'ec-csr/';

const withStorage = (maxStorageBuffersPerShaderStage: number): StageDevice => ({
  ...exampleDevice(),
  limits: { ...exampleDevice().limits, maxStorageBuffersPerShaderStage },
});
const spacious = withStorage(16);

/** A kernel on a matrix, with the first parameters that the kernel supports. */
function planOf({ spec, format }: (typeof kernels)[number], rows = 64): KernelPlan {
  const first = Object.fromEntries(Object.entries(spec.only ?? {}).map(([name, values]) => [name, values[0]]));
  const encoded = format.encode(exampleMatrix(rows, 64), { ...defaultParams(format.params), ...first });
  return spec.plan(encoded, exampleDevice(), {});
}

/** What is appended to a kernel may not have a name that the kernel has. */
function expectUniqueNames(code: string): void {
  const names = [...code.matchAll(/^(?:@.* )?(?:fn|const|override|alias|struct|var<[^>]*>) (\w+)/gm)].map(
    ([, name]) => name,
  );
  expect(names.length).toBeGreaterThan(5);
  expect(names).toEqual([...new Set(names)]);
}

describe('rows of a product', () => {
  it.each(kernels)('of $id are added where they are stored', (kernel) => {
    const plan = planOf(kernel);
    const adding = addingPlan(plan, spacious);
    expect(adding === null).toBe(kernel.id.startsWith(ADDS_PARTS));
    if (adding === null) return;
    const [before, after] = [plan, adding].map(({ passes }) => passes.at(-1));
    const code = after?.files.map((file) => file.code).join('\n') ?? '';
    // one call at least besides its declaration, and no store of before
    expect(code.match(/\badd_row\(/g)?.length).toBeGreaterThan(1);
    expect(code.match(/\by\[.*\] =/g)).toEqual(['y[row] =']);
    expectUniqueNames(code);
    expect(after?.bindings.slice(0, -3)).toEqual(before?.bindings);
    expect(adding.passes.slice(0, -1)).toEqual(plan.passes.slice(0, -1));
  });

  it('need four bindings where the product needs one', () => {
    const plan = planOf(kernels[0]);
    const bound = plan.passes[0].bindings.length - 1;
    expect(addingPlan(plan, withStorage(bound + 3))).not.toBeNull();
    expect(addingPlan(plan, withStorage(bound + 2))).toBeNull();
  });

  it('are not added by a text that uses the output otherwise', () => {
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

describe('the next product', () => {
  const MIB = 2 ** 20;
  const rows = 4096;
  const plan = planOf(kernels[0], rows);
  const bound = plan.passes[0].bindings.length;
  const codeOf = (of: typeof plan): string => (of.passes.at(-1)?.files ?? []).map(({ code }) => code).join('\n');

  it.each(kernels)('has a word of each of its pages read by $id, which stores its rows all the same', (kernel) => {
    const before = planOf(kernel);
    const after = prefetchingPlan(before, [3 * MIB], spacious);
    expect(after === before).toBe(kernel.id.startsWith(ADDS_PARTS));
    if (after === before) return;
    expect(codeOf(after).match(/\bstore_and_prefetch\(/g)?.length).toBeGreaterThan(1);
    expectUniqueNames(codeOf(after));
    expect(codeOf(after).match(/\by\[.*\] =/g)).toEqual(['y[row] =']);
    const bindings = before.passes.at(-1)?.bindings ?? [];
    const more = [PREFETCH_BINDINGS.array(0), PREFETCH_BINDINGS.neverRead];
    expect(after.passes.at(-1)?.bindings).toEqual([...bindings, ...more]);
  });

  it('has its pages spread over the rows that are stored', () => {
    // Three pages, the last of them short, and two: five for 4096 rows, so every 512th row reads one.
    const code = codeOf(prefetchingPlan(plan, [2 * MIB + 4, 2 * MIB], spacious));
    expect(code).toContain('(row & 511u) == 0u && prefetched_word(row / 512u)');
    expect(code).toContain('if (page < 3u) { return prefetched_0[(page - 0u) * 262144u]; }');
    expect(code).toContain('if (page < 5u) { return prefetched_1[(page - 3u) * 262144u]; }');
  });

  it('has one page for a row where it has more pages than there are rows', () => {
    const code = codeOf(prefetchingPlan(plan, [2 * rows * MIB], spacious));
    expect(code).toContain('(row & 0u) == 0u && prefetched_word(row / 1u)');
  });

  it('is also read where rows are added to a stream', () => {
    const adding = addingPlan(plan, spacious);
    const code = adding && codeOf(prefetchingPlan(adding, [MIB], spacious));
    expect(code).toContain('store_and_prefetch(row, sum);');
    expect(code).toContain('y[row] = value;');
  });

  it('is unchanged if its arrays are shorter than a page, or the device has no binding for them', () => {
    expect(prefetchingPlan(plan, [MIB - 4, 4], spacious)).toBe(plan);
    expect(prefetchingPlan(plan, [MIB], withStorage(bound))).toBe(plan);
    // One array is left out; the binding for memory that is never read stays.
    const one = prefetchingPlan(plan, [4, MIB, MIB], withStorage(bound + 1)).passes.at(-1);
    expect(one?.bindings.slice(bound)).toEqual([PREFETCH_BINDINGS.array(1), PREFETCH_BINDINGS.neverRead]);
  });
});
