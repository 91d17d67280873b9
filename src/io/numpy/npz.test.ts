import { describe, expect, it } from 'vitest';
import { corpusBytes } from '../../../test/corpus.ts';
import { toDense } from '../../core/matrix/index.ts';
import { Random } from '../../core/number/random.ts';
import { listTensors, readMatrix, TensorChoiceError } from '../read.ts';
import { npyFile } from '../../../test/io/npy.ts';
import { archive, floats, integers, sparseFiles } from '../../../test/io/zip.ts';

describe('scipy.sparse.save_npz', () => {
  it('sorts, sums and drops entries as needed', async () => {
    const files = sparseFiles('csr', [2, 3], floats([5], [1, 2, 3, -2, 0]), {
      'indptr.npy': integers([0, 4, 5]),
      'indices.npy': integers([2, 0, 2, 0, 1]),
    });
    const { matrix, notes } = await readMatrix({ name: '', bytes: archive(files, 'stored') });
    expect([...toDense(matrix)]).toEqual([0, 0, 4, 0, 0, 0]);
    expect(notes).toEqual(['2 cells have duplicate entries, summed.', '2 entries are zero and not stored.']);
  });

  const cellsOf = async (files: Readonly<Record<string, Uint8Array>>): Promise<number[]> => [
    ...toDense((await readMatrix({ name: 'm.npz', bytes: archive(files) })).matrix),
  ];
  const doubles = (shape: readonly number[], cells: readonly number[], isFortranOrder = false, descr = '<f8') =>
    npyFile({ descr, shape, isFortranOrder }, cells, (view, at, value, le) => view.setFloat64(at, value, le));
  const fortran = (shape: readonly number[], cells: readonly number[]) => doubles(shape, cells, true);

  // The right values are SciPy's, rounded to f32 once.
  it.each([
    ['csr', { 'indptr.npy': integers([0, 2, 4]), 'indices.npy': integers([1, 0, 0, 0]) }, [1, 0.1, 0.3, 0.6]],
    ['csc', { 'indptr.npy': integers([0, 3, 4]), 'indices.npy': integers([1, 0, 1, 0]) }, [0.3, 0.1, 0.6, 1]],
    ['coo', { 'row.npy': integers([1, 0, 1, 0]), 'col.npy': integers([0, 1, 0, 0]) }, [0.3, 1, 0.6, 0.1]],
  ])('rounds a sum once, and not each of its values: %s', async (format, indices, values) => {
    for (const descr of ['<f8', '>f8']) {
      const cells = await cellsOf(sparseFiles(format, [2, 2], doubles([4], values, false, descr), indices));
      expect(cells).toEqual([0.1, 1, 0.8999999761581421, 0].map(Math.fround));
    }
  });

  it('rounds a sum of blocks once, in either order', async () => {
    // Block row 0 is empty; blocks of 1 × 2 at block columns 1, 1 and 0 of row 1, and one of row 2.
    const at = { 'indptr.npy': integers([0, 0, 3, 4]), 'indices.npy': integers([1, 1, 0, 0]) };
    const right = [0, 0, 0, 0, 5, 7, 0.8999999761581421, 3, 8, 9, 0, 0].map(Math.fround);
    const inC = doubles([4, 1, 2], [0.3, 1, 0.6, 2, 5, 7, 8, 9]);
    expect(await cellsOf(sparseFiles('bsr', [3, 4], inC, at))).toEqual(right);
    const inFortran = fortran([4, 1, 2], [0.3, 0.6, 5, 8, 1, 2, 7, 9]);
    expect(await cellsOf(sparseFiles('bsr', [3, 4], inFortran, at))).toEqual(right);
  });

  it('sums whole numbers of 64 bits as they are', async () => {
    const wholes = npyFile({ descr: '<i8', shape: [3] }, [2 ** 53 - 1, 1 - 2 ** 53, 7], (view, at, value, le) =>
      view.setBigInt64(at, BigInt(value), le),
    );
    const at = { 'row.npy': integers([0, 0, 0]), 'col.npy': integers([0, 0, 0]) };
    expect(await cellsOf(sparseFiles('coo', [1, 1], wholes, at))).toEqual([7]);
  });

  it('is listed with kind and shape', async () => {
    const { tensors } = await listTensors({ name: 'm.npz', bytes: corpusBytes('sparse/bsr-3x4-stored.npz') });
    expect(tensors).toMatchObject([{ name: 'matrix', dtype: 'bsr', shape: [12, 8], refused: null }]);
  });
});

describe('numpy.savez', () => {
  const several = { name: 'w.npz', bytes: corpusBytes('npz/several-stored.npz') };

  it('lists the arrays as they are stored', async () => {
    const { tensors } = await listTensors(several);
    expect(tensors?.map(({ name, dtype, shape, refused }) => [name, dtype, shape, refused])).toEqual([
      ['first', 'f32', [3, 4], null],
      ['layers/0/weight', 'i16', [4, 5], null],
      ['größe', 'u64', [3, 7], null],
      ['row', 'f16', [11], null],
      ['label', 'text', [], 'found text, expected numbers'],
    ]);
  });

  it('names the array that was opened, and notes that one dimension is a row', async () => {
    const { tensor, notes } = await readMatrix(several, { tensor: 'row' });
    expect([tensor, notes]).toEqual(['row', ['The array has one dimension: one row of 11.']]);
  });

  it('asks for a choice if there are several', async () => {
    const error: unknown = await readMatrix(several).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(TensorChoiceError);
    expect(error).toMatchObject({ tensors: [{ name: 'first' }, {}, {}, {}, { name: 'label' }] });
  });

  it('refuses at once what is nearly all zeros and takes an eighth of the limit, unless a person asks for more', async () => {
    const name = 'a.npz';
    const zeros = archive({ 'a.npy': floats([100, 100], Array<number>(10_000).fill(0)) });
    await expect(listTensors({ name, bytes: zeros }, { maxDecompressedBytes: 80_000 })).rejects.toMatchObject({
      name: 'DecompressionLimitError',
      message: 'a.npz: zip, a.npy: found 40128 bytes decompressed, expected at most 10000',
    });
    for (const maxDecompressedBytes of [8 * 40_128, 2 ** 33]) {
      expect((await readMatrix({ name, bytes: zeros }, { maxDecompressedBytes })).matrix.rows).toBe(100);
    }
    const random = new Random(1);
    const cells = Array.from({ length: 10_000 }, () => (random.below(20) === 0 ? random.normal() : 0));
    const sparse = archive({ 'a.npy': floats([100, 100], cells) });
    expect((await readMatrix({ name, bytes: sparse }, { maxDecompressedBytes: 80_000 })).matrix.rows).toBe(100);
  });
});
