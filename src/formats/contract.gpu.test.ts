import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { allParams, buildMatrix, type MatrixRecipe, matrixRecipe, paramsTitle } from '../../test/arbitraries.ts';
import { KernelError } from '../core/errors.ts';
import { type AnyFormat, defaultParams, type EncodedMatrix } from '../core/format.ts';
import { type KernelSpec, unsuited } from '../core/kernel/kernel.ts';
import { csrMatrix, denseMatrix, type Matrix, rowBuffer } from '../core/matrix/index.ts';
import { type Expected, expectedOf, type Inputs, type Sizes } from '../core/operations/operation.ts';
import { operationById, SPMV } from '../core/operations/index.ts';
import { Random } from '../core/number/random.ts';
import { describeFailure, verifyOutputs } from '../core/operations/verify.ts';
import { admitKernel, type GpuContext, openDevice, readOutputs, runKernelWords } from '../gpu/index.ts';
import { formats } from './registry.ts';

/**
 * Law 6: every kernel of every registered format, with every combination of its parameters, agrees with the f64 oracle
 * on the matrix as it is stored, within the error bound.
 *
 * A kernel may decline a matrix, but not silently: it says which limit is in the way, and it never declines one of the
 * ordinary shapes that every device has room for.
 */

type Params = Readonly<Record<string, unknown>>;

/** Up to here a kernel whose features the device has must not decline. */
const ORDINARY_COLS = 4096;

/**
 * Random matrices per format, with its default parameters and with each of the others; every kernel runs each of them.
 * Nearly every one is a shape of its own, so that a software GPU compiles for a second or more.
 */
const FUZZ_RUNS = 8;
const FUZZ_RUNS_OF_OTHERS = 2;

const recipe = (
  shape: MatrixRecipe['shape'],
  pattern: MatrixRecipe['pattern'] = 'uniform',
  density = 0.3,
  values: MatrixRecipe['values'] = 'normal',
): Matrix => buildMatrix({ shape, pattern, values, density, seed: 1, storage: 'dense' });

/** 7 × 96 with 333 non-zeros, as awkward sizes go. */
function with333(): Matrix {
  const random = new Random(333);
  const cells = new Float32Array(7 * 96);
  for (let placed = 0; placed < 333;) {
    const cell = random.below(cells.length);
    if (cells[cell] !== 0) continue;
    cells[cell] = random.normal() || 1;
    placed++;
  }
  return denseMatrix(7, 96, cells);
}

/** Few entries in very long rows: the first and last column, a crowd in the middle, and a row without any. */
function longRows(): Matrix {
  const crowd = Array.from({ length: 40 }, (_, i) => 35_000 + 3 * i);
  const columns = [0, 65_535, 65_536, 69_999, ...crowd, 69_999];
  return csrMatrix({
    rows: 3,
    cols: 70_000,
    indptr: Uint32Array.of(0, 4, 4, columns.length),
    indices: Uint32Array.from(columns),
    data: Float32Array.from(columns, (c, i) => (c % 7) - 3.5 + i / 64),
  });
}

/** More rows than workgroups in one dimension: the dispatch is folded. */
function manyRows(): Matrix {
  const rows = 70_001;
  const indptr = Uint32Array.from({ length: rows + 1 }, (_, r) => Math.ceil(r / 2));
  const nnz = indptr[rows];
  return csrMatrix({
    rows,
    cols: 3,
    indptr,
    indices: Uint32Array.from({ length: nnz }, (_, i) => i % 3),
    data: Float32Array.from({ length: nnz }, (_, i) => 1 + (i % 11)),
  });
}

/** Of few shapes: kernels that are compiled for a shape are compiled once for the matrices that share it. */
const MATRICES: readonly (readonly [name: string, build: () => Matrix])[] = [
  ['1 × 1', () => recipe([1, 1], 'full')],
  ['1 × 1 without a non-zero', () => recipe([1, 1], 'empty')],
  ['1 column', () => recipe([9, 1], 'full')],
  ['7 × 96 with 333 non-zeros', with333],
  ['11 × 55', () => recipe([11, 55])],
  ['11 × 55, full', () => recipe([11, 55], 'full')],
  ['257 × 130, rows not a multiple of any workgroup', () => recipe([257, 130], 'uniform', 0.1)],
  ['empty rows first', () => recipe([33, 70], 'empty first rows')],
  ['empty rows last', () => recipe([33, 70], 'empty last rows')],
  ['every other row empty', () => recipe([33, 70], 'every other row empty')],
  ['empty rows everywhere', () => recipe([33, 70], 'empty')],
  ['one of every sixteen columns', () => recipe([33, 70], 'one of sixteen')],
  ['one dense row', () => recipe([40, 333], 'one dense row', 0.05)],
  ['values at the borders of f16 and f32', () => recipe([7, 96], 'uniform', 0.3, 'edges')],
  ['NaN and infinite values', () => recipe([7, 96], 'uniform', 0.05, 'not finite')],
];

/**
 * With parameters other than the default, for operations other than the product with one vector: they do not depend on
 * parameters in more than their layout, and cost software more. The last one fits layouts with room for few
 * non-zeros in a row, and one without any fits all.
 */
const FEW_MATRICES = MATRICES.filter(([name]) =>
  ['7 × 96 with 333 non-zeros', 'empty rows last', 'empty rows everywhere', 'one of every sixteen columns'].includes(
    name,
  ),
);

/**
 * The product with one vector, with parameters other than the default: matrices of four shapes out of seven, since a
 * software GPU compiles every kernel for every shape; random matrices bring further ones.
 */
const OTHER_MATRICES = MATRICES.filter(([name]) => !/^(?:1 column|11 × 55|one dense row)/.test(name));

/**
 * What concerns the dispatch more than the parameters, and costs a software GPU seconds of compiling or running: with the
 * default parameters alone. Shapes like these come up in the random matrices of the others.
 */
const MORE_MATRICES: typeof MATRICES = [
  ['no rows', () => recipe([0, 7])],
  ['no columns', () => recipe([5, 0])],
  ['300 × 65', () => recipe([300, 65])],
  ['20 × 64', () => recipe([20, 64])],
  ['5 × 4096', () => recipe([5, 4096], 'uniform', 0.5)],
  ['4 × 1031, nearly empty', () => recipe([4, 1031], 'uniform', 0.02)],
  ['two of every four columns, 5 × 4500', () => recipe([5, 4500], 'two of four')],
  ['six of every eight columns, 3 × 3004', () => recipe([3, 3004], 'six of eight')],
  ['last column alone', () => recipe([17, 300], 'last column')],
  ['first and last column', () => recipe([17, 300], 'first and last column')],
  ['3 × 70000', longRows],
  ['70001 × 3', manyRows],
];

/** One matrix with what its kernels need to be checked. */
interface Prepared {
  readonly encoded: EncodedMatrix;
  readonly rounded: Matrix;
  readonly seed: number;
}

/** Null when the format does not admit the matrix. */
function prepare(format: AnyFormat, matrix: Matrix, params: Params, seed: number): Prepared | null {
  if (!format.admits(matrix, params).ok) return null;
  const encoded: EncodedMatrix = format.encode(matrix, params);
  return { encoded, rounded: format.decode(encoded), seed };
}

/** Small sizes for a kernel, in turn of one, of a few, and of more than a tile has or than a few lanes, as far as it goes. */
function sizesOf({ operation, most = {} }: KernelSpec<EncodedMatrix>, turn: number): Sizes {
  const fields = Object.entries(operationById(operation).sizes);
  return Object.fromEntries(
    fields.map(([name, { step }], i) => [
      name,
      Math.min(
        most[name] ?? Number.POSITIVE_INFINITY,
        (step === undefined ? [5, 1, 67] : [5 * step, step, 9 * step])[(turn + i) % 3],
      ),
    ]),
  );
}

/** Runs the kernel and expects it to agree with `expected`, by default the oracle on inputs from the seed. */
async function agrees(
  context: GpuContext,
  spec: KernelSpec<EncodedMatrix>,
  { encoded, rounded, seed }: Prepared,
  sizes: Sizes,
  name: string,
  given?: { readonly inputs: Inputs; readonly expected: Expected },
): Promise<void> {
  const operation = operationById(spec.operation);
  const inputs = given?.inputs ?? operation.inputs(rounded, sizes, seed);
  const words = await runKernelWords(context, spec.id, spec.plan(encoded, context.facts, sizes), inputs);
  const expected = given?.expected ?? expectedOf(operation, rounded, inputs, sizes, spec);
  let outputs: Float32Array;
  try {
    outputs = readOutputs(spec, encoded, words, sizes);
  } catch (error) {
    // What a kernel makes can be too much for the layout; then it says where, and gives no outputs.
    if (!(error instanceof KernelError)) throw error;
    expect(error.message, name).toMatch(/(token|row) \d+.*: found \d+ .*, expected (at most \d+|none)/);
    return;
  }
  const verified = verifyOutputs(outputs, expected);
  if (!verified.ok) expect.fail(`${name}: ${describeFailure(verified)}`);
}

/**
 * The product with an x that is not finite in column 0. A format that stores every cell multiplies its zeros as well,
 * so there every row with a zero in column 0 is NaN; in every other format such a row does not know of column 0.
 */
function expectedWithBadFirst(format: AnyFormat, { rounded }: Prepared, inputs: Inputs, roundings: number): Expected {
  const expected = expectedOf(SPMV, rounded, inputs, {}, { roundings });
  if (format.storesZeros !== true) return expected;
  const buffer = rowBuffer(rounded.cols);
  for (let r = 0; r < rounded.rows; r++) {
    const n = rounded.readRow(r, buffer);
    if (n === 0 || buffer.columns[0] !== 0) expected.output[r] = Number.NaN;
  }
  return expected;
}

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

const specsOf = (format: AnyFormat): readonly KernelSpec<EncodedMatrix>[] => format.kernels;
/** The kernels for these parameters. */
const specsFor = (format: AnyFormat, params: Params): readonly KernelSpec<EncodedMatrix>[] =>
  specsOf(format).filter((spec) => unsuited(spec, params) === null);
const isDefault = (format: AnyFormat, params: Params): boolean =>
  paramsTitle(params) === paramsTitle(defaultParams(format.params));
const spmvSpecsOf = (format: AnyFormat): readonly KernelSpec<EncodedMatrix>[] =>
  specsOf(format).filter((spec) => spec.operation === SPMV.id);

describe.for(formats.map((format) => [format.id, format] as const))('%s', ([, format]) => {
  test('has kernels, each with its own name that begins with the format', () => {
    const ids = specsOf(format).map((k) => k.id);
    expect(ids.length).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id.startsWith(`${format.id}/`)).toBe(true);
  });

  describe.for(allParams(format).map((params) => [paramsTitle(params), params] as const))('%s', ([, params]) => {
    const known = new Map<string, Prepared | null>();
    const prepared = (name: string, build: () => Matrix): Prepared | null => {
      if (!known.has(name)) known.set(name, prepare(format, build(), params, 11));
      return known.get(name) ?? null;
    };

    test.for(specsFor(format, params).map((spec) => [spec.id, spec] as const))(
      '%s agrees with the oracle',
      async ([, spec]) => {
        const missing = spec.features.filter((f) => !context.facts.features.has(f));
        let ran = 0;
        const thorough = isDefault(format, params);
        const isProduct = spec.operation === SPMV.id;
        const some = isProduct ? OTHER_MATRICES : FEW_MATRICES;
        const all = isProduct ? [...MATRICES, ...MORE_MATRICES] : MATRICES;
        const matrices = thorough ? all : some;
        for (const [turn, [name, build]] of matrices.entries()) {
          const one = prepared(name, build);
          if (one === null) continue;
          // Kernels that are compiled for a size are so once for each with other parameters.
          const sizes = sizesOf(spec, thorough ? turn : 0);
          const admission = admitKernel(spec, one.encoded, context.facts, sizes);
          if (!admission.ok) {
            expect(admission.reason, name).toMatch(/\w+ .+\w/);
            if (missing.length > 0) for (const feature of missing) expect(admission.reason).toContain(`'${feature}'`);
            else expect(one.rounded.cols, `${name}: ${admission.reason}`).toBeGreaterThan(ORDINARY_COLS);
            continue;
          }
          await agrees(context, spec, one, sizes, name);
          ran++;
        }
        if (missing.length === 0) expect(ran).toBeGreaterThan(0);
      },
    );

    test.for(spmvSpecsOf(format).map((spec) => [spec.id, spec] as const))(
      '%s keeps what is not finite in x[0] to the rows that touch column 0',
      async ([, spec]) => {
        const matrix = recipe([33, 70], 'uniform', 0.2);
        for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]) {
          const one = prepare(format, matrix, params, 12);
          if (one === null || !admitKernel(spec, one.encoded, context.facts, {}).ok) continue;
          const inputs = SPMV.inputs(one.rounded, {}, one.seed);
          inputs.x[0] = bad;
          const expected = expectedWithBadFirst(format, one, inputs, spec.roundings);
          await agrees(context, spec, one, {}, `x[0] = ${bad}`, { inputs, expected });
        }
      },
    );

    const numRuns = isDefault(format, params) ? FUZZ_RUNS : FUZZ_RUNS_OF_OTHERS;
    test(`every kernel agrees with the oracle on ${numRuns} random matrices`, async () => {
      await fc.assert(
        fc.asyncProperty(matrixRecipe(70, 300), fc.nat(), async (random, seed) => {
          const one = prepare(format, buildMatrix(random), params, seed);
          if (one === null) return;
          for (const spec of specsFor(format, params)) {
            if (spec.operation !== SPMV.id && !isDefault(format, params)) continue;
            const sizes = sizesOf(spec, seed);
            if (!admitKernel(spec, one.encoded, context.facts, sizes).ok) continue;
            await agrees(context, spec, one, sizes, spec.id);
          }
        }),
        { numRuns },
      );
    });
  });
});

describe('on a device without subgroups', () => {
  test('every format still has a kernel that is right, and the others say what is missing', async () => {
    const plain = await openDevice(navigator.gpu, 'test', { without: ['subgroups', 'subgroup-size-control'] });
    try {
      expect(plain.facts.subgroupMaxSize).toBe(0);
      for (const format of formats) {
        const params = allParams(format)[0];
        const one = prepare(format, recipe([37, 130]), params, 13);
        if (one === null) continue;
        let ran = 0;
        for (const spec of specsFor(format, params)) {
          const sizes = sizesOf(spec, 2);
          const admission = admitKernel(spec, one.encoded, plain.facts, sizes);
          if (admission.ok) {
            await agrees(plain, spec, one, sizes, spec.id);
            ran++;
          } else expect(admission.reason).toBe("needs 'subgroups', which this device does not offer");
        }
        expect(ran, format.id).toBeGreaterThan(0);
      }
    } finally {
      plain.destroy();
    }
  });
});
