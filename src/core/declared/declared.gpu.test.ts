import { afterAll, beforeAll, expect, it } from 'vitest';
import { DECLARED_ALONE, PERMUTED } from '../../../test/declared/formats.ts';
import type { EncodedMatrix } from '../encoded/encoded.ts';
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

const formatsAndTypes = [...DECLARED_ALONE, PERMUTED].flatMap((format) =>
  ['f16', 'f32'].map((valueType) => [format.id, valueType, format] as const),
);

it.each(formatsAndTypes)(
  'the kernel of %s, which reads its arrays by generated WGSL functions, agrees with the oracle in %s',
  async (_, valueType, format) => {
    const [spec] = format.kernels;
    const operation = operationById(spec.operation);
    const wrong: string[] = [];
    let compared = 0;
    for (const { name, build } of AWKWARD_MATRICES) {
      const m = build();
      if (m.rows > 65_535) continue;
      if (!format.admits(m, { valueType }).ok) continue;
      const encoded: EncodedMatrix = format.encode(m, { valueType });
      const rounded = format.decode(encoded);
      const inputs = operation.inputs(rounded, {}, 5);
      const words = await runKernelWords(context, spec.id, spec.plan(encoded, context.facts, {}), inputs);
      const expected = finish(operation.expectedSteps(rounded, inputs, {}));
      if (!verifyOutputs(readOutputs(spec, encoded, words, {}), expectedFor(expected, spec)).ok) wrong.push(name);
      compared++;
    }
    expect(wrong).toEqual([]);
    expect(compared).toBeGreaterThan(10);
  },
);
