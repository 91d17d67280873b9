import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesOf, exactBlock, worstDifference } from '../../../test/gated-block.ts';
import { finish } from '../../core/job.ts';
import { toDense } from '../../core/matrix/index.ts';
import { BACKWARD } from '../../core/operations/index.ts';
import { type GpuContext, openDevice, runKernel } from '../../gpu/index.ts';
import { decode } from './decode.ts';
import { encodeSteps } from './encode.ts';
import { trainingKernels } from './kernels.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

describe.for(trainingKernels.filter((spec) => spec.operation === BACKWARD.id).map((spec) => [spec.id, spec] as const))(
  '%s',
  ([, spec]) => {
    test('agrees to 1e-3 with finite differences of the forward pass in f64', async () => {
      const shape = { tokens: 9, hidden: 21, width: 16 };
      const { gate, inputs } = exactBlock(shape, 3);
      const e = finish(encodeSteps(gate, { valueType: 'f32' }));
      expect(toDense(decode(e))).toEqual(toDense(gate));
      const found = await runKernel(context, spec.id, spec.plan(e, context.facts, { width: shape.width }), inputs);
      const differences = differencesOf(shape, inputs);
      expect(found).toHaveLength(differences.length);
      expect(worstDifference(found, differences)).toBeLessThan(1e-3);
    });
  },
);
