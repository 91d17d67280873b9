import { describe, expect, it } from 'vitest';
import { StoredDenseMatrix, toDense } from '../../core/matrix/index.ts';
import { f16Bits } from '../../core/number/index.ts';
import { listTensors, type MatrixFile, readMatrix } from '../read.ts';
import { bytesOf, int64, safetensorsFile, safetensorsWith, type TestTensor } from '../../../test/io/safetensors.ts';

const cells = [0, 1, -2, 0.5, 0, -0.25];
const shape = [2, 3];

const TYPES: readonly (readonly [string, Uint8Array, readonly number[]])[] = [
  ['F64', bytesOf(Float64Array.from(cells)), cells],
  ['F32', bytesOf(Float32Array.from(cells)), cells],
  ['F16', bytesOf(Uint16Array.from(cells, f16Bits)), cells],
  ['BF16', bytesOf(Uint16Array.from(new Uint32Array(Float32Array.from(cells).buffer), (b) => b >>> 16)), cells],
  ['F8_E4M3', Uint8Array.of(0, 0x38, 0xc0, 0x30, 0x80, 0xa8), cells],
  ['F8_E5M2', Uint8Array.from(cells, (v) => f16Bits(v) >>> 8), cells],
  ['I64', bytesOf(BigInt64Array.of(0n, 1n, -2n, 3n, 0n, 4n)), [0, 1, -2, 3, 0, 4]],
  ['I32', bytesOf(Int32Array.of(0, 1, -2, 3, 0, 4)), [0, 1, -2, 3, 0, 4]],
  ['I16', bytesOf(Int16Array.of(0, 1, -2, 3, 0, 4)), [0, 1, -2, 3, 0, 4]],
  ['I8', bytesOf(Int8Array.of(0, 1, -2, 3, 0, 4)), [0, 1, -2, 3, 0, 4]],
  ['U64', bytesOf(BigUint64Array.of(0n, 1n, 2n, 3n, 0n, 4n)), [0, 1, 2, 3, 0, 4]],
  ['U32', bytesOf(Uint32Array.of(0, 1, 2, 3, 0, 4)), [0, 1, 2, 3, 0, 4]],
  ['U16', bytesOf(Uint16Array.of(0, 1, 2, 3, 0, 4)), [0, 1, 2, 3, 0, 4]],
  ['U8', Uint8Array.of(0, 1, 2, 3, 0, 4), [0, 1, 2, 3, 0, 4]],
  ['BOOL', Uint8Array.of(0, 1, 1, 0, 0, 1), [0, 1, 1, 0, 0, 1]],
];

describe('safetensors', () => {
  it.each(TYPES)('reads %s', async (dtype, bytes, expected) => {
    const file = safetensorsFile({ w: { dtype, shape, bytes } });
    const { matrix, notes, format } = await readMatrix({ name: 'a', bytes: file });
    expect(format).toBe('safetensors');
    expect([...toDense(matrix)].map((v) => v + 0)).toEqual([...expected]);
    expect(matrix.nnz).toBe(expected.filter((v) => v !== 0).length);
    expect(notes).toEqual([]);
  });

  it('rounds whole numbers beyond 2^53 once: what is just above the middle of two goes up', async () => {
    // Numbers of f32 are 2^39 apart from 2^62 on, and those of f64 2^10: one more than the middle is not among them.
    const [min, middle, gap] = [2n ** 62n, 2n ** 62n + 2n ** 38n, 2 ** 39];
    const signed = [middle, middle + 1n, middle - 1n, -middle, -middle - 1n, -middle + 1n];
    const up = Number(min) + gap;
    const expected = [Number(min), up, Number(min), -Number(min), -up, -Number(min)];
    for (const [dtype, whole, cells] of [
      ['I64', BigInt64Array.from(signed), expected],
      ['U64', BigUint64Array.from(signed.slice(0, 3)), expected.slice(0, 3)],
    ] as const) {
      const file = safetensorsFile({ w: { dtype, shape: [1, cells.length], bytes: bytesOf(whole) } });
      expect([...toDense((await readMatrix({ name: 'a', bytes: file })).matrix)]).toEqual(cells);
    }
  });

  it('keeps types of 8 and 16 bits unchanged', async () => {
    const file = safetensorsFile({ w: { dtype: 'BF16', shape: [1, 2], bytes: Uint8Array.of(0x80, 0x3f, 0, 0) } });
    const { matrix } = await readMatrix({ name: 'a', bytes: file });
    expect(matrix).toBeInstanceOf(StoredDenseMatrix);
  });

  it('reads only the header and the bytes of the chosen tensor', async () => {
    const w: TestTensor = { dtype: 'F32', shape: [1024, 256], bytes: new Uint8Array(2 ** 20) };
    const bytes = safetensorsFile({ a: w, b: { dtype: 'U8', shape: [1, 2], bytes: Uint8Array.of(3, 4) }, c: w });
    const read: number[] = [];
    const blob = new Blob([bytes]);
    const counting = Object.assign(blob, {
      slice(from: number, to: number) {
        read.push(to - from);
        return Blob.prototype.slice.call(blob, from, to);
      },
    });
    const { matrix } = await readMatrix(counting, { tensor: 'b' });
    expect([...toDense(matrix)]).toEqual([3, 4]);
    expect(read.length).toBeGreaterThan(2);
    expect(read.reduce((sum, n) => sum + n, 0)).toBeLessThan(1000);
  });

  it('refuses more tensors than any file has', async () => {
    const tensor = '{"dtype":"U8","shape":[0],"data_offsets":[0,0]}';
    const header = new TextEncoder().encode(`{${Array.from({ length: 50_001 }, (_, i) => `"${i}":${tensor}`).join()}}`);
    const bytes = new Uint8Array(8 + header.length);
    new DataView(bytes.buffer).setUint32(0, header.length, true);
    bytes.set(header, 8);
    await expect(listTensors({ name: 'a', bytes })).rejects.toThrow(
      'header: found 50\u202f001 tensors, expected at most 50\u202f000',
    );
  });

  it('lists in natural order, including types and shapes that are not supported', async () => {
    const file = safetensorsFile({
      'layers.10.w': { dtype: 'F32', shape: [1, 1], bytes: new Uint8Array(4) },
      'layers.9.w': { dtype: 'C64', shape: [1, 1], bytes: new Uint8Array(8) },
      'layers.1.w': { dtype: 'U8', shape: [2, 2, 2], bytes: new Uint8Array(8) },
    });
    const { tensors } = await listTensors({ name: 'a', bytes: file });
    expect(tensors?.map((t) => [t.name, t.refused])).toEqual([
      ['layers.1.w', 'found shape (2, 2, 2), expected two dimensions; reshape it, or save a slice'],
      ['layers.9.w', 'found elements of C64, expected F64 to F8, I, U or BOOL'],
      ['layers.10.w', null],
    ]);
  });
});

describe('a safetensors file that ends early', () => {
  const header =
    '{"a":{"dtype":"U8","shape":[1,4],"data_offsets":[0,4]},"b":{"dtype":"U8","shape":[1,10],"data_offsets":[4,14]},"c":{"dtype":"U8","shape":[2,5],"data_offsets":[14,24]}}';
  const bytes = safetensorsWith(header, Uint8Array.of(1, 0, 2, 3, 9, 9, 9, 9, 9, 9));

  it('lists what is there, and by how much what is not is cut', async () => {
    const { tensors } = await listTensors({ name: 'a', bytes });
    expect(tensors?.map((t) => [t.name, t.shape, t.refused])).toEqual([
      ['a', [1, 4], null],
      ['b', [1, 10], 'found 6 of 10 bytes: the file ends 14 bytes early'],
      ['c', [2, 5], 'found 0 of 10 bytes: the file ends 14 bytes early'],
    ]);
  });

  it('opens what is there with a note', async () => {
    const { matrix, notes } = await readMatrix({ name: 'a', bytes }, { tensor: 'a' });
    expect([...toDense(matrix)]).toEqual([1, 0, 2, 3]);
    expect(notes).toEqual(['The file ends 14 bytes early: 2 of 3 tensors cannot be read.']);
    await expect(readMatrix({ name: 'a', bytes }, { tensor: 'b' })).rejects.toThrow(
      'a: b: found 6 of 10 bytes: the file ends 14 bytes early',
    );
  });

  it('is the same among the files of an index', async () => {
    const index = new TextEncoder().encode(
      '{"weight_map":{"a":"m.safetensors","b":"m.safetensors","c":"m.safetensors"}}',
    );
    const { tensors } = await listTensors([
      { name: 'm.safetensors.index.json', bytes: index },
      { name: 'm.safetensors', bytes },
    ]);
    expect(tensors?.map((t) => t.refused !== null)).toEqual([false, true, true]);
  });
});

describe('compressed-tensors', () => {
  it('lists a weight whose parts the file ends before', async () => {
    const parts = {
      'w.bitmask': { dtype: 'U8', shape: [1, 1], bytes: Uint8Array.of(3) },
      'w.shape': int64(1, 8),
      'w.compressed': { dtype: 'U8', shape: [2], bytes: Uint8Array.of(1, 2) },
    };
    const { tensors } = await listTensors({ name: 'a', bytes: safetensorsFile(parts).slice(0, -1) });
    expect(tensors?.map((t) => [t.name, t.refused])).toEqual([['w', 'found 1 of 2 bytes: the file ends 1 byte early']]);
  });

  it('opens sparse-bitmask as one weight', async () => {
    const parts = {
      'm.weight.compressed': { dtype: 'F16', shape: [3], bytes: bytesOf(Uint16Array.from([1, 2, 3], f16Bits)) },
      'm.weight.bitmask': { dtype: 'U8', shape: [2, 2], bytes: Uint8Array.of(0b100, 0b10, 0, 0b1) },
      'm.weight.shape': int64(2, 10),
      'm.weight.row_offsets': int64(0, 2),
    };
    const bytes = safetensorsFile(parts);
    const { tensors } = await listTensors({ name: 'a', bytes });
    expect(tensors).toEqual([{ name: 'm.weight', dtype: 'f16, bitmask', shape: [2, 10], bytes: 42, refused: null }]);
    const { matrix, tensor } = await readMatrix({ name: 'a', bytes });
    expect(tensor).toBe('m.weight');
    expect([...toDense(matrix)]).toEqual([0, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0]);
  });

  it('opens sparse-24-bitmask, whose rows all have the same number of values', async () => {
    const bytes = safetensorsFile({
      'w.compressed': { dtype: 'F32', shape: [2, 2], bytes: bytesOf(Float32Array.of(1, 2, 3, 0)) },
      'w.bitmask': { dtype: 'U8', shape: [2, 1], bytes: Uint8Array.of(0b1001, 0b0110) },
      'w.shape': int64(2, 4),
    });
    const { matrix } = await readMatrix({ name: 'a', bytes });
    expect([...toDense(matrix)]).toEqual([1, 0, 0, 2, 0, 3, 0, 0]);
    expect(matrix.nnz).toBe(3);
  });
});

describe('sharded safetensors', () => {
  const one = (value: number): TestTensor => ({ dtype: 'U8', shape: [1, 1], bytes: Uint8Array.of(value) });
  const index: MatrixFile = {
    name: 'model.safetensors.index.json',
    bytes: new TextEncoder().encode(
      '{"metadata": {}, "weight_map": {"a": "model-1.safetensors", "b": "model-2.safetensors"}}',
    ),
  };
  const first: MatrixFile = { name: 'model-1.safetensors', bytes: safetensorsFile({ a: one(1) }) };
  const second: MatrixFile = { name: 'model-2.safetensors', bytes: safetensorsFile({ b: one(2) }) };

  it('opens a tensor of any file that was given with the index', async () => {
    const { matrix } = await readMatrix([second, index, first], { tensor: 'b' });
    expect([...toDense(matrix)]).toEqual([2]);
  });

  it('refuses an index of more tensors than any model has', async () => {
    const names = Array.from({ length: 250_001 }, (_, i) => `"${i}":"a"`).join();
    const bytes = new TextEncoder().encode(`{"weight_map": {${names}}}`);
    await expect(listTensors({ name: 'model.safetensors.index.json', bytes })).rejects.toThrow(
      'weight_map: found 250\u202f001 tensors, expected at most 250\u202f000',
    );
  });

  it('says that a file is a pointer of Git LFS', async () => {
    const bytes = new TextEncoder().encode('version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12345\n');
    await expect(listTensors([index, { name: 'model-1.safetensors', bytes }])).rejects.toThrow(
      'model.safetensors.index.json: model-1.safetensors: found a pointer of Git LFS, not the file itself; fetch the file with git lfs pull',
    );
  });

  it('names the missing file', async () => {
    const { tensors } = await listTensors([index, first]);
    expect(tensors?.map((t) => t.refused)).toEqual([null, 'found no model-2.safetensors beside the index']);
    await expect(readMatrix(index)).rejects.toThrow(
      'found the index alone, expected also its 2 files, such as model-1.safetensors: open them all together',
    );
  });
});
