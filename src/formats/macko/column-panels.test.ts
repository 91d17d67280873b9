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
        const { begins, columnOffsets, panelCols } = panelSplits(e, panels);
        for (let row = 0; row < e.rows; row++) {
          expect(begins[row]).toBe(e.indptr[row]);
          expect(begins[panels * e.rows + row]).toBe(e.indptr[row + 1]);
          for (let panel = 0; panel < panels; panel++) {
            const part = panel * e.rows + row;
            let before = columnOffsets[part] | 0;
            expect(before + panel * panelCols).toBe(passedColumns(e, e.indptr[row], begins[part]));
            for (let i = begins[part]; i < begins[part + e.rows]; i++) {
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
        const head = splits.begins.length + splits.columnOffsets.length;
        expect([...words.subarray(0, head)]).toEqual([...splits.begins, ...splits.columnOffsets]);
        const starts = Array.from({ length: counts.workgroups * 4 + 1 }, (_, i) => [
          ...words.subarray(head + 4 * i, head + 4 * i + 4),
        ]);
        expect(words.length).toBe(head + 4 * starts.length);
        expect(starts.at(-1)).toEqual([0, panels * e.rows, 0, 0]);
        for (const [i, [entry, part, passed, inside]] of starts.slice(0, -1).entries()) {
          const next = starts[i + 1];
          expect(next[1]).toBeGreaterThanOrEqual(part);
          if (next[1] === part) expect(next[0]).toBeGreaterThanOrEqual(entry);
          if (part === panels * e.rows) continue;
          expect(entry).toBeGreaterThanOrEqual(splits.begins[part]);
          expect(entry).toBeLessThanOrEqual(splits.begins[part + e.rows]);
          expect(inside).toBe(entry > splits.begins[part] ? 1 : 0);
          if (inside === 1) expect(entry % 8).toBe(0);
          const inRow = passedColumns(e, e.indptr[part % e.rows], entry);
          expect(passed | 0).toBe(inRow - Math.floor(part / e.rows) * splits.panelCols);
          // A workgroup begins with a whole piece.
          if (i % 4 === 0) expect(inside).toBe(0);
          if (e.rows > 0 && i % 4 === 3 && next[1] > part)
            expect(Math.floor((next[1] - 1) / e.rows)).toBe(Math.floor(starts[i - 3][1] / e.rows));
        }
      },
    ),
  );
});
