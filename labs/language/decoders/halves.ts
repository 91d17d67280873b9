import { f16Table } from '../../../src/core/number/index.ts';
import { wasmModule } from '../../../src/core/wasm/wasm-module.ts';
import { HALVES_MODULE } from './halves-module.ts';

/** An array of half-precision numbers, all f16 or all bf16, that is read as f32. */
export class Halves {
  readonly #bits: Uint16Array;
  readonly #areBf16: boolean;

  private constructor(bits: Uint16Array, areBf16: boolean) {
    this.#bits = bits;
    this.#areBf16 = areBf16;
  }

  /** These numbers in half the memory; null if they are neither all f16 nor all bf16, or not all finite. O(n). */
  static from(values: Float32Array): Halves | null {
    const bits = new Uint32Array(values.buffer, values.byteOffset, values.length);
    const halves = new Uint16Array(bits.length);
    if (toF16(bits, halves)) return new Halves(halves, false);
    return toBf16(bits, halves) ? new Halves(halves, true) : null;
  }

  get length(): number {
    return this.#bits.length;
  }

  get byteLength(): number {
    return this.#bits.byteLength;
  }

  /** Numbers `from` to `to` as f32, at the beginning of `into`. */
  widen(from = 0, to = this.length, into = new Float32Array(to - from)): Float32Array {
    const bits = this.#bits;
    const wide = widener();
    if (wide) {
      for (let start = from; start < to; start += WIDENED_AT_ONCE) {
        const part = bits.subarray(start, Math.min(to, start + WIDENED_AT_ONCE));
        into.set(wide(part, this.#areBf16), start - from);
      }
    } else if (this.#areBf16) {
      const words = new Uint32Array(into.buffer, into.byteOffset, into.length);
      for (let i = from; i < to; i++) words[i - from] = bits[i] << 16;
    } else {
      const table = f16Table();
      for (let i = from; i < to; i++) into[i - from] = table[bits[i]];
    }
    return into;
  }
}

/** Numbers that one call of WebAssembly converts, a multiple of 8: few enough to stay in a cache. */
const WIDENED_AT_ONCE = 2 ** 14;
const PAGE_BYTES = 65_536;

/** Converts at most WIDENED_AT_ONCE numbers to f32, which are valid until the next call. */
type Widen = (bits: Uint16Array, areBf16: boolean) => Float32Array;

const openModule = wasmModule<{
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  widenF16(from: number, to: number, count: number): void;
  widenBf16(from: number, to: number, count: number): void;
}>(HALVES_MODULE);

/** The result of `widener`; undefined before its first call. */
let cachedWidener: Widen | null | undefined;

/** The conversion by WebAssembly with SIMD, several times as fast as without it; null if it is not available. */
function widener(): Widen | null {
  if (cachedWidener !== undefined) return cachedWidener;
  const wasm = openModule();
  if (wasm === null) return (cachedWidener = null);
  const floatsAt = 2 * WIDENED_AT_ONCE;
  wasm.memory.grow(Math.ceil((floatsAt + 4 * WIDENED_AT_ONCE) / PAGE_BYTES));
  const halves = new Uint16Array(wasm.memory.buffer, 0, WIDENED_AT_ONCE);
  cachedWidener = (bits, areBf16) => {
    halves.set(bits);
    const run = areBf16 ? wasm.widenBf16 : wasm.widenF16;
    run(0, floatsAt, bits.length);
    return new Float32Array(wasm.memory.buffer, floatsAt, bits.length);
  };
  return cachedWidener;
}

/** Converts bits of f32 to bits of f16; false if one of them is not a finite f16. */
function toF16(bits: Uint32Array, halves: Uint16Array): boolean {
  for (let i = 0; i < bits.length; i++) {
    const sign = (bits[i] >>> 16) & 0x8000;
    const magnitude = bits[i] & 0x7fffffff;
    if (magnitude >= 0x38800000) {
      // A normal f16, from 2^-14 on: ten bits of the fraction.
      if (magnitude >= 0x47800000 || (magnitude & 0x1fff) !== 0) return false;
      halves[i] = sign | ((magnitude - 0x38000000) >>> 13);
    } else if (magnitude === 0) {
      halves[i] = sign;
    } else {
      // A subnormal f16: a multiple of 2^-24.
      const shift = 126 - (magnitude >>> 23);
      const fraction = (magnitude & 0x7fffff) | 0x800000;
      if (shift > 24 || (fraction & ((1 << shift) - 1)) !== 0) return false;
      halves[i] = sign | (fraction >>> shift);
    }
  }
  return true;
}

/** Converts bits of f32 to bits of bf16; false if one of them is not a finite bf16. */
function toBf16(bits: Uint32Array, halves: Uint16Array): boolean {
  for (let i = 0; i < bits.length; i++) {
    if ((bits[i] & 0xffff) !== 0 || (bits[i] & 0x7f800000) === 0x7f800000) return false;
    halves[i] = bits[i] >>> 16;
  }
  return true;
}
