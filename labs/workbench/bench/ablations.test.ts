import { describe, expect, it } from 'vitest';
import { defaultParams, type EncodedMatrix } from '../../../src/core/format.ts';
import type { KernelSpec } from '../../../src/core/kernel/kernel.ts';
import { operationById } from '../../../src/core/operations/index.ts';
import { completeSizes } from '../../../src/core/operations/operation.ts';
import { exampleDevice, exampleMatrix } from '../../../src/gpu/index.ts';
import { leftOutParts } from './left-out-parts.ts';
import { leftOutRules, SHARED_PARTS } from './left-out-rules.ts';
import { formats } from '../../../src/formats/registry.ts';

/** Every kernel has parts that can be left out to see what it waits for, and every declared part still exists. */

const kernels = formats.flatMap((format) =>
  format.kernels.map((spec: KernelSpec<EncodedMatrix>) => ({ id: spec.id, spec, format })),
);
/** The buffers of these kernels set loop bounds, so their reads cannot be removed. */
const WITHOUT_READ_ABLATION = ['twell/convert', 'twell/unpack'];

const applied = new Set<string>();

describe('ablations of kernels', () => {
  it.each(kernels)('$id has an ablatable read, unless its buffers set loop bounds', ({ spec, format }) => {
    const first = Object.fromEntries(Object.entries(spec.only ?? {}).map(([name, values]) => [name, values[0]]));
    const params = { ...defaultParams(format.params), ...first };
    const encoded = format.encode(exampleMatrix(64, 64), params);
    const sizes = completeSizes(operationById(spec.operation), spec.max ?? {});
    const plan = spec.plan(encoded, exampleDevice(), sizes);
    const parts = leftOutParts(plan, leftOutRules(format), encoded);
    for (const { name } of parts) applied.add(name);
    expect(parts.some(({ name }) => name.startsWith('reads of '))).toBe(!WITHOUT_READ_ABLATION.includes(spec.id));
  });

  it('name an existing kernel for every declared part', () => {
    const declared = [...SHARED_PARTS, ...formats.flatMap((format) => leftOutRules(format).texts ?? [])];
    expect(declared.map(({ name }) => name).filter((name) => !applied.has(name))).toEqual([]);
  });
});
