import { describe, expect, it } from 'vitest';
import { hugeMatrix, matrixOf } from '../../../test/matrices.ts';
import { csrMatrix, denseMatrix, toDense } from '../../core/matrix/index.ts';
import { bf16Bits, roundToBf16 } from '../../core/number/index.ts';
import { twell } from './index.ts';
import { type TwellEncoded, wordOf } from './layout.ts';
import type { TwellParams } from './params.ts';

const PACKED: TwellParams = { layout: 'packed', tileWidth: 8, compression: 2, valueType: 'bf16' };
const SPLIT: TwellParams = { ...PACKED, layout: 'split' };
/** The paper's: tiles of 256 columns, 32 words. */
const PAPER: TwellParams = { layout: 'packed', tileWidth: 256, compression: 8, valueType: 'bf16' };

/** Two tiles of 8 columns, the second with 2. */
const A = matrixOf([0, 1, 0, 0, -2, 0, 0, 0.5, 0, 3], [0, 0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0, 0, 0, 0, 0, 0, 7, 0]);

/** The empty slots of three tile rows. */
const NONE = Array.from({ length: 12 }, () => 0);

describe('TwELL encode', () => {
  it('stores column 300 with value 1.0 as 0x3F80012C, the example of the definition', () => {
    expect(wordOf(bf16Bits(1), 300)).toBe(1065353516);
    const e = twell.encode(
      csrMatrix({
        rows: 1,
        cols: 512,
        indptr: Uint32Array.of(0, 1),
        indices: Uint32Array.of(300),
        data: Float32Array.of(1),
      }),
      PAPER,
    );
    expect([e.tiles, e.slots]).toEqual([2, 32]);
    expect([...e.words.subarray(0, 34)]).toEqual([...new Uint32Array(32), 1, 1065353516]);
  });

  it('packs tile rows to the left, the count before them, columns counted from the start of the row', () => {
    const { words, tiles, slots } = twell.encode(A, PACKED);
    expect([tiles, slots]).toEqual([2, 4]);
    const word = (value: number, column: number): number => wordOf(bf16Bits(value), column);
    expect([0, 8, 16].map((at) => [...words.subarray(at, at + 8)])).toEqual([
      [3, word(1, 1), word(-2, 4), word(0.5, 7), 1, word(3, 9), 0, 0],
      [0, 0, 0, 0, 0, 0, 0, 0],
      [0, 0, 0, 0, 1, word(7, 8), 0, 0],
    ]);
  });

  it('keeps values, columns and counts separate in the split layout', () => {
    const { values, indices, counts, words } = twell.encode(A, SPLIT);
    expect([...values]).toEqual([1, -2, 0.5, 0, 3, 0, 0, 0, ...NONE, 7, 0, 0, 0].map(bf16Bits));
    expect([...indices]).toEqual([1, 4, 7, 0, 9, 0, 0, 0, ...NONE, 8, 0, 0, 0]);
    expect([...counts]).toEqual([3, 1, 0, 0, 0, 1]);
    expect(words.length).toBe(0);
  });

  it('stores negative values, NaN and infinities, and rounds halves to even', () => {
    const m = matrixOf([-1, Number.NaN, Number.NEGATIVE_INFINITY], [1 + 2 ** -8, 1 + 3 * 2 ** -8, 1e-45]);
    for (const p of [PACKED, SPLIT]) {
      const e = twell.encode(m, p);
      expect(e.nnz).toBe(6);
      expect([...toDense(twell.decode(e))]).toEqual([-1, Number.NaN, -Infinity, 1, 1 + 2 ** -6, 0]);
      expect(roundToBf16(1e-45)).toBe(0);
      expect(twell.admits(m, p)).toEqual({
        ok: true,
        notes: [`1 value is too small for bf16 and stored as 0; the first is at row 1, column 2 (1e-45).`],
      });
    }
  });
});

describe('65536 columns', () => {
  it('are refused by encode in the same words, as is an array that is too long', () => {
    expect(() => twell.encode(hugeMatrix(2, 65537, 3), PAPER)).toThrow('words: found 65537 columns');
    const many = hugeMatrix(2 ** 20, 2 ** 16, 1);
    expect(() => twell.encode(many, PAPER)).toThrow('words: needs 34.36 GB, one array holds at most 4.29 GB');
  });
});

describe('TwELL validate', () => {
  const packed = twell.encode(A, PACKED);
  const split = twell.encode(A, SPLIT);
  const messages = (e: TwellEncoded): string[] => twell.validate(e, 'full').map((violation) => violation.message);
  const withWord = (at: number, word: number): TwellEncoded => ({ ...packed, words: packed.words.with(at, word) });

  it('requires counts that the slots can hold and that add up to nnz', () => {
    expect(messages(withWord(0, 4))).toEqual(['row 0, tile 0: found count 4, expected at most 3']);
    expect(messages(withWord(0, 2))[0]).toBe('sum of counts: found 4, expected nnz = 5');
    expect(messages({ ...split, counts: split.counts.with(5, 5) })).toEqual([
      'row 2, tile 1: found count 5, expected at most 4',
    ]);
  });

  it('requires columns that ascend inside their tile', () => {
    const one = bf16Bits(1);
    expect(messages(withWord(2, wordOf(one, 1)))).toEqual([
      'words[2] in row 0, tile 0: found column 1, expected 2 to 7, ascending',
    ]);
    expect(messages(withWord(5, wordOf(one, 7)))).toEqual([
      'words[5] in row 0, tile 1: found column 7, expected 8 to 9, ascending',
    ]);
    expect(messages(withWord(5, wordOf(one, 10)))).toEqual([
      'words[5] in row 0, tile 1: found column 10, expected 8 to 9, ascending',
    ]);
  });

  it('requires empty slots to hold 0', () => {
    expect(messages(withWord(6, 9))).toEqual(['words[6], an empty slot of row 0, tile 1: found 9, expected 0']);
    expect(messages({ ...split, values: split.values.with(3, 9) })).toEqual([
      'values[3], an empty slot of row 0, tile 0: found 9, expected 0',
    ]);
    expect(messages({ ...split, indices: split.indices.with(3, 9) })).toEqual([
      'indices[3], an empty slot of row 0, tile 0: found 9, expected 0',
    ]);
  });

  it('notices a changed column, and a changed value', () => {
    const changed = [expect.stringContaining('checksum of words')];
    expect(messages(withWord(1, wordOf(bf16Bits(1), 0)))).toEqual(changed);
    expect(messages(withWord(1, wordOf(bf16Bits(9), 1)))).toEqual(changed);
  });

  it('requires arrays that match layout and shape', () => {
    expect(twell.validate({ ...packed, words: packed.words.slice(1) }, 'cheap')[0].message).toBe(
      'length of words: found 23, expected rows * tiles * slots if packed = 24',
    );
    expect(twell.validate({ ...packed, tiles: 3 }, 'cheap')).not.toEqual([]);
    expect(twell.validate({ ...packed, slots: 8 }, 'cheap')).not.toEqual([]);
  });
});

describe('TwELL storage', () => {
  it('is a quarter of dense at compression 8, whatever the matrix holds', () => {
    const shape = { rows: 7, cols: 512 };
    const at = (density: number): number | undefined =>
      twell.expectedEffectiveDensity?.(density, PAPER, shape).expected;
    expect(at(0.01)).toBeCloseTo(0.25, 12);
    // At 500 of 5632 every second row would have to be stored dense.
    expect(twell.expectedEffectiveDensity?.(500 / 5632, PAPER, { rows: 7, cols: 5632 }).expected).toBeCloseTo(0.63, 2);
    expect(at(0.9)).toBe(1);
    expect(twell.storage(twell.encode(denseMatrix(7, 512, new Float32Array(7 * 512)), PAPER)).effectiveDensity).toBe(
      0.25,
    );
  });
});
