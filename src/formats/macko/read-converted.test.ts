import { describe, expect, test } from 'vitest';
import { denseMatrix } from '../../core/matrix/index.ts';
import { roundToF16 } from '../../core/number/index.ts';
import { Random } from '../../core/number/random.ts';
import { macko } from './index.ts';
import type { MackoEncoded } from './layout.ts';
import type { MackoParams } from './params.ts';
import { checkedCells } from './read-converted.ts';

const random = new Random(5);
const cells = Float32Array.from({ length: 9 * 70 }, () => (random.uniform() < 0.1 ? random.normal() : 0));

/** The arrays as a kernel writes them: values, deltas and row starts, one after the other. */
function wordsOf({ values, deltas, indptr }: MackoEncoded): Uint32Array<ArrayBuffer> {
  const bytes = [values, deltas, indptr].flatMap((a) => [...new Uint8Array(a.buffer, a.byteOffset, a.byteLength)]);
  return new Uint32Array(Uint8Array.from(bytes).buffer);
}

const encode = (values: Float32Array, params: MackoParams): MackoEncoded =>
  macko.encode(denseMatrix(9, 70, values), params);

describe.for<MackoParams>([
  { deltaBits: 4, valueType: 'f16' },
  { deltaBits: 1, valueType: 'f32' },
])('checkedCells of the arrays that a kernel wrote, %o', (params) => {
  test('returns the stored cells if every element equals that of the encoder', () => {
    const e = encode(cells, params);
    const stored = params.valueType === 'f16' ? cells.map((v) => roundToF16(v)) : cells;
    expect(checkedCells(e, wordsOf(e))).toEqual(stored);
  });

  test('throws if one element differs, in padding and past the last entry as well', () => {
    const e = encode(cells, params);
    const words = wordsOf(e);
    for (let i = 0; i < words.length; i++) {
      for (const bit of [0, 31]) {
        const wrong = words.slice();
        wrong[i] ^= 1 << bit;
        expect(() => checkedCells(e, wrong), `word ${i}, bit ${bit}`).toThrow(/found .*, expected /);
      }
    }
  });
});

test('checkedCells accepts arrays without entries for the values that were rounded to 0', () => {
  const params: MackoParams = { deltaBits: 4, valueType: 'f16' };
  const tiny = cells.slice();
  for (let i = 0; i < tiny.length; i += 7) tiny[i] = 1e-9;
  const e = encode(tiny, params);
  const withoutTiny = encode(
    Float32Array.from(tiny, (v) => (v === Math.fround(1e-9) ? 0 : v)),
    params,
  );
  expect(withoutTiny.indptr[9]).toBeLessThan(e.indptr[9]);
  // The kernel writes into arrays as long as those of `e`.
  const lengthened = (encoded: MackoEncoded): MackoEncoded => {
    const values = new Uint16Array(e.values.length);
    const deltas = new Uint32Array(e.deltas.length);
    values.set(encoded.values);
    deltas.set(encoded.deltas);
    return { ...encoded, values, deltas };
  };
  expect(checkedCells(e, wordsOf(lengthened(withoutTiny))).filter((v) => v !== 0).length).toBe(withoutTiny.nnz);
});
