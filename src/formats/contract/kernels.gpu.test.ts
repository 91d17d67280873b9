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
 * Most of the time is a software GPU compiling, since many kernels are compiled for a shape: cases are chosen by pairs. Every
 * kernel meets every kind of shape and every value of every parameter, every shape meets every value, and every two
 * values meet (docs/decisions/tests.md). Of these, kernel-cases.json lists some that
 * together find nearly every mutant of a kernel’s shaders that any case finds (`npm run mutants -- --choose FORMAT/KERNEL`);
 * `npm test` runs the first of them, which finds most.
 *
 * Without subgroups, and with the least that a device may have, kernels run in minimum-limits.gpu.test.ts.
 *
 * A kernel may decline a matrix, but not silently: it names the limit, and it never declines one of the ordinary shapes
 * that fit on every device.
 */

type Params = Readonly<Record<string, unknown>>;

/** Up to this size a kernel whose features the device has must not decline. */
const ORDINARY_COLS = 4096;

/** Whether a kernel with a workgroup for each row has more of them than fit in one dimension. */
const isFolded = ([rows]: readonly [rows: number, cols: number]): boolean => rows > 65_535;

/** The kind of a shape: what is special about it for kernels. */
function kindOfShape([rows, cols]: readonly [rows: number, cols: number]): string {
  if (rows * cols < 10) return 'next to nothing';
  if (cols > 65_536) return 'columns beyond 16 bits';
  if (isFolded([rows, cols])) return 'a folded dispatch';
  if (cols > 2048) return 'long rows';
  if (cols > 256) return 'rows of several steps';
  if (rows > 256) return 'more rows than a workgroup has lanes';
  return rows % 16 === 1 ? 'empty rows' : cols % 32 === 0 && rows < 16 ? 'whole words' : 'tiles, full or not';
}

/** One matrix with everything needed to check its kernels. */
interface Prepared {
  readonly encoded: EncodedMatrix;
  readonly rounded: Matrix;
  readonly seed: number;
}

/** Null if the format does not support the matrix. */
function prepare(format: AnyFormat, matrix: Matrix, params: Params, seed: number): Prepared | null {
  if (!format.admits(matrix, params).ok) return null;
  const encoded: EncodedMatrix = format.encode(matrix, params);
  return { encoded, rounded: format.decode(encoded), seed };
}

/** Small sizes for a kernel: one, a few, and more than a tile or a few lanes, within its limits. */
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
 * Runs the kernel and expects it to agree with `expected`, by default the oracle on inputs from the seed. Returns the
 * share of the bound used in long sums; 0 if `expected` is given.
 */
async function agrees(
  context: GpuContext,
  spec: KernelSpec<EncodedMatrix>,
  { encoded, rounded, seed }: Prepared,
  sizes: Sizes,
  name: string,
  given?: { readonly inputs: Inputs; readonly expected: Expected },
): Promise<number> {
  const operation = operationById(spec.operation);
  const inputs = given?.inputs ?? operation.inputs(rounded, sizes, seed);
  const words = await runKernelWords(context, spec.id, spec.plan(encoded, context.facts, sizes), inputs);
  const expected: ExpectedWith = given ? () => given.expected : finish(operation.expectedSteps(rounded, inputs, sizes));
  let outputs: Float32Array;
  try {
    outputs = readOutputs(spec, encoded, words, sizes);
  } catch (error) {
    // A kernel's output can exceed its layout; then it reports where, and returns no outputs.
    if (!(error instanceof KernelError)) throw error;
    expect(error.message, name).toMatch(/(token|row) \d+.*: found \d+ .*, expected (at most \d+|none)/);
    return 0;
  }
  const verified = verifyOutputs(outputs, expectedFor(expected, spec));
  if (!verified.ok) expect.fail(`${name}: ${describeFailure(verified)}`);
  return given ? 0 : shareOfLongSums(outputs, expected, spec);
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

/** Matrices of one shape: a kernel that is compiled for a shape is compiled once for all of them. */
interface SameShape {
  readonly shape: Shape;
  readonly isMore: boolean;
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
    return { shape: [matrix.rows, matrix.cols], isMore: i === 1, matrices };
  });
});

/** A kernel with parameters, for the matrices of a shape that the format supports with them. */
interface Case extends SameShape {
  readonly spec: KernelSpec<EncodedMatrix>;
  readonly params: Params;
}

/** The cases of a format: of all kernels, parameters and shapes, chosen by pairs; then in the order of the kernels. */
function casesOf(format: AnyFormat): readonly Case[] {
  const standard = paramsTitle(defaultParams(format.params));
  const supported = allParams(format).flatMap((params) =>
    SHAPES.flatMap(({ shape, isMore, matrices }) => {
      const some = matrices.filter(({ matrix }) => format.admits(matrix, params).ok);
      const isWorthwhile = shape.includes(0) ? some.length > 0 : some.some(({ matrix }) => matrix.nnz > 0);
      return isWorthwhile ? [{ params, shape, isMore, matrices: some }] : [];
    }),
  );
  const specs = specsOf(format).flatMap((spec) =>
    supported
      .filter(({ params, shape, isMore }) => {
        // A dispatch does not depend on parameters, and one of 70,000 workgroups runs for seconds.
        if (isFolded(shape) && paramsTitle(params) !== standard) return false;
        return unsuitedReason(spec, params) === null && !(isMore && spec.operation !== SPMV.id);
      })
      .map((shapeCase): Case => ({ spec, ...shapeCase })),
  );
  const chosen = coverPairs(
    specs,
    ({ spec, params, shape, isMore }) => [
      `${spec.id}, ${kindOfShape(shape)}`,
      ...pairsWith(spec.id, params),
      ...(isMore ? [] : pairsWith(shapeTitle(shape), params)),
      ...valuePairs(params),
    ],
    [],
    ({ spec, shape }) => [spec.id, `${spec.operation === SPMV.id}, ${shapeTitle(shape)}`],
  );
  // Cases of kernel-cases.json are always included: adding or removing a kernel may change which cases cover all pairs.
  const listed = specs.filter((c) => CHOSEN[c.spec.id]?.agrees.includes(titleWithin(c)) && !chosen.includes(c));
  return specsOf(format).flatMap((spec) => [...chosen, ...listed].filter((c) => c.spec === spec));
}

/** The title of a case among the cases of its kernel, as in kernel-cases.json. */
const titleWithin = ({ shape, params }: Case): string => `${shapeTitle(shape)}, ${paramsTitle(params)}`;
const caseTitle = (kernelCase: Case): string => `${kernelCase.spec.id}: ${titleWithin(kernelCase)}`;

/** The cases of a kernel that `npm test` runs. */
interface Chosen {
  readonly agrees: readonly string[];
  readonly notFinite: readonly string[];
}

const CHOSEN: Readonly<Record<string, Chosen | undefined>> = kernelCases;
/** Cases that are listed first, but take a software GPU seconds to compile or too much memory: the next case runs every time instead. */
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
/** Whether the case can also be a product in which x[0] is not finite. */
const isProduct = ({ spec, shape: [rows, cols] }: Case): boolean =>
  spec.operation === SPMV.id && rows * cols > 0 && rows * cols < MAX_CELLS;

/** The number of cases of a kernel that kernel-cases.json does not list. */
const FIRST_CASES = 3;

/** The cases of a kernel that `npm test` runs: those that were chosen, or the first of ordinary size. */
function setupOf(cases: readonly Case[], kernel: string): Chosen {
  const listed = CHOSEN[kernel];
  if (listed) return listed;
  const ordinary = cases.filter(
    ({ spec, shape: [rows, cols] }) => spec.id === kernel && rows * cols > 100 && rows * cols < MAX_CELLS,
  );
  return {
    agrees: ordinary.slice(0, FIRST_CASES).map(titleWithin),
    notFinite: ordinary.filter(isProduct).slice(0, 1).map(titleWithin),
  };
}

/** The test of a case that is not among the chosen ones. */
function scheduledCase(title: string, body: (context: TestContext) => Promise<void>): void {
  scheduled(
    'its pipelines take long to compile, and it finds no mutant that the chosen cases of its kernel miss',
    'the chosen cases of the kernel in src/formats/contract/kernels.gpu.test.ts, listed in src/formats/kernel-cases.json',
    title,
    body,
  );
}

/** The test of a chosen case after the first. */
function laterCase(title: string, body: (context: TestContext) => Promise<void>): void {
  scheduled(
    'a software GPU compiles each case of a kernel anew',
    'the first chosen case of its kernel in src/formats/contract/kernels.gpu.test.ts, which finds most mutants',
    title,
    body,
  );
}

/** Of the cases chosen for a kernel, the one that runs every time: the first, which finds most mutants, or the next. */
const everyTime = (kernel: string, listed: readonly string[]): string | undefined =>
  listed.find((title) => !PASSED_OVER.has(`${kernel}: ${title}`));

/** The function that declares the test of a case: run every time, or scheduled. */
function testOf(kernelCase: Case, listed: readonly string[]): typeof scheduledCase {
  if (!listed.includes(titleWithin(kernelCase))) return scheduledCase;
  return titleWithin(kernelCase) === everyTime(kernelCase.spec.id, listed) ? test : laterCase;
}

/** The values of x[0], one after another. */
const NOT_FINITE = [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

/** Random matrices of every kernel, in `npm test` and in all. */
const FEW_RANDOM = 1;
const ALL_RANDOM = 2;
/** Matrices generated; each kernel runs on the ones that its format supports with the kernel's parameters. */
const MAX_RANDOM = numberOf(1000, 200);

describe.for(formats.map((format) => [format.id, format] as const))('%s', ([, format]) => {
  const cache = new Map<string, Prepared | null>();
  const prepared = (name: string, matrix: Matrix, params: Params): Prepared | null => {
    const key = `${name}, ${paramsTitle(params)}`;
    if (!cache.has(key)) cache.set(key, prepare(format, matrix, params, 11));
    return cache.get(key) ?? null;
  };
  const cases = casesOf(format);
  const chosen = (kernel: string): Chosen => setupOf(cases, kernel);
  /** The cases of a kernel that run and have some cells, or else all that run, each with the sizes of its test. */
  const compiledCases = (kernel: KernelSpec<EncodedMatrix>) => {
    const { agrees: listed } = chosen(kernel.id);
    const compiled = cases
      .filter(({ spec }) => spec === kernel)
      .flatMap((c, turn) =>
        titleWithin(c) === everyTime(kernel.id, listed) || (RUNS_ALL && listed.includes(titleWithin(c)))
          ? [{ ...c, sizes: sizesOf(kernel, turn) }]
          : [],
      );
    const some = compiled.filter(({ shape: [rows, cols] }) => rows * cols > 100 && rows * cols < MAX_CELLS);
    return some.length > 0 ? some : compiled;
  };
  afterAll(() => cache.clear());

  test('has kernels, each with its own name that begins with the format', () => {
    const ids = specsOf(format).map((k) => k.id);
    expect(ids.length, `npm run printed writes shaders/${format.id}/spmv_scalar.wgsl`).toBeGreaterThan(0);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id.startsWith(`${format.id}/`)).toBe(true);
  });

  test('has cases of every kernel among those that are chosen for every run', () => {
    const advice = "run 'npm run mutants -- --choose FORMAT/KERNEL', which chooses cases anew";
    for (const { id } of specsOf(format)) {
      const kernelCases = cases.filter(({ spec }) => spec.id === id);
      const { agrees: listed, notFinite } = chosen(id);
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
        const missing = spec.features.filter((f) => !context.facts.features.has(f));
        const sizes = sizesOf(spec, turn);
        let worst = { share: 0, name: '' };
        let ran = 0;
        for (const { name, matrix } of matrices) {
          const stored = prepared(name, matrix, params);
          if (stored === null) continue;
          const support = kernelSupport(spec, stored.encoded, context.facts, sizes);
          if (!support.ok) {
            expect(support.reason, name).toMatch(/\w+ .+\w/);
            if (missing.length > 0) for (const feature of missing) expect(support.reason).toContain(`'${feature}'`);
            else expect(stored.rounded.cols, `${name}: ${support.reason}`).toBeGreaterThan(ORDINARY_COLS);
            continue;
          }
          ran++;
          // Kernels with many rows in a workgroup never need several dispatches.
          const { passes } = spec.plan(stored.encoded, context.facts, sizes);
          if (isFolded(shape) && passes.every(({ workgroups }) => workgroups[1] === 1)) continue;
          const share = await agrees(context, spec, stored, sizes, name);
          if (share > worst.share) worst = { share, name };
        }
        const found = `${(100 * worst.share).toFixed(2)} % of its bound in long sums (${worst.name})`;
        await annotate(`${spec.id}: found ${found}`);
        const pinned = pinnedOf(spec);
        if (!pinned) throw new Error(`${spec.id}: found ${found}, expected twice that in test/precision.ts`);
        const where = `${spec.id}: found ${found}, pinned in test/precision.ts`;
        expect(100 * worst.share, where).toBeLessThanOrEqual(pinned.max);
        if (missing.length === 0 && shape[1] <= ORDINARY_COLS) expect(ran).toBeGreaterThan(0);
      };
      testOf(kernelCase, chosen(spec.id).agrees)(caseTitle(kernelCase), body);
    }
  });

  describe('keeps what is not finite in x[0] to the rows that touch column 0', () => {
    const products = cases.filter(isProduct);
    for (const [i, product] of products.entries()) {
      const { spec, params, shape } = product;
      const body = async (): Promise<void> => {
        for (const matrix of [awkwardMatrix(shape, 'uniform', 0.2), awkwardMatrix(shape, 'one of sixteen')]) {
          const stored = prepare(format, matrix, params, 12);
          if (stored === null || !kernelSupport(spec, stored.encoded, context.facts, {}).ok) continue;
          const inputs = SPMV.inputs(stored.rounded, {}, stored.seed);
          inputs.x[0] = NOT_FINITE[i % NOT_FINITE.length];
          const expected = expectedWithNonFiniteFirst(matrix, stored.rounded, inputs, spec);
          await agrees(context, spec, stored, {}, `x[0] = ${inputs.x[0]}`, { inputs, expected });
          // The second is for formats with few slots in a row, which reject the first.
          break;
        }
      };
      testOf(product, chosen(spec.id).notFinite)(caseTitle(product), body);
    }
  });

  test('every kernel agrees with the oracle on random matrices', async () => {
    const runnable = specsOf(format).filter(({ features }) => features.every((f) => context.facts.features.has(f)));
    const rounds = numberOf(FEW_RANDOM, ALL_RANDOM);
    const runs = new Map(runnable.map((spec) => [spec, 0]));
    const isDue = (spec: KernelSpec<EncodedMatrix>): boolean => (runs.get(spec) ?? rounds) < rounds;
    if (!RUNS_ALL) {
      // Of shapes, parameters and sizes for which kernels are compiled by now: compiling for another shape would cost as much as a chosen case.
      await fc.assert(
        fc.asyncProperty(
          matrixRecipe(),
          fc.constantFrom(...runnable.flatMap(compiledCases)),
          fc.nat(),
          async (random, { spec, params, shape, sizes }, seed) => {
            if (!isDue(spec)) return;
            const stored = prepare(format, buildMatrix({ ...random, shape }), params, seed);
            if (stored === null || !kernelSupport(spec, stored.encoded, context.facts, sizes).ok) return;
            runs.set(spec, (runs.get(spec) ?? 0) + 1);
            await agrees(context, spec, stored, sizes, spec.id);
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
          const stored = prepare(format, buildMatrix(random), params, seed);
          if (stored === null) return;
          const supported = due.filter(
            (spec) => kernelSupport(spec, stored.encoded, context.facts, sizesOf(spec, seed)).ok,
          );
          // Not all at once: nearly every matrix has another shape, and each is another chance.
          for (const spec of supported.slice(0, Math.ceil(runnable.length / 3))) {
            runs.set(spec, (runs.get(spec) ?? 0) + 1);
            await agrees(context, spec, stored, sizesOf(spec, seed), spec.id);
          }
        },
      ),
      // Kernels that are done are skipped, and so would a failure be if it were made smaller.
      { numRuns: MAX_RANDOM, endOnFailure: true },
    );
    expect(runnable.filter(isDue).map(({ id }) => id)).toEqual([]);
  });
});
