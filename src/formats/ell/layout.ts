import { lastCounted } from '../../core/comparison/counts.ts';
import type { ArrayDeclaration, Counts, Layout } from '../../core/declared/declaration.ts';
import type { EncodedMatrix } from '../../core/encoded/encoded.ts';
import type { FloatArray, FloatType } from '../../core/number/index.ts';
import type { IndexBits } from '../../theory/shared-params.ts';
import type { EllParams } from './params.ts';

/**
 * ELLPACK-R: every row has `width` slots, the length of the longest row. Slot s of row r is element s * rows + r, so
 * that neighbouring rows are adjacent in memory. Row r uses its first counts[r] slots; the rest is padding. A value
 * that rounds to 0 keeps its slot.
 * Source: Vázquez, Fernández and Garzón, A new approach for sparse matrix vector product on NVIDIA GPUs, 2011.
 */
export interface EllEncoded extends EncodedMatrix {
  readonly valueType: FloatType;
  readonly indexBits: IndexBits;
  /** slots per row: the longest row; 0 for a matrix without non-zeros */
  readonly width: number;
  readonly values: FloatArray;
  readonly indices: Uint16Array | Uint32Array;
  readonly counts: Uint32Array;
}

/** The number of slots: as many for each row as the longest has; null where row lengths are not known. */
function slots({ rows, rowCounts, encoded }: Counts): number | null {
  const width = encoded?.width ?? (rowCounts ? lastCounted(rowCounts) : null);
  return typeof width === 'number' ? rows * width : null;
}

/** An array with an element for every slot. */
const inSlots = {
  length: slots,
  lengthSays: 'rows * width',
  padding: { says: 'slots of rows shorter than the longest', count: ({ length, nnz }) => length - nnz },
} satisfies Partial<ArrayDeclaration>;

export type EllArray = 'values' | 'indices' | 'counts';

/** The arrays of ELL: type, length, and what their bytes are for. */
export const arrays: Layout<EllArray, EllParams>['arrays'] = ({ valueType, indexBits: bits }) => ({
  values: { type: valueType, role: 'values', ...inSlots, meaning: 'non-zeros of a row; 0 in empty slots' },
  indices: {
    type: `u${bits}`,
    role: 'indices',
    ...inSlots,
    columns: {},
    meaning: 'column of each; 0 in empty slots',
  },
  counts: {
    type: 'u32',
    role: 'metadata',
    length: ({ rows }) => rows,
    lengthSays: 'rows',
    meaning: 'non-zeros of the row',
  },
});
