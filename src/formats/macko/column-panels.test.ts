import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildMatrix, matrixRecipe } from '../../../test/arbitraries.ts';
import { withPanelShares } from '../../core/kernel/panel-shares.ts';
import { macko } from './index.ts';
import { passedColumns, storedDelta } from './layout.ts';
import { panelSplits } from './column-panels.ts';
import type { DeltaBits } from './params.ts';

const DELTA_BITS: readonly DeltaBits[] = [1, 2, 4, 8];

test('panelSplits puts every entry, padding included, into the panel (range of columns) of its column', () => {
  fc.assert(
    fc.property(
      matrixRecipe(30, 400),
      fc.constantFrom(...DELTA_BITS),
      fc.integer({ min: 2, max: 5 }),
      (recipe, deltaBits, panels) => {
        const e = macko.encode(buildMatrix(recipe), { deltaBits, valueType: 'f32' });
        const { starts, columnOffsets, panelCols } = panelSplits(e, panels);
        for (let row = 0; row < e.rows; row++) {
          expect(starts[row]).toBe(e.indptr[row]);
          expect(starts[panels * e.rows + row]).toBe(e.indptr[row + 1]);
          for (let panel = 0; panel < panels; panel++) {
            const piece = panel * e.rows + row;
            let before = columnOffsets[piece] | 0;
            expect(before + panel * panelCols).toBe(passedColumns(e, e.indptr[row], starts[piece]));
            for (let i = starts[piece]; i < starts[piece + e.rows]; i++) {
              const column = before + storedDelta(e, i);
              // `expect` for each entry would take longer than the encoder.
              if (column < 0 || column >= panelCols) expect.fail(`entry ${i}: found column ${column} of ${panelCols}`);
              before = column + 1;
            }
          }
        }
      },
    ),
  );
});

test('withPanelShares divides the entries panel by panel, and each workgroup has shares of one panel', () => {
  fc.assert(
    fc.property(
      matrixRecipe(60, 700),
      fc.integer({ min: 2, max: 4 }),
      fc.integer({ min: 1, max: 9 }),
      (recipe, panels, workgroups) => {
        const e = macko.encode(buildMatrix(recipe), { deltaBits: 4, valueType: 'f16' });
        const splits = panelSplits(e, panels);
        const counts = { workgroups: Math.max(panels, workgroups), shares: 4, lanes: 8 };
        const words = withPanelShares(splits, counts, (begin, entry) => passedColumns(e, begin, entry));
        const head = splits.starts.length + splits.columnOffsets.length;
        expect([...words.subarray(0, head)]).toEqual([...splits.starts, ...splits.columnOffsets]);
        const starts = Array.from({ length: counts.workgroups * 4 + 1 }, (_, i) => [
          ...words.subarray(head + 4 * i, head + 4 * i + 4),
        ]);
        expect(words.length).toBe(head + 4 * starts.length);
        expect(starts.at(-1)).toEqual([0, panels * e.rows, 0, 0]);
        for (const [i, [entry, piece, passed, isInside]] of starts.slice(0, -1).entries()) {
          const [nextEntry, nextPiece] = starts[i + 1];
          expect(nextPiece).toBeGreaterThanOrEqual(piece);
          if (nextPiece === piece) expect(nextEntry).toBeGreaterThanOrEqual(entry);
          if (piece === panels * e.rows) continue;
          expect(entry).toBeGreaterThanOrEqual(splits.starts[piece]);
          expect(entry).toBeLessThanOrEqual(splits.starts[piece + e.rows]);
          expect(isInside).toBe(entry > splits.starts[piece] ? 1 : 0);
          if (isInside === 1) expect(entry % 8).toBe(0);
          const inRow = passedColumns(e, e.indptr[piece % e.rows], entry);
          expect(passed | 0).toBe(inRow - Math.floor(piece / e.rows) * splits.panelCols);
          // A workgroup begins with a whole piece.
          if (i % 4 === 0) expect(isInside).toBe(0);
          // Its last share ends in the panel in which its first begins.
          if (e.rows > 0 && i % 4 === 3 && nextPiece > piece)
            expect(Math.floor((nextPiece - 1) / e.rows)).toBe(Math.floor(starts[i - 3][1] / e.rows));
        }
      },
    ),
  );
});
