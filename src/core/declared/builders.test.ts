import fc from 'fast-check';
import { expect, test } from 'vitest';
import { builderOf } from './builders.ts';
import { elementType, packed, rangeOf, unpacked, zeroElements } from './element-type.ts';

/** The names of all integer types: u1 to u32, i2 to i32. */
const NAMES = [
  ...Array.from({ length: 32 }, (_, b) => `u${b + 1}`),
  ...Array.from({ length: 31 }, (_, b) => `i${b + 2}`),
];

test.each(NAMES)('a builder of %s has the same memory after push, set, pad and pushAll', (name) => {
  const type = elementType(name);
  if (!type) throw new Error(name);
  const { min, max } = rangeOf(type);
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 70 }), fc.boolean(), (numbers, inWords) => {
      const elements = zeroElements(type, numbers.length);
      numbers.forEach((number, i) => (elements[i] = min + (Math.abs(number) % (max - min + 1))));
      const builder = () => builderOf('a', type, { exact: null, guess: 0, inWords, quantised: null });

      const pushed = builder();
      for (const element of elements) pushed.push(element);
      const memory = pushed.finish();
      if (inWords) expect(unpacked(memory, type, elements.length)).toEqual(elements);
      else expect(memory).toEqual(packed(elements, type));
      elements.forEach((element, i) => expect(pushed.get(i)).toBe(element));

      // Elements are set from the last to the first, over memory in which every bit is inverted.
      const set = builder();
      for (const element of elements) set.push(type.kind === 'unsigned' ? max - element : -1 - element);
      for (let i = elements.length - 1; i >= 0; i--) set.set(i, elements[i]);
      expect(set.finish()).toEqual(memory);

      const padded = builder();
      for (const element of elements) padded.pad(element);
      expect([padded.finish(), padded.padding]).toEqual([memory, elements.length]);

      if (type.kind === 'signed') return;
      const inLists = builder();
      inLists.pushAll(Uint32Array.from(elements.subarray(0, 5)));
      inLists.pushAll(Uint32Array.from(elements.subarray(5)));
      expect(inLists.finish()).toEqual(memory);
    }),
    { numRuns: 20 },
  );
});

test('a number that does not fit its type is rejected, and the message names its element', () => {
  const u4 = elementType('u4');
  if (!u4) throw new Error('u4');
  for (const value of [16, -1, 0.5, Number.NaN]) {
    const builder = builderOf('deltas', u4, { exact: 2, guess: 0, inWords: true, quantised: null });
    builder.push(15);
    expect(() => builder.push(value)).toThrow(`deltas[1]: found ${value}, which does not fit u4`);
  }
});

test('a number that does not fit i16, whose memory is unsigned, is rejected', () => {
  const i16 = elementType('i16');
  if (!i16) throw new Error('i16');
  for (const value of [32_768, 65_535, -32_769]) {
    const builder = builderOf('skips', i16, { exact: null, guess: 0, inWords: false, quantised: null });
    expect(() => builder.push(value)).toThrow(`skips[0]: found ${value}, which does not fit i16`);
  }
});
