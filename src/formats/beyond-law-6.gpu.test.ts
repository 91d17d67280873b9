import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnyFormat, defaultParams, type EncodedMatrix } from '../core/format.ts';
import type { KernelSpec } from '../core/kernel/kernel.ts';
import type { Matrix } from '../core/matrix/index.ts';
import { operationById } from '../core/operations/index.ts';
import { expectedOf, type Inputs, type Sizes } from '../core/operations/operation.ts';
import { describeFailure, verifyOutputs } from '../core/operations/verify.ts';
import { awkwardMatrix } from '../generate/awkward/matrices.ts';
import { kernelSupport, type GpuContext, openDevice, readOutputs, runKernelWords } from '../gpu/index.ts';
import { formats } from './registry.ts';

/**
 * Cases in which kernels once had faults, and which law 6 (contract/kernels.gpu.test.ts) does not contain: sizes, rows
 * and inputs for one or two kernels each. To run them with every kernel would cost much and find no more.
 */

interface KernelCase {
  /** the property of the case that cases of law 6 lack */
  readonly what: string;
  readonly kernels: readonly string[];
  readonly matrix: Matrix;
  /** parameters that differ from the defaults */
  readonly params?: Readonly<Record<string, unknown>>;
  readonly sizes?: Sizes;
  /** modifies the inputs themselves */
  change?(inputs: Inputs): void;
}

const CASES: readonly KernelCase[] = [
  {
    // Law 6 has 5, 1 or 16 of them.
    what: 'three tokens of the four that are summed side by side',
    kernels: ['csr/gemm_subgroup', 'csr/gemm_workgroup'],
    matrix: awkwardMatrix([9, 40], 'uniform', 0.3),
    sizes: { tokens: 3 },
  },
  {
    what: 'rows of more than two steps',
    kernels: ['macko/gemm_workgroup', 'macko/gemm_expanded'],
    matrix: awkwardMatrix([3, 2100], 'uniform', 0.9),
    sizes: { tokens: 1 },
  },
  {
    what: 'scales of entries in rows of several windows',
    kernels: ['macko/gemm_expanded'],
    matrix: awkwardMatrix([3, 2100], 'uniform', 0.9),
    params: { valueType: 'i4' },
    sizes: { tokens: 1 },
  },
  {
    what: 'a step of more columns than fit in its window',
    kernels: ['macko/gemm_expanded'],
    matrix: awkwardMatrix([3, 9000], 'uniform', 0.05),
    sizes: { tokens: 1 },
  },
  {
    what: 'several rows of the tail, with an odd number of columns',
    kernels: ['hybrid/spmv_subgroup', 'hybrid/spmv_workgroup'],
    matrix: awkwardMatrix([9, 41], 'uniform', 0.5),
    params: { rowSlots: 4, tailShare: 1 },
  },
  {
    what: 'an x that is much larger than its neighbours, in the last of 32 columns',
    kernels: ['dense/spmv_digits_subgroup', 'dense/spmv_digits_workgroup'],
    matrix: awkwardMatrix([5, 64], 'uniform', 0.9),
    params: { valueType: 'i4' },
    change: ({ x }) => {
      x[31] = 1000;
    },
  },
  {
    // Law 6 has at most 72 columns, which half a team reads.
    what: 'rows that all lanes of a team read',
    kernels: ['hybrid/up_down_workgroup'],
    matrix: awkwardMatrix([5, 40], 'uniform', 0.3),
    sizes: { width: 264 },
  },
  {
    what: 'rows that all lanes of a team read',
    kernels: ['twell/up_down_workgroup'],
    matrix: awkwardMatrix([5, 40], 'one of sixteen'),
    params: { layout: 'packed' },
    sizes: { width: 264 },
  },
];

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

const cases = CASES.flatMap(({ kernels, ...kernelCase }) =>
  kernels.map((kernel) => ({ title: `${kernel}: ${kernelCase.what}`, kernel, ...kernelCase })),
);

test.for(cases)('$title', async ({ kernel, matrix, params = {}, sizes = {}, change }) => {
  const format: AnyFormat | undefined = formats.find(({ id }) => kernel.startsWith(`${id}/`));
  const specs: readonly KernelSpec<EncodedMatrix>[] = format?.kernels ?? [];
  const spec = specs.find(({ id }) => id === kernel);
  if (!format || !spec) throw new Error(`found no kernel ${kernel}`);
  const encoded: EncodedMatrix = format.encode(matrix, { ...defaultParams(format.params), ...params });
  expect(kernelSupport(spec, encoded, context.facts, sizes)).toMatchObject({ ok: true });
  const rounded = format.decode(encoded);
  const operation = operationById(spec.operation);
  const inputs = operation.inputs(rounded, sizes, 7);
  change?.(inputs);
  const words = await runKernelWords(context, spec.id, spec.plan(encoded, context.facts, sizes), inputs);
  const verified = verifyOutputs(
    readOutputs(spec, encoded, words, sizes),
    expectedOf(operation, rounded, inputs, sizes, spec),
  );
  if (!verified.ok) expect.fail(describeFailure(verified));
});
