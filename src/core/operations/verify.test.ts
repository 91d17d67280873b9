import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { F32_MAX } from '../oracle.ts';
import { describeFailure, POISON_BITS, verifyOutputs } from './verify.ts';

const f64 = (...values: number[]) => Float64Array.of(...values);
const f32 = (...values: number[]) => Float32Array.of(...values);
const verifyOne = (found: number, expected: number, bound: number) =>
  verifyOutputs(f32(found), { output: f64(expected), bound: f64(bound) });

describe('verifyOutputs', () => {
  test('accepts an error inside the bound, and reports the share of it that was used', () => {
    const v = verifyOutputs(f32(1, 2.25, -3), { output: f64(1, 2, -3.5), bound: f64(0, 1, 1) });
    expect(v).toEqual({
      ok: true,
      outputs: 3,
      worstShare: 0.5,
      failures: [],
      failureCount: 0,
      checkedAfterTiming: false,
    });
  });

  test('accepts an error as large as the bound', () => {
    const expected = { output: Float64Array.of(1, 1), bound: Float64Array.of(0.5, 0.5) };
    expect(verifyOutputs(Float32Array.of(1.5, 0.5), expected)).toMatchObject({ ok: true, worstShare: 1 });
  });

  test.each([
    ['above', 1],
    ['below', -1],
  ])('accepts a share of 1 of the bound, and rejects one of 1.01, %s', (_, side) => {
    // Values that are exact in f32.
    expect(verifyOne(100 + 100 * side, 100, 100)).toMatchObject({ ok: true, worstShare: 1, failureCount: 0 });
    expect(verifyOne(100 + 101 * side, 100, 100)).toMatchObject({ ok: false, worstShare: 1.01, failureCount: 1 });
    expect(verifyOne(-100 + 101 * side, -100, 100)).toMatchObject({ ok: false, worstShare: 1.01, failureCount: 1 });
  });

  test('rejects an error outside the bound and names its position', () => {
    const v = verifyOutputs(f32(1, 4, 1), { output: f64(1, 2, 1), bound: f64(0, 1, 0) }, { checkedAfterTiming: true });
    expect(v).toMatchObject({ ok: false, worstShare: 2, failureCount: 1, checkedAfterTiming: true });
    expect(v.failures).toEqual([{ row: 1, found: 4, expected: 2, bound: 1 }]);
    expect(describeFailure(v)).toBe('1 of 3 outputs are wrong; the first is output 1: found 4, expected 2 within 1');
  });

  test('requires an exact 0 if the bound is 0', () => {
    expect(verifyOne(0, 0, 0).ok).toBe(true);
    expect(verifyOne(-0, 0, 0).ok).toBe(true);
    expect(verifyOne(1e-30, 0, 0)).toMatchObject({ ok: false, worstShare: Number.MAX_VALUE });
  });

  test('accepts only NaN for NaN, and only infinity of the same sign for infinity', () => {
    const { NaN: nan, POSITIVE_INFINITY: inf } = Number;
    expect(verifyOne(nan, nan, nan).ok).toBe(true);
    expect(verifyOne(1, nan, nan).ok).toBe(false);
    expect(verifyOne(inf, nan, nan).ok).toBe(false);
    expect(verifyOne(inf, inf, inf).ok).toBe(true);
    expect(verifyOne(-inf, inf, inf).ok).toBe(false);
    expect(verifyOne(nan, inf, inf).ok).toBe(false);
    expect(verifyOne(3e38, inf, inf).ok).toBe(false);
  });

  test('rejects NaN and infinity if a number is expected', () => {
    expect(verifyOne(Number.NaN, 1, 0.5)).toMatchObject({ ok: false, worstShare: Number.MAX_VALUE });
    expect(verifyOne(Number.POSITIVE_INFINITY, 1, 0.5).ok).toBe(false);
    expect(verifyOne(Number.NaN, 1, 0.5).failures[0].found).toBe('NaN');
  });

  test('accepts infinity if rounding alone can overflow, in the right direction', () => {
    expect(verifyOne(Number.POSITIVE_INFINITY, F32_MAX, F32_MAX * 1e-6).ok).toBe(true);
    expect(verifyOne(Number.NEGATIVE_INFINITY, F32_MAX, F32_MAX * 1e-6).ok).toBe(false);
    expect(verifyOne(Number.NEGATIVE_INFINITY, -1e39, 1).ok).toBe(true);
  });

  test('only requires a written output if intermediate overflow is possible', () => {
    expect(verifyOne(Number.NaN, 1, Number.POSITIVE_INFINITY).ok).toBe(true);
  });

  test('distinguishes an output that was never written from a NaN', () => {
    const found = new Float32Array(Uint32Array.of(POISON_BITS).buffer);
    const v = verifyOutputs(found, { output: f64(Number.NaN), bound: f64(Number.NaN) });
    expect(v.ok).toBe(false);
    expect(v.failures[0]).toEqual({ row: 0, found: 'unwritten', expected: 'NaN', bound: 'NaN' });
  });

  test('lists the first 64 failures and counts all', () => {
    const n = 1000;
    const v = verifyOutputs(new Float32Array(n).fill(1), { output: new Float64Array(n), bound: new Float64Array(n) });
    expect(v.failures).toHaveLength(64);
    expect(v.failureCount).toBe(n);
  });

  test('rejects too few outputs', () => {
    expect(() => verifyOutputs(f32(1), { output: f64(1, 2), bound: f64(0, 0) })).toThrow(
      'outputs: found 1, expected at least 2',
    );
  });

  test('returns only numbers that JSON can store', () => {
    fc.assert(
      fc.property(fc.float(), fc.double(), fc.double({ min: 0 }), (found, expected, bound) => {
        const v = verifyOne(found, expected, bound);
        expect(JSON.parse(JSON.stringify(v))).toEqual(v);
        expect(Number.isFinite(v.worstShare)).toBe(true);
        expect(v.ok).toBe(v.worstShare <= 1);
      }),
    );
  });
});
