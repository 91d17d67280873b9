import { describe, expect, it } from 'vitest';
import { SUPPORTED, type Support, checkValues, firstNonFinite, noteText } from './admission.ts';
import { denseMatrix } from '../matrix/index.ts';
import { f16Bits, f16Value, roundToBf16, shortestF32 } from '../number/index.ts';

const row = (...values: number[]): ReturnType<typeof denseMatrix> =>
  denseMatrix(1, values.length, Float32Array.from(values));

const notesOf = (support: Support): readonly string[] => (support.ok ? support.notes.map(noteText) : []);

describe('checkValues', () => {
  it('supports every value in f32, without reading the values', () => {
    expect(checkValues(row(Number.NaN, 1e38, 1e-45), 'f32')).toBe(SUPPORTED);
  });

  it('notes values that become infinite or 0 in f16: how many, the largest with its position, and what to choose', () => {
    const m = denseMatrix(2, 3, Float32Array.of(1, 0, 65519, 65520, -1e9, 2 ** -25));
    expect(notesOf(checkValues(m, 'f16'))).toEqual([
      '2 of 5 values are too large for f16 and are stored as infinity; the largest is -1000000000, at row 1, column 1; choose f32 to keep them.',
      '1 of 5 values is too small for f16 and is stored as 0; it is 2.9802322e-8, at row 1, column 2; choose f32 to keep it.',
    ]);
    expect(notesOf(checkValues(row(70_000, 1e-9, 65_504), 'f16', false))).toEqual([
      '1 of 3 values is too large for f16 and is stored as infinity; it is 70000, at row 0, column 0; choose a format with f32 to keep it.',
      '1 of 3 values is too small for f16 and is stored as 0; it is 1e-9, at row 0, column 1; choose a format with f32 to keep it.',
    ]);
  });

  it('notes values that become infinite or 0 in bf16, exactly from where its rounding changes', () => {
    const largest = (2 - 2 ** -7) * 2 ** 127;
    const infinite = largest + 2 ** 119;
    expect([roundToBf16(infinite), roundToBf16(2 ** -134), roundToBf16(2 ** -133)]).toEqual([Infinity, 0, 2 ** -133]);
    expect(checkValues(row(65520, 2 ** -25, largest, 2 ** -133), 'bf16')).toEqual({ ok: true, notes: [] });
    expect(notesOf(checkValues(row(1, infinite, 2 ** -134), 'bf16'))).toEqual([
      `1 of 3 values is too large for bf16 and is stored as infinity; it is ${shortestF32(infinite)}, at row 0, column 1; choose f32 to keep it.`,
      `1 of 3 values is too small for bf16 and is stored as 0; it is ${shortestF32(2 ** -134)}, at row 0, column 2; choose f32 to keep it.`,
    ]);
  });

  it('agrees with the rounding of f16 at both borders', () => {
    for (const border of [65520, 2 ** -25]) {
      for (const ulps of [-2, -1, 0, 1, 2]) {
        const bits = new Uint32Array(Float32Array.of(border).buffer);
        bits[0] += ulps;
        const value = new Float32Array(bits.buffer)[0];
        const rounded = f16Value(f16Bits(value));
        const notes = notesOf(checkValues(row(value), 'f16'));
        expect(
          notes.some((note) => note.includes('stored as infinity')),
          `${value}`,
        ).toBe(!Number.isFinite(rounded));
        expect(
          notes.some((note) => note.includes('stored as 0')),
          `${value}`,
        ).toBe(rounded === 0);
      }
    }
  });

  it('keeps NaN and infinities in f16 without a note', () => {
    expect(checkValues(row(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY), 'f16')).toEqual(SUPPORTED);
  });

  it('rejects NaN and infinities for i8 and names the position of the first', () => {
    const m = denseMatrix(2, 2, Float32Array.of(1, 2, 0, Number.NEGATIVE_INFINITY));
    expect(checkValues(m, 'i8')).toEqual({
      ok: false,
      reason: 'values: found -Infinity at row 1, column 1, expected finite values for i8',
      remedy: 'Choose values in floating point.',
    });
  });

  it('notes values that are less than half a step of i8 or i4', () => {
    expect(notesOf(checkValues(row(127, 0.5, 0.51), 'i8'))).toEqual([
      '1 of 3 values is too small for i8 compared with the largest of its row and is stored as 0; it is 0.5, at row 0, column 1; choose f32 to keep it.',
    ]);
    expect(notesOf(checkValues(row(8, 0.49, -0.3, 0.51), 'i4'))).toEqual([
      '2 of 4 values are too small for i4 compared with the largest of their group and are stored as 0; the largest is 0.49, at row 0, column 1; choose f32 to keep them.',
    ]);
  });
});

it('firstNonFinite returns the index of the first, or -1', () => {
  const bits = (values: number[]): Uint32Array => new Uint32Array(Float32Array.from(values).buffer);
  expect(firstNonFinite(bits([1, Number.NaN, Number.POSITIVE_INFINITY]), 3)).toBe(1);
  expect(firstNonFinite(bits([1, 3.4e38, Number.NaN]), 2)).toBe(-1);
});
