import { describe, expect, it } from 'vitest';
import { allParams, paramsTitle, turnOf } from '../../test/arbitraries.ts';
import type { AnyFormat } from '../core/format.ts';
import { denseMatrix, type Matrix } from '../core/matrix/index.ts';
import { type AnyValueType, VALUE_BITS } from '../core/number/index.ts';
import { generate } from '../generate/generate.ts';
import { contractFormats as formats, PERMUTED } from '../../test/declared/formats.ts';

// Compares the declared sizes of formats with the bytes of generated matrices, for every combination of parameters.

/** How much the declared size, closed form and overhead together, may differ from the bytes: a share of them. */
const TOLERANCE = 0.02;
/**
 * Multiples of 16, since BSR's closed form is for whole blocks; the columns are no multiple of a mask word or a tile, whose
 * padding is compared as well.
 */
const SHAPE = { rows: 256, cols: 1552 };
const DENSITIES = [0.01, 0.12, 0.5, 0.93];

/** ELL's size follows its longest row, which differs from matrix to matrix; CSR's closed form is exact. */
const TOLERANCES: Readonly<Record<string, number>> = { ell: 0.1, csr: 1e-12 };

type Params = Readonly<Record<string, unknown>>;

/** The most even rows possible: any G neighbouring cells have at most ceil(density × G) non-zeros. */
function evenMatrix(density: number): Matrix {
  const { rows, cols } = SHAPE;
  const values = Float32Array.from({ length: rows * cols }, (_, i) => {
    const position = (i % cols) + (Math.floor(i / cols) % 7);
    return Math.floor((position + 1) * density + 1e-9) > Math.floor(position * density + 1e-9) ? 1 : 0;
  });
  return denseMatrix(rows, cols, values);
}

function declaredBytes(format: AnyFormat, params: Params, density: number): number {
  const closed = format.expectedEffectiveDensity?.(density, params, SHAPE).expected ?? Number.NaN;
  const bits = closed * SHAPE.rows * SHAPE.cols * VALUE_BITS[params.valueType as AnyValueType];
  return (bits + (format.overheadBits?.(params, SHAPE) ?? 0)) / 8;
}

const uniformMatrices = DENSITIES.map((density) => generate({ pattern: 'uniform', ...SHAPE, density, seed: 1 }));
const evenMatrices = [1 / 16, 1 / 8, 1 / 2, 2 / 3, 3 / 4, 7 / 8].map((density) => ({
  density,
  matrix: evenMatrix(density),
}));

describe.each([...formats, PERMUTED].filter((f) => f.expectedEffectiveDensity))('$id', (format) => {
  const combinations = allParams(format);

  it('has the size of its closed form, if it supports the matrix', () => {
    let compared = 0;
    let attempts = 0;
    for (const [i, params] of combinations.entries()) {
      for (const matrix of turnOf(uniformMatrices, i, combinations.length)) {
        attempts++;
        if (!format.admits(matrix, params).ok) continue;
        const measured = format.storage(format.encode(matrix, params)).totalBytes;
        // The closed form is for the density that was actually generated.
        const ratio = measured / declaredBytes(format, params, matrix.nnz / (SHAPE.rows * SHAPE.cols));
        const title = `${paramsTitle(params)} at ${matrix.nnz} of ${SHAPE.rows * SHAPE.cols}: ${ratio}`;
        expect(Math.abs(ratio - 1), title).toBeLessThan(TOLERANCES[format.id] ?? TOLERANCE);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(0);
    if (!format.admissionOdds) expect(compared).toBe(attempts);
  });

  it('supports matrices as often as its odds predict, for independent and for even non-zeros', () => {
    let certain = 0;
    for (const [k, params] of combinations.entries()) {
      for (const [i, density] of turnOf([...DENSITIES.entries()], k, combinations.length)) {
        const odds = format.admissionOdds?.(density, params, SHAPE, 'independent') ?? 1;
        expect(odds).toBeGreaterThanOrEqual(0);
        expect(odds).toBeLessThanOrEqual(1);
        if (odds > 0.001 && odds < 0.999) continue;
        expect(format.admits(uniformMatrices[i], params).ok, `${paramsTitle(params)} at ${density}`).toBe(odds > 0.5);
        certain++;
      }
    }
    for (const [k, params] of combinations.entries()) {
      for (const { density, matrix } of turnOf(evenMatrices, k, combinations.length)) {
        const odds = format.admissionOdds?.(density, params, SHAPE, 'even') ?? 1;
        // Below 1 it is not certain: the format may still support a lucky placement.
        if (odds < 1) continue;
        expect(format.admits(matrix, params).ok, `${paramsTitle(params)} evenly at ${density}`).toBe(true);
        certain++;
      }
    }
    expect(certain).toBeGreaterThan(0);
  });

  it('explains what decides its size, with numbers that are numbers', () => {
    for (const params of combinations) {
      for (const density of [0, 1e-4, 0.3, 1]) {
        const reason = format.expectedReason?.(density, params, SHAPE).text ?? '';
        expect(reason, paramsTitle(params)).toMatch(/^\S.*[^.]$/);
        expect(reason, paramsTitle(params)).not.toMatch(/NaN|Infinity|undefined|-\d/);
      }
    }
  });
});
