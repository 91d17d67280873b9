import type { EncodedMatrix, Violation } from '../../core/format.ts';
import { type FloatArray, floatAt } from '../../core/number/index.ts';
import { Violations } from '../../core/encoded/violations.ts';
import { columnStep, type EcCsrParams, type Remainder } from './params.ts';

/**
 * A matrix in EC-CSR form: sets of dense blocks, one set per granularity G; with short blocks two, long before short.
 *
 * All sets share these arrays; `sets` says where each begins. Within a set, block b covers the matrix rows
 * rowIndices[b G .. (b + 1) G) and the columns [blockPtr[b], blockPtr[b + 1]), a multiple of L and of v.
 *
 * | array        | dtype          | length                   | meaning |
 * |--------------|----------------|--------------------------|---------|
 * | rowIndices   | u32            | blocks x G               | matrix rows of each block |
 * | blockPtr     | u32            | blocks + 1 per set       | start of each block, in columns of its set |
 * | baseIndices  | u16, or u32    | blocks x L               | absolute column of each lane's first column |
 * | deltaIndices | packed in u32  | columns, word per set    | distance to the lane's previous column; 0 for its first |
 * | values       | f16 bits / f32 | columns x G              | G values per column |
 * | sets         | u32            | SET_FIELDS per set       | the table of sets, see SetInfo |
 *
 * Lane l of a block with n columns takes columns l n / L .. (l + 1) n / L - 1. In memory its columns are cut into
 * segments of v; segment s of all lanes lies together: column (s, l, j) at (s L + l) v + j of the block. Columns of a lane
 * that fill no segment follow one by one: its i-th at i L + l.
 * Source: EC-SpMV paper, section 6; where it is silent, docs/formats/ec-csr.md.
 */
export interface EcCsrEncoded extends EncodedMatrix, EcCsrParams {
  readonly sets: Uint32Array;
  readonly rowIndices: Uint32Array;
  readonly blockPtr: Uint32Array;
  /** Uint16Array or Uint32Array, according to `baseBits` */
  readonly baseIndices: Uint16Array | Uint32Array;
  readonly deltaIndices: Uint32Array;
  readonly values: FloatArray;
  /** stored values that are not non-zeros, by cause */
  readonly padding: Padding;
  /** bytes of all arrays with this `remainder`, and with the other */
  readonly sizes: Readonly<Record<Remainder, number>>;
}

export interface Padding {
  /** columns (and the values in them) that bridge gaps beyond the delta range */
  readonly gapColumns: number;
  readonly gapValues: number;
  /** columns (and values) that fill the last lanes of a block */
  readonly tailColumns: number;
  readonly tailValues: number;
}

/** One row of the table `sets`. Offsets are in elements of the named array; of deltaIndices in words. */
export interface SetInfo {
  readonly granularity: number;
  readonly blocks: number;
  readonly columns: number;
  readonly rowIndicesAt: number;
  readonly blockPtrAt: number;
  readonly baseIndicesAt: number;
  readonly deltaWordAt: number;
  readonly valuesAt: number;
  /** non-zeros of the matrix in this set */
  readonly nnz: number;
}

const FIELDS = [
  'granularity',
  'blocks',
  'columns',
  'rowIndicesAt',
  'blockPtrAt',
  'baseIndicesAt',
  'deltaWordAt',
  'valuesAt',
  'nnz',
] as const satisfies readonly (keyof SetInfo)[];

export const SET_FIELDS = FIELDS.length;

export function setsTable(infos: readonly SetInfo[]): Uint32Array {
  return Uint32Array.from(infos.flatMap((info) => FIELDS.map((field) => info[field])));
}

/** The table of sets, granularity descending. */
export function setInfos(e: { sets: Uint32Array }): readonly SetInfo[] {
  return Array.from({ length: Math.floor(e.sets.length / SET_FIELDS) }, (_, s) => {
    const entries = FIELDS.map((field, k) => [field, e.sets[s * SET_FIELDS + k]] as const);
    return Object.fromEntries(entries) as unknown as SetInfo;
  });
}

/** How often x is read in a product: once for each stored column of a block, padding included. O(sets). */
export function gathersOf(e: { sets: Uint32Array }): number {
  return setInfos(e).reduce((sum, { columns }) => sum + columns, 0);
}

/** Bits of a base: 16 if that is enough for every column of the matrix. */
export function baseBits({ cols }: Pick<EncodedMatrix, 'cols'>): 16 | 32 {
  return cols <= 2 ** 16 ? 16 : 32;
}

/** Position in memory, within a block, of the i-th column of lane l, which has `perLane` columns. */
export function columnPosition(
  { lanes, vectorSize }: Pick<EcCsrParams, 'lanes' | 'vectorSize'>,
  perLane: number,
  lane: number,
  i: number,
): number {
  if (i >= perLane - (perLane % vectorSize)) return i * lanes + lane;
  return (Math.floor(i / vectorSize) * lanes + lane) * vectorSize + (i % vectorSize);
}

/** Whether every lane of all blocks of a set has only whole vectors. O(blocks). */
export function isWhole({ blockPtr, lanes, vectorSize }: EcCsrEncoded, { blockPtrAt, blocks }: SetInfo): boolean {
  const starts = blockPtr.subarray(blockPtrAt, blockPtrAt + blocks + 1);
  return starts.every((start) => start % (lanes * vectorSize) === 0);
}

/** Delta of column `column` of a set, counted in memory order. */
export function deltaAt(e: EcCsrEncoded, set: SetInfo, column: number): number {
  const bit = column * e.deltaBits;
  return (e.deltaIndices[set.deltaWordAt + Math.floor(bit / 32)] >>> (bit % 32)) & (2 ** e.deltaBits - 1);
}

export function valueAt(e: EcCsrEncoded, index: number): number {
  return floatAt(e.values, index);
}

/** Called once per stored column of a block: its matrix column, and where its G values begin in `values`. */
export type ColumnVisitor = (column: number, valuesAt: number, rowIndicesAt: number, granularity: number) => void;

/** Walks all stored columns, set by set, block by block, lane by lane. O(columns). */
export function forEachColumn(e: EcCsrEncoded, visit: ColumnVisitor): void {
  for (const set of setInfos(e)) {
    for (let b = 0; b < set.blocks; b++) {
      const start = e.blockPtr[set.blockPtrAt + b];
      const perLane = (e.blockPtr[set.blockPtrAt + b + 1] - start) / e.lanes;
      const rowIndicesAt = set.rowIndicesAt + b * set.granularity;
      for (let lane = 0; lane < e.lanes; lane++) {
        let column = e.baseIndices[set.baseIndicesAt + b * e.lanes + lane];
        for (let i = 0; i < perLane; i++) {
          const place = start + columnPosition(e, perLane, lane, i);
          column += deltaAt(e, set, place);
          visit(column, set.valuesAt + place * set.granularity, rowIndicesAt, set.granularity);
        }
      }
    }
  }
}

/** The checks of `validate` per array besides length and checksum. */
export const rules = {
  sets: 'each begins where the previous one ends; non-zeros add up to nnz',
  rowIndices: 'below rows; no cell twice',
  blockPtr: 'from 0; blocks are multiples of a step',
  baseIndices: 'columns below cols; no cell twice',
  deltaIndices: 'columns below cols; no cell twice',
  values: 'no cell twice; at most nnz of them not 0',
} as const;

/** Checks lengths ('cheap') or every element ('full', O(values + rows cols / 32)). */
export function validate(e: EcCsrEncoded, level: 'cheap' | 'full'): readonly Violation[] {
  const violations = new Violations();
  checkLengths(e, violations);
  if (level === 'cheap' || violations.found.length > 0) return violations.found;
  checkBlocks(e, violations);
  if (violations.found.length === 0) checkCells(e, violations);
  violations.unchanged(e);
  return violations.found;
}

function checkLengths(e: EcCsrEncoded, v: Violations): void {
  v.expect('sets', null, `sets beyond rows of ${SET_FIELDS} elements`, e.sets.length % SET_FIELDS, 0);
  if (v.found.length > 0) return;
  const end = { rowIndices: 0, blockPtr: 0, baseIndices: 0, deltaIndices: 0, values: 0, nnz: 0 };
  for (const [s, set] of setInfos(e).entries()) {
    const starts = [set.rowIndicesAt, set.blockPtrAt, set.baseIndicesAt, set.deltaWordAt, set.valuesAt];
    const expected = [end.rowIndices, end.blockPtr, end.baseIndices, end.deltaIndices, end.values];
    starts.forEach((at, i) =>
      v.expect('sets', null, `start ${i} of set ${s}`, at, expected[i], 'the end of the previous set'),
    );
    end.rowIndices += set.blocks * set.granularity;
    end.blockPtr += set.blocks + 1;
    end.baseIndices += set.blocks * e.lanes;
    end.deltaIndices += Math.ceil((set.columns * e.deltaBits) / 32);
    end.values += set.columns * set.granularity;
    end.nnz += set.nnz;
  }
  for (const array of ['rowIndices', 'blockPtr', 'baseIndices', 'deltaIndices', 'values'] as const) {
    v.expect(array, null, array, e[array].length, end[array], 'elements of all sets');
  }
  v.expect('sets', null, 'sets', end.nnz, e.nnz, 'non-zeros of all sets');
  const bits = e.baseIndices.BYTES_PER_ELEMENT * 8;
  v.expect('baseIndices', null, 'bits of a base', bits, baseBits(e), `enough for ${e.cols} columns`);
}

function checkBlocks(e: EcCsrEncoded, v: Violations): void {
  const multiple = columnStep(e);
  for (const set of setInfos(e)) {
    v.expect('blockPtr', set.blockPtrAt, `blockPtr[${set.blockPtrAt}]`, e.blockPtr[set.blockPtrAt], 0);
    for (let b = 0; b < set.blocks && !v.full; b++) {
      const at = set.blockPtrAt + b;
      const columns = e.blockPtr[at + 1] - e.blockPtr[at];
      if (columns > 0 && columns % multiple === 0) continue;
      v.add(
        'blockPtr',
        at + 1,
        `blockPtr[${at + 1}]: found a block of ${columns} columns, expected a positive multiple of ${multiple}`,
      );
    }
    const end = set.blockPtrAt + set.blocks;
    v.expect('blockPtr', end, `blockPtr[${end}]`, e.blockPtr[end], set.columns, 'columns of the set');
  }
  for (let i = 0; i < e.rowIndices.length && !v.full; i++) {
    if (e.rowIndices[i] >= e.rows) {
      v.add('rowIndices', i, `rowIndices[${i}]: found ${e.rowIndices[i]}, expected below ${e.rows}`);
    }
  }
}

/** Columns inside the matrix, and no cell stored twice. */
function checkCells(e: EcCsrEncoded, v: Violations): void {
  const words = Math.ceil(e.cols / 32);
  const seen = new Uint32Array(e.rows * words);
  let stored = 0;
  forEachColumn(e, (column, valuesAt, rowIndicesAt, granularity) => {
    if (v.full) return;
    if (column >= e.cols) {
      v.add('deltaIndices', null, `deltaIndices: found column ${column}, expected below ${e.cols}`);
      return;
    }
    for (let g = 0; g < granularity; g++) {
      if (e.values[valuesAt + g] === 0) continue;
      stored++;
      const row = e.rowIndices[rowIndicesAt + g];
      const word = row * words + (column >>> 5);
      const bit = 1 << (column & 31);
      if ((seen[word] & bit) !== 0) {
        v.add(
          'values',
          valuesAt + g,
          `values[${valuesAt + g}]: row ${row}, column ${column} is stored twice, expected once`,
        );
      }
      seen[word] |= bit;
    }
  });
  if (v.found.length === 0 && stored > e.nnz) {
    v.add('values', null, `values that are not 0: found ${stored}, expected at most nnz = ${e.nnz}`);
  }
}
