import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bytesOf,
  type Elements,
  zeroElements,
  elementType,
  firstOutside,
  packed,
  rangeOf,
  rounded,
  unpacked,
} from './element-type.ts';

const NAMES = [
  'f16',
  'bf16',
  'f32',
  ...Array.from({ length: 32 }, (_, b) => `u${b + 1}`),
  ...Array.from({ length: 31 }, (_, b) => `i${b + 2}`),
];

test('elementType reads a letter and a number of bits', () => {
  expect(NAMES.filter((name) => elementType(name)?.name !== name)).toEqual([]);
  for (const wrong of ['u0', 'u33', 'i1', 'f8', 'f64', 'U8', 'u08', 'u', '', 'u4.5', 'constructor'])
    expect([wrong, elementType(wrong)]).toEqual([wrong, null]);
});

test('packed numbers use the bits of their type and round-trip, for every type', () => {
  fc.assert(
    fc.property(fc.constantFrom(...NAMES), fc.array(fc.integer(), { maxLength: 40 }), (name, numbers) => {
      const type = elementType(name);
      if (!type) throw new Error(name);
      const { min, max } = rangeOf(type);
      const elements = zeroElements(type, numbers.length);
      numbers.forEach((number, i) => {
        elements[i] = type.kind === 'float' ? (number % 1000) / 8 : min + (Math.abs(number) % (max - min + 1));
      });
      const numbersOfType: Elements = rounded(elements, type);
      const memory = packed(numbersOfType, type);
      expect(memory.byteLength).toBe(bytesOf(type, numbers.length));
      expect(unpacked(memory, type, numbers.length)).toEqual(numbersOfType);
      expect(firstOutside(numbersOfType, type)).toBe(-1);
    }),
  );
});

test('a number outside the range of its type is reported', () => {
  const u4 = elementType('u4');
  expect(u4 && firstOutside(Uint8Array.of(15, 0, 16), u4)).toBe(2);
  const i4 = elementType('i4');
  expect(i4 && [firstOutside(Int32Array.of(-8, 7, -9), i4), firstOutside(Int32Array.of(8), i4)]).toEqual([2, 0]);
});
