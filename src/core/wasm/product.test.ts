import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import wabt from 'wabt';
import { Random } from '../number/random.ts';
import { PRODUCT_MODULE } from './product-module.ts';
import { openProducts, plainProducts, type Product } from './product.ts';

const cases: readonly (readonly [rows: number, cols: number, tokens: number])[] = [
  [4, 5, 8],
  [1, 1, 8],
  [7, 33, 16],
  [3, 0, 8],
  [16, 64, 40],
];

test.each(cases)(
  '%i x %i times %i columns: the same bits with WebAssembly and without, also transposed and with gaps between rows',
  (rows, cols, tokens) => {
    for (const isTransposed of [false, true]) {
      const random = new Random(rows + cols);
      // Bytes between rows do not affect the product, whatever their values.
      const xRow = tokens + 8;
      const outRow = tokens + 8;
      const aLength = Math.max(1, (rows + 1) * (cols + 1));
      const a = 3;
      const x = a + aLength;
      const out = x + (cols + 1) * xRow;
      const floats = out + (rows + 1) * outRow;
      const [aRow, aCol] = isTransposed ? [1, rows] : [cols, 1];
      const product: Product = { out, a, x, rows, cols, tokens, aRow, aCol, xRow, outRow };
      const [fast, plain] = [openProducts(floats, cols), plainProducts(floats)];
      for (let i = 0; i < floats; i++) plain.memory[i] = random.normal();
      fast.memory.set(plain.memory);
      const before = plain.memory.slice();
      fast.multiply(product);
      plain.multiply(product);
      expect(new Uint32Array(fast.memory.slice().buffer)).toEqual(new Uint32Array(plain.memory.slice().buffer));
      for (let r = 0; r < rows; r++) {
        for (let t = 0; t < tokens; t++) {
          let sum = 0;
          for (let c = 0; c < cols; c++) sum += before[a + r * aRow + c * aCol] * before[x + c * xRow + t];
          expect(fast.memory[out + r * outRow + t]).toBeCloseTo(sum, 4);
        }
        expect(fast.memory[out + r * outRow + tokens]).toBe(before[out + r * outRow + tokens]);
      }
    }
  },
);

test('PRODUCT_MODULE is what product.wat assembles to', async () => {
  const { parseWat } = await wabt();
  const source = readFileSync(new URL('product.wat', import.meta.url), 'utf8');
  const module = parseWat('product.wat', source, { simd: true, mutable_globals: true });
  expect(PRODUCT_MODULE).toBe(Buffer.from(module.toBinary({}).buffer).toString('base64'));
});
