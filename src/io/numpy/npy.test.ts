import { expect, it } from 'vitest';
import { npyFile, npyWithHeader } from '../../../test/io/npy.ts';
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

const BYTES: readonly number[] = [1, 0, 0, 0, 0, 0, 0xf0, 0x3f];
/** What numpy.lib.format reads of eight bytes, 1 0 0 0 0 0 240 63, under each name of a type (NumPy 2.4.6). */
const NAMED: readonly (readonly [names: string, cells: readonly number[]])[] = [
  ['float16 half e =e |f2 <e', [2 ** -24, 0, 0, 1.984375]],
  ['float32 single f =f |f4 <f', [2 ** -149, 1.875]],
  ['float64 double float d <d', [1]],
  ['>d >f8', [7.291122019655968e-304]],
  ['int8 byte b |b', [1, 0, 0, 0, 0, 0, -16, 63]],
  ['uint8 ubyte B', [1, 0, 0, 0, 0, 0, 240, 63]],
  ['int16 short h', [1, 0, 0, 16368]],
  ['>h', [256, 0, 0, -4033]],
  ['uint16 ushort H', [1, 0, 0, 16368]],
  ['int32 intc i', [1, 1072693248]],
  ['uint32 uintc I', [1, 1072693248]],
  ['int64 int int_ long longlong intp l q p', [Number(4607182418800017409n)]],
  ['uint64 uint ulong ulonglong uintp L Q P', [Number(4607182418800017409n)]],
  ['bool bool_ ? |b1', [1, 0, 0, 0, 0, 0, 1, 1]],
];

it.each(NAMED)('reads the type %s as NumPy does', async (names, cells) => {
  for (const name of names.split(' ')) {
    const bytes = npyWithHeader(`{'descr': '${name}', 'fortran_order': False, 'shape': (1, ${cells.length}), }`, 8);
    bytes.set(BYTES, bytes.length - 8);
    const { matrix } = await readMatrix({ name: 'a.npy', bytes });
    expect([...toDense(matrix)], name).toEqual(cells.map(Math.fround));
  }
});

it('rejects other names of types, as NumPy does or because a matrix has no such numbers', async () => {
  const names = ['complex64', 'object', 'longdouble', 'Float32', 'float_', 'constructor', '<float32', 'float32 ', '?1'];
  for (const name of [...names, 'bfloat16']) {
    const bytes = npyWithHeader(`{'descr': '${name}', 'fortran_order': False, 'shape': (1, 1), }`, 16);
    const reading = readMatrix({ name: 'a.npy', bytes });
    await expect(reading).rejects.toThrow(`a.npy: header: found elements of type '${name}'`);
  }
});

it('rejects text of either kind', async () => {
  for (const name of ['|S4', '<U1']) {
    const bytes = npyWithHeader(`{'descr': '${name}', 'fortran_order': False, 'shape': (1, 1), }`, 4);
    const message = `a.npy: header: found text (${name}), expected numbers`;
    await expect(readMatrix({ name: 'a.npy', bytes })).rejects.toThrow(message);
  }
});

it('reports where line ends were changed, and reads no numbers that have moved', async () => {
  const file = npyFile({ descr: '<f4', shape: [1, 2] }, [1, 2], (view, at, x, le) => view.setFloat32(at, x, le));
  const text = Buffer.from(file).toString('latin1').replaceAll('\n', '\r\n');
  await expect(readMatrix({ name: 'a.npy', bytes: new Uint8Array(Buffer.from(text, 'latin1')) })).rejects.toThrow(
    'a.npy: byte 127: found a carriage return at the end of the header, expected a line feed: the line ends of the file were changed, as a transfer of text does; fetch it again as binary',
  );
});
