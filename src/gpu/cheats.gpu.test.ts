import { afterEach, beforeEach, expect, test } from 'vitest';
import { type KernelSpec } from '../core/kernel/kernel.ts';
import { POISON_BITS } from '../core/operations/verify.ts';
import { denseMatrix, toDense } from '../core/matrix/index.ts';
import { SPMV } from '../core/operations/index.ts';
import type { BenchReport, Workload } from '../core/report.ts';
import {
  openTestDevice,
  randomMatrix,
  TOY_WGSL,
  toyCase,
  type ToyEncoded,
  toyFormat,
  toyKernel,
} from '../../test/gpu.ts';
import { cases } from '../../test/scheduled.ts';
import { type GpuBenchOptions, runBench } from './bench.ts';
import { GpuContext } from './device.ts';

/** Kernels that are right when they are verified, and do less work when they are timed. */

const matrix = randomMatrix(130, 37, 0.4, 1);
const SEED = 7;
/** Words of a row that a kernel may keep between its runs. */
const KEPT = 8;
/** Runs of a full sample, and how many of them some leave out: no fewer than in a sample with a time. */
const RUNS = 64;
const LEFT_OUT = 48;

const workload: Workload = {
  operation: 'spmv',
  rows: matrix.rows,
  cols: matrix.cols,
  nnz: matrix.nnz,
  density: 0.4,
  source: 'test',
  seed: SEED,
  memory: 'cold',
  rounds: 12,
};
const options: GpuBenchOptions = {
  app: 'test',
  reference: 'dense',
  workload,
  coldBytes: 2 ** 18,
  readBytes: 2 ** 24,
  tuning: 'off',
  secret: 5,
  sampleRuns: RUNS,
};

const SUM = `var sum = 0.0;
  for (var c = 0u; c < params.cols; c++) {
    let a = data[row * params.cols + c];
    if (a != 0.0) { sum += a * x[c]; }
  }`;

/** A kernel with this body and with scratch of `words` words a row, `kept[row * words + i]`. */
function keeping(id: string, body: string, words = KEPT): KernelSpec<ToyEncoded> {
  const code = TOY_WGSL.replace(
    'override LANES',
    '@group(0) @binding(4) var<storage, read_write> kept: array<u32>;\noverride LANES',
  ).replace(/ {2}var sum = 0\.0;[\s\S]*y\[row\] = sum;\n/, body);
  const spec = toyKernel(code, id);
  return {
    ...spec,
    draft: { of: 'toy/spmv', name: 'mine', version: 1 },
    plan(e, device, sizes) {
      const plan = spec.plan(e, device, sizes);
      return {
        ...plan,
        buffers: [...plan.buffers, { role: 'scratch', name: 'kept', bytes: e.rows * words * 4 }],
        passes: plan.passes.map((pass) => ({ ...pass, bindings: [...pass.bindings, 'kept'] })),
      };
    },
  };
}

const [publicX] = SPMV.inputs(matrix, {}, SEED).x;

const CHEATS: readonly KernelSpec<ToyEncoded>[] = [
  keeping(
    'cheat/leaves what is written',
    `if (bitcast<u32>(y[row]) != ${POISON_BITS}u) { return; }
  ${SUM}
  y[row] = sum;
`,
  ),
  keeping(
    'cheat/keeps a flag',
    `if (kept[row * ${KEPT}u] == 12345u) { return; }
  ${SUM}
  y[row] = sum;
  kept[row * ${KEPT}u] = 12345u;
`,
  ),
  keeping(
    'cheat/counts its runs',
    `let count = kept[row * ${KEPT}u];
  kept[row * ${KEPT}u] = select(count + 1u, 1u, count > 1000000u);
  if (count >= 3u && count <= 1000000u) { return; }
  ${SUM}
  y[row] = sum;
`,
  ),
  keeping(
    'cheat/computes every other time',
    `let count = kept[row * ${KEPT}u];
  kept[row * ${KEPT}u] = select(count + 1u, 1u, count > 1000000u);
  if (count <= 1000000u && count % 2u == 1u) { return; }
  ${SUM}
  y[row] = sum;
`,
  ),
  keeping(
    'cheat/leaves out later workgroups after the first run',
    `let count = kept[row * ${KEPT}u];
  kept[row * ${KEPT}u] = select(count + 1u, 1u, count > 1000000u);
  if (row >= 64u && count >= 1u && count <= 1000000u) { return; }
  ${SUM}
  y[row] = sum;
`,
  ),
  keeping(
    'cheat/knows the x that it is verified with',
    `if (x[0] != ${publicX}) { return; }
  ${SUM}
  y[row] = sum;
`,
  ),
];

/**
 * The number of this run in its sample as `count`, for a kernel that keeps it in scratch with a mark: anything without
 * it is the beginning of a sample, except what a single verification begins with. It ends at 1000.
 */
const COUNT = `let state = kept[row * ${KEPT}u];
  let is_mine = state >> 16u == 0xabcdu;
  let count = select(select(0u, state & 0xffffu, is_mine), 1000u, state == ${POISON_BITS}u);
  kept[row * ${KEPT}u] = 0xabcd0000u | min(count + 1u, 1000u);`;

/** They compute the runs that a sample ends with if it is full, and would be right if only those were compared. */
const RIGHT_AT_THE_END: readonly KernelSpec<ToyEncoded>[] = [
  keeping(
    'cheat/leaves out the first runs of a sample',
    `${COUNT}
  if (count < ${LEFT_OUT}u) { return; }
  ${SUM}
  y[row] = sum;
`,
  ),
  keeping(
    'cheat/leaves out runs in the middle of a sample',
    `${COUNT}
  if (count >= 4u && count < ${LEFT_OUT}u) { return; }
  ${SUM}
  y[row] = sum;
`,
  ),
  keeping(
    'cheat/computes one row of two in turns',
    `${COUNT}
  if (count < ${LEFT_OUT}u && (count + row) % 2u == 1u) { return; }
  ${SUM}
  y[row] = sum;
`,
  ),
  keeping(
    'cheat/writes its first answer again',
    `${COUNT}
  if (count > 0u && count < ${LEFT_OUT}u) {
    y[row] = bitcast<f32>(kept[row * ${KEPT}u + 1u]);
    return;
  }
  ${SUM}
  y[row] = sum;
  kept[row * ${KEPT}u + 1u] = bitcast<u32>(sum);
`,
  ),
  keeping(
    'cheat/leaves out inputs beyond the second from the known one',
    `let state = kept[row];
  let after = select(select(1000u, state & 0xffffu, state >> 16u == 0xabcdu) + 1u, 0u, x[0] == ${publicX});
  kept[row] = select(0u, 0xabcd0000u | after, after < 1000u);
  if (after > 1u && after < 1000u) { return; }
  ${SUM}
  y[row] = sum;
`,
    1,
  ),
];

/** Leaves a run out, and notes it. */
const LEAVE_OUT = `kept[row * ${KEPT}u + 7u] = 12345u;
    return;`;
/** The sum, or a wrong one if the row was left out before. */
const SUM_UNLESS_LEFT_OUT = `${SUM}
  y[row] = select(sum, sum + 1000.0, kept[row * ${KEPT}u + 7u] == 12345u);`;

/** These leave runs out if a sample begins with zeros, and are wrong in the end if they have left out any. */
const COUNT_FROM_ZERO: readonly KernelSpec<ToyEncoded>[] = [
  keeping(
    'cheat/counts in y',
    `let seen = bitcast<u32>(y[row]);
  if (seen < ${LEFT_OUT}u) {
    y[row] = bitcast<f32>(seen + 1u);
    ${LEAVE_OUT}
  }
  ${SUM_UNLESS_LEFT_OUT}
`,
  ),
  keeping(
    'cheat/counts in scratch',
    `let seen = kept[row * ${KEPT}u];
  if (seen < ${LEFT_OUT}u) {
    kept[row * ${KEPT}u] = seen + 1u;
    ${LEAVE_OUT}
  }
  ${SUM_UNLESS_LEFT_OUT}
`,
  ),
  keeping(
    'cheat/counts behind y',
    `let seen = bitcast<u32>(y[params.rows]);
  if (seen < ${LEFT_OUT}u) {
    if (row == 0u) { y[params.rows] = bitcast<f32>(seen + 1u); }
    ${LEAVE_OUT}
  }
  ${SUM_UNLESS_LEFT_OUT}
`,
  ),
];

/** Each row with values is followed by seven without, whose zeros have signs. */
const sparse = denseMatrix(
  128,
  37,
  toDense(randomMatrix(128, 37, 1, 1)).map((value, i) => (Math.floor(i / 37) % 8 === 0 ? value : 0)),
);
const COUNTS_IN_SIGNS = keeping(
  'cheat/counts in the signs of zeros',
  `if (row % 8u != 0u) { return; }
  var seen = 0u;
  var are_zeros = true;
  for (var i = 0u; i < 7u; i++) {
    let bits = bitcast<u32>(y[row + 1u + i]);
    are_zeros = are_zeros && bits << 1u == 0u;
    seen |= (bits >> 31u) << i;
  }
  let is_begun = seen > 0u || bitcast<u32>(y[row]) == 0u;
  seen = select(127u, min(seen + 1u, 127u), are_zeros && is_begun);
  for (var i = 0u; i < 7u; i++) { y[row + 1u + i] = bitcast<f32>(((seen >> i) & 1u) << 31u); }
  if (seen <= ${LEFT_OUT}u) {
    ${LEAVE_OUT}
  }
  ${SUM_UNLESS_LEFT_OUT}
`,
);

/** These would skip work if they could, and are caught if they do: what they then write is wrong. */
const FOILED: readonly KernelSpec<ToyEncoded>[] = [
  keeping(
    'cheat/computes one row of two to see whether x has changed',
    `if (row % 2u == 1u) { return; }
  let next = row + 1u;
  ${SUM}
  let as_it_was = bitcast<u32>(sum) == bitcast<u32>(y[row]);
  y[row] = sum;
  if (next == params.rows) { return; }
  var other = 0.0;
  for (var c = 0u; c < params.cols; c++) {
    let a = data[next * params.cols + c];
    if (a != 0.0) { other += a * x[c]; }
  }
  y[next] = select(other, 1000.0, as_it_was && sum != 0.0);
`,
  ),
  keeping(
    'cheat/remembers the last answers by their x',
    `let mine = bitcast<u32>(x[0]);
  ${SUM}
  for (var i = 0u; i < ${KEPT / 2}u; i++) {
    if (kept[row * ${KEPT}u + 2u * i] == mine) {
      y[row] = bitcast<f32>(kept[row * ${KEPT}u + 2u * i + 1u]) + 1000.0;
      return;
    }
  }
  y[row] = sum;
  for (var i = ${KEPT / 2 - 1}u; i > 0u; i--) {
    kept[row * ${KEPT}u + 2u * i] = kept[row * ${KEPT}u + 2u * i - 2u];
    kept[row * ${KEPT}u + 2u * i + 1u] = kept[row * ${KEPT}u + 2u * i - 1u];
  }
  kept[row * ${KEPT}u] = mine;
  kept[row * ${KEPT}u + 1u] = bitcast<u32>(sum);
`,
  ),
];

let context: GpuContext;
beforeEach(async () => {
  context = await openTestDevice();
});
afterEach(() => context.destroy());

/** The software adapter treated as hardware, so that the timed path runs; its times are never looked at. */
async function race(
  kernels: readonly KernelSpec<ToyEncoded>[],
  own: Partial<GpuBenchOptions> = {},
  m = matrix,
): Promise<BenchReport> {
  const hardware = new GpuContext(context.device, { ...context.facts, isFallback: false }, context.environment);
  const dense = toyCase(toyFormat('dense', [toyKernel(TOY_WGSL, 'dense/spmv_toy')]), m);
  const both = [dense, toyCase(toyFormat('toy', kernels), m)];
  return runBench(hardware, both, { ...options, ...own }, { report: () => {}, cancelled: false });
}

/** The verdict of a run on each kernel, by id. */
function verdicts(report: BenchReport): Record<string, unknown> {
  return Object.fromEntries(
    report.rows
      .slice(1)
      .map(({ kernel, verified, samplesNs }) => [
        kernel,
        { ok: verified.ok, samples: samplesNs.length, looks: verified.checkedWhileTimed ?? 0 },
      ]),
  );
}

/** The same verdict on all of them. */
function each<V>(kernels: readonly KernelSpec<ToyEncoded>[], verdict: V): Record<string, V> {
  return Object.fromEntries(kernels.map(({ id }) => [id, verdict]));
}

test('all of these pass a single verification', async () => {
  const all = [...CHEATS, ...RIGHT_AT_THE_END, ...COUNT_FROM_ZERO, ...FOILED];
  expect(verdicts(await race(all, { verifyOnly: true }))).toEqual(each(all, { ok: true, samples: 0, looks: 0 }));
});

test('those that skip work while they are timed are caught, and get no time', async () => {
  const report = await race(CHEATS);
  expect(verdicts(report)).toEqual(each(CHEATS, { ok: false, samples: 0, looks: expect.any(Number) }));
  expect(report.rows[0]).toMatchObject({ kernel: 'dense/spmv_toy', verified: { ok: true } });
});

test('those that are right in the last runs of a sample are caught, and get no time', async () => {
  const report = await race(RIGHT_AT_THE_END);
  expect(verdicts(report)).toEqual(each(RIGHT_AT_THE_END, { ok: false, samples: 0, looks: expect.any(Number) }));
});

test('those that count from zero find no zeros, and compute in every run', async () => {
  const report = await race(COUNT_FROM_ZERO);
  expect(verdicts(report)).toEqual(each(COUNT_FROM_ZERO, { ok: true, samples: 12, looks: expect.any(Number) }));
});

test('one that counts in the signs of zeros finds none, and computes in every run', async () => {
  const report = await race([COUNTS_IN_SIGNS], {}, sparse);
  expect(verdicts(report)).toEqual(each([COUNTS_IN_SIGNS], { ok: true, samples: 12, looks: expect.any(Number) }));
});

test('those that skip inputs that they have seen never see them again, and honest ones stay right', async () => {
  const honest = keeping('toy/honest', `${SUM}\n  kept[row * ${KEPT}u] = 1u;\n  y[row] = sum;\n`);
  const kernels = [honest, ...FOILED];
  for (const secret of [1, 2].slice(0, cases(1, 2))) {
    expect(verdicts(await race(kernels, { secret }))).toEqual(
      each(kernels, { ok: true, samples: 12, looks: expect.any(Number) }),
    );
  }
});
