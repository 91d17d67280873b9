import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesOf, dot, exactBlock, L1_WEIGHTS, onlyBuffer, worstDifference } from '../../../test/gated-block.ts';
import { finish } from '../../core/job.ts';
import { toDense } from '../../core/matrix/index.ts';
import { BACKWARD, BACKWARD_STORED, FORWARD_STORING } from '../../core/operations/index.ts';
import { fourStride } from '../../core/kernel/matmul-plan.ts';
import { type GpuContext, openDevice } from '../../gpu/index.ts';
import { runKernel } from '../../../test/run-kernel.ts';
import { blockKernels } from './block-kernels.ts';
import { decode } from './decode.ts';
import { encodeSteps } from './encode.ts';
import { trainingKernels } from './training-kernels.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

describe.for(
  trainingKernels
    .filter(({ operation }) => [BACKWARD.id, BACKWARD_STORED.id].includes(operation))
    .map((spec) => [spec.id, spec] as const),
)('%s', ([, spec]) => {
  test.for(L1_WEIGHTS)('agrees to 1e-3 with finite differences of the forward pass in f64, with L1 %i', async (l1) => {
    const shape = { tokens: 9, hidden: 21, width: 16, l1 };
    const { gate, inputs } = exactBlock(shape, 3);
    const e = finish(encodeSteps(gate, { valueType: 'f32' }));
    expect(toDense(decode(e))).toEqual(toDense(gate));
    const gradients = await runKernel(context, spec.id, spec.plan(e, context.facts, shape), inputs);
    const differences = differencesOf(shape, inputs);
    expect(gradients).toHaveLength(differences.length);
    expect(worstDifference(gradients, differences)).toBeLessThan(1e-3);
  });
});

test.for(
  blockKernels.filter(({ operation }) => operation === FORWARD_STORING.id).map((spec) => [spec.id, spec] as const),
)('%s stores x Wu in the buffer that the backward pass reads', async ([, spec]) => {
  const shape = { tokens: 9, hidden: 21, width: 16 };
  const { gate, inputs } = exactBlock(shape, 3);
  const e = finish(encodeSteps(gate, { valueType: 'f16' }));
  const plan = onlyBuffer(spec.plan(e, context.facts, shape), 'up');
  const up = await runKernel(context, spec.id, plan, inputs);
  const stride = fourStride(shape.hidden);
  const tokensAndNeurons = Array.from({ length: shape.tokens * shape.hidden }, (_, i) => [
    Math.floor(i / shape.hidden),
    i % shape.hidden,
  ]);
  const expected = Float64Array.from(tokensAndNeurons, ([t, n]) => dot(inputs.x, t, inputs.wu, n, shape.width));
  expect(
    worstDifference(
      tokensAndNeurons.map(([t, n]) => up[t * stride + n]),
      expected,
    ),
  ).toBeLessThan(1e-5);
});
