import { expect, it } from 'vitest';
import { npyFile } from '../../../test/io/npy.ts';
import { toDense } from '../../core/matrix/index.ts';
import { readMatrix } from '../read.ts';

it.each([false, true])('reads arrays larger than a batch, by columns: %s', async (isFortranOrder) => {
  const shape = [300, 401];
  const cells = Array.from({ length: 300 * 401 }, (_, i) => i % 1000);
  const bytes = npyFile({ descr: '<f8', shape, isFortranOrder }, cells, (view, at, value, le) =>
    view.setFloat64(at, value, le),
  );
  expect(Array.from(toDense((await readMatrix({ name: 'a.npy', bytes })).matrix))).toEqual(cells);
});
