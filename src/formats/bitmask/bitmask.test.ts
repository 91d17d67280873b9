import { type DeclaredTrace, stepPutting } from '../../core/declared/story/trace.ts';
import { describe, expect, it } from 'vitest';
import { hugeMatrix, matrixOf } from '../../../test/matrices.ts';
import { f16Bits } from '../../core/number/index.ts';
import { narrationText } from '../../core/story/scene.ts';
import { bitmask } from './index.ts';
import { lowestBit, popcount } from './layout.ts';
import type { BitmaskParams } from './params.ts';
import { story } from './story/index.ts';

const F16: BitmaskParams = { valueType: 'f16' };
const A = matrixOf([0, 1, 0, -2, 0], [0, 0, 0, 0, 0], [0.5, 0, 0, 4, 3]);

describe('bits of a word', () => {
  it('are counted and found, including the highest', () => {
    const words = [0, 1, 0x80000000, 0xffffffff, 0x0f0f0f0f, 0x80000001, 6];
    expect(words.map(popcount)).toEqual([0, 1, 1, 32, 16, 2, 2]);
    expect(words.slice(1).map(lowestBit)).toEqual([0, 31, 0, 0, 0, 1]);
  });
});

describe('bitmask encode', () => {
  it('sets a bit per non-zero and stores the values in order', () => {
    const e = bitmask.encode(A, F16);
    expect(e.mask).toEqual(Uint32Array.of(0b01010, 0, 0b11001));
    expect(Array.from(e.values)).toEqual([1, -2, 0.5, 4, 3].map(f16Bits));
    expect(e.rowPtr).toEqual(Uint32Array.of(0, 2, 2, 5));
  });

  it('refuses a mask that does not fit into one array, with need and limit', () => {
    expect(() => bitmask.encode(hugeMatrix(2 ** 21, 2 ** 15, 0), F16)).toThrow(
      'mask: needs 8.59 GB, one array holds at most 4.29 GB',
    );
  });
});

describe('bitmask validate', () => {
  const e = bitmask.encode(A, F16);
  const messages = (change: Partial<typeof e>): string[] =>
    bitmask.validate({ ...e, ...change }, 'full').map((violation) => violation.message);

  it('requires as many bits as values in every row, and none past the last column', () => {
    expect(messages({ mask: Uint32Array.of(0b01010, 0, 0b10001) })).toEqual([
      'set bits in row 2: found 2, expected values of the row = 3',
    ]);
    expect(messages({ mask: Uint32Array.of(0b01010, 0, 0b101001) })).toEqual([
      'mask[2]: found bits set past column 4, expected 0 there',
    ]);
  });
});

describe('bitmask storage', () => {
  it('counts bits past the last column as padding', () => {
    const { totalBits } = bitmask.storage(bitmask.encode(A, F16));
    expect(totalBits).toEqual({ values: 80, indices: 15, metadata: 128, padding: 81 });
  });
});

describe('bitmask scene', () => {
  it('has the bits of a word on a line, the lowest first, as columns are', () => {
    const t = story.trace(matrixOf([0, 5, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0]), F16);
    const mask = story.scene(t, t.steps.length).panels.find(({ id }) => id === 'elements of mask');
    const bits = mask?.marks.toSorted((a, b) => a.x - b.x) ?? [];
    expect(bits.map(({ text }) => text).join('')).toBe(`010010${'0'.repeat(26)}`);
    expect(mask?.caption).toBe('1 word, lowest bit first');
    expect(bits[4].about).toEqual(['mask[4]', 'cell 0,4']);
  });

  it('says which bit leads to a column', () => {
    const t = story.trace(A, F16);
    expect(narrationText(story.scene(t, stepPutting(t as DeclaredTrace, 2, 4)))).toBe(
      'Bit 68 of mask is column 4: 3 × x[4] = 6; y[2] is −1.',
    );
  });
});
