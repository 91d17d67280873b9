// Tensors in the block formats Q4_0 and Q8_0 of GGUF files.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rowBuffer, toDense } from '../src/core/matrix/index.ts';
import { QuantisedMatrix } from '../src/core/matrix/quantised-matrix.ts';
import { quantiseQ4 } from '../src/core/number/index.ts';
import { dense } from '../src/formats/dense/index.ts';
import { listTensors, readMatrix } from '../src/io/read.ts';
import { ggufFile } from './io/gguf.ts';
import { halfBits, halfValue, q4Block, q4BlockValues, q4Bytes, q8Bytes } from './ggml-blocks.ts';

const joined = (blocks: readonly Uint8Array[]): Uint8Array => Uint8Array.from(blocks.flatMap((b) => [...b]));
const nibbles = (seed: number): number[] => Array.from({ length: 32 }, (_, i) => (seed * 7 + i * i * 5) % 16);
const bytes = (seed: number): number[] => Array.from({ length: 32 }, (_, i) => ((seed * 31 + i * 17) % 255) - 127);

/** Scales of either sign, 0, below the smallest normal f16, and the largest. */
const SCALES = [0x2e66, 0xae66, 0, 0x8000, 0x0001, 0x7bff];

describe('a GGUF tensor in Q4_0', () => {
  // Blocks that no quantiser of plain values produces: without a value at -8, and with a scale of 0.
  const q = SCALES.map((_, i) => nibbles(i).map((n) => (i === 1 ? Math.max(n, 3) : n)));
  const blocks = SCALES.map((scale, i) => q4Bytes(scale, q[i]));
  const file = ggufFile([{ name: 'w', kind: 2, shape: [3, 64], bytes: joined(blocks) }]);

  it('is listed with its bytes and opened unchanged', async () => {
    const { tensors } = await listTensors({ name: 'model.gguf', bytes: file });
    expect(tensors).toEqual([{ name: 'w', dtype: 'q4_0', shape: [3, 64], bytes: 6 * 18, refused: null }]);
    const { matrix, notes } = await readMatrix({ name: 'model.gguf', bytes: file });
    expect(matrix).toBeInstanceOf(QuantisedMatrix);
    expect(notes).toEqual([]);
    const values = blocks.flatMap(q4BlockValues);
    expect([...toDense(matrix)]).toEqual(values.map((value) => value + 0));
    expect(matrix.nnz).toBe(values.filter((value) => value !== 0).length);
  });

  it('equals dense i4 bit for bit', async () => {
    const { matrix } = await readMatrix({ name: 'model.gguf', bytes: file });
    expect(dense.admits(matrix, { valueType: 'i4' })).toEqual({ ok: true, notes: [] });
    const e = dense.encode(matrix, { valueType: 'i4' });
    expect([[...e.scales], [...e.data]]).toEqual([SCALES, blocks.flatMap((block) => [...block.subarray(2)])]);
    expect([dense.validate(e, 'full'), toDense(dense.decode(e))]).toEqual([[], toDense(matrix)]);
  });

  it('reads a range of a row', async () => {
    const { matrix } = await readMatrix({ name: 'model.gguf', bytes: file });
    if (!(matrix instanceof QuantisedMatrix)) throw new Error('not stored in its own type');
    const buffer = rowBuffer(64);
    const n = matrix.readRowPart(0, 30, 35, buffer);
    const values = [...q4BlockValues(blocks[0]).slice(30), ...q4BlockValues(blocks[1]).slice(0, 3)];
    const entries = values.map((value, i) => [30 + i, value]).filter(([, value]) => value !== 0);
    expect(Array.from({ length: n }, (_, i) => [buffer.columns[i], buffer.values[i]])).toEqual(entries);
  });

  it('is rejected with the position if a scale is infinite', async () => {
    const bad = ggufFile([{ name: 'w', kind: 2, shape: [1, 32], bytes: q4Bytes(0x7c00, nibbles(1)) }]);
    const { matrix } = await readMatrix({ name: 'model.gguf', bytes: bad });
    expect(dense.admits(matrix, { valueType: 'i4' })).toMatchObject({
      ok: false,
      reason: 'values: found -Infinity at row 0, column 0, expected finite values for i4',
    });
  });

  it('is rejected if rows are not whole blocks', async () => {
    const bad = ggufFile([{ name: 'w', kind: 2, shape: [2, 16], bytes: joined([blocks[0]]) }]);
    const { tensors } = await listTensors({ name: 'model.gguf', bytes: bad });
    expect(tensors?.[0].refused).toBe('found rows of 16 values, expected a multiple of 32 for q4_0');
  });
});

describe('a GGUF tensor in Q8_0', () => {
  const open = async (scales: readonly number[]): Promise<QuantisedMatrix> => {
    const blocks = scales.map((scale, i) => q8Bytes(scale, bytes(i)));
    const file = ggufFile([{ name: 'w', kind: 8, shape: [2, 64], bytes: joined(blocks) }]);
    const { matrix } = await readMatrix({ name: 'model.gguf', bytes: file });
    if (!(matrix instanceof QuantisedMatrix)) throw new Error('not stored in its own type');
    return matrix;
  };

  it('is opened unchanged', async () => {
    const scales = [0x2e66, 0x1234, 0x0001, 0];
    const m = await open(scales);
    expect([[...m.cells.scales], [...m.cells.data]]).toEqual([scales, scales.flatMap((_, i) => bytes(i))]);
    const values = scales.flatMap((scale, i) => bytes(i).map((n) => n * halfValue(scale) + 0));
    expect([...toDense(m)]).toEqual(values);
  });

  it('equals dense i8 bit for bit if a row has one scale', async () => {
    const m = await open([0x2e66, 0x2e66, 0x1234, 0x1235]);
    const e = dense.encode(m, { valueType: 'i8' });
    expect(e.scales[0]).toBe(halfValue(0x2e66));
    expect([...e.data.subarray(0, 64)]).toEqual([...bytes(0), ...bytes(1)]);
    // The second row has two scales, and is quantised again.
    expect(e.scales[1]).not.toBe(halfValue(0x1234));
  });
});

it('quantises to the bits of a Q4_0 block', () => {
  const value = fc.oneof(
    fc.float({ noNaN: true, noDefaultInfinity: true, min: -500_000, max: 500_000 }),
    fc.constantFrom(0, -0, 1, -1, 2 ** -30, -(2 ** -140)),
    fc.integer({ min: -8, max: 8 }),
  );
  fc.assert(
    fc.property(fc.array(value, { minLength: 32, maxLength: 32 }), fc.constantFrom(1, 2 ** -20), (values, factor) => {
      const cells = Float32Array.from(values, (v) => v * factor);
      // For smaller values 1 / scale may be infinite. ggml would convert the products to bytes, which C leaves undefined.
      fc.pre(cells.every((cell) => cell === 0) || cells.some((cell) => Math.abs(cell) > 2 ** -120));
      const expected = q4Block([...cells]);
      const data = new Uint8Array(16);
      const scale = quantiseQ4(cells, data, 0);
      expect([scale % 256, scale >> 8, ...data]).toEqual([...expected]);
    }),
    { numRuns: 500 },
  );
});

it('has scales in f16 by rounding half to even', () => {
  expect([0, -0, 1, -2, 65504, 65519, 65520, 2 ** -24, 2 ** -25, 1 + 2 ** -11].map(halfBits)).toEqual([
    0, 0x8000, 0x3c00, 0xc000, 0x7bff, 0x7bff, 0x7c00, 1, 0, 0x3c00,
  ]);
});
