import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { f16Bits } from '../../core/number/index.ts';
import { toDense } from '../../core/matrix/index.ts';
import { npyFile, type NpyWriter } from '../../../test/io/npy.ts';
import { readMatrix } from '../read.ts';
import { cases } from '../../../test/scheduled.ts';

async function cellsOf(bytes: Uint8Array): Promise<{ shape: string; cells: number[]; notes: readonly string[] }> {
  const { matrix, notes } = await readMatrix({ name: 'a.npy', bytes });
  return { shape: `${matrix.rows} × ${matrix.cols}`, cells: Array.from(toDense(matrix)), notes };
}

const whole = (min: number, max: number): fc.Arbitrary<number> => fc.integer({ min, max });
const WRITERS: readonly [string, fc.Arbitrary<number>, NpyWriter][] = [
  ['f2', fc.constantFrom(0, 1, -0.5, 65504, 2 ** -24, 1.5), (v, at, x, le) => v.setUint16(at, f16Bits(x), le)],
  ['f4', fc.float({ noNaN: true }), (v, at, x, le) => v.setFloat32(at, x, le)],
  ['f8', fc.float({ noNaN: true }), (v, at, x, le) => v.setFloat64(at, x, le)],
  ['i1', whole(-128, 127), (v, at, x) => v.setInt8(at, x)],
  ['i2', whole(-32768, 32767), (v, at, x, le) => v.setInt16(at, x, le)],
  ['i4', whole(-(2 ** 24), 2 ** 24), (v, at, x, le) => v.setInt32(at, x, le)],
  ['i8', whole(-(2 ** 24), 2 ** 24), (v, at, x, le) => v.setBigInt64(at, BigInt(x), le)],
  ['u1', whole(0, 255), (v, at, x) => v.setUint8(at, x)],
  ['u2', whole(0, 65535), (v, at, x, le) => v.setUint16(at, x, le)],
  ['u4', whole(0, 2 ** 24), (v, at, x, le) => v.setUint32(at, x, le)],
  ['u8', whole(0, 2 ** 24), (v, at, x, le) => v.setBigUint64(at, BigInt(x), le)],
  ['b1', whole(0, 1), (v, at, x) => v.setUint8(at, x)],
];

describe.each(WRITERS)('%s', (type, value, writer) => {
  it('reads any byte order, element order, version and shape', async () => {
    await fc.assert(
      fc.asyncProperty(
        whole(0, 6).chain((rows) =>
          whole(0, 6).chain((cols) =>
            fc.tuple(
              fc.constant([rows, cols]),
              fc.array(value, { minLength: rows * cols, maxLength: rows * cols }),
              fc.constantFrom('<', '>', '|', '='),
              fc.boolean(),
              fc.constantFrom(1, 2, 3),
            ),
          ),
        ),
        async ([shape, cells, order, isFortranOrder, version]) => {
          const bytes = npyFile({ descr: `${order}${type}`, shape, isFortranOrder, version }, cells, writer);
          const found = await cellsOf(bytes);
          expect(found.shape).toBe(shape.join(' × '));
          expect(found.cells).toEqual(cells.map((v) => (v === 0 ? 0 : Math.fround(v))));
          expect(found.notes).toEqual([]);
        },
      ),
      { numRuns: cases(25, 60) },
    );
  });
});

const [, F4, F8] = WRITERS.map(([, , writer]) => writer);
const I8 = WRITERS[6][2];

it('reads arrays larger than a batch, in both orders', async () => {
  const rows = 300;
  const cols = 401;
  const cells = Array.from({ length: rows * cols }, (_, i) => i % 1000);
  for (const isFortranOrder of [false, true]) {
    const found = await cellsOf(npyFile({ descr: '<f8', shape: [rows, cols], isFortranOrder }, cells, F8));
    expect(found.cells).toEqual(cells);
  }
});

it('opens one dimension as a row, and says so', async () => {
  expect(await cellsOf(npyFile({ descr: '<f4', shape: [3] }, [1, 0, 2], F4))).toEqual({
    shape: '1 × 3',
    cells: [1, 0, 2],
    notes: ['The array has one dimension: one row of 3.'],
  });
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
