import { expect, it } from 'vitest';
import { toDense } from '../../core/matrix/index.ts';
import { npyFile, type NpyWriter } from '../../../test/io/npy.ts';
import { readMatrix } from '../read.ts';

async function cellsOf(bytes: Uint8Array): Promise<{ cells: number[]; notes: readonly string[] }> {
  const { matrix, notes } = await readMatrix({ name: 'a.npy', bytes });
  return { cells: Array.from(toDense(matrix)), notes };
}

const F4: NpyWriter = (v, at, x, le) => v.setFloat32(at, x, le);
const F8: NpyWriter = (v, at, x, le) => v.setFloat64(at, x, le);
const I8: NpyWriter = (v, at, x, le) => v.setBigInt64(at, BigInt(x), le);

it('reads arrays larger than a batch, in both orders', async () => {
  const rows = 300;
  const cols = 401;
  const cells = Array.from({ length: rows * cols }, (_, i) => i % 1000);
  for (const isFortranOrder of [false, true]) {
    const found = await cellsOf(npyFile({ descr: '<f8', shape: [rows, cols], isFortranOrder }, cells, F8));
    expect(found.cells).toEqual(cells);
  }
});

it('reports what f32 cannot hold', async () => {
  const f8 = await cellsOf(npyFile({ descr: '<f8', shape: [1, 4] }, [0.1, 1e300, 1e-300, Number.NaN], F8));
  expect(f8.cells).toEqual([Math.fround(0.1), Number.POSITIVE_INFINITY, 0, Number.NaN]);
  expect(f8.notes).toEqual([
    '1 value was rounded to f32.',
    '1 value was beyond f32: now infinite.',
    '1 value was too small for f32: now zero.',
  ]);
  const i8 = await cellsOf(npyFile({ descr: '<i8', shape: [1, 2] }, [2 ** 24 + 1, 2 ** 25 + 2], I8));
  expect(i8.notes).toEqual(['2 values were rounded to f32.']);
});

it('reports bytes after the array', async () => {
  const bytes = npyFile({ descr: '<f4', shape: [1, 1] }, [1], F4);
  const longer = new Uint8Array(bytes.length + 5);
  longer.set(bytes);
  expect((await cellsOf(longer)).notes).toEqual(['5 bytes after the array were not read.']);
});
