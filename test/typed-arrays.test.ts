import { describe, expect, it } from 'vitest';
import { sameElements } from './typed-arrays.ts';

const KINDS = [Int8Array, Uint8Array, Uint16Array, Int32Array, Uint32Array, Float32Array, Float64Array] as const;

describe('the fast comparison of typed arrays gives the same result as toEqual', () => {
  it.each(KINDS.map((kind) => [kind.name, kind] as const))('%s', (_, kind) => {
    const array = kind.from(Array.from({ length: 200 }, (_element, i) => i % 100));
    expect(array).toEqual(array.slice());
    expect([{ array }]).toEqual([{ array: array.slice() }]);
    for (const i of [0, 100, 199]) {
      const other = array.slice();
      other[i] = 101;
      expect(array).not.toEqual(other);
      expect({ deep: [array] }).not.toEqual({ deep: [other] });
    }
    expect(array).not.toEqual(array.slice(0, -1));
    expect(array.slice(0, -1)).not.toEqual(array);
    for (const otherKind of KINDS) if (otherKind !== kind) expect(array).not.toEqual(otherKind.from(array));
    expect(array).not.toEqual(Array.from(array));
    expect(new kind(0)).toEqual(new kind(0));
  });

  it('NaN equals NaN, and 0 does not equal -0', () => {
    for (const kind of [Float32Array, Float64Array]) {
      expect(kind.of(Number.NaN, 1)).toEqual(kind.of(Number.NaN, 1));
      expect(kind.of(Number.NaN)).not.toEqual(kind.of(1));
      expect(kind.of(0)).not.toEqual(kind.of(-0));
      expect(kind.of(-0)).toEqual(kind.of(-0));
    }
    const numbers = Array.from({ length: 100 }, (_, i) => (i === 50 ? Number.NaN : i));
    expect(numbers).toEqual([...numbers]);
    expect(numbers).not.toEqual(numbers.with(0, -0));
    expect(numbers).not.toEqual(numbers.with(50, 50));
  });

  it('64-bit integers', () => {
    expect(BigInt64Array.of(1n, -2n)).toEqual(BigInt64Array.of(1n, -2n));
    expect(BigInt64Array.of(1n, -2n)).not.toEqual(BigInt64Array.of(1n, 2n));
    expect(BigInt64Array.of(1n)).not.toEqual(BigUint64Array.of(1n));
  });

  it('lists of other values than numbers are compared by toEqual', () => {
    const words = Array.from({ length: 100 }, (_, i) => ({ word: `${i}` }));
    expect(sameElements(words, structuredClone(words))).toBeUndefined();
    expect(words).toEqual(structuredClone(words));
    expect(words).not.toEqual(words.with(99, { word: 'another' }));
    expect(sameElements([1, 2], [1, 2])).toBeUndefined();
    expect(sameElements(new DataView(new ArrayBuffer(1)), new DataView(new ArrayBuffer(1)))).toBeUndefined();
    const matchers = Array.from({ length: 100 }, (_, i) => (i === 3 ? (expect.any(Number) as number) : i));
    expect(Array.from({ length: 100 }, (_, i) => i)).toEqual(matchers);
  });
});
