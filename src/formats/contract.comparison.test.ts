import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allParams, buildMatrix, matrixRecipe, paramsTitle, recipeFor } from '../../test/arbitraries.ts';
import { statisticsOf } from '../../test/encodings.ts';
import { contractFormats as formats } from '../../test/declared/formats.ts';
import { cases } from '../../test/scheduled.ts';

/** One thing with the verb or the noun of many: '1 longer ones lie', '1 of 40 rows are'. */
const ONE_AS_MANY =
  /(?<![\d.]|\d\s)1 (?:zeros|bits|columns|slots|longer ones|of \d[\d\s]* (?:tile )?(?:rows|groups of \d+) (?:are|hold|lie))\b/;

describe.each(formats.map((format) => [format.id, format] as const))('the comparison of %s', (_, format) => {
  const { comparison } = format;
  const every = allParams(format);
  const runs = Math.max(cases(1, 3), Math.ceil(cases(28, 80) / every.length));

  it('gives the same bytes as encoding, and refuses what encoding refuses', () => {
    let measured = 0;
    for (const params of every) {
      fc.assert(
        fc.property(recipeFor(format, params, 30, 200), (recipe) => {
          const m = buildMatrix(recipe);
          const size = comparison.size(statisticsOf(m), params);
          if (!format.admits(m, params).ok) return;
          expect(size, paramsTitle(params)).not.toBe('refused');
          if (size === 'open') return;
          measured++;
          expect(size, paramsTitle(params)).toBe(format.storage(format.encode(m, params)).totalBytes);
        }),
        { numRuns: runs },
      );
    }
    const s = statisticsOf(
      buildMatrix({ shape: [4, 40], pattern: 'uniform', density: 0.2, values: 'normal', seed: 1, storage: 'entries' }),
    );
    if (comparison.size(s, every[0]) !== 'open') expect(measured).toBeGreaterThan(cases(20, 40));
  });

  it('says in a sentence what does not fit, for every matrix that statistics refuse', () => {
    for (const params of every) {
      fc.assert(
        fc.property(matrixRecipe(20, 100), (recipe) => {
          const m = buildMatrix(recipe);
          const s = statisticsOf(m);
          if (comparison.size(s, params) !== 'refused') return;
          expect(format.admits(m, params).ok).toBe(false);
          expect(comparison.whyRefused?.(s, params)).toMatch(/^\S.*\S\.$/);
          expect(comparison.whyRefused?.(s, params)).not.toMatch(ONE_AS_MANY);
          for (const { text } of comparison.notes?.(s) ?? []) expect(text).not.toMatch(/NaN|Infinity|undefined/);
        }),
        { numRuns: runs },
      );
    }
  });

  it('explains its size in a sentence', () => {
    for (const params of every) {
      fc.assert(
        fc.property(recipeFor(format, params, 20, 100), (recipe) => {
          const m = buildMatrix({ ...recipe, values: 'small integers' });
          if (!format.admits(m, params).ok) return;
          const e = format.encode(m, params);
          const s = statisticsOf(m);
          for (const digest of [{}, comparison.digest?.(e) ?? {}]) {
            const why = comparison.why(s, params, digest);
            expect(why).toMatch(/^\S.*\S\.$/);
            expect(why).not.toMatch(/NaN|Infinity|undefined/);
            expect(why).not.toMatch(ONE_AS_MANY);
          }
          for (const mark of comparison.marks?.(s, params) ?? []) {
            expect(mark.at).toBeGreaterThan(0);
            expect(mark.lines.join(' ')).not.toMatch(/NaN|Infinity|undefined/);
          }
        }),
        { numRuns: runs },
      );
    }
  });

  it('proposes existing parameters of the format', () => {
    const m = buildMatrix({
      shape: [9, 60],
      pattern: 'uniform',
      density: 0.2,
      values: 'normal',
      seed: 1,
      storage: 'entries',
    });
    for (const candidate of comparison.candidates?.(statisticsOf(m), every[0]) ?? []) {
      expect(Object.keys(candidate)).toEqual(Object.keys(every[0]));
      expect(format.admits(m, candidate).ok).toBe(true);
    }
    expect(format.effort).toBeGreaterThan(0);
  });
});
