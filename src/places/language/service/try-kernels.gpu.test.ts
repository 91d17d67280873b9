import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { randomWeights, tinyConfig } from '../../../../test/decoders.ts';
import { openTestDevice } from '../../../../test/gpu.ts';
import { scheduled } from '../../../../test/scheduled.ts';
import { defaultParams, type EncodedMatrix, resolvedParams } from '../../../core/format.ts';
import type { KernelSpec } from '../../../core/kernel/kernel.ts';
import { denseMatrix } from '../../../core/matrix/index.ts';
import { threadPace } from '../../../core/pace.ts';
import type { BenchDraft } from '../../../engine/bench/bench-types.ts';
import { ServiceJob } from '../../../engine/bridge/job.ts';
import { formatById, formats } from '../../../formats/registry.ts';
import type { GpuContext } from '../../../gpu/index.ts';
import { exercises } from '../../../lessons/exercises/index.ts';
import { tryKernels } from './try-kernels.ts';
import type { TryRequest, Tried } from './try-types.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openTestDevice();
});
afterAll(() => context.destroy());

/** One neuron in eight fires, as in a model that was trained for it. */
const config = tinyConfig({
  hidden: 32,
  intermediate: 64,
  headDim: 8,
  layers: 1,
  activation: 'relu',
  context: 240,
  eos: [],
});
const weights = ((): ReturnType<typeof randomWeights> => {
  const random = randomWeights(config, 31);
  return {
    ...random,
    blocks: random.blocks.map((block) => {
      // Rows of as many weights as no kernel may count on.
      const pruned = Object.entries(block.matrices).map(([name, cells]) => [
        name,
        cells.map((value, i) => (i % 7 === 0 || (name === 'gate' && (i >> 5) % 4 > 0) ? 0 : value)),
      ]);
      return { ...block, matrices: Object.fromEntries(pruned) as typeof block.matrices };
    }),
  };
})();

function tried(request: Partial<TryRequest>, of: typeof config = config): Promise<Tried> {
  const model = {
    id: 'm',
    config: of,
    weights,
    tokens: { encode: () => Array.from({ length: 170 }, (_, i) => (7 * i + 3) % config.vocabulary), piece: String },
  };
  const host = {
    ...threadPace,
    formats,
    format: formatById,
    device: { open: () => Promise.resolve(context) },
    loading: { models: { of: () => Promise.resolve(model), stored: () => Promise.resolve(weights) } },
  };
  const all: TryRequest = {
    model: { id: 'm', url: '' },
    pruning: null,
    format: 'csr',
    params: { valueType: 'f32' },
    kernel: null,
    block: null,
    ...request,
  };
  return tryKernels(host as never, all, new ServiceJob(threadPace));
}

/** A draft in which a text of its main file became another. */
function draftOf(id: string, from: string, to: string): BenchDraft {
  const format = formatById(id.split('/')[0]);
  const spec = (format.kernels as readonly KernelSpec<EncodedMatrix>[]).find((kernel) => kernel.id === id);
  const params = { ...defaultParams(format.params), valueType: 'f32' };
  const matrix = denseMatrix(8, 8, new Float32Array(64).fill(1));
  const encoded: EncodedMatrix = format.encode(matrix, resolvedParams(format.params, params, matrix));
  const files = spec?.plan(encoded, context.facts, {}).passes.flatMap((pass) => pass.files) ?? [];
  const file = files.find(({ code }) => code.includes(from));
  if (file === undefined) throw new Error(`${id}: found no '${from}' in ${files.map(({ path }) => path).join(', ')}`);
  const code = file.code.replace(from, to);
  return { kernel: id, files: { [file.path]: code }, overrides: {}, mark: { name: 'mine', version: 1 } };
}

describe('a kernel', () => {
  scheduled(
    'a software GPU compiles a whole chain for it',
    'src/language/chain/chain.gpu.test.ts, where logits are those of the oracle, and the test of a draft that breaks them here',
    'that nobody has to ask for keeps the logits',
    async () => {
      const found = await tried({});
      expect(found).toMatchObject({
        ok: true,
        firstOther: null,
        bound: 1e-4,
        tokens: 32,
        isSoftware: true,
        draftFault: null,
        block: null,
        multiplied: { inFormat: 7, refusal: null },
      });
      expect(found.kernel).toMatch(/^csr\/spmv/);
      expect(found.relativeError).toBeLessThan(1e-6);
      expect(found.rate).toBeGreaterThan(0);
      expect(found.usualRate).toBe(found.rate);
    },
  );

  scheduled(
    'a software GPU compiles two chains for it',
    'src/formats/chain.gpu.test.ts, where a kernel that rounds x stands in a chain within this bound',
    'that rounds x to f16 stands in a chain where it is asked for, within a bound of its own',
    async () => {
      const found = await tried({ format: 'macko', params: { valueType: 'f16' }, kernel: 'macko/spmv_subgroup_x16' });
      expect(found).toMatchObject({ ok: true, kernel: 'macko/spmv_subgroup_x16', bound: 2e-3 });
      // It does round.
      expect(found.relativeError).toBeGreaterThan(1e-5);
      expect(found.usualRate).not.toBe(found.rate);
    },
  );

  test('that cannot run is refused with its reason', async () => {
    await expect(tried({ format: 'csr', kernel: 'csr/spmv_unknown' })).rejects.toThrow(
      /^kernel: found 'csr\/spmv_unknown', expected one of /,
    );
    await expect(tried({ format: 'csr', kernel: 'csr/gemm_workgroup' })).rejects.toThrow(
      "spmv: found 'csr/gemm_workgroup', expected one of ",
    );
    await expect(tried({ format: 'slidesparse', params: {}, kernel: 'slidesparse/spmv_subgroup' })).rejects.toThrow(
      /^SlideSparse: row 0 has 7 non-zeros in/,
    );
  });
});

describe('a draft', () => {
  const KERNEL = 'csr/spmv_scalar';

  scheduled(
    'a software GPU compiles a chain for each draft',
    'the test of a draft that breaks the logits here, and src/places/code/service/drafts/run.gpu.test.ts, which stops loops without an end',
    'keeps the logits, or is not run where it does not end',
    async () => {
      const right = await tried({ kernel: draftOf(KERNEL, 'y[row] = sum;', 'y[row] = 0.5 * sum + 0.5 * sum;') });
      expect(right).toMatchObject({ ok: true, draftFault: null, kernel: `${KERNEL} (mine 1)` });
      const endless = draftOf(KERNEL, 'y[row] = sum;', 'loop { sum += 1.0; if (sum < 0.0) { break; } } y[row] = sum;');
      await expect(tried({ kernel: endless })).rejects.toThrow(/^csr\/spmv_scalar \(mine 1\) took more than \d+ turns/);
    },
  );

  test('breaks the logits, or is not run where it does not compile', async () => {
    const wrong = await tried({ kernel: draftOf(KERNEL, 'y[row] = sum;', 'y[row] = 1.01 * sum;') });
    expect(wrong).toMatchObject({ ok: false, rate: null });
    expect(wrong.relativeError).toBeGreaterThan(1e-3);
    expect(wrong.draftFault).toMatch(/^is wrong on this matrix: /);
    const typo = draftOf(KERNEL, 'y[row] = sum;', 'y[row] = summ;');
    await expect(tried({ kernel: typo })).rejects.toThrow('csr/spmv_scalar (mine 1) does not compile: ');
  });
});

scheduled(
  'a software GPU compiles a chain for each of its two texts',
  'src/lessons/exercises/exercises.gpu.test.ts, where every solution is right, and the drafts in a chain here',
  'the last exercise breaks the model as it starts, and keeps its logits once it is solved',
  async () => {
    const exercise = exercises.at(-1);
    if (exercise === undefined) return expect.fail('found no exercise');
    const { kernel, params, start, solution } = exercise;
    const numbers = Object.entries(params).map(([name, value]) => [name, /^\d+$/.test(value) ? Number(value) : value]);
    const answer = (code: string): Promise<Tried> =>
      tried({
        params: Object.fromEntries(numbers),
        kernel: { kernel, files: { [`${kernel}.wgsl`]: code }, overrides: {}, mark: { name: 'mine', version: 1 } },
      });
    expect(await answer(start)).toMatchObject({ ok: false, draftFault: expect.stringMatching(/^is wrong/) });
    expect(await answer(solution)).toMatchObject({ ok: true, draftFault: null, bound: 1e-4 });
  },
);

describe('a feed-forward block', () => {
  // Others are in src/formats/chain.gpu.test.ts: the gate takes seconds to compile.
  scheduled(
    'the gate takes a software GPU seconds to compile',
    'src/formats/chain.gpu.test.ts, where a feed-forward block in one kernel has the logits of the oracle',
    'in one kernel keeps the logits within the roundings of its neurons',
    async () => {
      const found = await tried({ block: 'hybrid' });
      expect(found).toMatchObject({ ok: true, bound: 1e-2, multiplied: { inFormat: 4 } });
      expect(found.block).toMatch(/^hybrid\/forward/);
      expect(found.blockParams).not.toBeNull();
    },
  );

  test('is refused where the format has none, and for a model without ReLU', async () => {
    await expect(tried({ block: 'csr' })).rejects.toThrow(
      'CSR: found no kernel for whole blocks that runs here, expected one',
    );
    await expect(tried({ block: 'twell' }, { ...config, activation: 'silu' })).rejects.toThrow(
      'found a block whose neurons all fire, expected one with ReLU',
    );
  });
});
