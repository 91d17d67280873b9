import { FormatError } from '../../core/errors.ts';
import { OVERLAP_MODULE } from './overlap-module.ts';
import { CHUNK_WORDS, firstUnit, type OverlapEngine, plainOverlaps, type Queries, queryLengths } from './overlap.ts';

/** The few names of WebAssembly that are used here; the pure layers compile without the DOM library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
  validate(bytes: Uint8Array): boolean;
};
declare function atob(base64: string): string;

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  search(
    bits: number,
    counts: number,
    free: number,
    takenAt: number,
    words: number,
    from: number,
    to: number,
    queryBits: number,
    queryCounts: number,
    records: number,
    queries: number,
  ): void;
}

const PAGE_BYTES = 65536;

/** The search in WebAssembly with SIMD, or the plain one where the runtime has no SIMD. Each has a memory of its own. */
export function fastOverlaps(): OverlapEngine {
  const bytes = Uint8Array.from(atob(OVERLAP_MODULE), (c) => c.charCodeAt(0));
  if (!WebAssembly.validate(bytes)) return plainOverlaps();
  const wasm = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as Exports;
  let queries: Queries = { bits: new Uint32Array(0), chunkCounts: new Uint32Array(0), records: new Int32Array(0) };
  return {
    allocate(units, words) {
      const lengths = queryLengths(words);
      const wordsNeeded =
        units * words + (units * words) / CHUNK_WORDS + units + lengths.bits + lengths.chunkCounts + lengths.records;
      const needed = wordsNeeded * 4 + units;
      const missing = Math.ceil((needed - wasm.memory.buffer.byteLength) / PAGE_BYTES);
      if (missing > 0) growOrThrow(wasm, missing, needed);
      const { buffer } = wasm.memory;
      let at = 0;
      const wordsAt = (length: number): Uint32Array => {
        const array = new Uint32Array(buffer, at, length).fill(0);
        at += array.byteLength;
        return array;
      };
      const bits = wordsAt(units * words);
      const chunkCounts = wordsAt((units * words) / CHUNK_WORDS);
      const queryBits = wordsAt(lengths.bits);
      const queryCounts = wordsAt(lengths.chunkCounts);
      const records = new Int32Array(buffer, at, lengths.records);
      const takenAt = new Int32Array(buffer, at + records.byteLength, units).fill(-1);
      queries = { bits: queryBits, chunkCounts: queryCounts, records };
      const free = new Uint8Array(buffer, at + records.byteLength + takenAt.byteLength, units).fill(0);
      return { units, words, bits, chunkCounts, free, takenAt };
    },
    queries: () => queries,
    search({ units, words, bits, chunkCounts, free, takenAt }, count) {
      if (count === 0) return;
      wasm.search(
        bits.byteOffset,
        chunkCounts.byteOffset,
        free.byteOffset,
        takenAt.byteOffset,
        words,
        firstUnit(queries, count),
        units,
        queries.bits.byteOffset,
        queries.chunkCounts.byteOffset,
        queries.records.byteOffset,
        count,
      );
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
