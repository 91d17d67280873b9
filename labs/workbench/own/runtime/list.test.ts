// List, the array to which a custom format's encode appends numbers.

import { describe, expect, test } from 'vitest';
import { elementType } from '../../../../src/core/declared/element-type.ts';
import { List, Rejection, ListMemory } from './list.ts';

function listOf(name: string, memory = new ListMemory(1000, 2 ** 20)): List {
  const type = elementType(name);
  if (!type) throw new Error(name);
  return new List('columns', type, memory, null);
}

describe('the list to which encode stores numbers', () => {
  test('appends, counts padding, and reads and changes elements', () => {
    const list = listOf('u16');
    for (let i = 0; i < 200; i++) expect(list.push(i)).toBe(i);
    expect([list.pad(), list.pad(7), list.length, list.get(199)]).toEqual([200, 201, 202, 199]);
    list.set(3, 65535);
    const { elements, padding } = List.contents(list);
    expect([elements[3], elements[201], elements.length, padding]).toEqual([65535, 7, 202, 2]);
    for (const index of [-1, 202, 1.5, Number.NaN]) {
      expect(() => list.get(index)).toThrow(`columns: found index ${index}, expected one below its length 202`);
      expect(() => list.set(index, 0)).toThrow(RangeError);
    }
  });

  test.each([
    ['u16', 65536],
    ['u16', -1],
    ['u4', 16],
    ['u1', 2],
    ['u32', 2 ** 32],
    ['i8', 128],
    ['i8', -129],
    ['u8', 1.5],
    ['u8', Number.NaN],
    ['i32', Infinity],
  ])('of %s rejects %d, and stores nothing of it', (type, value) => {
    const memory = new ListMemory(1000, 2 ** 20);
    const list = listOf(type, memory);
    list.push(1);
    expect(() => list.push(value)).toThrow(new Rejection(`${value} does not fit ${type} of columns[1]`));
    expect([memory.rejection, list.length]).toEqual([`${value} does not fit ${type} of columns[1]`, 1]);
  });

  test('rejects objects instead of converting them to numbers', () => {
    let requestCount = 0;
    const object = { valueOf: () => requestCount++ };
    for (const type of ['u8', 'f32']) {
      const list = listOf(type);
      expect(() => list.push(object as unknown as number)).toThrow(`a object does not fit ${type} of columns[0]`);
      expect(() => Reflect.apply(list.push, list, [])).toThrow(`nothing does not fit ${type}`);
    }
    expect(requestCount).toBe(0);
  });

  test('rejects elements beyond the memory limits of a list and of all lists', () => {
    const list = listOf('u8', new ListMemory(100, 2 ** 20));
    for (let i = 0; i < 100; i++) list.push(1);
    expect(() => list.push(1)).toThrow('columns grew past 100 elements, the most for this matrix');
  });

  test('counts both copies against the limit while it grows, and copies elements at the end only if they fill less than half of their memory', () => {
    const filled = (bytes: number): List => {
      const list = listOf('u32', new ListMemory(10 ** 6, bytes));
      expect(() => {
        for (;;) list.push(1);
      }).toThrow('columns: the arrays need more than 1 GiB');
      return list;
    };
    // 1024 elements take 4096 bytes, and 512 of them were in 2048 others.
    expect([filled(4096 + 2048 - 1).length, filled(4096 + 2048).length]).toEqual([512, 1024]);
    const list = filled(4096 + 2048);
    const { elements } = List.contents(list);
    expect([elements.length, elements.buffer.byteLength]).toEqual([1024, 4096]);
    const half = listOf('u32');
    for (let i = 0; i < 65; i++) half.push(i);
    expect(List.contents(half).elements).toEqual(Uint32Array.from({ length: 65 }, (_, i) => i));
    expect(List.contents(half).elements.buffer.byteLength).toBe(4 * 128);
    const guessed = listOf('u32', new ListMemory(1000, 2 ** 20, 1000));
    guessed.push(7);
    expect(List.contents(guessed).elements.buffer.byteLength).toBe(4);
  });
});
