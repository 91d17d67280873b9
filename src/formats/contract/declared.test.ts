import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { allParams, buildMatrix, paramsTitle, recipeFor } from '../../../test/arbitraries.ts';
import { contractFormats } from '../../../test/declared/formats.ts';
import { cases } from '../../../test/scheduled.ts';
import { declarationOf } from '../../core/declared/declarations.ts';
import { decode, multiply } from '../../core/declared/decode.ts';
import { encodeSteps } from '../../core/declared/encode.ts';
import type { AnyFormat, EncodedMatrix } from '../../core/format.ts';
import { finish } from '../../core/job.ts';
import { type Matrix, toCsr } from '../../core/matrix/index.ts';
import { spmvWithBound } from '../../core/oracle.ts';

/**
 * A declared format may have its own, faster functions `encode`, `decode` and `multiply`. They must agree with those
 * that are derived from its declaration.
 */

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

/** Calls `contents` for random matrices that the format admits, encoded with each of its parameters. */
const eachMatrix = (
  format: AnyFormat,
  contents: (encoded: EncodedMatrix, where: string, m: Matrix, params: object) => void,
): void => {
  let calls = 0;
  const combinations = allParams(format);
  for (const params of combinations) {
    fc.assert(
      fc.property(recipeFor(format, params, 20, 90), (recipe) => {
        const m = buildMatrix(recipe);
        if (!format.admits(m, params).ok) return;
        contents(format.encode(m, params), paramsTitle(params), m, params);
        calls++;
      }),
      { numRuns: Math.max(cases(4, 60), Math.ceil(36 / combinations.length)) },
    );
  }
  expect(calls).toBeGreaterThan(10);
};

describe.each(declared)('%s', (_, format, declaration) => {
  it('encode returns the arrays that the declaration appends, element by element', () => {
    eachMatrix(format, (encoded, where, m, params) => {
      expect(encoded, where).toEqual(finish(encodeSteps(declaration, m, params)));
    });
  });

  it('`admits` rejects the matrices that encode rejects, with the message that follows from the declaration', () => {
    const errorOf = (encode: () => unknown): string | null => {
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
        const derivedError = errorOf(() => finish(encodeSteps(declaration, m, params)));
        expect(
          errorOf(() => format.encode(m, params)),
          paramsTitle(params),
        ).toBe(derivedError);
        expect(derivedError === null, paramsTitle(params)).toBe(format.admits(m, params).ok);
      }
    }
  });

  it('decode returns the cells that the declaration puts, bit for bit', () => {
    eachMatrix(format, (encoded, where) => {
      const { indptr, indices, data } = toCsr(format.decode(encoded));
      const derived = decode(declaration, encoded);
      expect([indptr, indices, data], where).toEqual([derived.indptr, derived.indices, derived.data]);
    });
  });

  it('multiply returns the sums that follow from the declaration, within their error bound', () => {
    eachMatrix(format, (encoded, where) => {
      const x = Float32Array.from({ length: encoded.cols }, (__, i) => ((i * 7) % 11) - 5);
      const [own, derived] = [new Float32Array(encoded.rows), new Float32Array(encoded.rows)];
      format.multiply(encoded, x, own);
      multiply(declaration, encoded, x, derived);
      const { magnitude } = spmvWithBound(format.decode(encoded), x);
      for (let r = 0; r < encoded.rows; r++) {
        if (Object.is(own[r], derived[r])) continue;
        // A scale on the sum, and not on every value, saves roundings.
        expect(Math.abs(own[r] - derived[r]), `${where}, row ${r}`).toBeLessThanOrEqual(2 ** -22 * magnitude[r]);
      }
    });
  });
});
