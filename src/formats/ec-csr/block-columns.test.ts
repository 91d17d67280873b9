import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultParams } from '../../core/format.ts';
import { blocksOf, isBlock } from './block-columns.ts';
import { type EcCsrParams, params } from './params.ts';

const DEFAULT = defaultParams(params);
const smallParams = (change: Partial<EcCsrParams>): EcCsrParams => ({ ...DEFAULT, lanes: 2, vectorSize: 2, ...change });
const blocks = (columns: readonly number[], p: EcCsrParams): number[][] =>
  blocksOf(Uint32Array.from(columns), p).map((block) => Array.from(block));

describe('blocksOf', () => {
  it('keeps the leading multiple of L v columns if all are within reach', () => {
    expect(blocks([0, 1, 2, 3, 4, 5, 6, 7, 8], smallParams({}))).toEqual([[0, 1, 2, 3, 4, 5, 6, 7]]);
    expect(blocks([0, 1, 2], smallParams({}))).toEqual([]);
    expect(blocks([], smallParams({}))).toEqual([]);
  });

  it.each([4, 8, 16] as const)('follows the reach of %d bits inside a lane, and any gap between two', (deltaBits) => {
    const reach = 2 ** deltaBits - 1;
    const p = smallParams({ deltaBits });
    expect(blocks([0, reach, 2 * reach, 3 * reach], p)).toEqual([[0, reach, 2 * reach, 3 * reach]]);
    // A gap too wide for a delta between the lanes: the second lane begins after it.
    expect(blocks([0, 1, 2 + reach, 3 + reach], p)).toEqual([[0, 1, 2 + reach, 3 + reach]]);
    // A gap too wide for a delta inside a lane: only one lane of two columns is possible.
    expect(blocks([0, 1 + reach, 2 + reach, 4 + 2 * reach], p)).toEqual([]);
  });

  it('makes the longest lanes first, and then uses the rest', () => {
    const run = (start: number, length: number): number[] => Array.from({ length }, (_, i) => start + i);
    const p = smallParams({ deltaBits: 4 });
    // Runs of 7 and 5: lanes of four from each. Their rests of 3 and 1 have one lane of two, and a block needs two.
    expect(blocks([...run(0, 7), ...run(100, 5)], p)).toEqual([[...run(0, 4), ...run(100, 4)]]);
    // Runs of 10 and 3: two lanes of four from the first; its last two columns and two of the second make lanes of two.
    expect(blocks([...run(0, 10), ...run(100, 3)], p)).toEqual([run(0, 8), [8, 9, 100, 101]]);
  });

  it('returns blocks that fit in lanes, of different columns, until no further block exists', () => {
    const anyParams = fc.record({
      lanes: fc.constantFrom<EcCsrParams['lanes']>(2, 4, 8),
      vectorSize: fc.constantFrom<EcCsrParams['vectorSize']>(1, 2, 4),
      deltaBits: fc.constantFrom<EcCsrParams['deltaBits']>(4, 8),
    });
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat({ max: 1500 }), { maxLength: 300 }), anyParams, (columns, change) => {
        const p = { ...DEFAULT, ...change };
        const all = Uint32Array.from(columns).toSorted();
        const foundBlocks = blocksOf(all, p);
        const takenColumns = new Set(foundBlocks.flatMap((block) => Array.from(block)));
        expect(takenColumns.size).toBe(foundBlocks.reduce((sum, block) => sum + block.length, 0));
        for (const block of foundBlocks) {
          expect(isBlock(block, p)).toBe(true);
          expect(Array.from(block)).toEqual(Array.from(block.toSorted()));
          expect(block.every((c) => all.includes(c))).toBe(true);
        }
        expect(
          blocksOf(
            all.filter((c) => !takenColumns.has(c)),
            p,
          ),
        ).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });
});
