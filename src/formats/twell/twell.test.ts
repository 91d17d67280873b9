import { describe, expect, it } from 'vitest';
import { matrixOf, csrOf } from '../../../test/matrices.ts';
import { bf16Bits } from '../../core/number/index.ts';
import { twell } from './index.ts';
import { type TwellEncoded, wordOf } from './layout.ts';
import type { TwellParams } from './params.ts';

const PACKED: TwellParams = { layout: 'packed', tileWidth: 8, compression: 2, valueType: 'bf16' };
const SPLIT: TwellParams = { ...PACKED, layout: 'split' };
/** The parameters of the paper: tiles of 256 columns in 32 words. */
const PAPER: TwellParams = { layout: 'packed', tileWidth: 256, compression: 8, valueType: 'bf16' };

/** Two tiles of 8 columns, the second with 2. */
const A = matrixOf([0, 1, 0, 0, -2, 0, 0, 0.5, 0, 3], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 7, 0]);

it('TwELL encode stores column 300 with value 1.0 as 0x3F80012C, the example of the definition', () => {
  expect(wordOf(bf16Bits(1), 300)).toBe(1065353516);
  const e = twell.encode(csrOf([1, 512], [0, 1], [300]), PAPER);
  expect([e.tiles, e.slots]).toEqual([2, 32]);
  expect([...e.words.subarray(0, 34)]).toEqual([...new Uint32Array(32), 1, 1065353516]);
});

describe('TwELL validate', () => {
  const packed = twell.encode(A, PACKED);
  const split = twell.encode(A, SPLIT);
  const messages = (e: TwellEncoded): string[] => twell.validate(e, 'full').map((violation) => violation.message);
  const withWord = (index: number, word: number): TwellEncoded => ({
    ...packed,
    words: packed.words.with(index, word),
  });

  it('requires counts that fit in the slots and that add up to nnz', () => {
    expect(messages(withWord(0, 4))).toEqual(['row 0, tile 0: found count 4, expected at most 3']);
    expect(messages(withWord(0, 2))[0]).toBe('sum of counts: found 4, expected nnz = 5');
    expect(messages({ ...split, counts: split.counts.with(5, 5) })).toEqual([
      'row 2, tile 1: found count 5, expected at most 4',
    ]);
  });

  it('requires columns that ascend inside their tile', () => {
    const oneBits = bf16Bits(1);
    expect(messages(withWord(2, wordOf(oneBits, 1)))).toEqual([
      'words[2] in row 0, tile 0: found column 1, expected 2 to 7, ascending',
    ]);
    expect(messages(withWord(5, wordOf(oneBits, 7)))).toEqual([
      'words[5] in row 0, tile 1: found column 7, expected 8 to 9, ascending',
    ]);
    expect(messages(withWord(5, wordOf(oneBits, 10)))).toEqual([
      'words[5] in row 0, tile 1: found column 10, expected 8 to 9, ascending',
    ]);
  });

  it('requires empty slots to be 0', () => {
    expect(messages(withWord(6, 9))).toEqual(['words[6], an empty slot of row 0, tile 1: found 9, expected 0']);
    expect(messages({ ...split, values: split.values.with(3, 9) })).toEqual([
      'values[3], an empty slot of row 0, tile 0: found 9, expected 0',
    ]);
    expect(messages({ ...split, indices: split.indices.with(3, 9) })).toEqual([
      'indices[3], an empty slot of row 0, tile 0: found 9, expected 0',
    ]);
  });

  it('requires arrays that match layout and shape', () => {
    expect(twell.validate({ ...packed, words: packed.words.slice(1) }, 'cheap')[0].message).toBe(
      'length of words: found 23, expected rows * tiles * slots if packed = 24',
    );
    expect(twell.validate({ ...packed, tiles: 3 }, 'cheap')).not.toEqual([]);
    expect(twell.validate({ ...packed, slots: 8 }, 'cheap')).not.toEqual([]);
  });
});
