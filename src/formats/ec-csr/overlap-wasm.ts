import { FormatError } from '../../core/errors.ts';
import { OVERLAP_MODULE } from './overlap-module.ts';
import {
  areRepeated,
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
  tile(bits: number, words: number, order: number, places: number, tiles: number): void;
  list(set: number, words: number, list: number): number;
  search(
    bits: number,
    words: number,
    order: number,
    places: number,
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

/** Some of the units of a level as tiles. */
interface Tiles {
  /** where they lie */
  readonly at: number;
  /** the units, ascending; room for all, to whole tiles */
  readonly order: Uint32Array;
  /** places that are used, whole tiles; null when bits have changed since */
  places: number | null;
  /** the mean share of the columns that units of the level have which have any */
  density: number;
}

/** What a search needs beside the bits of a level and the queries. */
interface Index {
  readonly all: Tiles;
  /** units that were taken in the round before by one in front of them: nobody else is asked for again */
  readonly taken: Tiles;
  /** addresses of the columns of queries, and of a vector to write to */
  readonly lists: number;
  readonly listBytes: number;
  readonly scratch: number;
  /** columns of each query */
  readonly counts: Uint32Array;
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
  return {
    allocate(units, words) {
      const lengths = queryLengths(words);
      const places = Math.ceil(units / TILE_UNITS) * TILE_UNITS;
      const tilesBytes = (places / TILE_UNITS) * tileBytes(words);
      const listBytes = (words * 32 + LIST_STEP) * 4;
      const room = new Room();
      // One unit more, which is empty and never free, fills up the last tile.
      const bitsAt = room.take((units + 1) * words * 4);
      const freeAt = room.take(units + 1);
      const tilesAt = [room.take(tilesBytes), room.take(tilesBytes)];
      const ordersAt = [room.take(places * 4), room.take(places * 4)];
      const lists = room.take(MAX_QUERIES * listBytes);
      const scratch = room.take(VECTOR_BYTES);
      const countsAt = room.take(MAX_QUERIES * 4);
      const queryBits = room.take(lengths.bits * 4);
      const queryCounts = room.take(lengths.chunkCounts * 4);
      const records = room.take(lengths.records * 4);
      const chunkCounts = room.take((units * words * 4) / CHUNK_WORDS);
      const takenAt = room.take(units * 4);
      const missing = Math.ceil((room.bytes - wasm.memory.buffer.byteLength) / PAGE_BYTES);
      if (missing > 0) growOrThrow(wasm, missing, room.bytes);
      const { buffer } = wasm.memory;
      const tiles = (i: number): Tiles => ({
        at: tilesAt[i],
        order: new Uint32Array(buffer, ordersAt[i], places),
        places: null,
        density: 0,
      });
      index = {
        all: tiles(0),
        taken: tiles(1),
        lists,
        listBytes,
        scratch,
        counts: new Uint32Array(buffer, countsAt, MAX_QUERIES),
      };
      queries = {
        bits: new Uint32Array(buffer, queryBits, lengths.bits),
        chunkCounts: new Uint32Array(buffer, queryCounts, lengths.chunkCounts),
        records: new Int32Array(buffer, records, lengths.records),
      };
      const bits = new Uint32Array(buffer, bitsAt, (units + 1) * words).fill(0);
      const free = new Uint8Array(buffer, freeAt, units + 1).fill(0);
      return {
        units,
        words,
        bits: bits.subarray(0, units * words),
        chunkCounts: new Uint32Array(buffer, chunkCounts, (units * words) / CHUNK_WORDS).fill(0),
        free: free.subarray(0, units),
        takenAt: new Int32Array(buffer, takenAt, units).fill(-1),
      };
    },
    bitsChanged() {
      index.all.places = null;
      index.taken.places = null;
    },
    queries: () => queries,
    search(u, count) {
      const { words, bits, free, takenAt } = u;
      const { lists, listBytes, counts, scratch } = index;
      const isRepeated = areRepeated(queries, count);
      const tiles = isRepeated ? index.taken : index.all;
      if (tiles.places === null) {
        tiles.places = placesOf(tiles, u, (unit) => !isRepeated || takenAt[unit] < unit);
        tiles.density = densityOf(u);
      }
      for (let q = 0; q < count; q++) {
        counts[q] = wasm.list(queries.bits.byteOffset + q * words * 4, words, lists + q * listBytes);
      }
      wasm.search(
        bits.byteOffset,
        words,
        tiles.order.byteOffset,
        tiles.places,
        tiles.at,
        tiles.density,
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

  /** Fills tiles with the units that are to be looked at. Gives the places that they take. */
  function placesOf({ at, order }: Tiles, { units, words, bits }: UnitBits, has: (unit: number) => boolean): number {
    let count = 0;
    for (let unit = 0; unit < units; unit++) if (has(unit)) order[count++] = unit;
    const places = Math.ceil(count / TILE_UNITS) * TILE_UNITS;
    order.fill(units, count, places);
    wasm.tile(bits.byteOffset, words, order.byteOffset, places, at);
    // The vector behind the columns.
    for (
      let end = at + tileBytes(words);
      end <= at + (places / TILE_UNITS) * tileBytes(words);
      end += tileBytes(words)
    ) {
      new Uint8Array(wasm.memory.buffer, end - VECTOR_BYTES, VECTOR_BYTES).fill(0);
    }
    return places;
  }
}

/** A vector per column, and one more. */
function tileBytes(words: number): number {
  return (words * 32 + 1) * VECTOR_BYTES;
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
