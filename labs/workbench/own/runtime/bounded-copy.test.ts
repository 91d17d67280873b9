// boundedCopy: a copy of a user module's answer that the sandbox can send, with a limit on its size.

import { describe, expect, test } from 'vitest';
import { boundedCopy, MAX_ENTRIES } from './bounded-copy.ts';
import { Rejection } from './list.ts';

const REJECTED = /^the module’s answer: found more than \d+ objects, .* letters$/;

describe('boundedCopy', () => {
  test('copies all fields, and lists the memory of arrays once for the transfer', () => {
    const values = Float32Array.of(1, 2);
    const answer = {
      answer: 'encoded',
      arrays: [values, values.subarray(1)],
      padding: [0, 1],
      narrated: null,
      f: () => 1,
    };
    const { copy, buffers } = boundedCopy(answer);
    expect({ ...(copy as object) }).toEqual({ ...answer, f: null });
    expect(buffers).toEqual([values.buffer]);
    expect((copy as { arrays: unknown[] }).arrays[0]).toBe(values);
  });

  test('stops at its bound, whatever length the answer claims to have', () => {
    let read = 0;
    const endless = new Proxy([], { get: (_, key) => (key === 'length' ? 2 ** 32 : ++read) });
    expect(() => boundedCopy({ answer: 'described', params: endless })).toThrow(Rejection);
    expect(read).toBeLessThanOrEqual(MAX_ENTRIES);
    expect(read).toBeGreaterThan(MAX_ENTRIES / 2);
  });

  test.each([
    ['objects', Array.from({ length: 101 }, () => ({}))],
    ['a list inside itself', ((list: unknown[]) => (list.push(list, list), list))([])],
    ['letters', 'x'.repeat(64 * 100)],
    ['names of fields', { ['x'.repeat(64 * 100)]: 1 }],
    ['fields', Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`f${i}`, i]))],
  ])('rejects too many: %s', (_, answer) => {
    expect(() => boundedCopy(answer, 100)).toThrow(REJECTED);
    expect(() => boundedCopy([], 100)).not.toThrow();
  });

  test('relies on nothing that a module can replace', () => {
    const { map, [Symbol.iterator]: iterator } = Array.prototype;
    const { entries, keys } = Object;
    try {
      Object.assign(Array.prototype, { map: () => [], [Symbol.iterator]: () => [][Symbol.iterator]() });
      Object.assign(Object, { entries: () => [], keys: () => [] });
      const { copy } = boundedCopy({ list: [1, 2] });
      expect((copy as { list: unknown[] }).list[1]).toBe(2);
      expect((copy as { list: unknown[] }).list.length).toBe(2);
    } finally {
      Object.assign(Array.prototype, { map, [Symbol.iterator]: iterator });
      Object.assign(Object, { entries, keys });
    }
  });
});
