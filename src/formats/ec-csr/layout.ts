import type { Counts, Layout } from '../../core/declared/declaration.ts';
import type { EncodedMatrix } from '../../core/encoded/encoded.ts';
import { type FloatArray, floatAt } from '../../core/number/index.ts';
import { counted } from '../../core/text/words.ts';
import type { EcCsrParams, Remainder } from './params.ts';

/**
 * A matrix in EC-CSR form: sets of dense blocks, one set per granularity G (the rows of a block). L lanes share the
 * columns of a block and load v columns at a time. If the columns beyond a multiple of L v are in short blocks
 * (`remainder`), there are two sets per granularity: long blocks before short.
 *
 * All sets share these arrays; `sets` contains the start of each. Within a set, block b covers the matrix rows
 * rowIndices[b G .. (b + 1) G) and the columns [blockPtr[b], blockPtr[b + 1]), a multiple of L and of v.
 *
 * Lane l of a block with n columns has columns l n / L .. (l + 1) n / L - 1. In memory its columns are split into
 * segments of v; segment s of all lanes lies together: column (s, l, j) at (s L + l) v + j of the block. Columns of a
 * lane that fill no segment follow one by one: its i-th at i L + l.
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
  readonly padding: Padding;
  /** bytes of all arrays for either `remainder` */
  readonly sizes: Readonly<Record<Remainder, number>>;
}

/** Stored values that are not non-zeros, by cause. */
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

/** Elements of `sets` for each set. */
export const SET_FIELDS = FIELDS.length;

/** The size of a set; `columns` of all its blocks. */
export type SetSize = Pick<SetInfo, 'granularity' | 'blocks' | 'columns'>;

/** The number of elements of each array in a set; for deltaIndices, the number of words. */
export function lengthsOf({ granularity, blocks, columns }: SetSize, { lanes, deltaBits }: EcCsrParams) {
  return {
    rowIndices: blocks * granularity,
    blockPtr: blocks + 1,
    baseIndices: blocks * lanes,
    deltaIndices: Math.ceil((columns * deltaBits) / 32),
    values: columns * granularity,
  };
}

/** Where each set begins in the arrays; `nnz` is still 0. */
export function layOutSets(sets: readonly SetSize[], p: EcCsrParams): readonly SetInfo[] {
  const next = { rowIndicesAt: 0, blockPtrAt: 0, baseIndicesAt: 0, deltaWordAt: 0, valuesAt: 0 };
  return sets.map((set) => {
    const info = { ...set, ...next, nnz: 0 };
    const lengths = lengthsOf(set, p);
    next.rowIndicesAt += lengths.rowIndices;
    next.blockPtrAt += lengths.blockPtr;
    next.baseIndicesAt += lengths.baseIndices;
    next.deltaWordAt += lengths.deltaIndices;
    next.valuesAt += lengths.values;
    return info;
  });
}

/** The numbers of a row of the table `sets`, in their stored order. */
const fieldsOf = (info: SetInfo): readonly number[] => FIELDS.map((field) => info[field]);

/** The array `sets` from its rows. */
export function setsTable(infos: readonly SetInfo[]): Uint32Array {
  return Uint32Array.from(infos.flatMap(fieldsOf));
}

/** The rows of the array `sets`, granularity descending. */
export function infosOfSets(e: { sets: Uint32Array }): readonly SetInfo[] {
  return Array.from({ length: Math.floor(e.sets.length / SET_FIELDS) }, (_, s) => {
    const entries = FIELDS.map((field, k) => [field, e.sets[s * SET_FIELDS + k]] as const);
    return Object.fromEntries(entries) as unknown as SetInfo;
  });
}

/** How often a product reads an element of x: once for each stored column of a block, padding included. O(sets). */
export function gathersOf(e: { sets: Uint32Array }): number {
  return infosOfSets(e).reduce((sum, { columns }) => sum + columns, 0);
}

/** Bits of an element of `baseIndices`: 16 if these are enough for every column of the matrix. */
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

/** Whether every lane of all blocks of a set has only whole segments of v columns. O(blocks). */
export function isWhole({ blockPtr, lanes, vectorSize }: EcCsrEncoded, { blockPtrAt, blocks }: SetInfo): boolean {
  const starts = blockPtr.subarray(blockPtrAt, blockPtrAt + blocks + 1);
  return starts.every((start) => start % (lanes * vectorSize) === 0);
}

/** Delta of column `column` of a set, counted in memory order. */
function deltaAt(e: EcCsrEncoded, set: SetInfo, column: number): number {
  const bit = column * e.deltaBits;
  return (e.deltaIndices[set.deltaWordAt + Math.floor(bit / 32)] >>> (bit % 32)) & (2 ** e.deltaBits - 1);
}

/** The number in element `index` of `values`. */
export function valueAt(e: EcCsrEncoded, index: number): number {
  return floatAt(e.values, index);
}

/** Called once per stored column of a block: its matrix column, and where its G values and the block's rows begin. */
export type ColumnVisitor = (column: number, valuesAt: number, rowIndicesAt: number, granularity: number) => void;

/** Walks all stored columns, set by set, block by block, lane by lane. O(columns). */
export function forEachColumn(e: EcCsrEncoded, visit: ColumnVisitor): void {
  for (const set of infosOfSets(e)) {
    for (let b = 0; b < set.blocks; b++) {
      const start = e.blockPtr[set.blockPtrAt + b];
      const perLane = (e.blockPtr[set.blockPtrAt + b + 1] - start) / e.lanes;
      const rowIndicesAt = set.rowIndicesAt + b * set.granularity;
      for (let lane = 0; lane < e.lanes; lane++) {
        let column = e.baseIndices[set.baseIndicesAt + b * e.lanes + lane];
        for (let i = 0; i < perLane; i++) {
          const position = start + columnPosition(e, perLane, lane, i);
          column += deltaAt(e, set, position);
          visit(column, set.valuesAt + position * set.granularity, rowIndicesAt, set.granularity);
        }
      }
    }
  }
}

/** A stored column: its lane, the matrix column, and its position in the set, in memory order. */
export interface StoredColumn {
  readonly lane: number;
  readonly column: number;
  readonly slot: number;
}

/** All columns of a block in memory order. O(columns). */
export function blockColumnsInMemory(e: EcCsrEncoded, set: SetInfo, block: number): readonly StoredColumn[] {
  const start = e.blockPtr[set.blockPtrAt + block];
  const count = e.blockPtr[set.blockPtrAt + block + 1] - start;
  const stored = Array.from<StoredColumn>({ length: count });
  for (let lane = 0; lane < e.lanes; lane++) {
    let column = e.baseIndices[set.baseIndicesAt + block * e.lanes + lane];
    for (let i = 0; i < count / e.lanes; i++) {
      const position = start + columnPosition(e, count / e.lanes, lane, i);
      column += deltaAt(e, set, position);
      stored[position - start] = { lane, column, slot: position };
    }
  }
  return stored;
}

export type EcCsrArray = 'sets' | 'rowIndices' | 'blockPtr' | 'baseIndices' | 'deltaIndices' | 'values';

/** The arrays of EC-SpMV: type, length, and what their bytes are for. */
export const arrays: Layout<EcCsrArray, EcCsrParams>['arrays'] = (p, shape) => {
  const tableOf = ({ encoded }: Counts): Uint32Array | null =>
    encoded?.sets instanceof Uint32Array ? encoded.sets : null;
  /** the length of an array in all sets; `perElement`: elements that one of `lengthsOf` stands for */
  const inAllSets =
    (name: keyof ReturnType<typeof lengthsOf>, perElement = 1) =>
    (counts: Counts) => {
      const sets = tableOf(counts);
      return sets && infosOfSets({ sets }).reduce((sum, set) => sum + lengthsOf(set, p)[name] * perElement, 0);
    };
  /** unused deltas in the last words of sets */
  const unusedDeltasOf = ({ length, ...e }: EncodedMatrix & { readonly length: number }): number =>
    length - gathersOf(e as EncodedMatrix as EcCsrEncoded);
  const paddingOf = (e: EncodedMatrix): Padding => (e as EcCsrEncoded).padding;
  const causes = (e: EncodedMatrix): readonly string[] => {
    const { gapColumns, tailColumns } = paddingOf(e);
    return [
      ...(gapColumns > 0 ? [`${counted(gapColumns, 'column')} ${gapColumns === 1 ? 'bridges' : 'bridge'} gaps`] : []),
      ...(tailColumns > 0 ? [`${counted(tailColumns, 'column')} ${tailColumns === 1 ? 'fills' : 'fill'} lanes`] : []),
    ];
  };
  return {
    sets: {
      type: 'u32',
      role: 'metadata',
      length: (counts) => tableOf(counts)?.length ?? null,
      lengthSays: 'nine for each set',
      meaning: 'of each set granularity, blocks, columns, where it begins in five arrays, and its non-zeros',
    },
    rowIndices: {
      type: 'u32',
      role: 'indices',
      length: inAllSets('rowIndices'),
      lengthSays: 'blocks * G',
      meaning: 'matrix rows of each block',
    },
    blockPtr: {
      type: 'u32',
      role: 'metadata',
      length: inAllSets('blockPtr'),
      lengthSays: 'blocks + 1 for each set',
      meaning: 'start of each block, in columns of its set; multiples of L and of v',
    },
    baseIndices: {
      type: `u${baseBits(shape)}`,
      role: 'indices',
      length: inAllSets('baseIndices'),
      lengthSays: 'blocks * lanes',
      meaning: 'column of the first of each lane',
    },
    deltaIndices: {
      type: `u${p.deltaBits}`,
      inWords: true,
      role: 'indices',
      length: inAllSets('deltaIndices', 32 / p.deltaBits),
      lengthSays: 'columns, each set in whole words',
      padding: {
        says: (e) => [...causes(e), ...(unusedDeltasOf(e) > 0 ? ['a tail fills the last word of a set'] : [])],
        count: (e) => paddingOf(e).gapColumns + paddingOf(e).tailColumns + unusedDeltasOf(e),
      },
      meaning: 'columns since the one before in the lane; 0 for its first; a set begins a word',
    },
    values: {
      type: p.valueType,
      role: 'values',
      length: inAllSets('values'),
      lengthSays: 'columns * G',
      padding: { says: causes, count: (e) => paddingOf(e).gapValues + paddingOf(e).tailValues },
      meaning: 'G values for each column; 0 in padding',
    },
  };
};
