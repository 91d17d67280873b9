// Twelve test matrices, each with a property that the others lack.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type CsrMatrix, csrMatrix, type Matrix } from '../src/core/matrix/index.ts';
import { Random } from '../src/core/number/random.ts';
import { generate } from '../src/generate/generate.ts';
import { NO_JOB } from '../src/core/job.ts';
import { fileSource } from '../src/io/source.ts';
import { openSafetensors } from '../src/io/tensors/safetensors.ts';
import { RUNS_ALL } from './scheduled.ts';

/** A matrix of entries in any order. */
function entries(
  rows: number,
  cols: number,
  cells: readonly (readonly [row: number, col: number, value: number])[],
): CsrMatrix {
  const sorted = cells.toSorted(([r, c], [otherR, otherC]) => r - otherR || c - otherC);
  const indptr = new Uint32Array(rows + 1);
  for (const [row] of sorted) indptr[row + 1]++;
  for (let r = 0; r < rows; r++) indptr[r + 1] += indptr[r];
  return csrMatrix({
    rows,
    cols,
    indptr,
    indices: Uint32Array.from(sorted, ([, col]) => col),
    data: Float32Array.from(sorted, ([, , value]) => value),
  });
}

/** A matrix with a non-zero wherever `isNonZero` is true, of varied values. */
function matrixWhere(rows: number, cols: number, isNonZero: (row: number, col: number) => boolean): CsrMatrix {
  const cells: [number, number, number][] = [];
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < cols; c++) if (isNonZero(r, c)) cells.push([r, c, ((r * 7 + c * 3) % 9) / 4 + 0.25]);
  return entries(rows, cols, cells);
}

/** A function that is true with probability `density` at each call. */
const odds = (density: number, seed: number): (() => boolean) => {
  const random = new Random(seed);
  return () => random.uniform() < density;
};

/** A diagonal matrix with so many padding zeros that MACKO needs more than 32 bits to count them; both figures are in its message. */
export const DIAGONAL = RUNS_ALL
  ? ({ size: 1_000_000, zeros: '31\u202f249\u202f500\u202f000', longest: '999\u202f999' } as const)
  : ({ size: 400_000, zeros: '4\u202f999\u202f800\u202f000', longest: '399\u202f999' } as const);

function diagonal(n: number): CsrMatrix {
  const indices = Uint32Array.from({ length: n }, (_, i) => i);
  const indptr = Uint32Array.from({ length: n + 1 }, (_, i) => i);
  return csrMatrix({ rows: n, cols: n, indptr, indices, data: new Float32Array(n).fill(1) });
}

/** 64 tokens × 256 neurons with at most three non-zeros in each tile of eight neurons, except one tile with five. */
function activations(): CsrMatrix {
  const random = new Random(5);
  const cells: [number, number, number][] = [];
  for (let r = 0; r < 64; r++) {
    for (let tile = 0; tile < 32; tile++) {
      const count = r === 37 && tile === 20 ? 5 : Math.floor(random.uniform() * 4);
      const columns = Array.from({ length: 8 }, (_, i) => i);
      for (let k = 0; k < count; k++) {
        const [column] = columns.splice(Math.floor(random.uniform() * columns.length), 1);
        cells.push([r, 8 * tile + column, 0.25 + random.uniform()]);
      }
    }
  }
  return entries(64, 256, cells);
}

/** A pruned weight matrix of a small language model, read from its safetensors file. */
async function downProj(): Promise<Matrix> {
  const path = fileURLToPath(new URL('tales-down-proj.safetensors', import.meta.url));
  const container = await openSafetensors(fileSource({ name: 'model.safetensors', bytes: readFileSync(path) }), NO_JOB);
  return (await container.read('model.layers.2.mlp.down_proj.weight', NO_JOB)).matrix;
}

/** The matrices by name. Tests read the story of every format on each. */
export const TWELVE = {
  'five entries': () =>
    entries(300, 400, [
      [0, 0, 1],
      [0, 20, 2],
      [149, 398, 3],
      [199, 199, 4],
      [299, 399, 5],
    ]),
  'one row': () => matrixWhere(1, 4096, odds(0.3, 1)),
  'one column': () => matrixWhere(4096, 1, odds(0.5, 1)),
  diagonal: () => diagonal(DIAGONAL.size),
  'all ones': () =>
    csrMatrix({
      rows: 64,
      cols: 64,
      indptr: Uint32Array.from({ length: 65 }, (_, r) => 64 * r),
      indices: Uint32Array.from({ length: 4096 }, (_, i) => i % 64),
      data: new Float32Array(4096).fill(1),
    }),
  'planted blocks': () =>
    generate({
      pattern: 'planted-blocks',
      rows: 512,
      cols: 512,
      density: 0.1,
      seed: 2,
      options: { granularity: 8, width: 32, noise: 0.05 },
    }),
  'two of four': () => generate({ pattern: 'n-of-m', rows: 256, cols: 256, density: 0.5, seed: 3, options: { m: 4 } }),
  'six of eight': () =>
    generate({ pattern: 'n-of-m', rows: 256, cols: 256, density: 0.75, seed: 4, options: { m: 8 } }),
  'pattern of ones': () => {
    const { rows, cols, indptr, indices } = matrixWhere(512, 512, odds(0.1, 6));
    return csrMatrix({ rows, cols, indptr, indices, data: new Float32Array(indices.length).fill(1) });
  },
  'weights of a model': downProj,
  'one tile overflows': activations,
  'empty rows': () => {
    const isEmptyRow = (row: number): boolean => (row % 2 === 0 ? row < 38 : row === 39);
    const isNonZero = odds(0.2, 7);
    return matrixWhere(40, 60, (row) => isNonZero() && !isEmptyRow(row));
  },
} as const satisfies Readonly<Record<string, () => Matrix | Promise<Matrix>>>;

export type OneOfTwelve = keyof typeof TWELVE;
