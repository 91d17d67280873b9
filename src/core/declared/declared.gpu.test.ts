import { afterAll, beforeAll, expect, it } from 'vitest';
import { deltaCsr } from '../../../test/declared/delta-csr/index.ts';
import { AWKWARD_MATRICES } from '../../generate/awkward/matrices.ts';
import { type GpuContext, openDevice, readOutputs, runKernelWords } from '../../gpu/index.ts';
import { finish } from '../job.ts';
import { operationById } from '../operations/index.ts';
import { expectedFor } from '../operations/operation.ts';
import { verifyOutputs } from '../operations/verify.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

it.each(['f16', 'f32'] as const)('a kernel on generated accessors agrees with the oracle in %s', async (valueType) => {
  const [spec] = deltaCsr.kernels;
  const operation = operationById(spec.operation);
  const wrong: string[] = [];
  let met = 0;
  for (const { name, build } of AWKWARD_MATRICES) {
    const m = build();
    if (m.rows > 65_535) continue;
    const encoded = deltaCsr.encode(m, { valueType });
    const rounded = deltaCsr.decode(encoded);
    const inputs = operation.inputs(rounded, {}, 5);
    const words = await runKernelWords(context, spec.id, spec.plan(encoded, context.facts, {}), inputs);
    const expected = finish(operation.expectedSteps(rounded, inputs, {}));
    if (!verifyOutputs(readOutputs(spec, encoded, words, {}), expectedFor(expected, spec)).ok) wrong.push(name);
    met++;
  }
  expect(wrong).toEqual([]);
  expect(met).toBeGreaterThan(10);
});
