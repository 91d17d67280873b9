import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ggufFile } from '../../test/io/gguf.ts';
import { npyFile } from '../../test/io/npy.ts';
import { archive, floats, integers, sparseFiles } from '../../test/io/zip.ts';
import { Random } from '../core/number/random.ts';
import { QUANTISED_BLOCK_BYTES } from './quantised-cells.ts';
import { countMatrix, readMatrix } from './read.ts';

// countMatrix returns the same size, non-zeros and notes as readMatrix, in memory that does not grow with the cells.

type File = Parameters<typeof readMatrix>[0];

/** Expects the same count, notes or error from counting a file as from reading it. */
async function expectSameCount(file: File): Promise<void> {
  const [read, counted] = await Promise.all(
    [readMatrix(file), countMatrix(file)].map((result) => result.catch((error: unknown) => String(error))),
  );
  if (typeof read === 'string') return expect(counted).toBe(read);
  const { matrix, ...rest } = read as Awaited<ReturnType<typeof readMatrix>>;
  const { rows, cols, nnz } = matrix;
  expect(counted).toEqual({ ...rest, rows, cols, nnz });
}

/** The length of the longest typed array that `work` allocates. */
async function longestArray(work: () => Promise<unknown>): Promise<number> {
  const names = ['Float32Array', 'Uint8Array', 'Int8Array', 'Uint16Array', 'Uint32Array'] as const;
  const originals = names.map((name) => globalThis[name]);
  let longest = 0;
  for (const [i, name] of names.entries()) {
    const watched = new Proxy(originals[i], {
      construct(target, args: unknown[], newTarget) {
        if (typeof args[0] === 'number') longest = Math.max(longest, args[0]);
        return Reflect.construct(target, args, newTarget) as object;
      },
    });
    Object.assign(globalThis, { [name]: watched });
  }
  try {
    await work();
  } finally {
    for (const [i, name] of names.entries()) Object.assign(globalThis, { [name]: originals[i] });
  }
  return longest;
}

const named = (name: string, bytes: Uint8Array<ArrayBuffer>) => ({ name, bytes });

/** 40 values, some of which are 0, too small for f32, or too large for it. */
const values = fc.array(fc.constantFrom(0, -0, 1, -2.5, 0.1, 1e-50, 1e300, Number.NaN), {
  minLength: 40,
  maxLength: 40,
});
const f64 = (shape: readonly number[], cells: readonly number[]): Uint8Array<ArrayBuffer> =>
  npyFile({ descr: '<f8', shape }, cells, (view, at, value, little) => view.setFloat64(at, value, little));

it('counts a SciPy archive as reading it does, with sorted and unsorted indices, zeros, duplicates and surplus entries', async () => {
  const lines = fc.array(fc.array(fc.integer({ min: -1, max: 6 }), { maxLength: 5 }), { minLength: 3, maxLength: 3 });
  const hasAscendingIndices = fc.boolean();
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('csr', 'csc', 'bsr', 'coo'),
      lines,
      hasAscendingIndices,
      fc.nat(2),
      values,
      async (format, unsortedLines, isAscending, surplusCount, cells) => {
        const indexLines = isAscending
          ? unsortedLines.map((line) =>
              [...new Set(line.map((index) => Math.min(5, Math.max(0, index))))].toSorted((a, b) => a - b),
            )
          : unsortedLines;
        const indices = [...indexLines.flat(), ...Array<number>(surplusCount).fill(0)];
        const indptr = indexLines.reduce<number[]>((sums, line) => [...sums, (sums.at(-1) ?? 0) + line.length], [0]);
        const arrays = { 'indptr.npy': integers(indptr), 'indices.npy': integers(indices) };
        const count = indices.length;
        const files = {
          csr: () => sparseFiles('csr', [3, 6], f64([count], cells.slice(0, count)), arrays),
          csc: () => sparseFiles('csc', [6, 3], f64([count], cells.slice(0, count)), arrays),
          // Blocks of 1 × 2.
          bsr: () => sparseFiles('bsr', [3, 12], f64([count, 1, 2], cells.slice(0, 2 * count)), arrays),
          coo: () =>
            sparseFiles('coo', [3, 6], f64([count], cells.slice(0, count)), {
              'row.npy': integers(indices.map((index) => Math.abs(index) % 3)),
              'col.npy': integers(indices),
            }),
        }[format]();
        await expectSameCount(named('a.npz', archive(files)));
      },
    ),
  );
});

it('counts a dense array in an archive as reading it does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom([5, 8], [40], [2, 2, 10], [41]), values, async (shape, cells) => {
      await expectSameCount(named('a.npz', archive({ 'w.npy': f64(shape, cells) })));
    }),
  );
});

const KINDS = { q4_0: 2, q8_0: 8 } as const;

it.each(['q4_0', 'q8_0'] as const)('counts groups of %s as reading them does', async (type) => {
  const block = QUANTISED_BLOCK_BYTES[type];
  const random = new Random(3);
  // More groups than are counted at once, and not a multiple of that number.
  const [rows, cols] = [70, 32 * 32];
  const bytes = Uint8Array.from({ length: ((rows * cols) / 32) * block }, (_, at) => {
    // A scale of 0 in one group of five, of infinity in another; 0 and 8 are frequent.
    const [group, inBlock] = [Math.floor(at / block), at % block];
    if (inBlock < 2) return [0, 0x7c, 0x3c, 0x40, 0x38][group % 5] * inBlock;
    return random.below(3) === 0 ? (type === 'q4_0' ? 0x88 : 0) : random.below(256);
  });
  const file = ggufFile([{ name: 'w', kind: KINDS[type], shape: [rows, cols], bytes }]);
  await expectSameCount(named('a.gguf', file));
  await expectSameCount(named('a.gguf', file.slice(0, -10)));
});

it('countMatrix allocates no array as long as the cells, and readMatrix does', async () => {
  const [rows, cols] = [1536, 512];
  const cells = Array.from({ length: rows * cols }, (_, at) => at % 3);
  const entries = Array.from({ length: rows }, (_, row) =>
    Array.from({ length: cols / 2 }, (_each, i) => 2 * i + (row % 2)),
  );
  const indptr = Array.from({ length: rows + 1 }, (_, row) => (row * cols) / 2);
  const csr = (indices: readonly number[]) => {
    const data = floats([indices.length], cells.slice(0, indices.length));
    const arrays = { 'indices.npy': integers(indices), 'indptr.npy': integers(indptr) };
    return new Blob([archive(sparseFiles('csr', [rows, cols], data, arrays), 'stored')]);
  };
  /** The data follows a header of whole units of alignment. */
  const gguf = (kind: number, size: number) =>
    new Blob([
      ggufFile([{ name: 'w', kind, shape: [rows, cols], bytes: new Uint8Array() }]),
      new Uint8Array(size).fill(1),
    ]);
  const files = {
    dense: new Blob([archive({ 'w.npy': floats([rows, cols], cells) }, 'stored')]),
    csr: csr(entries.flat()),
    f16: gguf(1, 2 * rows * cols),
    q4_0: gguf(2, 18 * ((rows * cols) / 32)),
    q8_0: gguf(8, 34 * ((rows * cols) / 32)),
  };
  // The size of the piece in which the header of a GGUF file is read.
  const maxLength = 2 ** 18;
  for (const [what, file] of Object.entries(files)) {
    expect(await longestArray(() => countMatrix(file)), what).toBeLessThanOrEqual(maxLength);
    expect(await longestArray(() => readMatrix(file)), what).toBeGreaterThan(maxLength);
  }
});
