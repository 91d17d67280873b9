import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildMatrix } from '../../test/arbitraries.ts';
import { scheduled } from '../../test/scheduled.ts';
import { type AnyFormat, defaultParams, type EncodedMatrix } from '../core/format.ts';
import type { Choice, Chosen } from '../core/kernel/choices.ts';
import { type KernelSpec, unsuitedReason } from '../core/kernel/kernel.ts';
import type { Matrix } from '../core/matrix/index.ts';
import { completeSizes, expectedOf } from '../core/operations/operation.ts';
import { operationById } from '../core/operations/index.ts';
import { describeFailure, verifyOutputs } from '../core/operations/verify.ts';
import { kernelSupport, type GpuContext, openDevice, readOutputs, runKernelWords } from '../gpu/index.ts';
import { formats } from './registry.ts';

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

/** An extreme of a choice: the first or the last of its values; of a range, the minimum or the maximum. */
type End = 'first' | 'last';
const BOTH: readonly End[] = ['first', 'last'];

/**
 * Settings in which all choices have their first or all have their last value at once, since compiling is slow. Omits the
 * setting with which the kernel starts.
 */
function extremeSettings(choices: readonly Choice[], which: readonly End[]): readonly Chosen[] {
  const bounds = choices.map((choice) => {
    const values = choice.kind === 'range' ? [choice.min, choice.max] : choice.values;
    return { ...choice, first: values[0], last: values[values.length - 1] };
  });
  return which.flatMap((end) => {
    if (bounds.every((choice) => choice[end] === choice.start)) return [];
    return [Object.fromEntries(bounds.map((choice) => [choice.name, choice[end]]))];
  });
}

/** The kernels of a format that have choices, with a matrix that the format supports with its default parameters. */
function kernelsWithChoices(format: AnyFormat) {
  const params = defaultParams<object>(format.params);
  const specs: readonly KernelSpec<EncodedMatrix>[] = format.kernels;
  const matrix = buildMatrix({
    shape: [67, 330],
    pattern: format.id === 'slidesparse' ? 'six of eight' : 'uniform',
    values: 'normal',
    density: 0.2,
    seed: 5,
    storage: 'cells',
  });
  if (!format.admits(matrix, params).ok) return null;
  const encoded: EncodedMatrix = format.encode(matrix, params);
  return { encoded, specs: specs.filter((spec) => spec.choices && unsuitedReason(spec, params) === null) };
}

/** Compares a kernel with the oracle, with extreme values of its choices. Returns how many settings ran. */
async function checkExtremes(
  spec: KernelSpec<EncodedMatrix>,
  encoded: EncodedMatrix,
  rounded: Matrix,
  which = BOTH,
): Promise<number> {
  const operation = operationById(spec.operation);
  const sizes = completeSizes(operation, operation.id === 'gemm' ? { tokens: 5 } : {});
  if (!kernelSupport(spec, encoded, context.facts, sizes).ok) return 0;
  const settings = extremeSettings(spec.choices?.(encoded, context.facts, sizes) ?? [], which);
  const inputs = operation.inputs(rounded, sizes, 3);
  for (const chosen of settings) {
    const plan = spec.plan(encoded, context.facts, sizes, chosen);
    const words = await runKernelWords(context, spec.id, plan, inputs);
    const expected = expectedOf(operation, rounded, inputs, sizes, spec);
    const verified = verifyOutputs(readOutputs(spec, encoded, words, sizes), expected);
    if (!verified.ok) expect.fail(`${spec.id} ${JSON.stringify(chosen)}: ${describeFailure(verified)}`);
  }
  return settings.length;
}

const testedFormats = formats.flatMap((format) => {
  const kernels = kernelsWithChoices(format);
  return kernels === null ? [] : [{ id: format.id, format, ...kernels }];
});

/** The last SpMV kernel that needs no feature and runs in one pass: it also runs on devices that support no other kernel. */
function plainest(specs: readonly KernelSpec<EncodedMatrix>[], encoded: EncodedMatrix) {
  return specs.findLast(
    ({ operation, features, plan }) =>
      operation === 'spmv' && features.length === 0 && plan(encoded, context.facts, {}).passes.length === 1,
  );
}

/** Formats that are always tested: their kernels have a choice of each kind (lanes, equal shares, panels). */
const EVERY_TIME = ['csr', 'ec-csr', 'macko'];

test.for(testedFormats.filter(({ id }) => EVERY_TIME.includes(id)))(
  'a kernel of $id agrees with the oracle with the largest values of its choices, and one for any device with the smallest',
  async ({ format, encoded, specs }) => {
    const rounded = format.decode(encoded);
    let ran = 0;
    // One kernel runs, with its largest values. If every kernel starts with these, one runs with its smallest values.
    for (const end of ['last', 'first'] as const)
      for (const spec of specs) if (ran === 0) ran = await checkExtremes(spec, encoded, rounded, [end]);
    expect(ran).toBeGreaterThan(0);
    const plain = plainest(specs, encoded);
    if (plain) await checkExtremes(plain, encoded, rounded, ['first']);
  },
);

for (const { id, format, encoded, specs } of testedFormats) {
  scheduled(
    'a software GPU compiles every kernel twice more, with the largest numbers for seconds',
    'test/plans.test.ts, which plans every kernel with every choice, and the test of one kernel of three formats here',
    `all kernels of ${id} agree with the oracle for the first and the last values of their choices`,
    async () => {
      const rounded = format.decode(encoded);
      let ran = 0;
      for (const spec of specs) ran += await checkExtremes(spec, encoded, rounded);
      expect(ran).toBeGreaterThan(0);
    },
  );
}
