import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDevice } from '../../../test/gpu.ts';
import type { AnyFormat, EncodedMatrix } from '../../core/format.ts';
import type { KernelSpec } from '../../core/kernel/kernel.ts';
import { formatById, referenceFormat } from '../../formats/registry.ts';
import type { GpuContext } from '../../gpu/index.ts';
import { modelOfSizes } from '../../theory/models/model-sizes.ts';
import { decodeShapes, type DecodeOptions } from './decode.ts';

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
const tiny = modelOfSizes('64-128-2-2-1-32-300+q+k+v:tiny');

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
    ...given,
  };
}

test('every stage of a model of sizes is right, with biases, and beyond a span of attention', async () => {
  if (tiny === null) throw new Error('found no sizes');
  const report = await decodeShapes(context, tiny, options({}));
  expect(report.ok).toBe(true);
  expect(report.runs.map((run) => [run.context, run.roundMs.length])).toEqual([
    [0, 2],
    [70, 2],
  ]);
  const names = ['q, k, v', 'attention', 'o', 'gate, up', 'down'];
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
  if (tiny === null) throw new Error('found no sizes');
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
  const report = await decodeShapes(context, tiny, options({ stored, contexts: [0], rounds: 1, prefill: 0 }));
  expect(report.ok).toBe(false);
  const wrong = report.runs[0].checks.before.filter(({ ok }) => !ok).map(({ what }) => what);
  expect(wrong).toContain('block 0, gate, up');
  expect(wrong).not.toContain('head');
});

test('a model without a gate is refused', async () => {
  const ungated = modelOfSizes('64-128-2-2-2-32-300-ungated:plain');
  if (ungated === null) throw new Error('found no sizes');
  await expect(decodeShapes(context, ungated, options({}))).rejects.toThrow(
    'plain: found a model without a gate, expected one with a gate and rotary positions',
  );
});
