import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stagedShares, withEqualShares } from './equal-shares.ts';
import type { DeviceFacts } from './kernel.ts';

const COUNTS = { workgroups: 5, shares: 4, lanes: 8 };

interface Start {
  readonly entry: number;
  readonly row: number;
  readonly passedColumns: number;
  readonly isInsideRow: boolean;
}

function indptrOf(lengths: readonly number[]): Uint32Array {
  const indptr = new Uint32Array(lengths.length + 1);
  for (const [row, length] of lengths.entries()) indptr[row + 1] = indptr[row] + length;
  return indptr;
}

function startsOf(words: Uint32Array, rows: number): Start[] {
  const starts: Start[] = [];
  for (let offset = rows + 1; offset < words.length; offset += 4) {
    const [entry, row, passedColumns, isInsideRow] = words.subarray(offset, offset + 4);
    starts.push({ entry, row, passedColumns, isInsideRow: isInsideRow === 1 });
  }
  return starts;
}

/** Steps of a subgroup for a share: every piece of a row takes whole steps. */
function stepsOf(indptr: Uint32Array, from: Start, to: Start, lanes: number): number {
  let steps = 0;
  for (let row = from.row; row <= to.row && row + 1 < indptr.length; row++) {
    const begin = Math.max(from.entry, indptr[row]);
    const end = Math.min(to.entry, indptr[row + 1]);
    if (end > begin) steps += Math.ceil((end - begin) / (8 * lanes));
  }
  return steps;
}

const lengths = fc.oneof(
  fc.array(fc.nat(40), { maxLength: 200 }),
  fc.array(fc.oneof(fc.constant(0), fc.nat(3000)), { maxLength: 60 }),
);

describe('equal shares', () => {
  it('begin at ascending rows and entries, with whole rows in each workgroup, and inside a row only at multiples of 8', () => {
    fc.assert(
      fc.property(lengths, (rowLengths) => {
        const indptr = indptrOf(rowLengths);
        const rows = rowLengths.length;
        const words = withEqualShares(indptr, COUNTS, (row, entry) => 1000 * row + entry - indptr[row]);
        expect([...words.subarray(0, rows + 1)]).toEqual([...indptr]);
        const starts = startsOf(words, rows);
        expect(starts.length).toBe(COUNTS.workgroups * COUNTS.shares + 1);
        expect(starts[0]).toEqual({ entry: 0, row: 0, passedColumns: 0, isInsideRow: false });
        expect(starts.at(-1)).toEqual({ entry: indptr[rows], row: rows, passedColumns: 0, isInsideRow: false });
        for (const [i, { entry, row, passedColumns, isInsideRow }] of starts.entries()) {
          const before = starts[Math.max(0, i - 1)];
          expect(row).toBeGreaterThanOrEqual(before.row);
          expect(entry).toBeGreaterThanOrEqual(before.entry);
          if (isInsideRow) {
            expect(entry % 8).toBe(0);
            expect(entry).toBeGreaterThan(indptr[row]);
            expect(entry).toBeLessThan(indptr[row + 1]);
            expect(i % COUNTS.shares).not.toBe(0);
            expect(passedColumns).toBe(1000 * row + entry - indptr[row]);
          } else {
            expect(entry).toBe(indptr[row]);
            expect(passedColumns).toBe(0);
          }
        }
      }),
      { seed: 20261120, numRuns: 300 },
    );
  });

  it('consist of whole rows if there are as many rows as shares, of about equal length', () => {
    const indptr = indptrOf(Array.from({ length: 31 * 5 }, (_, row) => 2048 + (row % 7)));
    const words = withEqualShares(indptr, { workgroups: 5, shares: 32, lanes: 32 });
    const starts = startsOf(words, 31 * 5);
    expect(starts.filter(({ isInsideRow }) => isInsideRow)).toEqual([]);
    expect(Math.max(...starts.slice(1).map(({ row }, i) => row - starts[i].row))).toBe(1);
  });

  it('take about the same number of steps, however much the lengths of rows differ', () => {
    const skewed = Array.from({ length: 400 }, (_, row) => Math.round(20_000 / (1 + ((row * 37) % 400))));
    const indptr = indptrOf(skewed);
    const counts = { workgroups: 1, shares: 16, lanes: 8 };
    const starts = startsOf(withEqualShares(indptr, counts), 400);
    const steps = starts.slice(1).map((to, i) => stepsOf(indptr, starts[i], to, counts.lanes));
    const mean = steps.reduce((sum, one) => sum + one, 0) / steps.length;
    expect(Math.max(...steps)).toBeLessThan(1.25 * mean);
    // If every share had the same number of whole rows, the longest would take several times the mean.
    const byRows = Array.from({ length: 16 }, (_, i) => skewed.slice(25 * i, 25 * i + 25)).map((rows) =>
      rows.reduce((sum, length) => sum + Math.ceil(length / (8 * counts.lanes)), 0),
    );
    expect(Math.max(...byRows)).toBeGreaterThan(3 * mean);
  });

  it('are as many as fit in the lanes that the device runs, with space for x and for the results of every share', () => {
    const device: DeviceFacts = {
      features: new Set(['subgroups']),
      limits: { maxComputeInvocationsPerWorkgroup: 256, maxComputeWorkgroupSizeX: 512 },
      subgroupMinSize: 8,
      subgroupMaxSize: 32,
      isFallback: false,
    };
    expect(stagedShares(1001, 'f16', device)).toMatchObject({
      lanes: 256,
      memoryBytes: 4 * 501,
      counts: { shares: 8, lanes: 32 },
      constants: { WORKGROUP_SIZE: 256, SHARES: 8, X_WORDS: 501, TURNS: 1 },
    });
    expect(stagedShares(3, 'f32', device)).toMatchObject({ memoryBytes: 4 * 4 * 8, constants: { COLS: 3, TURNS: 1 } });
  });
});
