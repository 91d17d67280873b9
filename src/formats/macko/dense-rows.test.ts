import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import wabt from 'wabt';
import { buildMatrix, matrixRecipe } from '../../../test/arbitraries.ts';
import { finish } from '../../core/job.ts';
import { denseMatrix, type Matrix } from '../../core/matrix/index.ts';
import { Random } from '../../core/number/random.ts';
import { DENSE_ROWS_MODULE } from './dense-rows-module.ts';
import { encodeSteps } from './encode.ts';
import { encoding } from './encoding.ts';

const PARAMS = { deltaBits: 4, valueType: 'f16' } as const;

/** Checks that the fast encoder (WebAssembly) and the declared encoder return the same encoding. */
function expectSame(m: Matrix): void {
  const fast = finish(encodeSteps(m, PARAMS));
  const declared = finish(encoding.encodeSteps(m, PARAMS));
  // The checksum of an array covers its length and every element.
  expect(fast.checksums).toEqual(declared.checksums);
  expect(Object.keys(fast).toSorted()).toEqual(Object.keys(declared).toSorted());
}

describe('the MACKO encoder of dense rows in WebAssembly', () => {
  test('gives the same result as the declared encoder', () => {
    fc.assert(
      fc.property(matrixRecipe(40, 300), (recipe) => {
        expectSame(buildMatrix({ ...recipe, storage: 'cells' }));
      }),
    );
  });

  test('rounds f32 to f16 like the declared encoder, at every exponent and at ties', () => {
    const random = new Random(7);
    const bits = new Uint32Array(64 * 1024);
    for (let i = 0; i < bits.length; i++) {
      // Every exponent that matters, with fractions that are halves, just below and just above.
      const exponent = 90 + random.below(60);
      const fraction = [0x1000, 0xfff, 0x1001, 0x3000, random.below(2 ** 23)][random.below(5)];
      bits[i] = (random.below(2) << 31) | (exponent << 23) | ((random.below(1024) << 13) & 0x7fe000) | fraction;
    }
    bits.set([0x7f800000, 0xff800000, 0x7fc00001, 0xff812345, 1, 0x80000001, 0x477fefff, 0x477ff000, 0x387fffff], 100);
    expectSame(denseMatrix(64, 1024, new Float32Array(bits.buffer)));
    // Eight cells that are normal in f16 take a different path from eight cells with one that is not.
    for (let i = 0; i < bits.length; i++) bits[i] = (bits[i] & 0x807fffff) | ((113 + (i % 30)) << 23);
    expectSame(denseMatrix(64, 1024, new Float32Array(bits.buffer)));
  });

  test('gives the same result for many batches of rows, and for rows longer than a batch', () => {
    const random = new Random(3);
    for (const [rows, cols, density] of [
      [700, 3001, 0.3],
      [3, 1_100_003, 0.01],
      [5, 1_048_577, 0],
      [1500, 1400, 0.9],
    ]) {
      const data = Float32Array.from({ length: rows * cols }, () => (random.uniform() < density ? random.normal() : 0));
      expectSame(denseMatrix(rows, cols, data));
    }
  });

  test('runs the module that dense-rows.wat assembles to', async () => {
    const source = readFileSync(new URL('dense-rows.wat', import.meta.url), 'utf8');
    const module = (await wabt()).parseWat('dense-rows.wat', source, { simd: true, mutable_globals: true });
    expect(Buffer.from(module.toBinary({}).buffer).toString('base64')).toBe(DENSE_ROWS_MODULE);
  });
});
