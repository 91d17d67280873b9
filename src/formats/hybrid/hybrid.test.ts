import { describe, expect, it } from 'vitest';
import { matrixOf } from '../../../test/matrices.ts';
import { bf16Bits } from '../../core/number/index.ts';
import { hybrid } from './index.ts';
import { type HybridEncoded } from './layout.ts';
import type { HybridParams } from './params.ts';

const P: HybridParams = { rowSlots: 4, tailShare: 2, valueType: 'bf16' };

/** Rows with 1, 5, 0 and 4 non-zeros: with four slots the second goes to the tail. */
const A = matrixOf([0, 2, 0, 0, 0, 0], [1, -2, 3, 0, 5, 6], [0, 0, 0, 0, 0, 0], [1, 0, 1, 0, 1, 1]);

describe('hybrid validate', () => {
  const e = hybrid.encode(A, P);
  const messages = (change: Partial<HybridEncoded>): string[] =>
    hybrid.validate({ ...e, ...change }, 'full').map((violation) => violation.message);

  it('requires long rows in the tail and short ones in their slots', () => {
    expect(messages({ tailMap: e.tailMap.with(0, 0) })).toEqual(['tailMap[0]: found 0, expected none for 1 non-zeros']);
    expect(messages({ tailMap: e.tailMap.with(1, 1) })[0]).toBe('tailMap[1]: found 1, expected the tail row of row 1');
    expect(messages({ tailRows: e.tailRows.with(0, 3) })).toContain(
      'tailRows[0]: found 3, expected the row whose tailMap is 0',
    );
    expect(messages({ tailRows: e.tailRows.with(1, 3) })).toEqual([
      'tailRows[1]: found 3, expected none for a free tail row',
    ]);
  });

  it('requires the rest to be empty', () => {
    expect(messages({ values: e.values.with(5, 1) })).toEqual([
      'values[5], an empty slot of row 1: found 1, expected 0',
    ]);
    expect(messages({ indices: e.indices.with(2, 1) })).toEqual([
      'indices[2], an empty slot of row 0: found 1, expected 0',
    ]);
    expect(messages({ tail: e.tail.with(8, bf16Bits(1)) })).toEqual([
      'tail row 1: found 1 non-zeros, expected at most 0',
    ]);
    expect(messages({ tail: e.tail.with(3, bf16Bits(1)) })).toEqual([
      'tail row 0: found 6 non-zeros, expected at most 5',
    ]);
  });

  it('requires counts that add up and columns that ascend', () => {
    expect(messages({ counts: e.counts.with(0, 0) })).toContain('sum of counts: found 9, expected nnz = 10');
    expect(messages({ counts: e.counts.with(1, 9) })).toContain('counts[1]: found 9, expected at most cols = 6');
    expect(messages({ indices: e.indices.with(14, 2) })).toEqual([
      'indices[14] in row 3: found column 2 after 2, expected ascending columns',
    ]);
    expect(messages({ indices: e.indices.with(0, 2) })).toEqual([expect.stringContaining('checksum of indices')]);
  });
});
