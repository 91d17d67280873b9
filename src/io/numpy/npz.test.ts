import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toDense } from '../../core/matrix/index.ts';
import { listTensors, readMatrix, TensorChoiceError } from '../read.ts';
import { archive, floats, integers, sparseFiles } from '../../../test/io/zip.ts';

/** Files that numpy 2.4 and scipy 1.17 wrote, in base64, with the cells of the matrix in all of them. */
const SCIPY = JSON.parse(readFileSync(new URL('../../../test/io/scipy.json', import.meta.url), 'utf8')) as {
  readonly cells: readonly (readonly number[])[];
  readonly files: Readonly<Record<string, string>>;
};
const fixture = (name: string): Uint8Array => Uint8Array.from(Buffer.from(SCIPY.files[name], 'base64'));

describe('scipy.sparse.save_npz', () => {
  it.each(['csr', 'csc', 'coo', 'bsr', 'dia'])('opens a file of scipy in %s', async (format) => {
    const { matrix, format: opened } = await readMatrix({ name: 'm.npz', bytes: fixture(format) });
    expect(opened).toBe('npz');
    expect([matrix.rows, matrix.cols]).toEqual([4, 6]);
    expect([...toDense(matrix)]).toEqual(SCIPY.cells.flat());
  });

  it('sorts, sums and drops what is not in order', async () => {
    const files = sparseFiles('csr', [2, 3], floats([5], [1, 2, 3, -2, 0]), {
      'indptr.npy': integers([0, 4, 5]),
      'indices.npy': integers([2, 0, 2, 0, 1]),
    });
    const { matrix, notes } = await readMatrix({ name: '', bytes: archive(files, 'stored') });
    expect([...toDense(matrix)]).toEqual([0, 0, 4, 0, 0, 0]);
    expect(notes).toEqual([
      '2 cells have duplicate entries in the file: their values were summed.',
      '2 entries are zero and not stored.',
    ]);
  });

  it('is listed with kind and shape', async () => {
    const { tensors } = await listTensors({ name: 'm.npz', bytes: fixture('bsr') });
    expect(tensors).toMatchObject([{ name: 'matrix', dtype: 'bsr', shape: [4, 6], refused: null }]);
  });
});

describe('numpy.savez', () => {
  it('lists the arrays and opens the chosen one as it is stored', async () => {
    const file = { name: 'w.npz', bytes: fixture('arrays') };
    const { tensors } = await listTensors(file);
    expect(tensors?.map(({ name, dtype, shape, refused }) => [name, dtype, shape, refused])).toEqual([
      ['weight', 'f16', [4, 6], null],
      ['bias', 'f64', [3], null],
      ['label', 'text', [], 'found text, expected numbers'],
    ]);
    const { matrix, tensor } = await readMatrix(file, { tensor: 'weight' });
    expect(tensor).toBe('weight');
    expect([...toDense(matrix)]).toEqual(SCIPY.cells.flat());
    expect((await readMatrix(file, { tensor: 'bias' })).notes).toEqual([
      'The array has one dimension: it is opened as one row of 3.',
    ]);
  });

  it('asks for a choice when there are several', async () => {
    const error: unknown = await readMatrix({ name: '', bytes: fixture('arrays') }).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(TensorChoiceError);
    expect(error).toMatchObject({ tensors: [{ name: 'weight' }, { name: 'bias' }, { name: 'label' }] });
  });

  it('opens the only array without a choice', async () => {
    const { matrix } = await readMatrix(new Blob([archive({ 'a.npy': floats([1, 2], [0, 5]) })]));
    expect([...toDense(matrix)]).toEqual([0, 5]);
  });
});
