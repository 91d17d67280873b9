import type { Steps } from '../../core/job.ts';
import { type CsrMatrix, type Matrix, toCsr } from '../../core/matrix/index.ts';
import type { Extraction } from './extract.ts';
import { baseBits, layOutSets, type Padding, SET_FIELDS, type SetSize, setsTable, lengthsOf } from './layout.ts';
import { type PackedSet, packSteps } from './pack.ts';
import { type EcCsrParams, type Remainder, valueBits } from './params.ts';

/** The plan of an encoding: the sets of blocks with equally many rows, with long blocks split, and the table of these sets. */
export interface StoragePlan {
  readonly packedSets: readonly PackedSet[];
  /** the stored array `sets`, in which the nnz of every set is still 0 */
  readonly setTable: Uint32Array;
  /** the source of the values at the blocks' rows and columns */
  readonly matrix: Pick<CsrMatrix, 'indptr' | 'indices' | 'data'>;
  readonly padding: Padding;
  /** total bytes for each way to store the remainder of a block: columns that are too few for a vector of every lane */
  readonly sizes: Readonly<Record<Remainder, number>>;
}

/** Plans the storage of extracted blocks. O(stored values). */
export function* planSteps(m: Matrix, p: EcCsrParams, extraction: Extraction): Steps<StoragePlan> {
  // Both packings are computed, since the page compares their sizes.
  const { packings, padding } = yield* packSteps(extraction, p);
  const packedSets = packings[p.remainder];
  return {
    packedSets,
    setTable: setsTable(layOutSets(packedSets.map(sizeOf), p)),
    matrix: toCsr(m),
    padding,
    sizes: {
      'same-block': packedBytes(packings['same-block'].map(sizeOf), m, p).total,
      'short-block': packedBytes(packings['short-block'].map(sizeOf), m, p).total,
    },
  };
}

/** The size of a set. O(blocks). */
function sizeOf({ granularity, blocks }: PackedSet): SetSize {
  return { granularity, blocks: blocks.length, columns: blocks.reduce((sum, block) => sum + block.columns.length, 0) };
}

/** Bytes of these sets in all arrays, and in `values` alone. */
export function packedBytes(
  sets: readonly SetSize[],
  shape: Pick<Matrix, 'cols'>,
  p: EcCsrParams,
): { total: number; values: number } {
  const bytes = { total: sets.length * SET_FIELDS * 4, values: 0 };
  for (const set of sets) {
    const { rowIndices, blockPtr, baseIndices, deltaIndices, values } = lengthsOf(set, p);
    const inValues = (values * valueBits(p)) / 8;
    bytes.values += inValues;
    bytes.total += (rowIndices + blockPtr + deltaIndices) * 4 + (baseIndices * baseBits(shape)) / 8 + inValues;
  }
  return bytes;
}
