import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildMatrix, matrixRecipe } from '../../../test/arbitraries.ts';
import { csr } from './index.ts';
import { panelSplits } from './kernels.ts';

test('panelSplits puts every entry into the panel of its column, at the offset that its earlier columns give', () => {
  fc.assert(
    fc.property(matrixRecipe(30, 400), fc.integer({ min: 1, max: 5 }), (recipe, panels) => {
      const e = csr.encode(buildMatrix(recipe), { indexBits: 16, valueType: 'f32' });
      const { starts, columnOffsets, panelCols } = panelSplits(e, panels);
      for (let row = 0; row < e.rows; row++) {
        expect(starts[row]).toBe(e.indptr[row]);
        expect(starts[panels * e.rows + row]).toBe(e.indptr[row + 1]);
        for (let panel = 0; panel < panels; panel++) {
          const part = panel * e.rows + row;
          for (let i = starts[part]; i < starts[part + e.rows]; i++) {
            const position = (e.indices[i] + columnOffsets[part]) >>> 0;
            expect(position).toBe(e.indices[i] - panel * panelCols);
            expect(position).toBeLessThan(panelCols);
          }
        }
      }
    }),
  );
});
