import { expect, test } from 'vitest';
import { defaultParams } from '../../../core/format.ts';
import { formats } from '../../../formats/catalog.ts';
import { expectedOf } from './use-roofline.ts';

const rooflineMatrix = { key: 'a', title: 'a', rows: 4096, cols: 4096, nnz: 4096 * 2048 };
const expectedPoints = (id: string, nnz = rooflineMatrix.nnz, given: object = {}): ReturnType<typeof expectedOf> => {
  const format = formats.find((f) => f.id === id);
  if (!format) throw new Error(id);
  return expectedOf(
    format,
    { ...defaultParams<object>(format.params), ...given },
    { ...rooflineMatrix, nnz },
    undefined,
  );
};

test('a format that can rarely store such a matrix has no prediction', () => {
  expect([expectedPoints('hybrid'), expectedPoints('twell'), expectedPoints('slidesparse')]).toEqual([[], [], []]);
});

test('the closed form counts all stored bytes', () => {
  const nnz = 4096 * 40;
  const [hybrid] = expectedPoints('hybrid', nnz);
  // 128 slots of 4 bytes, 8 bytes per row, and for an eighth of the rows a tail with another 4 bytes each.
  expect(hybrid).toMatchObject({ matrixBytes: 4096 * (512 + 8) + 512 * (2 * 4096 + 4), multiplyAdds: nnz });
  expect(expectedPoints('csr', nnz)[0]).toMatchObject({ matrixBytes: 4 * nnz + 4 * 4097, params: { indexBits: 16 } });
  expect(expectedPoints('csr', nnz, { indexBits: 32 })[0]).toMatchObject({ matrixBytes: 6 * nnz + 4 * 4097 });
});

test('dense in other value types includes its reference in f16', () => {
  const bytes = 2 * 4096 * 4096;
  expect(expectedPoints('dense')).toMatchObject([{ matrixBytes: bytes }]);
  expect(expectedPoints('dense', rooflineMatrix.nnz, { valueType: 'i4' })).toMatchObject([
    { params: { valueType: 'f16' }, matrixBytes: bytes },
    { params: { valueType: 'i4' }, matrixBytes: (bytes / 4) * 1.125 },
  ]);
});
