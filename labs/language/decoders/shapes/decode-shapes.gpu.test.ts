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

/** With the one kernel that a software GPU compiles in no time. */
function withOneKernel(format: AnyFormat): AnyFormat {
  const kernels: readonly KernelSpec<EncodedMatrix>[] = format.kernels;
  return { ...format, kernels: kernels.filter(({ id }) => id === `${format.id}/spmv_subgroup`) };
}

const dense = withOneKernel(referenceFormat);
const F16 = { valueType: 'f16' };
function sizes(text: string): ModelShape {
  const model = modelOfSizes(text);
  if (model === null) throw new Error(`found no sizes in ${text}`);
  return model;
}

const tiny = sizes('64-128-2-2-1-32-300+q+k+v:tiny');

function options(given: Partial<DecodeOptions>): DecodeOptions {
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
    ...given,
  };
}

test('every stage of a model of sizes is right, with biases, and beyond a span of attention', async () => {
  // Beyond a span it has every stage; a software GPU compiles attention for each number of spans.
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
    // No sum of products in f32 is exact.
    for (const { what, worst } of checks.after) if (what !== 'sampling') expect(worst, what).toBeGreaterThan(0);
  }
  expect(report.matrices.map(({ names: of, rows, cols, count }) => [of, rows, cols, count])).toEqual([
    ['q, k, v', 128, 64, 2],
    ['o', 64, 64, 2],
    ['gate, up', 256, 64, 2],
    ['down', 64, 128, 2],
    ['head', 300, 64, 1],
  ]);
  // A copy for each of two blocks; the head in f16.
  const ofBlocks = report.matrices.filter(({ names: of }) => of !== 'head');
  expect(report.bytes.matrices).toBeGreaterThanOrEqual(2 * ofBlocks.reduce((sum, { bytes }) => sum + bytes, 0) * 0.9);
  expect(report.bytes.head).toBe(2 * 300 * 64);
});

test('a kernel that is wrong is found', async () => {
  const macko = withOneKernel(formatById('macko'));
  const kernels = (macko.kernels as readonly KernelSpec<EncodedMatrix>[]).map((spec): KernelSpec<EncodedMatrix> => ({
    ...spec,
    plan: (encoded, ...rest) => {
      const plan = spec.plan(encoded, ...rest);
      const passes = plan.passes.map((pass) => ({ ...pass, workgroups: [1, 1, 1] as const }));
      return { ...plan, passes };
    },
  }));
  const stored = { format: { ...macko, kernels }, params: {} };
  const report = await decodeShapes(context, tiny, options({ stored, contexts: [70], rounds: 1, prefill: 0 }));
  expect(report.ok).toBe(false);
  const wrong = report.runs[0].checks.before.filter(({ ok }) => !ok).map(({ what }) => what);
  expect(wrong).toContain('block 0, gate, up');
  expect(wrong).not.toContain('head');
});

/** The format’s own weights, as f16 rounds them, in a dense format. */
function inDense({ format, params }: DecodeOptions['stored']): DecodeOptions['stored'] {
  const encode = (m: Matrix, _: unknown, job?: Job): EncodedMatrix =>
    dense.encode(format.decode(format.encode(m, resolvedParams(format.params, params, m), job)), F16, job);
  const admits = (m: Matrix): Support => format.admits(m, resolvedParams(format.params, params, m));
  return { format: { ...dense, encode, admits } as AnyFormat, params: F16 };
}

const IN_DENSE = 'every stage is right, and tokens equal the tokens of the same weights in dense';

async function checkInDense(id: string, density: number): Promise<void> {
  const stored = { format: withOneKernel(formatById(id)), params: F16 };
  const given = options({ stored, density, contexts: [3], prefill: 0 });
  const report = await decodeShapes(context, tiny, given);
  expect(failedStages(report)).toEqual([]);
  expect(report.ok).toBe(true);
  expect(report.matrices[0]).toMatchObject({ format: id, kernel: `${id}/spmv_subgroup` });
  const [own, same] = [await tokensOf(given), await tokensOf({ ...given, stored: inDense(stored) })];
  expect(own).toHaveLength(12);
  expect(new Set(own).size).toBeGreaterThan(1);
  expect(own).toEqual(same);
}

scheduled(
  'a model is made and written with twice',
  'every stage of a model of sizes here, whose matrices are MACKO’s as well',
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

/** A text of twelve tokens. */
async function tokensOf(given: DecodeOptions): Promise<readonly number[]> {
  const config = configForShape(tiny, 20);
  const { weights } = await generatedModel(context, config, given);
  const chain = await Chain.open(context, config, weights, { job: given.job });
  const found: number[] = [];
  for await (const token of chain.write(7, 12, { temperature: 1, seed: 1 })) found.push(token);
  chain.destroy();
  return found;
}

test('a density that a format does not support is rejected in one message', async () => {
  const stored = { format: withOneKernel(formatById('slidesparse')), params: { valueType: 'f16' } };
  await expect(decodeShapes(context, tiny, options({ stored, density: 0.3 }))).rejects.toThrow(
    /^density: found 0\.3, expected N \/ 8/,
  );
});

test('a model without a gate is rejected', async () => {
  const ungated = sizes('64-128-2-2-2-32-300-ungated:plain');
  await expect(decodeShapes(context, ungated, options({}))).rejects.toThrow(
    'plain: found a model without a gate, expected one with a gate and rotary positions',
  );
});

/** The same device with a limit on the bytes of a binding. */
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
    const model = sizes('256-640-2-6-2-64-600:tiny');
    const given = options({
      stored: { format: dense, params: { valueType: 'f16' } },
      density: 1,
      contexts: [3],
      prefill: 0,
    });
    const report = await decodeShapes(withBindings(2 ** 18), model, given);
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
    const whole = await decodeShapes(context, model, given);
    expect(failedStages(whole)).toEqual([]);
    // More: of a block q, k, v 2, gate and up 3, down 1; of the head 1.
    const pieces = 2 * (2 + 3 + 1) + 1;
    // A whole table lets the draw begin the next token, in one dispatch. In two parts it needs a draw of two, two that begin,
    // and one that adds the last rows to the stream.
    expect(report.runs[0].dispatches - whole.runs[0].dispatches).toBe(pieces + 1 + 2 + 1);
  },
);

scheduled(
  'a software GPU compiles a model for this device alone',
  'labs/language/decoders/chain/chain.gpu.test.ts, where a chain runs on the least that a device may have',
  'a device with the least that WebGPU has decodes as well',
  async () => {
    const min = await openTestDevice({ minimum: true });
    try {
      const lanes = formatById('macko').kernels.filter(({ id }) => id === 'macko/spmv_workgroup');
      const stored = { format: { ...formatById('macko'), kernels: lanes } as AnyFormat, params: {} };
      const report = await decodeShapes(
        min,
        sizes('64-128-1-2-1-32-300:tiny'),
        options({ stored, dense: referenceFormat, contexts: [3], prefill: 0 }),
      );
      expect(failedStages(report)).toEqual([]);
      expect(min.facts.features.has('shader-f16')).toBe(false);
      expect(min.facts.limits.maxStorageBuffersPerShaderStage).toBe(8);
    } finally {
      min.destroy();
    }
  },
);

test('memory that the device does not have is named, with the memory that fits', async () => {
  const { device, facts, environment } = context;
  let left = 400_000;
  const poor = new Proxy(device, {
    get(of, name) {
      if (name === 'createBuffer') {
        return (wanted: GPUBufferDescriptor) => {
          left -= wanted.size;
          return of.createBuffer(wanted);
        };
      }
      if (name === 'popErrorScope') {
        // Of the three scopes around a call the second is about memory.
        return async () => (await of.popErrorScope()) ?? (left < 0 ? new GPUOutOfMemoryError('') : null);
      }
      const value: unknown = Reflect.get(of, name, of);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });
  await expect(decodeShapes(new GpuContext(poor, facts, environment), tiny, options({}))).rejects.toThrow(
    /^tiny does not fit on this GPU: .*, \d+ bytes: the GPU is out of memory, with \d of 2 blocks in its memory$/,
  );
  await expect(decodeShapes(withBindings(9000), tiny, options({}))).rejects.toThrow(
    /^tiny does not fit on this GPU: turns of positions: needs a buffer of 9472 bytes, the limit of this GPU is 9000, /,
  );
});

// The last one here: the device, on which all that it needs is compiled by now, is lost.
test('a device that is lost in the middle leaves what was measured before', async () => {
  const reports: DecodeReport[] = [];
  const run = decodeShapes(
    context,
    tiny,
    options({
      prefill: 0,
      // Of two spans each, for which attention is compiled by now.
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
