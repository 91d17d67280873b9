import { describe, expect, it } from 'vitest';
import { f16Table, f16Value } from './f16.ts';
import { allocateFloats, floatAt, floatsOf, storeFloats } from './float-arrays.ts';

describe('stored floats', () => {
  it('rounds to f16 and keeps f32, with any stride', () => {
    const values = Float32Array.of(1.5, 0.1, -65520, 9);
    const halves = allocateFloats('values', 'f16', 6);
    storeFloats(values, 3, halves, 1, 2);
    expect(Array.from(halves, (_, i) => floatAt(halves, i))).toEqual([0, 1.5, 0, 0.0999755859375, 0, -Infinity]);
    const singles = allocateFloats('values', 'f32', 3);
    storeFloats(values, 3, singles, 0);
    expect(singles).toEqual(values.slice(0, 3));
  });

  it('reads a row inside a larger buffer', () => {
    const part = Float32Array.of(7, 7, 1, 2).subarray(2);
    const halves = new Uint16Array(2);
    storeFloats(part, 2, halves, 0);
    expect(Array.from(halves)).toEqual([0x3c00, 0x4000]);
  });

  it('unpacks all numbers, and returns f32 unchanged', () => {
    expect(floatsOf(Uint16Array.of(0x3c00, 0xc000))).toEqual(Float32Array.of(1, -2));
    const singles = Float32Array.of(1);
    expect(floatsOf(singles)).toBe(singles);
  });

  it('stored floats has every f16 in its table', () => {
    const table = f16Table();
    const wrong = Array.from(table.keys()).filter((bits) => !Object.is(table[bits], f16Value(bits)));
    expect(wrong).toEqual([]);
  });
});
