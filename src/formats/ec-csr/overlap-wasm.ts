import { FormatError } from '../../core/errors.ts';
import { OVERLAP_MODULE } from './overlap-module.ts';
import { CHUNK_WORDS, type OverlapEngine, plainOverlaps } from './overlap.ts';

/** The few names of WebAssembly that are used here; the pure layers compile without the DOM library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
  validate(bytes: Uint8Array): boolean;
};
declare function atob(base64: string): string;

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  readonly shared: { readonly value: number };
  bestPartner(
    bits: number,
    counts: number,
    free: number,
    words: number,
    unit: number,
    from: number,
    to: number,
    least: number,
  ): number;
}

const PAGE_BYTES = 65536;

/** The search in WebAssembly with SIMD, or the plain one where the runtime has no SIMD. Instantiated at the first use. */
export function fastOverlaps(): OverlapEngine {
  const bytes = Uint8Array.from(atob(OVERLAP_MODULE), (c) => c.charCodeAt(0));
  if (!WebAssembly.validate(bytes)) return plainOverlaps;
  const wasm = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as Exports;
  return {
    allocate(units, words) {
      const bitsBytes = units * words * 4;
      const countBytes = (units * words * 4) / CHUNK_WORDS;
      const needed = bitsBytes + countBytes + units;
      const missing = Math.ceil((needed - wasm.memory.buffer.byteLength) / PAGE_BYTES);
      if (missing > 0) growOrThrow(wasm, missing, needed);
      const { buffer } = wasm.memory;
      const bits = new Uint32Array(buffer, 0, units * words).fill(0);
      const chunkCounts = new Uint32Array(buffer, bitsBytes, (units * words) / CHUNK_WORDS).fill(0);
      return { units, words, bits, chunkCounts, free: new Uint8Array(buffer, bitsBytes + countBytes, units).fill(0) };
    },
    bestPartner({ units, words, bits, chunkCounts, free }, unit, least) {
      const partner = wasm.bestPartner(
        bits.byteOffset,
        chunkCounts.byteOffset,
        free.byteOffset,
        words,
        unit,
        unit + 1,
        units,
        least,
      );
      return { partner, shared: wasm.shared.value };
    },
  };
}

function growOrThrow(wasm: Exports, pages: number, neededBytes: number): void {
  try {
    wasm.memory.grow(pages);
  } catch {
    const need = `${(neededBytes / 1e9).toFixed(2)} GB`;
    throw new FormatError(`rows as bits: need ${need}, which could not be allocated; expected that much free memory`);
  }
}
