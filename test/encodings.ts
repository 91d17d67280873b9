import { expect } from 'vitest';
import { type AnyFormat, defaultParams, type EncodedMatrix, namedArrays, encodesSlowly } from '../src/core/format.ts';
import { finish } from '../src/core/job.ts';
import { type Matrix, toCsr } from '../src/core/matrix/index.ts';
import { type MatrixStatistics, statisticsSteps } from '../src/core/statistics/matrix-statistics.ts';
import { RECIPE_PATTERNS } from '../src/generate/awkward/matrices.ts';
import { allParams, AWKWARD_SHAPES, buildMatrix, type MatrixRecipe, paramsTitle } from './arbitraries.ts';
import { contractFormats as formats } from './declared/formats.ts';
import { cases } from './scheduled.ts';
import { shippedMatrices } from './shipped.ts';

// For tests of texts: encodings of all patterns, awkward shapes and shipped examples, with all parameters.

/** An encoding in the form in which oracles use it. */
export interface Seen {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly columns: readonly (readonly number[])[];
  readonly data: Float32Array;
  readonly params: Readonly<Record<string, number | string>>;
  readonly arrays: Readonly<Record<string, ArrayLike<number> & { readonly byteLength: number }>>;
}

const statistics = new WeakMap<Matrix, MatrixStatistics>();
const REQUEST = {
  groups: [...new Set(formats.flatMap(({ comparison }) => comparison.groups ?? []))],
  blocks: [...new Set(formats.flatMap(({ comparison }) => comparison.blocks ?? []))],
};

/** Returns the statistics of a matrix that the comparisons of all formats need; cached. */
export function statisticsOf(m: Matrix): MatrixStatistics {
  const result = statistics.get(m) ?? finish(statisticsSteps(m, REQUEST));
  statistics.set(m, result);
  return result;
}

function seenOf(m: Matrix, params: object, e: EncodedMatrix): Seen {
  const { indptr, indices, data } = toCsr(m);
  const columns = Array.from({ length: m.rows }, (_, r) => [...indices.subarray(indptr[r], indptr[r + 1])]);
  const arrays = Object.fromEntries(namedArrays(e)) as Seen['arrays'];
  return { rows: m.rows, cols: m.cols, nnz: m.nnz, columns, data, params: params as Seen['params'], arrays };
}

/** Bits of a stored value. */
export const bitsOf = ({ params }: Seen): number =>
  ({ f32: 32, f16: 16, bf16: 16, i8: 8, i4: 4 })[params.valueType] ?? 0;

const shapes = AWKWARD_SHAPES.flatMap((shape) =>
  (['one entry', 'uniform', 'full'] as const).map((pattern): MatrixRecipe => {
    return { shape, pattern, values: 'small integers', density: 0.15, seed: 5, storage: 'entries' };
  }),
);
/** Kinds of values, used alternately: most patterns have each of them with some parameters. */
const VALUES = ['normal', 'edges', 'normal', 'not finite', 'largest'] as const;

const patterns = (Object.keys(RECIPE_PATTERNS) as MatrixRecipe['pattern'][]).flatMap((pattern, i) =>
  [0.05, 0.4].map((density): MatrixRecipe => {
    return {
      shape: [11 + (i % 3), 70 - i],
      pattern,
      values: VALUES[(2 * i + (density < 0.1 ? 0 : 1)) % VALUES.length],
      density,
      seed: i,
      storage: 'entries',
    };
  }),
);

/** A matrix and parameters with which it may be encoded. */
interface Case {
  readonly m: Matrix;
  readonly params: object;
  readonly where: string;
}

/** Matrices of all patterns and awkward shapes with alternating parameters, and shipped examples with usual ones. */
async function casesOf(format: AnyFormat): Promise<readonly Case[]> {
  const list: Case[] = [];
  const add = (m: Matrix, params: object): void => {
    list.push({ m, params, where: `${format.id}, ${m.rows} × ${m.cols}, ${paramsTitle(params as never)}` });
  };
  const every = allParams(format);
  // In `npm test` each matrix has two combinations of parameters, which change from matrix to matrix.
  const turns = cases(Math.ceil(every.length / 2), every.length < 8 ? 1 : 4);
  for (const [i, recipe] of [...shapes, ...patterns].entries()) {
    const m = buildMatrix(recipe);
    for (const params of every.filter((_, p) => p % turns === i % turns)) add(m, params);
  }
  // A search is slow on a large matrix.
  const largest = encodesSlowly(format) ? 2 ** 12 : 2 ** 18;
  for (const m of (await shippedMatrices(largest)).values()) add(m, defaultParams(format.params));
  return list;
}

/** Fails if `problemsOf` returns problems for a case; lists one example of problems that differ only in their numbers. */
export async function expectNoProblemsOf(
  format: AnyFormat,
  problemsOf: (m: Matrix, params: object) => readonly string[] | null,
): Promise<void> {
  const examples = new Map<string, string>();
  let checked = 0;
  for (const { m, params, where } of await casesOf(format)) {
    const problems = problemsOf(m, params);
    if (problems) checked++;
    for (const problem of problems ?? []) {
      const kind = problem.replaceAll(/\d+/g, '');
      if (!examples.has(kind)) examples.set(kind, `${where}, ${problem}`);
    }
  }
  expect(checked).toBeGreaterThan(60);
  expect([...examples.values()]).toEqual([]);
}

/** Like `expectNoProblemsOf`, for the encodings of the matrices that the format supports. */
export async function expectNoProblems(
  format: AnyFormat,
  problemsOf: (seen: Seen, e: EncodedMatrix, m: Matrix, params: object) => readonly string[],
): Promise<void> {
  await expectNoProblemsOf(format, (m, params) => {
    if (!format.admits(m, params).ok) return null;
    const e: EncodedMatrix = format.encode(m, params);
    return problemsOf(seenOf(m, params, e), e, m, params);
  });
}
