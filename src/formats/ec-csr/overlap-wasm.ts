import { FormatError } from '../../core/errors.ts';
import { wasmModule } from '../../core/wasm/wasm-module.ts';
import { OVERLAP_MODULE } from './overlap-module.ts';
import {
  CHUNK_WORDS,
  columnCount,
  FIRST_ROUND,
  foundNoneBefore,
  lowestUnit,
  type OverlapEngine,
  plainOverlaps,
  type Queries,
  queryCount,
  RECORD,
  type UnitBits,
} from './overlap.ts';

/** What overlap.wat exports. Arguments are addresses in bytes, counts, unit numbers and a density. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  tile(bits: number, words: number, order: number, slots: number, tiles: number): void;
  list(set: number, words: number, list: number): number;
  search(
    words: number,
    order: number,
    slots: number,
    tiles: number,
    density: number,
    free: number,
    takenBy: number,
    from: number,
    lists: number,
    listBytes: number,
    counts: number,
    records: number,
    queries: number,
    scratch: number,
  ): void;
}

const PAGE_BYTES = 65536;

/** Units (rows, or rows merged at earlier levels) of a tile: as many as a vector has bits. */
const TILE_UNITS = 128;
const VECTOR_BYTES = TILE_UNITS / 8;

/** Bits of a unit's counter of shared columns: a search stores each bit of a tile's 128 counters as a vector. */
const COUNTER_BITS = 32;

/** A search reads a query's list of columns in steps of this many, so as many empty columns follow the last. */
const LIST_STEP = 16;

/** Queries that are run against a tile while it is in the cache. */
const MAX_QUERIES = 64;

/** The units of a level (see overlap.ts) that a query can find, in tiles of 128 with their bits by column. */
interface TiledLevel {
  readonly units: number;
  readonly words: number;
  /** number of positions (slots) of units in the order of the search, padded to whole tiles */
  readonly slots: number;
  /** number of the first slots, whose units were taken as a partner in the round before; padded to whole tiles */
  readonly takenSlots: number;
  /** the mean density of the units that have any columns */
  readonly density: number;
}

/** A level for another thread; without the bits by unit, since queries contain the bits that they need. */
export interface LevelCopy extends TiledLevel {
  readonly order: Uint32Array;
  readonly tiles: Uint8Array;
  readonly takenBy: Int32Array;
}

/** The WebAssembly memory of a search; `lists` and `scratch` are addresses in it. */
interface SearchMemory {
  readonly order: Uint32Array;
  readonly tiles: Uint8Array;
  readonly takenBy: Int32Array;
  readonly free: Uint8Array;
  /** of up to MAX_QUERIES queries: bits, lists of columns, lengths of these, and records */
  readonly queryBits: Uint32Array;
  readonly lists: number;
  readonly counts: Uint32Array;
  readonly records: Int32Array;
  readonly scratch: number;
}

const openModule = wasmModule<Exports>(OVERLAP_MODULE);

/**
 * The search for units that share most columns with a query, so that they can be merged (overlap.ts). Runs in
 * WebAssembly with SIMD, or in plain TypeScript where WebAssembly cannot run; every call creates a separate memory.
 */
export function fastOverlaps(): OverlapEngine {
  const wasm = openModule();
  if (wasm === null) return plainOverlaps();
  let memory: SearchMemory;
  let tiled: TiledLevel;
  let hasTiles = false;
  let unitBits: UnitBits;
  const makeTiles = (): void => {
    if (!hasTiles)
      wasm.tile(
        unitBits.bits.byteOffset,
        unitBits.words,
        memory.order.byteOffset,
        tiled.slots,
        memory.tiles.byteOffset,
      );
    hasTiles = true;
  };
  return {
    allocate(units, words) {
      const allocator = new AddressAllocator();
      // One more unit, which is empty and never free, pads tiles.
      const bitsAt = allocator.take((units + 1) * words * 4);
      const countsAt = allocator.take((units * words * 4) / CHUNK_WORDS);
      // Units taken as a partner, and the others, are padded to whole tiles separately.
      const slots = (Math.ceil(units / TILE_UNITS) + 1) * TILE_UNITS;
      memory = reserve(wasm, allocator, { units, words, slots });
      const { buffer } = wasm.memory;
      const bits = new Uint32Array(buffer, bitsAt, (units + 1) * words).fill(0);
      unitBits = {
        units,
        words,
        bits: bits.subarray(0, units * words),
        chunkCounts: new Uint32Array(buffer, countsAt, (units * words) / CHUNK_WORDS).fill(0),
        takenBy: memory.takenBy.fill(FIRST_ROUND),
      };
      return unitBits;
    },
    prepare(among) {
      tiled = placeUnits(unitBits, among, memory.order);
      hasTiles = false;
      const { order, tiles, takenBy } = memory;
      const { slots, words, units } = tiled;
      const bytes = tilesBytes(slots, words);
      return {
        bytes: bytes + 4 * (slots + units),
        copy: () => {
          makeTiles();
          return {
            ...tiled,
            order: order.slice(0, slots),
            tiles: tiles.slice(0, bytes),
            takenBy: takenBy.slice(0, units),
          } satisfies LevelCopy;
        },
      };
    },
    search(free, queries) {
      makeTiles();
      search(wasm, tiled, memory, free, queries);
    },
  };
}

/** The module of the level that this thread opened last. The next level is about as large, and reuses its memory. */
let opened: WeakRef<Exports> | null = null;

/** The search on a thread that has a copy of the level. Replaces levels that were opened before. */
export function openLevel({ order, tiles, takenBy, ...tiled }: LevelCopy): Pick<OverlapEngine, 'search'> {
  const wasm = opened?.deref() ?? openModule();
  if (wasm === null)
    throw new FormatError('EC-CSR: found no WebAssembly on this thread, expected WebAssembly as on the first thread.');
  opened = new WeakRef(wasm);
  const memory = reserve(wasm, new AddressAllocator(), tiled);
  memory.order.set(order);
  memory.tiles.set(tiles);
  memory.takenBy.set(takenBy);
  return { search: (free, queries) => search(wasm, tiled, memory, free, queries) };
}

/** Lays out the memory of a search, and grows the WebAssembly memory to it. */
function reserve(
  wasm: Exports,
  allocator: AddressAllocator,
  { units, words, slots }: Pick<TiledLevel, 'units' | 'words' | 'slots'>,
) {
  const tilesAt = allocator.take(tilesBytes(slots, words));
  const orderAt = allocator.take(slots * 4);
  const takenByAt = allocator.take(units * 4);
  const freeAt = allocator.take(units + 1);
  const queryBits = allocator.take(MAX_QUERIES * words * 4);
  const lists = allocator.take(MAX_QUERIES * listBytes(words));
  const counts = allocator.take(MAX_QUERIES * 4);
  const records = allocator.take(MAX_QUERIES * RECORD * 4);
  const scratch = allocator.take((1 + COUNTER_BITS) * VECTOR_BYTES);
  const missingPages = Math.ceil((allocator.bytes - wasm.memory.buffer.byteLength) / PAGE_BYTES);
  if (missingPages > 0) growOrThrow(wasm, missingPages, allocator.bytes);
  const { buffer } = wasm.memory;
  const tiles = new Uint8Array(buffer, tilesAt, tilesBytes(slots, words));
  // Each tile ends with a vector of zeros, for the positions that pad lists.
  const step = tilesBytes(TILE_UNITS, words);
  for (let end = step; end <= tiles.length; end += step) tiles.fill(0, end - VECTOR_BYTES, end);
  return {
    order: new Uint32Array(buffer, orderAt, slots),
    tiles,
    takenBy: new Int32Array(buffer, takenByAt, units),
    free: new Uint8Array(buffer, freeAt, units + 1).fill(0),
    queryBits: new Uint32Array(buffer, queryBits, MAX_QUERIES * words),
    lists,
    counts: new Uint32Array(buffer, counts, MAX_QUERIES),
    records: new Int32Array(buffer, records, MAX_QUERIES * RECORD),
    scratch,
  };
}

/** Writes the units with a 1 in `among` to `order`: ascending, but those taken in the round before come first. */
function placeUnits(u: UnitBits, among: Uint8Array, order: Uint32Array): TiledLevel {
  const { units, words, takenBy } = u;
  let slots = 0;
  /** Adds the units that were taken in the round before, or the others; returns the number of slots, in whole tiles. */
  const place = (isTaken: boolean): number => {
    for (let unit = 0; unit < units; unit++) {
      if (among[unit] === 1 && takenBy[unit] < unit === isTaken) order[slots++] = unit;
    }
    const end = Math.ceil(slots / TILE_UNITS) * TILE_UNITS;
    order.fill(units, slots, end);
    return (slots = end);
  };
  const takenSlots = place(true);
  return { units, words, takenSlots, slots: place(false), density: densityOf(u) };
}

/** Writes answers to the records of queries, MAX_QUERIES at a time; repeated queries only search `takenSlots`. */
function search(wasm: Exports, tiled: TiledLevel, memory: SearchMemory, free: Uint8Array, queries: Queries): void {
  const { words } = tiled;
  const { queryBits, counts, records, lists } = memory;
  const numbers = Array.from({ length: queryCount(queries) }, (_, q) => q);
  memory.free.set(free);
  for (const areRepeated of [false, true]) {
    const numbersOfKind = numbers.filter((q) => foundNoneBefore(queries, q) === areRepeated);
    for (let start = 0; start < numbersOfKind.length; start += MAX_QUERIES) {
      const batch = numbersOfKind.slice(start, start + MAX_QUERIES);
      for (const [i, q] of batch.entries()) {
        queryBits.set(queries.bits.subarray(q * words, (q + 1) * words), i * words);
        records.set(queries.records.subarray(q * RECORD, (q + 1) * RECORD), i * RECORD);
        counts[i] = wasm.list(queryBits.byteOffset + i * words * 4, words, lists + i * listBytes(words));
      }
      wasm.search(
        words,
        memory.order.byteOffset,
        areRepeated ? tiled.takenSlots : tiled.slots,
        memory.tiles.byteOffset,
        tiled.density,
        memory.free.byteOffset,
        memory.takenBy.byteOffset,
        batch.reduce((lowest, q) => Math.min(lowest, lowestUnit(queries, q)), tiled.units),
        lists,
        listBytes(words),
        counts.byteOffset,
        records.byteOffset,
        batch.length,
        memory.scratch,
      );
      for (const [i, q] of batch.entries()) {
        queries.records.set(records.subarray(i * RECORD, (i + 1) * RECORD), q * RECORD);
      }
    }
  }
}

/** Bytes of the tiles: each has a vector per column, and a vector of zeros. */
function tilesBytes(slots: number, words: number): number {
  return (slots / TILE_UNITS) * (words * 32 + 1) * VECTOR_BYTES;
}

/** Bytes of the list of a query's columns. */
function listBytes(words: number): number {
  return (words * 32 + LIST_STEP) * 4;
}

/** Allocates memory, one address after the other. */
class AddressAllocator {
  bytes = 0;

  /** The address of `bytes` bytes, aligned to a vector. */
  take(bytes: number): number {
    const at = this.bytes;
    this.bytes += Math.ceil(bytes / VECTOR_BYTES) * VECTOR_BYTES;
    return at;
  }
}

/** The mean density of the units that have any columns. */
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

/** Adds pages of 64 KiB to the memory. Throws FormatError if there are none. */
function growOrThrow(wasm: Exports, pages: number, neededBytes: number): void {
  try {
    wasm.memory.grow(pages);
  } catch {
    const need = `${(neededBytes / 1e9).toFixed(2)} GB`;
    throw new FormatError(`rows as bits: need ${need}, which could not be allocated; expected that much free memory`);
  }
}
