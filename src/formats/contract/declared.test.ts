import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allParams, buildMatrix, paramsTitle, recipeFor } from '../../../test/arbitraries.ts';
import { contractFormats } from '../../../test/declared/formats.ts';
import { cases } from '../../../test/scheduled.ts';
import { declarationOf } from '../../core/declared/declarations.ts';
import { decode, encodeSteps, multiply } from '../../core/declared/derive.ts';
import type { AnyFormat, EncodedMatrix } from '../../core/format.ts';
import { finish } from '../../core/job.ts';
import { type Matrix, toCsr } from '../../core/matrix/index.ts';
import { spmvWithBound } from '../../core/oracle.ts';

/** What a declared format does by hand is what follows from its arrays, encode and decode. */

const declared = contractFormats.flatMap((format) => {
  const declaration = declarationOf(format);
  return declaration ? [[format.id, format, declaration] as const] : [];
});

const REJECTED_BY_SOME = {
  shape: [9, 600],
  pattern: 'uniform',
  values: 'normal',
  seed: 1,
  storage: 'entries',
} as const;

const eachMatrix = (
  format: AnyFormat,
  contents: (encoded: EncodedMatrix, where: string, m: Matrix, params: object) => void,
): void => {
  let met = 0;
  const every = allParams(format);
  for (const params of every) {
    fc.assert(
      fc.property(recipeFor(format, params, 20, 90), (recipe) => {
        const m = buildMatrix(recipe);
        if (!format.admits(m, params).ok) return;
        contents(format.encode(m, params), paramsTitle(params), m, params);
        met++;
      }),
      { numRuns: Math.max(cases(4, 60), Math.ceil(36 / every.length)) },
    );
  }
  expect(met).toBeGreaterThan(10);
};

describe.each(declared)('%s', (_, format, declaration) => {
  it('encodes by hand what encode appends, element by element', () => {
    eachMatrix(format, (encoded, where, m, params) => {
      expect(encoded, where).toEqual(finish(encodeSteps(declaration, m, params)));
    });
  });

  it('rejects in `admits` the matrices that do not fit in encode, with the same text', () => {
    const outcomeOf = (encode: () => unknown): string | null => {
      try {
        encode();
        return null;
      } catch (error) {
        return String(error);
      }
    };
    for (const params of allParams(format)) {
      for (const density of [0, 0.3, 1]) {
        const m = buildMatrix({ ...REJECTED_BY_SOME, density });
        const declaredOne = outcomeOf(() => finish(encodeSteps(declaration, m, params)));
        expect(
          outcomeOf(() => format.encode(m, params)),
          paramsTitle(params),
        ).toBe(declaredOne);
        expect(declaredOne === null, paramsTitle(params)).toBe(format.admits(m, params).ok);
      }
    }
  });

  it('decodes by hand what decode puts, bit for bit', () => {
    eachMatrix(format, (encoded, where) => {
      const { indptr, indices, data } = toCsr(format.decode(encoded));
      const derived = decode(declaration, encoded);
      expect([indptr, indices, data], where).toEqual([derived.indptr, derived.indices, derived.data]);
    });
  });

  it('multiplies by hand what decode puts, within the bound of its sums', () => {
    eachMatrix(format, (encoded, where) => {
      const x = Float32Array.from({ length: encoded.cols }, (__, i) => ((i * 7) % 11) - 5);
      const [byHand, derived] = [new Float32Array(encoded.rows), new Float32Array(encoded.rows)];
      format.multiply(encoded, x, byHand);
      multiply(declaration, encoded, x, derived);
      const { magnitude } = spmvWithBound(format.decode(encoded), x);
      for (let r = 0; r < encoded.rows; r++) {
        if (Object.is(byHand[r], derived[r])) continue;
        // A scale on the sum, and not on every value, saves roundings.
        expect(Math.abs(byHand[r] - derived[r]), `${where}, row ${r}`).toBeLessThanOrEqual(2 ** -22 * magnitude[r]);
      }
    });
  });
});
