import { admitValues } from '../../core/encoded/admission.ts';
import { sealSteps } from '../../core/encoded/checksum.ts';
import { allocate, allocateIndices } from '../../core/allocate.ts';
import { FormatError } from '../../core/errors.ts';
import type { Admission } from '../../core/format.ts';
import type { Steps } from '../../core/job.ts';
import { lowerBound, type Matrix, toCsr } from '../../core/matrix/index.ts';
import { allocateFloats, type FloatArray, f16FromF32Bits } from '../../core/number/index.ts';
import { type Extraction, extractSteps, PROGRESS } from './extract.ts';
import { baseBits, columnPosition, type EcCsrEncoded, SET_FIELDS, type SetInfo, setsTable } from './layout.ts';
import { type OverlapEngine, plainOverlaps, wordsPerUnit } from './overlap.ts';
import { type PackedBlock, type PackedSet, packSteps, VALUES_PER_STEP } from './pack.ts';
import { type EcCsrParams, type Remainder, valueBits } from './params.ts';

/** Limit for the memory of the rows' bits; that of deeper levels is known only on the way. */
const MAX_BITS_BYTES = 2 ** 30;

/** Admits what the search has memory for: one bit per cell. O(rows * cols) at worst. */
export function admits(m: Matrix, p: EcCsrParams): Admission {
  return refusal(m) ?? admitValues(m, p.valueType);
}

function refusal({ rows, cols }: Matrix): (Admission & { ok: false }) | null {
  const bytes = rows * wordsPerUnit(cols) * 4;
  if (bytes <= MAX_BITS_BYTES) return null;
  const need = `${(bytes / 1e9).toFixed(2)} GB`;
  return {
    ok: false,
    reason: `search for blocks: ${rows} × ${cols} cells need ${need} as bits, expected at most ${(MAX_BITS_BYTES / 1e9).toFixed(2)} GB`,
    remedy: 'Choose a part of the matrix.',
  };
}

/**
 * Extracts blocks, packs them, and lays them out. The cost is the extraction's. Throws FormatError when the matrix is not
 * admitted.
 */
export function* encodeSteps(
  m: Matrix,
  p: EcCsrParams,
  overlaps: () => OverlapEngine = plainOverlaps,
): Steps<EcCsrEncoded> {
  const refused = refusal(m);
  if (refused) throw new FormatError(refused.reason);
  // Created here, so that the bits of units can be freed while blocks are laid out.
  const extraction: Extraction = yield* extractSteps(m, p, overlaps());
  return yield* layOutSteps(m, p, extraction);
}

/** From extracted blocks to the arrays. O(stored values + blocks x entries of their rows). */
export function* layOutSteps(m: Matrix, p: EcCsrParams, extraction: Extraction): Steps<EcCsrEncoded> {
  const { sets: choices, padding } = yield* packSteps(extraction, p);
  const packed = choices[p.remainder];
  const places = layOutSets(packed.map(sizeOf), p);
  const lengths = lengthsOf(places, p);
  const rowIndices = new Uint32Array(lengths.rowIndices);
  const blockPtr = new Uint32Array(lengths.blockPtr);
  const baseIndices = allocateIndices('baseIndices', baseBits(m), lengths.baseIndices);
  const deltaIndices = allocate('deltaIndices', Uint32Array, lengths.deltaIndices);
  const valueCount = lengths.values;
  const values = allocateFloats('values', p.valueType, valueCount);
  const lookup = new RowLookup(m);
  const order = new MemoryOrder(p);
  const infos: SetInfo[] = [];
  let done = 0;
  let reported = 0;
  for (const [s, { blocks }] of packed.entries()) {
    const set = places[s];
    let column = 0;
    let stored = 0;
    for (const [b, block] of blocks.entries()) {
      rowIndices.set(block.rows, set.rowIndicesAt + b * set.granularity);
      const places = order.placesOf(block.columns.length);
      const bases = baseIndices.subarray(set.baseIndicesAt + b * p.lanes);
      writeColumns(block, column, places, set, p, bases, deltaIndices);
      stored += writeValues(block, column, places, set, lookup, values);
      column += block.columns.length;
      blockPtr[set.blockPtrAt + b + 1] = column;
      done += block.columns.length * set.granularity;
      if (done - reported > VALUES_PER_STEP) {
        reported = done;
        const share = (PROGRESS.total - PROGRESS.extracted) * (done / valueCount);
        yield { what: 'laying out blocks', done: PROGRESS.extracted + Math.floor(share), total: PROGRESS.total };
      }
    }
    infos.push({ ...set, nnz: stored });
  }
  const sets = setsTable(infos);
  const { rows, cols, nnz } = m;
  const arrays = { sets, rowIndices, blockPtr, baseIndices, deltaIndices };
  const sizes: Record<Remainder, number> = {
    'same-block': packedBytes(choices['same-block'].map(sizeOf), m, p).total,
    'short-block': packedBytes(choices['short-block'].map(sizeOf), m, p).total,
  };
  return yield* sealSteps({ rows, cols, nnz, ...p, ...arrays, values, padding, sizes }, PROGRESS.total);
}

/** The size of a set. */
interface SetSize {
  readonly granularity: number;
  readonly blocks: number;
  /** of all blocks */
  readonly columns: number;
}

/** O(blocks). */
function sizeOf({ granularity, blocks }: PackedSet): SetSize {
  return { granularity, blocks: blocks.length, columns: blocks.reduce((sum, block) => sum + block.columns.length, 0) };
}

/** Bytes of the laid-out sets: of all arrays, and of `values`. */
export function packedBytes(
  sets: readonly SetSize[],
  shape: Pick<Matrix, 'cols'>,
  p: EcCsrParams,
): { total: number; values: number } {
  const places = layOutSets(sets, p);
  const { rowIndices, blockPtr, baseIndices, deltaIndices, values } = lengthsOf(places, p);
  const words = rowIndices + blockPtr + deltaIndices + places.length * SET_FIELDS;
  const baseBytes = (baseIndices * baseBits(shape)) / 8;
  const valueBytes = (values * valueBits(p)) / 8;
  return { total: words * 4 + baseBytes + valueBytes, values: valueBytes };
}

/** Elements of every array: where its last set ends. */
function lengthsOf(places: readonly SetPlace[], p: EcCsrParams) {
  const last = places.at(-1);
  const end = (of: (place: SetPlace) => number): number => (last ? of(last) : 0);
  return {
    rowIndices: end((s) => s.rowIndicesAt + s.blocks * s.granularity),
    blockPtr: end((s) => s.blockPtrAt + s.blocks + 1),
    baseIndices: end((s) => s.baseIndicesAt + s.blocks * p.lanes),
    deltaIndices: end((s) => s.deltaWordAt + deltaWords(s.columns, p)),
    values: end((s) => s.valuesAt + s.columns * s.granularity),
  } as const;
}

function deltaWords(columns: number, p: EcCsrParams): number {
  return Math.ceil((columns * p.deltaBits) / 32);
}

/** A set before its non-zeros are counted. */
type SetPlace = Omit<SetInfo, 'nnz'>;

/** Where each set begins in the arrays. */
function layOutSets(sets: readonly SetSize[], p: EcCsrParams): SetPlace[] {
  const at = { rowIndicesAt: 0, blockPtrAt: 0, baseIndicesAt: 0, deltaWordAt: 0, valuesAt: 0 };
  return sets.map(({ granularity, blocks, columns }) => {
    const place = { granularity, blocks, columns, ...at };
    at.rowIndicesAt += blocks * granularity;
    at.blockPtrAt += blocks + 1;
    at.baseIndicesAt += blocks * p.lanes;
    at.deltaWordAt += deltaWords(columns, p);
    at.valuesAt += columns * granularity;
    return place;
  });
}

/** The positions of a block's columns in memory, within the block. Many blocks of a set are equally long. */
class MemoryOrder {
  readonly #p: EcCsrParams;
  #places = new Uint32Array(0);

  constructor(p: EcCsrParams) {
    this.#p = p;
  }

  /** For a number of columns that is a multiple of L; by their order in the matrix. */
  placesOf(columns: number): Uint32Array {
    if (this.#places.length === columns) return this.#places;
    const perLane = columns / this.#p.lanes;
    this.#places = new Uint32Array(columns);
    for (let lane = 0; lane < this.#p.lanes; lane++) {
      for (let i = 0; i < perLane; i++) this.#places[lane * perLane + i] = columnPosition(this.#p, perLane, lane, i);
    }
    return this.#places;
  }
}

/** Bases and deltas of one block, lane by lane, in memory order. */
function writeColumns(
  { columns }: PackedBlock,
  start: number,
  places: Uint32Array,
  set: SetPlace,
  p: EcCsrParams,
  bases: Uint16Array | Uint32Array,
  deltas: Uint32Array,
): void {
  const { lanes, deltaBits } = p;
  const perLane = columns.length / lanes;
  for (let lane = 0; lane < lanes; lane++) {
    // step: base
    bases[lane] = columns[lane * perLane];
    for (let i = 1; i < perLane; i++) {
      // step: delta
      const delta = columns[lane * perLane + i] - columns[lane * perLane + i - 1];
      const bit = (start + places[lane * perLane + i]) * deltaBits;
      deltas[set.deltaWordAt + Math.floor(bit / 32)] |= delta << (bit % 32);
    }
  }
}

/** The values of one block, in memory order. Returns how many are not padding. */
function writeValues(
  { rows, columns, real }: PackedBlock,
  start: number,
  places: Uint32Array,
  set: SetPlace,
  lookup: RowLookup,
  values: FloatArray,
): number {
  let written = 0;
  for (let g = 0; g < rows.length; g++) {
    lookup.seek(rows[g], columns[0]);
    for (let c = 0; c < columns.length; c++) {
      if (real[c] === 0) continue;
      written++;
      const at = set.valuesAt + (start + places[c]) * set.granularity + g;
      const bits = lookup.bitsAt(columns[c]);
      // step: value
      values[at] = values instanceof Uint16Array ? f16FromF32Bits(bits) : lookup.value;
    }
  }
  return written;
}

/** Values of a row by ascending column; reads the matrix's own CSR arrays if it has them. */
class RowLookup {
  /** the value that `bitsAt` found last */
  value = 0;
  readonly #indptr: Uint32Array;
  readonly #indices: Uint32Array;
  readonly #data: Float32Array;
  readonly #bits: Uint32Array;
  #at = 0;

  constructor(m: Matrix) {
    const { indptr, indices, data } = toCsr(m);
    this.#indptr = indptr;
    this.#indices = indices;
    this.#data = data;
    this.#bits = new Uint32Array(data.buffer, data.byteOffset, data.length);
  }

  seek(row: number, column: number): void {
    const start = this.#indptr[row];
    const end = this.#indptr[row + 1];
    this.#at = start + lowerBound(this.#indices.subarray(start, end), end - start, column);
  }

  /** Bits of the value at `column`, which the row has; columns must ascend between calls. */
  bitsAt(column: number): number {
    while (this.#indices[this.#at] < column) this.#at++;
    this.value = this.#data[this.#at];
    return this.#bits[this.#at];
  }
}
