import { FormatError } from '../../core/errors.ts';
import { OVERLAP_MODULE } from './overlap-module.ts';
import {
  CHUNK_WORDS,
  columnCount,
  firstUnit,
  MAX_QUERIES,
  type OverlapEngine,
  plainOverlaps,
  type Queries,
  queryLengths,
  type UnitBits,
} from './overlap.ts';

/** The few names of WebAssembly that are used here; the pure layers compile without the DOM library. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object) => { readonly exports: unknown };
  validate(bytes: Uint8Array): boolean;
};
declare function atob(base64: string): string;

interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  tile(bits: number, words: number, units: number, tiles: number): void;
  list(set: number, words: number, list: number): number;
  search(
    bits: number,
    words: number,
    units: number,
    tiles: number,
    density: number,
    free: number,
    takenAt: number,
    from: number,
    queryBits: number,
    lists: number,
    listBytes: number,
    counts: number,
    records: number,
    queries: number,
    scratch: number,
  ): void;
}

const PAGE_BYTES = 65536;

/** Units of a tile: as many as a vector has bits. */
const TILE_UNITS = 128;
const VECTOR_BYTES = TILE_UNITS / 8;

/** Columns of a list come in multiples of this, and one such multiple is written past the end. */
const LIST_STEP = 16;

/** What a search needs beside the bits of a level and the queries. Numbers are addresses. */
interface Index {
  /** units, with empty ones to whole tiles */
  readonly units: number;
  readonly tiles: number;
  readonly lists: number;
  readonly listBytes: number;
  readonly counts: Uint32Array;
  readonly scratch: number;
}

/** Compiled once: what is compiled anew runs slowly at first. */
let compiled: object | null = null;

/** The search in WebAssembly with SIMD, or the plain one where the runtime has no SIMD. Each has a memory of its own. */
export function fastOverlaps(): OverlapEngine {
  const bytes = Uint8Array.from(atob(OVERLAP_MODULE), (c) => c.charCodeAt(0));
  if (!WebAssembly.validate(bytes)) return plainOverlaps();
  compiled ??= new WebAssembly.Module(bytes);
  const wasm = new WebAssembly.Instance(compiled).exports as Exports;
  let queries: Queries = { bits: new Uint32Array(0), chunkCounts: new Uint32Array(0), records: new Int32Array(0) };
  let index: Index;
  let density: number | null = null;
  return {
    allocate(units, words) {
      const lengths = queryLengths(words);
      const tiles = Math.ceil(units / TILE_UNITS);
      const tileBytes = (words * 32 + 1) * VECTOR_BYTES;
      const listBytes = (words * 32 + LIST_STEP) * 4;
      const room = new Room();
      const bitsAt = room.take(tiles * TILE_UNITS * words * 4);
      const tilesAt = room.take(tiles * tileBytes);
      const lists = room.take(MAX_QUERIES * listBytes);
      const scratch = room.take(VECTOR_BYTES);
      const queryBits = room.take(lengths.bits * 4);
      const queryCounts = room.take(lengths.chunkCounts * 4);
      const records = room.take(lengths.records * 4);
      const counts = room.take(MAX_QUERIES * 4);
      const chunkCounts = room.take((units * words * 4) / CHUNK_WORDS);
      const takenAt = room.take(tiles * TILE_UNITS * 4);
      const free = room.take(tiles * TILE_UNITS);
      const missing = Math.ceil((room.bytes - wasm.memory.buffer.byteLength) / PAGE_BYTES);
      if (missing > 0) growOrThrow(wasm, missing, room.bytes);
      const { buffer } = wasm.memory;
      new Uint8Array(buffer, bitsAt, tiles * TILE_UNITS * words * 4).fill(0);
      new Uint8Array(buffer, free, tiles * TILE_UNITS).fill(0);
      for (let t = 1; t <= tiles; t++)
        new Uint8Array(buffer, tilesAt + t * tileBytes - VECTOR_BYTES, VECTOR_BYTES).fill(0);
      index = {
        units: tiles * TILE_UNITS,
        tiles: tilesAt,
        lists,
        listBytes,
        counts: new Uint32Array(buffer, counts, MAX_QUERIES),
        scratch,
      };
      density = null;
      queries = {
        bits: new Uint32Array(buffer, queryBits, lengths.bits),
        chunkCounts: new Uint32Array(buffer, queryCounts, lengths.chunkCounts),
        records: new Int32Array(buffer, records, lengths.records),
      };
      return {
        units,
        words,
        bits: new Uint32Array(buffer, bitsAt, units * words),
        chunkCounts: new Uint32Array(buffer, chunkCounts, (units * words) / CHUNK_WORDS).fill(0),
        free: new Uint8Array(buffer, free, units),
        takenAt: new Int32Array(buffer, takenAt, units).fill(-1),
      };
    },
    bitsChanged: () => {
      density = null;
    },
    queries: () => queries,
    search(u, count) {
      if (count === 0) return;
      const { units, tiles, lists, listBytes, counts, scratch } = index;
      const { words, bits, free, takenAt } = u;
      if (density === null) {
        wasm.tile(bits.byteOffset, words, units, tiles);
        density = densityOf(u);
      }
      for (let q = 0; q < count; q++) {
        counts[q] = wasm.list(queries.bits.byteOffset + q * words * 4, words, lists + q * listBytes);
      }
      wasm.search(
        bits.byteOffset,
        words,
        units,
        tiles,
        density,
        free.byteOffset,
        takenAt.byteOffset,
        firstUnit(queries, count),
        queries.bits.byteOffset,
        lists,
        listBytes,
        counts.byteOffset,
        queries.records.byteOffset,
        count,
        scratch,
      );
    },
  };
}

/** Addresses, given out one after the other. */
class Room {
  bytes = 0;

  /** Where so many bytes lie, at a multiple of a vector. */
  take(bytes: number): number {
    const at = this.bytes;
    this.bytes += Math.ceil(bytes / VECTOR_BYTES) * VECTOR_BYTES;
    return at;
  }
}

/** The mean share of the columns that units have which have any. */
function densityOf(u: UnitBits): number {
  let columns = 0;
  let units = 0;
  for (let unit = 0; unit < u.units; unit++) {
    const count = columnCount(u, unit);
    columns += count;
    if (count > 0) units++;
  }
  return columns / (Math.max(1, units) * u.words * 32);
}

function growOrThrow(wasm: Exports, pages: number, neededBytes: number): void {
  try {
    wasm.memory.grow(pages);
  } catch {
    const need = `${(neededBytes / 1e9).toFixed(2)} GB`;
    throw new FormatError(`rows as bits: need ${need}, which could not be allocated; expected that much free memory`);
  }
}
