import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildMatrix } from '../../test/arbitraries.ts';
import { defaultParams, type EncodedMatrix } from '../core/format.ts';
import type { Choice, Chosen } from '../core/kernel/choices.ts';
import { type KernelSpec, unsuited } from '../core/kernel/kernel.ts';
import { completeSizes, expectedOf } from '../core/operations/operation.ts';
import { operationById } from '../core/operations/index.ts';
import { describeFailure, verifyOutputs } from '../core/operations/verify.ts';
import { admitKernel, type GpuContext, openDevice, readOutputs, runKernelWords } from '../gpu/index.ts';
import { formats } from './registry.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

/** The extremes of what a trial may try: of all choices at once, since compiling is what takes time. */
function ends(choices: readonly Choice[]): readonly Chosen[] {
  const bounds = choices.map((choice) => {
    const values = choice.kind === 'range' ? [choice.least, choice.most] : choice.values;
    return { ...choice, first: values[0], last: values[values.length - 1] };
  });
  return (['first', 'last'] as const).flatMap((end) => {
    if (bounds.every((choice) => choice[end] === choice.start)) return [];
    return [Object.fromEntries(bounds.map((choice) => [choice.name, choice[end]]))];
  });
}

test.for(formats.map((format) => [format.id, format] as const))(
  'kernels of %s are right whatever a trial chooses',
  async ([, format]) => {
    const params = defaultParams<object>(format.params);
    const specs: readonly KernelSpec<EncodedMatrix>[] = format.kernels;
    const matrix = buildMatrix({
      shape: [67, 330],
      pattern: format.id === 'slidesparse' ? 'six of eight' : 'uniform',
      values: 'normal',
      density: 0.2,
      seed: 5,
      storage: 'cells',
    });
    if (!format.admits(matrix, params).ok) return;
    const encoded: EncodedMatrix = format.encode(matrix, params);
    const rounded = format.decode(encoded);
    let ran = 0;
    for (const spec of specs.filter((s) => s.choices && unsuited(s, params) === null)) {
      const operation = operationById(spec.operation);
      const sizes = completeSizes(operation, operation.id === 'gemm' ? { tokens: 5 } : {});
      if (!admitKernel(spec, encoded, context.facts, sizes).ok) continue;
      const choices = spec.choices?.(encoded, context.facts, sizes) ?? [];
      const inputs = operation.inputs(rounded, sizes, 3);
      for (const chosen of ends(choices)) {
        const plan = spec.plan(encoded, context.facts, sizes, chosen);
        const words = await runKernelWords(context, spec.id, plan, inputs);
        const expected = expectedOf(operation, rounded, inputs, sizes, spec);
        const verified = verifyOutputs(readOutputs(spec, encoded, words, sizes), expected);
        if (!verified.ok) expect.fail(`${spec.id} ${JSON.stringify(chosen)}: ${describeFailure(verified)}`);
        ran++;
      }
    }
    expect(ran).toBeGreaterThan(0);
  },
);
