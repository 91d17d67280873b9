import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allParams, buildMatrix, paramsTitle, recipeFor, uniformRecipe } from '../../../test/arbitraries.ts';
import { statisticsOf } from '../../../test/encodings.ts';
import { contractFormats as formats } from '../../../test/declared/formats.ts';
import { cases } from '../../../test/scheduled.ts';
import { sizeOf } from '../../core/encoded/ledger.ts';

/**
 * Checks the sizes that a comparison computes from statistics alone. contract/why.test.ts checks the texts about a size,
 * and about matrices that do not fit.
 */
describe.each(formats.map((format) => [format.id, format] as const))('the comparison of %s', (_, format) => {
  const { comparison } = format;
  const every = allParams(format);
  const runs = Math.max(cases(1, 3), Math.ceil(cases(28, 80) / every.length));

  it('returns the same bytes as encoding, and rejects no matrix that the format can store', () => {
    let measured = 0;
    for (const params of every) {
      fc.assert(
        fc.property(recipeFor(format, params, 30, 200), (recipe) => {
          const m = buildMatrix(recipe);
          fc.pre(format.admits(m, params).ok);
          const size = comparison.size(statisticsOf(m), params);
          expect(size, paramsTitle(params)).not.toBe('refused');
          if (size === 'open') return;
          measured++;
          expect(size, paramsTitle(params)).toBe(sizeOf(format.storage(format.encode(m, params))));
        }),
        { numRuns: runs },
      );
    }
    const s = statisticsOf(
      buildMatrix({ shape: [4, 40], pattern: 'uniform', density: 0.2, values: 'normal', seed: 1, storage: 'entries' }),
    );
    if (comparison.size(s, every[0]) !== 'open') expect(measured).toBeGreaterThan(cases(20, 40));
  });

  it('proposes existing parameters of the format', () => {
    const m = buildMatrix(uniformRecipe([9, 60], 0.2, 1));
    for (const candidate of comparison.candidates?.(statisticsOf(m), every[0]) ?? []) {
      expect(Object.keys(candidate)).toEqual(Object.keys(every[0]));
      expect(format.admits(m, candidate).ok).toBe(true);
    }
    expect(format.effort).toBeGreaterThan(0);
  });
});
