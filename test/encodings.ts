import { expect } from 'vitest';
import { type AnyFormat, defaultParams, type EncodedMatrix, namedArrays } from '../src/core/format.ts';
import { type Matrix, toCsr } from '../src/core/matrix/index.ts';
import { RECIPE_PATTERNS } from '../src/generate/awkward/matrices.ts';
import { allParams, AWKWARD_SHAPES, buildMatrix, type MatrixRecipe, paramsTitle } from './arbitraries.ts';
import { shippedMatrices } from './shipped.ts';

/** Encodings that sentences are compared with: of all patterns, awkward shapes and shipped examples, with all parameters. */

/** An encoding as oracles see it. */
export interface Seen {
  readonly rows: number;
  readonly cols: number;
  readonly nnz: number;
  readonly columns: readonly (readonly number[])[];
  readonly data: Float32Array;
  readonly params: Readonly<Record<string, number | string>>;
  readonly arrays: Readonly<Record<string, ArrayLike<number> & { readonly byteLength: number }>>;
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
const patterns = (Object.keys(RECIPE_PATTERNS) as MatrixRecipe['pattern'][]).flatMap((pattern, i) =>
  [0.05, 0.4].map((density): MatrixRecipe => {
    return { shape: [11 + (i % 3), 70 - i], pattern, values: 'normal', density, seed: i, storage: 'entries' };
  }),
);

/** Problems of every encoding, one of a kind: those that differ in their numbers alone are one. */
export async function expectNoProblems(
  format: AnyFormat,
  problemsOf: (seen: Seen, e: EncodedMatrix, m: Matrix, params: object) => readonly string[],
): Promise<void> {
  const found = new Map<string, string>();
  let checked = 0;
  const check = (m: Matrix, params: object): void => {
    if (!format.admits(m, params).ok) return;
    const e: EncodedMatrix = format.encode(m, params);
    checked++;
    const where = `${format.id}, ${m.rows} × ${m.cols}, ${paramsTitle(params as never)}`;
    for (const problem of problemsOf(seenOf(m, params, e), e, m, params)) {
      const kind = problem.replaceAll(/\d+/g, '');
      if (!found.has(kind)) found.set(kind, `${where}, ${problem}`);
    }
  };
  const every = allParams(format);
  for (const [i, recipe] of [...shapes, ...patterns].entries()) {
    const m = buildMatrix(recipe);
    for (const params of every.filter((_, p) => p % 4 === i % 4 || every.length < 8)) check(m, params);
  }
  // A search takes long on a large matrix.
  const largest = format.encoder === 'search' ? 2 ** 12 : 2 ** 18;
  for (const m of (await shippedMatrices(largest)).values()) check(m, defaultParams(format.params));
  expect(checked).toBeGreaterThan(60);
  expect([...found.values()]).toEqual([]);
}
