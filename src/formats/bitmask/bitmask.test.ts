import { expect, it } from 'vitest';
import { matrixOf } from '../../../test/matrices.ts';
import { popcount } from '../../core/statistics/half-words.ts';
import { bitmask } from './index.ts';
import { lowestBit } from './layout.ts';
import type { BitmaskParams } from './params.ts';
import { story } from './story/index.ts';

const F16: BitmaskParams = { valueType: 'f16' };
const A = matrixOf([0, 1, 0, -2, 0], [0, 0, 0, 0, 0], [0.5, 0, 0, 4, 3]);

it('popcount counts the bits of a word and lowestBit finds the lowest, including bit 31', () => {
  const words = [0, 1, 0x80000000, 0xffffffff, 0x0f0f0f0f, 0x80000001, 6];
  expect(words.map(popcount)).toEqual([0, 1, 1, 32, 16, 2, 2]);
  expect(words.slice(1).map(lowestBit)).toEqual([0, 31, 0, 0, 0, 1]);
});

it('bitmask validate requires as many bits as values in every row, and none past the last column', () => {
  const e = bitmask.encode(A, F16);
  const messages = (change: Partial<typeof e>): string[] =>
    bitmask.validate({ ...e, ...change }, 'full').map((violation) => violation.message);
  expect(messages({ mask: Uint32Array.of(0b01010, 0, 0b10001) })).toEqual([
    'set bits in row 2: found 2, expected values of the row = 3',
  ]);
  expect(messages({ mask: Uint32Array.of(0b01010, 0, 0b101001) })).toEqual([
    'mask[2]: found bits set past column 4, expected 0 there',
  ]);
});

it('bitmask scene has the bits of a word on a line, the lowest first, as columns are', () => {
  const t = story.trace(matrixOf([0, 5, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]), F16);
  const mask = story.scene(t, t.steps.length).panels.find(({ id }) => id === 'elements of mask');
  const bits = mask?.marks.toSorted((a, b) => a.x - b.x) ?? [];
  expect(bits.map(({ text }) => text).join('')).toBe(`010010${'0'.repeat(26)}`);
  expect(mask?.caption).toBe('1 word, lowest bit first');
  expect(bits[4].highlightNames).toEqual(['mask[4]', 'cell 0,4']);
});
