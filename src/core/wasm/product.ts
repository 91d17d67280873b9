import { wasmModule } from './wasm-module.ts';
import { PRODUCT_MODULE } from './product-module.ts';

/** The exports of the WebAssembly module product.wat. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  multiply(
    out: number,
    a: number,
    x: number,
    panel: number,
    rows: number,
    cols: number,
    tokens: number,
    aRow: number,
    aCol: number,
    xRow: number,
    outRow: number,
  ): void;
}

/** A product out = a x of two matrices: where they are in the memory, as indices of f32 numbers. */
export interface Product {
  readonly out: number;
  readonly a: number;
  readonly x: number;
  readonly rows: number;
  readonly cols: number;
  /** columns of x and out, a multiple of 8 */
  readonly tokens: number;
  /** strides: f32 numbers from one row or column of a, x or out to the next */
  readonly aRow: number;
  readonly aCol: number;
  readonly xRow: number;
  readonly outRow: number;
}

/** Memory of f32 numbers, and products of the matrices in this memory. */
export interface Products {
  readonly memory: Float32Array<ArrayBuffer>;
  /** out[r, t] = the sum of a[r, c] x[c, t] over c, in order; each product and each sum is rounded to f32 */
  multiply(product: Product): void;
}

/** The tokens of a product are a multiple of this. */
export const TOKEN_GROUP = 8;
const PAGE_BYTES = 65536;

const openModule = wasmModule<Exports>(PRODUCT_MODULE);

/**
 * Memory for `floats` numbers and for products of at most `maxCols` columns of a. WebAssembly with SIMD makes products
 * about ten times as fast, with the same bits as without. Throws RangeError if there is no such memory.
 */
export function openProducts(floats: number, maxCols: number): Products {
  /** numbers at the start of the memory, where the module collects eight columns of x */
  const panel = TOKEN_GROUP * maxCols;
  const wasm = openModule();
  if (wasm === null) return plainProducts(floats);
  const pages = Math.ceil((4 * (panel + floats)) / PAGE_BYTES);
  wasm.memory.grow(pages);
  const first = 4 * panel;
  return {
    memory: new Float32Array(wasm.memory.buffer, first, floats),
    multiply({ out, a, x, rows, cols, tokens, aRow, aCol, xRow, outRow }) {
      const at = (index: number): number => first + 4 * index;
      wasm.multiply(at(out), at(a), at(x), 0, rows, cols, tokens, 4 * aRow, 4 * aCol, 4 * xRow, 4 * outRow);
    },
  };
}

/** `openProducts` without WebAssembly. */
export function plainProducts(floats: number): Products {
  const memory = new Float32Array(floats);
  const sums = new Float32Array(TOKEN_GROUP);
  return {
    memory,
    multiply({ out, a, x, rows, cols, tokens, aRow, aCol, xRow, outRow }) {
      for (let first = 0; first < tokens; first += TOKEN_GROUP) {
        for (let r = 0; r < rows; r++) {
          sums.fill(0);
          for (let c = 0, aIndex = a + r * aRow, xIndex = x + first; c < cols; c++, aIndex += aCol, xIndex += xRow) {
            const weight = memory[aIndex];
            for (let t = 0; t < TOKEN_GROUP; t++) sums[t] += Math.fround(weight * memory[xIndex + t]);
          }
          memory.set(sums, out + r * outRow + first);
        }
      }
    },
  };
}
