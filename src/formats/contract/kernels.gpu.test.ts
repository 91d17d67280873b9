import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, type TestContext } from 'vitest';
import {
  allParams,
  buildMatrix,
  coverPairs,
  matrixRecipe,
  pairsWith,
  paramsTitle,
  valuePairs,
} from '../../../test/arbitraries.ts';
import { pinnedOf, shareOfLongSums } from '../../../test/precision.ts';
import { RUNS_ALL, cases as numberOf, scheduled } from '../../../test/scheduled.ts';
import { KernelError } from '../../core/errors.ts';
import { type AnyFormat, defaultParams, type EncodedMatrix } from '../../core/format.ts';
import { type KernelSpec, unsuitedReason } from '../../core/kernel/kernel.ts';
import { finish } from '../../core/job.ts';
import type { Matrix } from '../../core/matrix/index.ts';
import {
  type Expected,
  expectedFor,
  type ExpectedWith,
  type Inputs,
  type Sizes,
} from '../../core/operations/operation.ts';
import { operationById, SPMV } from '../../core/operations/index.ts';
import { describeFailure, verifyOutputs } from '../../core/operations/verify.ts';
import { kernelSupport, type GpuContext, openDevice, readOutputs, runKernelWords } from '../../gpu/index.ts';
import { AWKWARD_MATRICES, awkwardMatrix, MORE_AWKWARD_MATRICES } from '../../generate/awkward/matrices.ts';
import { expectedWithNonFiniteFirst } from '../../core/operations/spmv.ts';
import kernelCases from '../kernel-cases.json';
import { formats } from '../registry.ts';

/**
 * Law 6: every kernel of every registered format agrees with the f64 oracle on the stored matrix, within the error
 * bound, and in long sums within the share of it that test/precision.ts pins.
 *
 * A case is a kernel with parameters and a shape. A software GPU spends most of the time compiling, since many kernels
 * are compiled for a shape. Therefore only some cases are tests, chosen by pairs: every kernel is combined with every kind
 * of shape and with every value of every parameter, every shape with every value, and every value with every other
 * (docs/decisions/tests.md). Of these, kernel-cases.json lists some that together find nearly every mutant of a kernel’s
 * shaders that any case finds (`npm run mutants -- --choose FORMAT/KERNEL`). `npm test` runs the first of them, which
 * finds most mutants.
 *
 * minimum-limits.gpu.test.ts runs kernels without subgroups and with the smallest limits that a device may have.
 *
 * A kernel may reject a matrix only with a reason that names the limit, and it must support the ordinary shapes, which fit
 * on every device.
 */

type Params = Readonly<Record<string, unknown>>;

/** A kernel must support a matrix with up to this many columns if the device has the kernel's features. */
const ORDINARY_COLS = 4096;

/** Whether a matrix has more rows than one dimension of a dispatch has workgroups: a kernel with a workgroup per row folds the dispatch into two. */
const isFolded = ([rows]: readonly [rows: number, cols: number]): boolean => rows > 65_535;

/** The kind of a shape for the choice by pairs: what is special about it for kernels. */
function kindOfShape([rows, cols]: readonly [rows: number, cols: number]): string {
  if (rows * cols < 10) return 'next to nothing';
  if (cols > 65_536) return 'columns beyond 16 bits';
  if (isFolded([rows, cols])) return 'a folded dispatch';
  if (cols > 2048) return 'long rows';
  if (cols > 256) return 'rows of several steps';
  if (rows > 256) return 'more rows than a workgroup has lanes';
  return rows % 16 === 1 ? 'empty rows' : cols % 32 === 0 && rows < 16 ? 'whole words' : 'tiles, full or not';
}

/** An encoded matrix with everything needed to check its kernels. */
interface Prepared {
  readonly encoded: EncodedMatrix;
  /** the decoded matrix, whose values are rounded to the value type */
  readonly rounded: Matrix;
  /** the seed of the inputs */
  readonly seed: number;
}

/** Encodes a matrix. Returns null if the format does not support it. */
function prepare(format: AnyFormat, matrix: Matrix, params: Params, seed: number): Prepared | null {
  if (!format.admits(matrix, params).ok) return null;
  const encoded: EncodedMatrix = format.encode(matrix, params);
  return { encoded, rounded: format.decode(encoded), seed };
}

/**
 * Small values for the sizes of a kernel's operation (such as tokens), within its limits. `turn` selects 5, 1 or 67; for a
 * size that grows in steps, 5, 1 or 9 steps.
 */
function sizesOf({ operation, max = {} }: KernelSpec<EncodedMatrix>, turn: number): Sizes {
  const fields = Object.entries(operationById(operation).sizes);
  return Object.fromEntries(
    fields.map(([name, { step }], i) => [
      name,
      Math.min(
        max[name] ?? Number.POSITIVE_INFINITY,
        (step === undefined ? [5, 1, 67] : [5 * step, step, 9 * step])[(turn + i) % 3],
      ),
    ]),
  );
}

/**
 * Runs the kernel and expects its outputs to agree with the oracle on inputs from the seed, or with the outputs of
 * `fixedCase` on its inputs. Returns the share of the error bound that long sums used; 0 with `fixedCase`.
 */
async function expectAgreement(
  context: GpuContext,
  spec: KernelSpec<EncodedMatrix>,
  { encoded, rounded, seed }: Prepared,
  sizes: Sizes,
  name: string,
  fixedCase?: { readonly inputs: Inputs; readonly expected: Expected },
): Promise<number> {
  const operation = operationById(spec.operation);
  const inputs = fixedCase?.inputs ?? operation.inputs(rounded, sizes, seed);
  const words = await runKernelWords(context, spec.id, spec.plan(encoded, context.facts, sizes), inputs);
  const expected: ExpectedWith = fixedCase
    ? () => fixedCase.expected
    : finish(operation.expectedSteps(rounded, inputs, sizes));
  let outputs: Float32Array;
  try {
    outputs = readOutputs(spec, encoded, words, sizes);
  } catch (error) {
    // The outputs of a kernel may not fit into their sparse layout. Then it reports where, and returns no outputs.
    if (!(error instanceof KernelError)) throw error;
    expect(error.message, name).toMatch(/(token|row) \d+.*: found \d+ .*, expected (at most \d+|none)/);
    return 0;
  }
  const verified = verifyOutputs(outputs, expectedFor(expected, spec));
  if (!verified.ok) expect.fail(`${name}: ${describeFailure(verified)}`);
  return fixedCase ? 0 : shareOfLongSums(outputs, expected, spec);
}

let context: GpuContext;
beforeAll(async () => {
  context = await openDevice(navigator.gpu, 'test');
});
afterAll(() => context.destroy());

const specsOf = (format: AnyFormat): readonly KernelSpec<EncodedMatrix>[] => format.kernels;
/** The kernels for these parameters. */
const specsFor = (format: AnyFormat, params: Params): readonly KernelSpec<EncodedMatrix>[] =>
  specsOf(format).filter((spec) => unsuitedReason(spec, params) === null);
type Shape = readonly [rows: number, cols: number];

/** Matrices of one shape. A kernel that is compiled for a shape is compiled once for all of them. */
interface SameShape {
  readonly shape: Shape;
  /** whether they come from MORE_AWKWARD_MATRICES, on which only kernels of SpMV are tested */
  readonly isSpmvOnly: boolean;
  readonly matrices: readonly { readonly name: string; readonly matrix: Matrix }[];
}

const shapeTitle = ([rows, cols]: Shape): string => `${rows} × ${cols}`;

const SHAPES: readonly SameShape[] = [AWKWARD_MATRICES, MORE_AWKWARD_MATRICES].flatMap((list, i) => {
  const byShape = new Map<string, { name: string; matrix: Matrix }[]>();
  for (const { name, build } of list) {
    const matrix = build();
    const title = shapeTitle([matrix.rows, matrix.cols]);
    byShape.set(title, [...(byShape.get(title) ?? []), { name, matrix }]);
  }
  return [...byShape.values()].map((matrices): SameShape => {
    const [{ matrix }] = matrices;
    return { shape: [matrix.rows, matrix.cols], isSpmvOnly: i === 1, matrices };
  });
});

/** A kernel with parameters, for the matrices of a shape that the format supports with them. */
interface Case extends SameShape {
  readonly spec: KernelSpec<EncodedMatrix>;
  readonly params: Params;
}

/** The cases of a format, chosen by pairs from all kernels, parameters and shapes; in the order of the kernels. */
function casesOf(format: AnyFormat): readonly Case[] {
  const standard = paramsTitle(defaultParams(format.params));
  const supported = allParams(format).flatMap((params) =>
    SHAPES.flatMap(({ shape, isSpmvOnly, matrices }) => {
      const admitted = matrices.filter(({ matrix }) => format.admits(matrix, params).ok);
      const isWorthwhile = shape.includes(0) ? admitted.length > 0 : admitted.some(({ matrix }) => matrix.nnz > 0);
      return isWorthwhile ? [{ params, shape, isSpmvOnly, matrices: admitted }] : [];
    }),
  );
  const candidates = specsOf(format).flatMap((spec) =>
    supported
      .filter(({ params, shape, isSpmvOnly }) => {
        // A dispatch does not depend on parameters, and one of 70,000 workgroups runs for seconds.
        if (isFolded(shape) && paramsTitle(params) !== standard) return false;
        return unsuitedReason(spec, params) === null && !(isSpmvOnly && spec.operation !== SPMV.id);
      })
      .map((shapeCase): Case => ({ spec, ...shapeCase })),
  );
  const covering = coverPairs(
    candidates,
    ({ spec, params, shape, isSpmvOnly }) => [
      `${spec.id}, ${kindOfShape(shape)}`,
      ...pairsWith(spec.id, params),
      ...(isSpmvOnly ? [] : pairsWith(shapeTitle(shape), params)),
      ...valuePairs(params),
    ],
    [],
    ({ spec, shape }) => [spec.id, `${spec.operation === SPMV.id}, ${shapeTitle(shape)}`],
  );
  // Cases of kernel-cases.json are always included: adding or removing a kernel may change which cases cover all pairs.
  const listed = candidates.filter(
    (c) => LISTED_CASES[c.spec.id]?.agrees.includes(titleWithin(c)) && !covering.includes(c),
  );
  return specsOf(format).flatMap((spec) => [...covering, ...listed].filter((c) => c.spec === spec));
}

/** The title of a case among the cases of its kernel, as in kernel-cases.json. */
const titleWithin = ({ shape, params }: Case): string => `${shapeTitle(shape)}, ${paramsTitle(params)}`;
const caseTitle = (kernelCase: Case): string => `${kernelCase.spec.id}: ${titleWithin(kernelCase)}`;

/** The cases of a kernel that are chosen to be tested first, by their titles, for each group of tests below. */
interface ChosenCases {
  readonly agrees: readonly string[];
  readonly notFinite: readonly string[];
}

/** The chosen cases of each kernel that kernel-cases.json contains. */
const LISTED_CASES: Readonly<Record<string, ChosenCases | undefined>> = kernelCases;
/** Cases that are listed first but take a software GPU seconds to compile or too much memory. `npm test` runs the next case of their kernel instead. */
const PASSED_OVER: ReadonlySet<string> = new Set([
  'ec-csr/spmv_owned_rows: 3 × 70000, lanes 32, vectorSize 4, deltaBits 8, maxGranularity 8, maxRounds 0, witnesses two, clipColumns 0, remainder same-block, order longest-first, valueType f16',
  'macko/spmv_staged: 5 × 4096, deltaBits 4, valueType i8',
  'macko/spmv_rows_x16: 5 × 4096, deltaBits 1, valueType f16',
  'macko/gemm_expanded: 11 × 55, deltaBits 1, valueType f16',
  'hybrid/forward_storing_workgroup: 11 × 55, rowSlots 4, tailShare 1, valueType bf16',
  'hybrid/backward_workgroup: 257 × 130, rowSlots 512, tailShare 8, valueType bf16',
  'hybrid/backward_stored_workgroup: 257 × 130, rowSlots 4, tailShare 1, valueType bf16',
]);
/** Cells of the largest matrix that is multiplied with an x[0] that is not finite. */
const MAX_CELLS = 50_000;
/** Whether the case can also be tested with an x[0] that is not finite: an SpMV of a matrix that is not large. */
const isProduct = ({ spec, shape: [rows, cols] }: Case): boolean =>
  spec.operation === SPMV.id && rows * cols > 0 && rows * cols < MAX_CELLS;

/** How many cases are chosen for a kernel that kernel-cases.json does not contain. */
const FIRST_CASES = 3;

/** The chosen cases of a kernel: those in kernel-cases.json or, if it has none there, the first of ordinary size. */
function chosenCasesOf(cases: readonly Case[], kernel: string): ChosenCases {
  const listed = LISTED_CASES[kernel];
  if (listed) return listed;
  const ordinary = cases.filter(
    ({ spec, shape: [rows, cols] }) => spec.id === kernel && rows * cols > 100 && rows * cols < MAX_CELLS,
  );
  return {
    agrees: ordinary.slice(0, FIRST_CASES).map(titleWithin),
    notFinite: ordinary.filter(isProduct).slice(0, 1).map(titleWithin),
  };
}

/** Declares the test of a case that is not chosen; `npm test` skips it. */
function scheduledCase(title: string, body: (context: TestContext) => Promise<void>): void {
  scheduled(
    'its pipelines take long to compile, and it finds no mutant that the chosen cases of its kernel miss',
    'the chosen cases of the kernel in src/formats/contract/kernels.gpu.test.ts, listed in src/formats/kernel-cases.json',
    title,
    body,
  );
}

/** Declares the test of a chosen case after the first; `npm test` skips it. */
function laterCase(title: string, body: (context: TestContext) => Promise<void>): void {
  scheduled(
    'a software GPU compiles each case of a kernel anew',
    'the first chosen case of its kernel in src/formats/contract/kernels.gpu.test.ts, which finds most mutants',
    title,
    body,
  );
}

/** The title of the case of a kernel that `npm test` runs: the first of the chosen ones that is not in PASSED_OVER. */
const everyRunTitle = (kernel: string, listed: readonly string[]): string | undefined =>
  listed.find((title) => !PASSED_OVER.has(`${kernel}: ${title}`));

/** The function that declares the test of a case: run every time, or scheduled. */
function testOf(kernelCase: Case, listed: readonly string[]): typeof scheduledCase {
  if (!listed.includes(titleWithin(kernelCase))) return scheduledCase;
  return titleWithin(kernelCase) === everyRunTitle(kernelCase.spec.id, listed) ? test : laterCase;
}

/** The values of x[0], which the cases use in turn. */
const NOT_FINITE = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** How many random matrices each kernel runs on, in `npm test` and if all tests run. */
const FEW_RANDOM = 1;
const ALL_RANDOM = 2;
/** How many random matrices are generated at most. A kernel skips those that its format does not support with the parameters. */
const MAX_RANDOM = numberOf(1000, 200);

describe.for(formats.map((format) => [format.id, format] as const))('%s', ([, format]) => {
  const cache = new Map<string, Prepared | null>();
  const prepared = (name: string, matrix: Matrix, params: Params): Prepared | null => {
    const key = `${name}, ${paramsTitle(params)}`;
    if (!cache.has(key)) cache.set(key, prepare(format, matrix, params, 11));
    return cache.get(key) ?? null;
  };
  const cases = casesOf(format);
  const chosenFor = (kernel: string): ChosenCases => chosenCasesOf(cases, kernel);
  /** The cases for which this run compiles a kernel, each with the sizes of its test. Tiny and large ones are omitted, if others remain. */
  const compiledCases = (kernel: KernelSpec<EncodedMatrix>) => {
    const { agrees: listed } = chosenFor(kernel.id);
    const compiled = cases
      .filter(({ spec }) => spec === kernel)
      .flatMap((c, turn) =>
        titleWithin(c) === everyRunTitle(kernel.id, listed) || (RUNS_ALL && listed.includes(titleWithin(c)))
          ? [{ ...c, sizes: sizesOf(kernel, turn) }]
          : [],
      );
    const ordinary = compiled.filter(({ shape: [rows, cols] }) => rows * cols > 100 && rows * cols < MAX_CELLS);
    return ordinary.length > 0 ? ordinary : compiled;
  };
  afterAll(() => cache.clear());

  test('has kernels with distinct ids that begin with the id of the format', () => {
    const ids = specsOf(format).map((k) => k.id);
    expect(ids.length, `npm run printed writes shaders/${format.id}/spmv_scalar.wgsl`).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id.startsWith(`${format.id}/`)).toBe(true);
  });

  test('has the cases that are chosen for its kernels', () => {
    const advice = "run 'npm run mutants -- --choose FORMAT/KERNEL', which chooses cases anew";
    for (const { id } of specsOf(format)) {
      const kernelCases = cases.filter(({ spec }) => spec.id === id);
      const { agrees: listed, notFinite } = chosenFor(id);
      expect(kernelCases.map(titleWithin), `${id}: ${advice}`).toEqual(expect.arrayContaining([...listed]));
      expect(kernelCases.filter(isProduct).map(titleWithin), `${id}: ${advice}`).toEqual(
        expect.arrayContaining([...notFinite]),
      );
      expect(listed.length, `${id}: ${advice}`).toBeGreaterThan(1);
      const passedOver = [...PASSED_OVER].filter((title) => title.startsWith(`${id}: `));
      expect(listed.map((title) => `${id}: ${title}`)).toEqual(expect.arrayContaining(passedOver));
      expect(listed.length, `${id}: one case runs every time`).toBeGreaterThan(passedOver.length);
      expect(notFinite.length, `${id}: ${advice}`).toBe(kernelCases.some(isProduct) ? 1 : 0);
    }
  });

  describe('agrees with the oracle, as closely as it is pinned to', () => {
    for (const [i, kernelCase] of cases.entries()) {
      const { spec, params, shape, matrices } = kernelCase;
      // The number of the case among those of its kernel, so that each kernel meets every size.
      const turn = i - cases.findIndex((first) => first.spec === spec);
      const body = async ({ annotate }: TestContext): Promise<void> => {
        const missingFeatures = spec.features.filter((f) => !context.facts.features.has(f));
        const sizes = sizesOf(spec, turn);
        let worst = { share: 0, name: '' };
        let ran = 0;
        for (const { name, matrix } of matrices) {
          const preparedMatrix = prepared(name, matrix, params);
          if (preparedMatrix === null) continue;
          const support = kernelSupport(spec, preparedMatrix.encoded, context.facts, sizes);
          if (!support.ok) {
            expect(support.reason, name).toMatch(/\w+ .+\w/);
            if (missingFeatures.length > 0)
              for (const feature of missingFeatures) expect(support.reason).toContain(`'${feature}'`);
            else expect(preparedMatrix.rounded.cols, `${name}: ${support.reason}`).toBeGreaterThan(ORDINARY_COLS);
            continue;
          }
          ran++;
          // A folded dispatch is special only for kernels that really fold it: others have many rows in a workgroup.
          const { passes } = spec.plan(preparedMatrix.encoded, context.facts, sizes);
          if (isFolded(shape) && passes.every(({ workgroups }) => workgroups[1] === 1)) continue;
          const share = await expectAgreement(context, spec, preparedMatrix, sizes, name);
          if (share > worst.share) worst = { share, name };
        }
        const foundShare = `${(100 * worst.share).toFixed(2)} % of its bound in long sums (${worst.name})`;
        await annotate(`${spec.id}: found ${foundShare}`);
        const pinned = pinnedOf(spec);
        if (!pinned) throw new Error(`${spec.id}: found ${foundShare}, expected twice that in test/precision.ts`);
        const where = `${spec.id}: found ${foundShare}, pinned in test/precision.ts`;
        expect(100 * worst.share, where).toBeLessThanOrEqual(pinned.max);
        if (missingFeatures.length === 0 && shape[1] <= ORDINARY_COLS) expect(ran).toBeGreaterThan(0);
      };
      testOf(kernelCase, chosenFor(spec.id).agrees)(caseTitle(kernelCase), body);
    }
  });

  describe('keeps what is not finite in x[0] to the rows that touch column 0', () => {
    const products = cases.filter(isProduct);
    for (const [i, product] of products.entries()) {
      const { spec, params, shape } = product;
      const body = async (): Promise<void> => {
        for (const matrix of [awkwardMatrix(shape, 'uniform', 0.2), awkwardMatrix(shape, 'one of sixteen')]) {
          const preparedMatrix = prepare(format, matrix, params, 12);
          if (preparedMatrix === null || !kernelSupport(spec, preparedMatrix.encoded, context.facts, {}).ok) continue;
          const inputs = SPMV.inputs(preparedMatrix.rounded, {}, preparedMatrix.seed);
          inputs.x[0] = NOT_FINITE[i % NOT_FINITE.length];
          const expected = expectedWithNonFiniteFirst(matrix, preparedMatrix.rounded, inputs, spec);
          await expectAgreement(context, spec, preparedMatrix, {}, `x[0] = ${inputs.x[0]}`, { inputs, expected });
          // The second matrix is used only by formats with few slots in a row, which reject the first.
          break;
        }
      };
      testOf(product, chosenFor(spec.id).notFinite)(caseTitle(product), body);
    }
  });

  test('every kernel agrees with the oracle on random matrices', async () => {
    const runnable = specsOf(format).filter(({ features }) => features.every((f) => context.facts.features.has(f)));
    const rounds = numberOf(FEW_RANDOM, ALL_RANDOM);
    const runs = new Map(runnable.map((spec) => [spec, 0]));
    const isDue = (spec: KernelSpec<EncodedMatrix>): boolean => (runs.get(spec) ?? rounds) < rounds;
    if (!RUNS_ALL) {
      // Random matrices with the shapes, parameters and sizes for which kernels have been compiled: compiling for another
      // shape would take as long as a chosen case.
      await fc.assert(
        fc.asyncProperty(
          matrixRecipe(),
          fc.constantFrom(...runnable.flatMap(compiledCases)),
          fc.nat(),
          async (random, { spec, params, shape, sizes }, seed) => {
            if (!isDue(spec)) return;
            const preparedMatrix = prepare(format, buildMatrix({ ...random, shape }), params, seed);
            if (preparedMatrix === null || !kernelSupport(spec, preparedMatrix.encoded, context.facts, sizes).ok)
              return;
            runs.set(spec, (runs.get(spec) ?? 0) + 1);
            await expectAgreement(context, spec, preparedMatrix, sizes, spec.id);
          },
        ),
        { numRuns: MAX_RANDOM, endOnFailure: true },
      );
      expect(runnable.filter(isDue).map(({ id }) => id)).toEqual([]);
      return;
    }
    await fc.assert(
      fc.asyncProperty(
        matrixRecipe(70, 300),
        fc.constantFrom(...allParams(format)),
        fc.nat(),
        async (random, params, seed) => {
          const due = specsFor(format, params).filter(isDue);
          if (due.length === 0) return;
          const preparedMatrix = prepare(format, buildMatrix(random), params, seed);
          if (preparedMatrix === null) return;
          const supported = due.filter(
            (spec) => kernelSupport(spec, preparedMatrix.encoded, context.facts, sizesOf(spec, seed)).ok,
          );
          // At most a third of the kernels run on one matrix, so that they meet different shapes.
          for (const spec of supported.slice(0, Math.ceil(runnable.length / 3))) {
            runs.set(spec, (runs.get(spec) ?? 0) + 1);
            await expectAgreement(context, spec, preparedMatrix, sizesOf(spec, seed), spec.id);
          }
        },
      ),
      // A failure is not shrunk: kernels that are done are skipped, so that smaller matrices would seem to pass.
      { numRuns: MAX_RANDOM, endOnFailure: true },
    );
    expect(runnable.filter(isDue).map(({ id }) => id)).toEqual([]);
  });
});
