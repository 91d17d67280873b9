// decodeShapes on a GPU: every dispatch of a token is compared with f64, for models with given sizes and random
// weights.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDevice } from '../../../../test/gpu.ts';
import { RUNS_ALL, scheduled } from '../../../../test/scheduled.ts';
import { type Support, type AnyFormat, type EncodedMatrix, resolvedParams } from '../../../../src/core/format.ts';
import type { Job } from '../../../../src/core/job.ts';
import type { Matrix } from '../../../../src/core/matrix/index.ts';
import type { KernelSpec } from '../../../../src/core/kernel/kernel.ts';
import { formatById, referenceFormat } from '../../../../src/formats/registry.ts';
import { type DecodeReport, failedStages } from '../../../../src/core/reports/decode-report.ts';
import { DeviceLostError, GpuContext } from '../../../../src/gpu/device.ts';
import type { ModelShape } from '../../../../src/theory/models/model-shape.ts';
import { modelOfSizes } from '../../../../src/theory/models/model-sizes.ts';
import { Chain } from '../chain/chain.ts';
import { decodeShapes, type DecodeOptions } from './decode-shapes.ts';
import { configForShape, generatedModel } from './generated-model.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openTestDevice();
});
afterAll(() => context.destroy());

/** Returns the format with a single kernel, one that a software GPU compiles quickly. */
function withOneKernel(format: AnyFormat): AnyFormat {
  const kernels: readonly KernelSpec<EncodedMatrix>[] = format.kernels;
  return { ...format, kernels: kernels.filter(({ id }) => id === `${format.id}/spmv_subgroup`) };
}

const dense = withOneKernel(referenceFormat);
const F16 = { valueType: 'f16' };
/** Returns the model shape that a text of sizes describes. */
function shapeOfSizes(text: string): ModelShape {
  const model = modelOfSizes(text);
  if (model === null) throw new Error(`found no sizes in ${text}`);
  return model;
}

const tiny = shapeOfSizes('64-128-2-2-1-32-300+q+k+v:tiny');

/** Options for a model in MACKO at density 0.5, with `changes`. */
function options(changes: Partial<DecodeOptions>): DecodeOptions {
  return {
    stored: { format: withOneKernel(formatById('macko')), params: {} },
    dense,
    density: 0.5,
    seed: 1,
    tuning: 'off',
    job: { report: () => {}, cancelled: false },
    contexts: [0, 70],
    tokens: 3,
    rounds: 2,
    prefill: 5,
    isTimed: false,
    app: 'test',
    ...changes,
  };
}

test('every stage of a model with these sizes is correct, with biases, and with several spans of attention', async () => {
  // With several spans all stages occur; a software GPU would compile attention again for one span.
  const contexts = RUNS_ALL ? [0, 70] : [70];
  const report = await decodeShapes(context, tiny, options({ contexts }));
  expect(report.ok).toBe(true);
  // A software adapter is timed only on request.
  expect(report.runs.map(({ context: before, msPerToken, times }) => [before, msPerToken, times])).toEqual(
    contexts.map((before) => [before, null, null]),
  );
  expect(report.prefill).toMatchObject({ tokens: 5, roundMs: [] });
  const names = ['q, k, v', 'attention', 'o', 'gate, up', 'activation', 'down'];
  const stages = [
    ...names.map((name) => `block 0, ${name}`),
    ...names.map((name) => `block 1, ${name}`),
    'sampling',
    'head',
  ];
  for (const [i, { checks, context: before }] of report.runs.entries()) {
    expect(
      checks.before.map(({ what }) => what),
      `run ${i}`,
    ).toEqual(stages);
    expect(checks.before.every(({ position }) => position === before)).toBe(true);
    expect(checks.after.every(({ position }) => position === before + 3)).toBe(true);
    // An error of 0 would mean that nothing was compared: sums of products in f32 are not exact.
    for (const { what, worst } of checks.after) if (what !== 'sampling') expect(worst, what).toBeGreaterThan(0);
  }
  expect(report.matrices.map(({ names: matrixNames, rows, cols, count }) => [matrixNames, rows, cols, count])).toEqual([
    ['q, k, v', 128, 64, 2],
    ['o', 64, 64, 2],
    ['gate, up', 256, 64, 2],
    ['down', 64, 128, 2],
    ['head', 300, 64, 1],
  ]);
  // Each of the two blocks has its own copy; 0.9, since sizes of copies vary a little. The head is f16.
  const blockMatrices = report.matrices.filter(({ names: matrixNames }) => matrixNames !== 'head');
  expect(report.bytes.matrices).toBeGreaterThanOrEqual(
    2 * blockMatrices.reduce((sum, { bytes }) => sum + bytes, 0) * 0.9,
  );
  expect(report.bytes.head).toBe(2 * 300 * 64);
});

test('decodeShapes reports the stages of a kernel that computes only some rows', async () => {
  const macko = withOneKernel(formatById('macko'));
  const kernels = (macko.kernels as readonly KernelSpec<EncodedMatrix>[]).map((spec): KernelSpec<EncodedMatrix> => ({
    ...spec,
    plan: (encoded, ...rest) => {
      const plan = spec.plan(encoded, ...rest);
      const passes = plan.passes.map((pass) => ({ ...pass, workgroups: [1, 1, 1] as const }));
      return { ...plan, passes };
    },
  }));
  const storage = { format: { ...macko, kernels }, params: {} };
  const report = await decodeShapes(context, tiny, options({ stored: storage, contexts: [70], rounds: 1, prefill: 0 }));
  expect(report.ok).toBe(false);
  const wrong = report.runs[0].checks.before.filter(({ ok }) => !ok).map(({ what }) => what);
  expect(wrong).toContain('block 0, gate, up');
  expect(wrong).not.toContain('head');
});

/** Returns a dense format that stores the weights as `format` stores them: pruned by its rules, and rounded to f16. */
function inDense({ format, params }: DecodeOptions['stored']): DecodeOptions['stored'] {
  const encode = (m: Matrix, _: unknown, job?: Job): EncodedMatrix =>
    dense.encode(format.decode(format.encode(m, resolvedParams(format.params, params, m), job)), F16, job);
  const admits = (m: Matrix): Support => format.admits(m, resolvedParams(format.params, params, m));
  return { format: { ...dense, encode, admits } as AnyFormat, params: F16 };
}

const IN_DENSE = 'every stage is correct, and the tokens equal those of the same weights in the dense format';

/** Checks a format's stages, and that its model writes the same tokens as the same weights in the dense format. */
async function checkInDense(id: string, density: number): Promise<void> {
  const storage = { format: withOneKernel(formatById(id)), params: F16 };
  const settings = options({ stored: storage, density, contexts: [3], prefill: 0 });
  const report = await decodeShapes(context, tiny, settings);
  expect(failedStages(report)).toEqual([]);
  expect(report.ok).toBe(true);
  expect(report.matrices[0]).toMatchObject({ format: id, kernel: `${id}/spmv_subgroup` });
  const sparseTokens = await tokensOf(settings);
  const denseTokens = await tokensOf({ ...settings, stored: inDense(storage) });
  expect(sparseTokens).toHaveLength(12);
  expect(new Set(sparseTokens).size).toBeGreaterThan(1);
  expect(sparseTokens).toEqual(denseTokens);
}

scheduled(
  'two models are made, and each writes a text',
  'every stage of a model with these sizes here, whose matrices are also in MACKO',
  `macko, 0.5 left: ${IN_DENSE}`,
  () => checkInDense('macko', 0.5),
);

scheduled(
  'a software GPU compiles the kernel and the chain around it for twenty seconds',
  'every stage of a model of MACKO here, and src/formats/contract/kernels.gpu.test.ts, which runs the kernel',
  `slidesparse, 0.75 left: ${IN_DENSE}`,
  () => checkInDense('slidesparse', 0.75),
);

scheduled(
  'a software GPU compiles the kernel for every matrix of the model',
  'every stage of a model of MACKO here, and src/formats/ec-csr/kernels.gpu.test.ts, which runs the kernel',
  `ec-csr, 0.3 left: ${IN_DENSE}`,
  () => checkInDense('ec-csr', 0.3),
);

/** Returns a text of twelve tokens, sampled from token 7 on. */
async function tokensOf(settings: DecodeOptions): Promise<readonly number[]> {
  const config = configForShape(tiny, 20);
  const { weights } = await generatedModel(context, config, settings);
  const chain = await Chain.open(context, config, weights, { job: settings.job });
  const tokens: number[] = [];
  for await (const token of chain.write(7, 12, { temperature: 1, seed: 1 })) tokens.push(token);
  chain.destroy();
  return tokens;
}

test('a density that a format does not support is rejected in one message', async () => {
  const storage = { format: withOneKernel(formatById('slidesparse')), params: { valueType: 'f16' } };
  await expect(decodeShapes(context, tiny, options({ stored: storage, density: 0.3 }))).rejects.toThrow(
    /^density: found 0\.3, expected N \/ 8/,
  );
});

test('a model without a gate is rejected', async () => {
  const ungated = shapeOfSizes('64-128-2-2-2-32-300-ungated:plain');
  await expect(decodeShapes(context, ungated, options({}))).rejects.toThrow(
    'plain: found a model without a gate, expected one with a gate and rotary positions',
  );
});

/** Returns the test device with a lower limit on the bytes of a binding. */
function withBindings(bytes: number): GpuContext {
  const { device, facts, environment } = context;
  const limits = { ...facts.limits, maxBufferSize: 2 * bytes, maxStorageBufferBindingSize: bytes };
  return new GpuContext(device, { ...facts, limits }, environment);
}

scheduled(
  'a software GPU compiles a model for seconds, in pieces and whole',
  'labs/language/decoders/chain/chain.gpu.test.ts, where a chain runs on the least that a device may have, with its head in parts',
  'matrices above the limit of a binding are split: stacks by matrices, matrices and tables by rows',
  async () => {
    const model = shapeOfSizes('256-640-2-6-2-64-600:tiny');
    const settings = options({
      stored: { format: dense, params: { valueType: 'f16' } },
      density: 1,
      contexts: [3],
      prefill: 0,
    });
    const report = await decodeShapes(withBindings(2 ** 18), model, settings);
    expect(failedStages(report)).toEqual([]);
    expect(report.matrices.map(({ names, rows, cols, count }) => [names, rows, cols, count])).toEqual([
      ['q', 384, 256, 2],
      ['k', 128, 256, 2],
      ['v', 128, 256, 2],
      ['o', 256, 384, 2],
      ['gate', 320, 256, 4],
      ['up', 320, 256, 4],
      ['down', 128, 640, 4],
      ['head', 512, 256, 1],
      ['head', 88, 256, 1],
    ]);
    const wholeReport = await decodeShapes(context, model, settings);
    expect(failedStages(wholeReport)).toEqual([]);
    // Additional dispatches: 2 for q, k and v, 3 for gate and up, 1 for down of each block, and 1 for the head.
    const pieces = 2 * (2 + 3 + 1) + 1;
    // With a whole embedding table one dispatch samples a token and begins the next. With a table in two parts,
    // sampling needs two dispatches, the beginning two, and one more adds the last rows to the stream.
    expect(report.runs[0].dispatches - wholeReport.runs[0].dispatches).toBe(pieces + 1 + 2 + 1);
  },
);

scheduled(
  'a software GPU compiles a model for this device alone',
  'labs/language/decoders/chain/chain.gpu.test.ts, where a chain runs on a device with WebGPU’s minimum limits',
  'a device with WebGPU’s minimum limits and no optional features decodes as well',
  async () => {
    const min = await openTestDevice({ minimum: true });
    try {
      const workgroupKernels = formatById('macko').kernels.filter(({ id }) => id === 'macko/spmv_workgroup');
      const storage = { format: { ...formatById('macko'), kernels: workgroupKernels } as AnyFormat, params: {} };
      const report = await decodeShapes(
        min,
        shapeOfSizes('64-128-1-2-1-32-300:tiny'),
        options({ stored: storage, dense: referenceFormat, contexts: [3], prefill: 0 }),
      );
      expect(failedStages(report)).toEqual([]);
      expect(min.facts.features.has('shader-f16')).toBe(false);
      expect(min.facts.limits.maxStorageBuffersPerShaderStage).toBe(8);
    } finally {
      min.destroy();
    }
  },
);

test('a model that is too large for the device is rejected, with the number of blocks that fit', async () => {
  const { device, facts, environment } = context;
  let bytesLeft = 400_000;
  const deviceWithLittleMemory = new Proxy(device, {
    get(target, name) {
      if (name === 'createBuffer') {
        return (descriptor: GPUBufferDescriptor) => {
          bytesLeft -= descriptor.size;
          return target.createBuffer(descriptor);
        };
      }
      if (name === 'popErrorScope') {
        // The second of the three error scopes around a call reports missing memory.
        return async () => (await target.popErrorScope()) ?? (bytesLeft < 0 ? new GPUOutOfMemoryError('') : null);
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  await expect(
    decodeShapes(new GpuContext(deviceWithLittleMemory, facts, environment), tiny, options({})),
  ).rejects.toThrow(
    /^tiny does not fit on this GPU: .*, \d+ bytes: the GPU is out of memory, with \d of 2 blocks in its memory$/,
  );
  await expect(decodeShapes(withBindings(9000), tiny, options({}))).rejects.toThrow(
    /^tiny does not fit on this GPU: turns of positions: needs a buffer of 9472 bytes, the limit of this GPU is 9000, /,
  );
});

// The last test of this file, since it loses the device, on which all kernels are compiled by now.
test('decodeShapes reports the runs that ended before the device was lost', async () => {
  const reports: DecodeReport[] = [];
  const run = decodeShapes(
    context,
    tiny,
    options({
      prefill: 0,
      // Contexts of two spans each, for which attention is compiled by now.
      contexts: [65, 70],
      onReport: (report) => {
        reports.push(report);
        if (report.runs.length === 1) context.device.destroy();
      },
    }),
  );
  await expect(run).rejects.toThrow(DeviceLostError);
  const last = reports.at(-1);
  expect(last?.runs.map(({ context: before }) => before)).toEqual([65]);
  expect(last?.unfinished).toMatch(/in the middle\.$/);
});
