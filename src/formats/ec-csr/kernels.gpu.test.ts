import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { defaultParams } from '../../core/format.ts';
import { csrMatrix, denseMatrix, type Matrix, toCsr } from '../../core/matrix/index.ts';
import { expectedOf } from '../../core/operations/operation.ts';
import { SPMV } from '../../core/operations/index.ts';
import { Random } from '../../core/number/random.ts';
import { describeFailure, verifyOutputs } from '../../core/operations/verify.ts';
import { scheduled } from '../../../test/scheduled.ts';
import { kernelSupport, type GpuContext, openDevice } from '../../gpu/index.ts';
import { runKernel } from '../../../test/run-kernel.ts';
import { ecCsr } from './index.ts';
import { type EcCsrEncoded, infosOfSets } from './layout.ts';
import type { EcCsrParams } from './params.ts';

/**
 * A matrix of groups of 8, 4, 2 and 1 rows that share columns, so that there are blocks of every granularity. Half of the
 * columns belong to a group; a row has 97 % of them, and 2 % of the others.
 */
function groupedRows(cols: number): Matrix {
  const random = new Random(5);
  const groups = [8, 8, 4, 2, 2, 1];
  const rows = groups.reduce((a, b) => a + b);
  const cells = new Float32Array(rows * cols);
  let first = 0;
  for (const size of groups) {
    const pattern = Array.from({ length: cols }, () => random.uniform() < 0.5);
    for (let r = first; r < first + size; r++) {
      for (let c = 0; c < cols; c++) {
        if (pattern[c] ? random.uniform() < 0.97 : random.uniform() < 0.02) cells[r * cols + c] = random.normal() || 1;
      }
    }
    first += size;
  }
  return denseMatrix(rows, cols, cells);
}

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

const xOf = (m: Matrix, seed: number): Float32Array => Float32Array.from(SPMV.inputs(m, {}, seed).x);

type Kernel = (typeof ecCsr.kernels)[number];

/** Runs every kernel that the device supports, and compares its output with the oracle. */
async function expectCorrect(
  e: EcCsrEncoded,
  rounded: Matrix,
  inputs: { readonly x: Float32Array },
  kernels: readonly Kernel[] = ecCsr.kernels,
): Promise<void> {
  for (const spec of kernels) {
    if (!kernelSupport(spec, e, context.facts, {}).ok) continue;
    const output = await runKernel(context, spec.id, spec.plan(e, context.facts, {}), inputs);
    const verified = verifyOutputs(output, expectedOf(SPMV, rounded, inputs, {}, spec));
    if (!verified.ok) expect.fail(`${spec.id}: ${describeFailure(verified)}`);
  }
}

const CASES: readonly Pick<EcCsrParams, 'lanes' | 'vectorSize' | 'deltaBits' | 'valueType'>[] = [
  { lanes: 32, vectorSize: 4, deltaBits: 8, valueType: 'f16' },
  { lanes: 16, vectorSize: 4, deltaBits: 4, valueType: 'f32' },
  { lanes: 8, vectorSize: 2, deltaBits: 8, valueType: 'f16' },
  { lanes: 4, vectorSize: 4, deltaBits: 16, valueType: 'f16' },
  { lanes: 2, vectorSize: 4, deltaBits: 4, valueType: 'f16' },
  { lanes: 2, vectorSize: 1, deltaBits: 8, valueType: 'f32' },
];

/** The granularities whose blocks have columns after the last full vector of four. */
function granularitiesWithSingleColumns(e: EcCsrEncoded): number[] {
  const hasSingles = (block: number): boolean => ((e.blockPtr[block + 1] - e.blockPtr[block]) / e.lanes) % 4 !== 0;
  return infosOfSets(e)
    .filter(({ blocks, blockPtrAt }) => Array.from({ length: blocks }, (_, b) => blockPtrAt + b).some(hasSingles))
    .map((set) => set.granularity);
}

test('the cases have columns behind the vectors, in blocks of all granularities that can have them', () => {
  const granularities = CASES.filter((caseParams) => caseParams.vectorSize === 4).flatMap((caseParams) =>
    granularitiesWithSingleColumns(ecCsr.encode(groupedRows(1600), { ...defaultParams(ecCsr.params), ...caseParams })),
  );
  // No larger block takes columns from blocks of eight rows, so that their columns are a multiple of L v.
  expect(new Set(granularities)).toEqual(new Set([4, 2, 1]));
});

/** The parameters of a case, with long and short blocks in separate sets. */
const withShortSets = (caseParams: (typeof CASES)[number]): EcCsrParams => ({
  ...defaultParams(ecCsr.params),
  ...caseParams,
  remainder: 'short-block',
});

test('the cases have long and short sets of all granularities that can have both', () => {
  const withBoth = CASES.flatMap((caseParams) => {
    const granularities = infosOfSets(ecCsr.encode(groupedRows(1600), withShortSets(caseParams))).map(
      (set) => set.granularity,
    );
    return granularities.filter((granularity, s) => granularity === granularities[s + 1]);
  });
  expect(new Set(withBoth)).toEqual(new Set([4, 2, 1]));
});

/**
 * Indices of the cases that `npm test` runs. A kernel that supports both cases runs on blocks of all granularities in one of
 * them, and on separate sets of long and short blocks in the other.
 */
const EVERY_TIME: readonly number[] = [1, 2];

interface NumberedCase {
  readonly caseParams: (typeof CASES)[number];
  /** its index in CASES */
  readonly index: number;
}

const caseTitle = ({ caseParams }: NumberedCase): string =>
  `${caseParams.lanes} lanes of ${caseParams.vectorSize}, ${caseParams.deltaBits} bits, ${caseParams.valueType}`;
const NUMBERED = CASES.map((caseParams, index): NumberedCase => ({ caseParams, index }));
const GRANULARITIES = 'every kernel agrees with the oracle on blocks of all granularities, or on long and short ones';
const NOT_FINITE = 'NaN and infinity in x are not multiplied with padding, in blocks of any granularity';

for (const numbered of NUMBERED.filter(({ index }) => EVERY_TIME.includes(index))) {
  describe(caseTitle(numbered), () => {
    test(GRANULARITIES, () => checkGranularities(numbered));
    test(NOT_FINITE, () => checkNotFinite(numbered));
  });
}

for (const numbered of NUMBERED.filter(({ index }) => !EVERY_TIME.includes(index))) {
  describe(caseTitle(numbered), () => {
    scheduled(
      'kernels are compiled for the number of sets and their parameters: the first case alone needs 20 s',
      'the cases of 16 and 8 lanes here, and src/formats/contract/kernels.gpu.test.ts, which meets every value of every parameter',
      GRANULARITIES,
      () => checkGranularities(numbered),
    );
    scheduled(
      'kernels are compiled for the number of sets and their parameters: the first case alone needs 20 s',
      'the cases of 16 and 8 lanes here, and src/formats/contract/kernels.gpu.test.ts, which keeps what is not finite to its rows',
      NOT_FINITE,
      () => checkNotFinite(numbered),
    );
  });
}

/**
 * The encodings of a case, with and without separate sets of short blocks, and the kernels to run on each. Kernels are
 * compiled for the number of sets: in the first case, which all kernels support, each runs on both encodings; in the
 * others on one of the two, alternately.
 */
function encodedFor({ caseParams, index }: NumberedCase) {
  const jointSets = ecCsr.encode(groupedRows(1600), { ...defaultParams(ecCsr.params), ...caseParams });
  const splitSets = ecCsr.encode(groupedRows(1600), withShortSets(caseParams));
  const kernelsFor = (parity: 0 | 1): readonly Kernel[] =>
    ecCsr.kernels.filter((_, k) => index === 0 || (index + k) % 2 === parity);
  const runs = [
    { e: jointSets, kernels: kernelsFor(0) },
    { e: splitSets, kernels: kernelsFor(1) },
  ];
  return { jointSets, splitSets, rounded: ecCsr.decode(jointSets), runs };
}

async function checkGranularities(numbered: NumberedCase): Promise<void> {
  const { jointSets, splitSets, rounded, runs } = encodedFor(numbered);
  expect(new Set(infosOfSets(jointSets).map((set) => set.granularity))).toEqual(new Set([8, 4, 2, 1]));
  expect(infosOfSets(splitSets).length).toBeGreaterThan(infosOfSets(jointSets).length);
  for (const { e, kernels } of runs) await expectCorrect(e, rounded, { x: xOf(rounded, 3) }, kernels);
}

async function checkNotFinite(numbered: NumberedCase): Promise<void> {
  const { rounded, runs } = encodedFor(numbered);
  for (const { e, kernels } of runs) await expectCorrect(e, rounded, { x: notFiniteX(rounded) }, kernels);
}

/**
 * x with NaN or infinity at columns of at most one non-zero. Most sums stay finite, since few rows have these columns. With
 * 4-bit deltas, padding that bridges gaps is in such columns.
 */
function notFiniteX(rounded: Matrix): Float32Array {
  const x = xOf(rounded, 4);
  const rowsByColumn = new Uint32Array(rounded.cols);
  for (const c of toCsr(rounded).indices) rowsByColumn[c]++;
  rowsByColumn.forEach((rows, c) => {
    if (rows <= 1) x[c] = [Number.NaN, Number.POSITIVE_INFINITY][c % 2];
  });
  return x;
}

// `npm test` includes this test, because only this case has blocks of four or eight rows that these kernels support.
test('kernels of tasks agree with the oracle on blocks of all granularities, and multiply no padding there', async () => {
  const { jointSets, rounded } = encodedFor(NUMBERED[0]);
  const kernels = ecCsr.kernels.filter(({ only }) => only !== undefined);
  const supported = kernels.filter((spec) => kernelSupport(spec, jointSets, context.facts, {}).ok);
  expect(supported.map(({ id }) => id)).toEqual(['ec-csr/spmv_staged', 'ec-csr/spmv_owned_rows']);
  await expectCorrect(jointSets, rounded, { x: xOf(rounded, 3) }, kernels);
  await expectCorrect(jointSets, rounded, { x: notFiniteX(rounded) }, kernels);
});

/**
 * Four rows that share columns, two of which share more columns. After the block of four rows has taken its columns, the
 * remaining columns of the two rows have gaps that no delta reaches, and runs that are too short for a block without gaps.
 */
function bridgedPair(): Matrix {
  // Each group of columns has 30; only the two rows have the first `onlyTwo` of them.
  const groups = Array.from({ length: 17 }, (_, g) => ({ first: 270 * g, onlyTwo: 9 + (g % 4) }));
  const columnsFrom = ({ first }: { first: number }, skipped: number): number[] =>
    Array.from({ length: 30 - skipped }, (_, i) => first + skipped + i);
  const two = groups.flatMap((group) => columnsFrom(group, 0));
  const four = groups.flatMap((group) => columnsFrom(group, group.onlyTwo));
  const rows = [two, two, four, four];
  const indices = rows.flat();
  let end = 0;
  return csrMatrix({
    rows: rows.length,
    cols: 270 * groups.length,
    indptr: Uint32Array.from([0, ...rows.map(({ length }) => (end += length))]),
    indices: Uint32Array.from(indices),
    data: Float32Array.from(indices, (_, i) => 1 + (i % 13)),
  });
}

/** The positions in a segment of four columns (0 to 3) at which some block of two rows has padding. */
function paddedInPairs(e: EcCsrEncoded): number[] {
  return infosOfSets(e)
    .filter(({ granularity }) => granularity === 2)
    .flatMap(({ blocks, blockPtrAt, valuesAt }) =>
      Array.from({ length: blocks }, (_, b) => blockPtrAt + b).flatMap((block) => {
        const [start, end] = e.blockPtr.subarray(block, block + 2);
        const inSegments = 4 * e.lanes * Math.floor((end - start) / e.lanes / 4);
        return Array.from({ length: inSegments }, (_, i) => i)
          .filter((i) => [0, 1].every((row) => e.values[valuesAt + 2 * (start + i) + row] === 0))
          .map((i) => i % 4);
      }),
    );
}

scheduled(
  'a software GPU compiles every kernel once more',
  'kernels of tasks agree with the oracle on blocks of all granularities, and multiply no padding there, in the same file',
  'kernels of tasks multiply no padding in any of the four columns of a segment of two rows',
  async () => {
    const e = ecCsr.encode(bridgedPair(), { ...defaultParams(ecCsr.params), ...CASES[0] });
    expect(new Set(paddedInPairs(e))).toEqual(new Set([0, 1, 2, 3]));
    const kernels = ecCsr.kernels.filter(({ only }) => only !== undefined);
    expect(kernels.map((spec) => kernelSupport(spec, e, context.facts, {}).ok)).toEqual([true, true]);
    const rounded = ecCsr.decode(e);
    await expectCorrect(e, rounded, { x: notFiniteX(rounded) }, kernels);
  },
);

test('bases in 32 bits: every kernel agrees with the oracle on 65537 columns', async () => {
  // Two rows share 300 columns: 150 all over the matrix, and the last 150, so that lanes begin at large column numbers.
  const cols = 65_537;
  const columns = Array.from({ length: 300 }, (_, i) => (i < 150 ? 200 * i : cols - 300 + i));
  const m = csrMatrix({
    rows: 3,
    cols,
    indptr: Uint32Array.of(0, 300, 600, 607),
    indices: Uint32Array.from([...columns, ...columns, ...columns.slice(-7)]),
    data: Float32Array.from({ length: 607 }, (_, i) => (i % 13) - 6.5),
  });
  const e = ecCsr.encode(m, { ...defaultParams(ecCsr.params), lanes: 8 });
  expect(infosOfSets(e).map((set) => set.granularity)).toContain(2);
  expect(e.baseIndices.BYTES_PER_ELEMENT).toBe(4);
  const rounded = ecCsr.decode(e);
  await expectCorrect(e, rounded, { x: xOf(rounded, 5) });
});
