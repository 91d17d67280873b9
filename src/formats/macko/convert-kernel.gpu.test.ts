import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scheduled } from '../../../test/scheduled.ts';
import { toDense } from '../../core/matrix/index.ts';
import { AWKWARD_MATRICES, awkwardMatrix, MORE_AWKWARD_MATRICES } from '../../generate/awkward/matrices.ts';
import { type GpuContext, openDevice, runKernelWords } from '../../gpu/index.ts';
import { convertKernel } from './convert-kernel.ts';
import { macko } from './index.ts';
import type { MackoParams } from './params.ts';
import { convertedArrays } from './read-converted.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

/** Cases that the contract tests leave out: the order of stored elements, padding and tails. */
const matrices = [
  ...AWKWARD_MATRICES.filter(({ name }) => name.startsWith('values at the borders')),
  ...MORE_AWKWARD_MATRICES.filter(({ name }) => !name.startsWith('no ')),
  { name: 'rows of more than a word per lane', build: () => awkwardMatrix([3, 5000], 'uniform', 0.001) },
];

/** A matrix with more rows than a dispatch has workgroups in one dimension, so that the dispatch is folded into two. */
const FOLDED = '70001 × 3';
const isFolded = ({ name }: { readonly name: string }): boolean => name === FOLDED;
const F16: MackoParams = { deltaBits: 4, valueType: 'f16' };

describe('macko/convert', () => {
  test.for<MackoParams>([F16, { deltaBits: 1, valueType: 'f32' }])(
    'with %o writes what the encoder writes, padding and tails included',
    (params) =>
      checkWrites(
        params,
        matrices.filter((matrix) => !isFolded(matrix)),
      ),
  );

  scheduled(
    'a software GPU runs 70,001 workgroups for ten seconds',
    'test/plans.test.ts, which plans it for 131,071 rows, and src/formats/contract/kernels.gpu.test.ts, where products fold dispatches with the same lines',
    'writes what the encoder writes where its dispatch is folded',
    () => checkWrites(F16, matrices.filter(isFolded)),
  );

  async function checkWrites(params: MackoParams, tested: typeof matrices): Promise<void> {
    expect(tested.length).toBeGreaterThan(0);
    for (const { name, build } of tested) {
      const m = build();
      const e = macko.encode(m, params);
      const plan = convertKernel.plan(e, context.facts, {});
      const result = convertedArrays(e, await runKernelWords(context, convertKernel.id, plan, { h: toDense(m) }));
      for (const array of ['indptr', 'values', 'deltas'] as const) {
        expect(result[array], `${name}: ${array}`).toEqual(e[array]);
      }
    }
  }
});
