import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { differencesOf, dot, exactBlock, L1_WEIGHTS, onlyBuffer, worstDifference } from '../../../test/gated-block.ts';
import { scheduled } from '../../../test/scheduled.ts';
import { OverflowError } from '../../core/errors.ts';
import { denseMatrix, toDense } from '../../core/matrix/index.ts';
import { BACKWARD, BACKWARD_STORED, FORWARD, FORWARD_STORING, operationById } from '../../core/operations/index.ts';
import { Random } from '../../core/number/random.ts';
import { describeFailure } from '../../core/operations/verify.ts';
import { type GpuContext, openDevice, runKernelWords } from '../../gpu/index.ts';
import { runKernel } from '../../../test/run-kernel.ts';
import { verifyKernel } from '../../gpu/verify.ts';
import { blockKernels } from './block-kernels.ts';
import { hybrid } from './index.ts';
import { entryCount } from './layout.ts';
import { cellsOfPlane } from './read-hybrid.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

/** A width above the number of columns that a workgroup sums at a time. */
const SIZES = { width: 1032, l1: 15_625 };

/** 131 tokens, more than lanes of a workgroup, and some longer than their slots; and a neuron that never fires. */
const matrix = ((): ReturnType<typeof denseMatrix> => {
  const random = new Random(8);
  const cells = new Float32Array(131 * 75);
  for (let r = 0; r < 131; r++) {
    for (let c = 1; c < 75; c++) if (random.uniform() < (r % 9 === 2 ? 0.7 : 0.05)) cells[r * 75 + c] = random.normal();
  }
  return denseMatrix(131, 75, cells);
})();
const encoded = hybrid.encode(matrix, { rowSlots: 32, tailShare: 8, valueType: 'bf16' });
const stored = hybrid.decode(encoded);

type BlockKernel = (typeof blockKernels)[number];

/** Whether a kernel without subgroups also exists in a version with subgroups. */
const hasTwin = ({ id }: { readonly id: string }): boolean =>
  id.endsWith('_workgroup') && blockKernels.some((other) => other.id === id.replace('_workgroup', '_subgroup'));

const AGREES = 'agrees with the oracle if several workgroups add to a sum, and lists are filled several times';
const SAME_BITS = 'returns the same bits on every run';

describe.for(blockKernels.filter((spec) => !hasTwin(spec)).map((spec) => [spec.id, spec] as const))(
  '%s',
  ([, spec]) => {
    test(AGREES, () => checkAgrees(spec));
    test(SAME_BITS, () => checkSameBits(spec));
  },
);

for (const spec of blockKernels.filter(hasTwin)) {
  describe(spec.id, () => {
    scheduled(
      'it differs from its twin with subgroups in how a workgroup adds up a sum',
      'src/formats/contract/kernels.gpu.test.ts, which runs both of the twins, and the one with subgroups here',
      AGREES,
      () => checkAgrees(spec),
    );
    scheduled(
      'it differs from its twin with subgroups in how a workgroup adds up a sum',
      'src/formats/contract/kernels.gpu.test.ts, which runs both of the twins, and the one with subgroups here',
      SAME_BITS,
      () => checkSameBits(spec),
    );
  });
}

async function checkAgrees(spec: BlockKernel): Promise<void> {
  expect(encoded.tailUsed).toBeGreaterThan(10);
  const verified = await verifyKernel(context, spec, encoded, stored, SIZES, 5);
  if (!verified.ok) expect.fail(describeFailure(verified));
}

async function checkSameBits(spec: BlockKernel): Promise<void> {
  const sizes = { width: 40, l1: 15_625 };
  const inputs = operationById(spec.operation).inputs(stored, sizes, 6);
  const plan = spec.plan(encoded, context.facts, sizes);
  const first = await runKernelWords(context, spec.id, plan, inputs);
  expect(await runKernelWords(context, spec.id, plan, inputs)).toEqual(first);
}

describe.for(
  blockKernels
    .filter(({ operation }) => [BACKWARD.id, BACKWARD_STORED.id].includes(operation))
    .map((spec) => [spec.id, spec] as const),
)('%s', ([, spec]) => {
  test.for(L1_WEIGHTS)('agrees to 1e-3 with finite differences of the forward pass in f64, with L1 %i', async (l1) => {
    const shape = { tokens: 9, hidden: 21, width: 16, l1 };
    const { gate, inputs } = exactBlock(shape, 3);
    const e = hybrid.encode(gate, { rowSlots: 4, tailShare: 2, valueType: 'bf16' });
    // Rows of the tail, rows in their slots, and the unchanged gate.
    expect([e.tailUsed > 0, e.counts.some((count) => count > 0 && count <= 4)]).toEqual([true, true]);
    expect(toDense(hybrid.decode(e))).toEqual(toDense(gate));
    const gradients = await runKernel(context, spec.id, spec.plan(e, context.facts, shape), inputs);
    const differences = differencesOf(shape, inputs);
    expect(gradients).toHaveLength(differences.length);
    expect(worstDifference(gradients, differences)).toBeLessThan(1e-3);
  });
});

const FORWARD_KERNELS = blockKernels.filter(({ operation }) => [FORWARD.id, FORWARD_STORING.id].includes(operation));

describe.for(FORWARD_KERNELS.map((spec) => [spec.id, spec] as const))('%s', ([, spec]) => {
  test('reports how many tokens did not fit in its tail', async () => {
    // Ten tokens in which every neuron fires; two of them fit in the tail.
    const full = denseMatrix(10, 16, new Float32Array(160).fill(1));
    const e = hybrid.encode(denseMatrix(10, 16, new Float32Array(160)), {
      rowSlots: 4,
      tailShare: 8,
      valueType: 'bf16',
    });
    const inputs = FORWARD.inputs(full, { width: 8 }, 1);
    const words = await runKernelWords(context, spec.id, spec.plan(e, context.facts, { width: 8 }), inputs);
    expect(() => spec.read?.(e, words, { width: 8 })).toThrow(
      new OverflowError(
        '8 of 10 rows overflow, the first at row 2: found 16 non-zeros, expected at most 4 in all rows but 2, the capacity of the tail; choose more row slots, or a larger tail',
      ),
    );
  });
});

test.for(
  blockKernels.filter(({ operation }) => operation === FORWARD_STORING.id).map((spec) => [spec.id, spec] as const),
)('%s stores hg, its pattern and x Wu in the buffers that the backward pass reads', async ([, spec]) => {
  const shape = { tokens: 9, hidden: 21, width: 16 };
  const { gate, inputs } = exactBlock(shape, 3);
  // What the forward pass makes is what the encoder makes of the same activations.
  const e = hybrid.encode(gate, { rowSlots: 4, tailShare: 2, valueType: 'bf16' });
  const plan = spec.plan(e, context.facts, shape);
  const wordsOf = (name: string) => runKernelWords(context, spec.id, onlyBuffer(plan, name), inputs);
  const halvesOf = async (name: string, count: number) => new Uint16Array((await wordsOf(name)).buffer, 0, count);
  expect(await halvesOf('values made', e.values.length)).toEqual(e.values);
  expect(await halvesOf('indices made', e.indices.length)).toEqual(e.indices);
  expect(await halvesOf('tail made', e.tail.length)).toEqual(e.tail);
  const plane = new Float32Array((await wordsOf('flow')).buffer).subarray(entryCount(e));
  const cells = cellsOfPlane(e, plane);
  const expected = toDense(gate).map((hg, i) =>
    hg === 0 ? 0 : dot(inputs.x, Math.floor(i / shape.hidden), inputs.wu, i % shape.hidden, shape.width),
  );
  expect(worstDifference(cells, Float64Array.from(expected))).toBeLessThan(1e-5);
});
