/** Space for the entries of one row: each array has at least `cols` elements. Reuse one buffer for all rows. */
export interface RowBuffer {
  readonly columns: Uint32Array;
  readonly values: Float32Array;
}

/**
 * A matrix that is read one row at a time.
 *
 * Stored entries are the non-zeros (+0 and -0 are not stored; NaN and the infinities are). A CSR matrix that was
 * built with explicit zeros drops them.
 */
export interface Matrix {
  readonly rows: number;
  readonly cols: number;
  /** Number of stored entries. */
  readonly nnz: number;
  /** Fills `into` with the entries of `row`, by ascending column, and returns how many there are. O(cols) at worst. */
  readRow(row: number, into: RowBuffer): number;
  /** Like `readRow`, for the columns [from, to) only, in less time; absent: rows are read whole. */
  readRowPart?(row: number, from: number, to: number, into: RowBuffer): number;
}

/** A matrix whose number of entries may not be known. */
export type Rows = Omit<Matrix, 'nnz'>;

/** A buffer with space for any row of a matrix with `cols` columns. */
export function rowBuffer(cols: number): RowBuffer {
  return { columns: new Uint32Array(cols), values: new Float32Array(cols) };
}

/** nnz / (rows * cols); 0 for a matrix without cells. */
export function density(m: Pick<Matrix, 'rows' | 'cols' | 'nnz'>): number {
  const cells = m.rows * m.cols;
  return cells === 0 ? 0 : m.nnz / cells;
}

/** Whether two densities count as equal: a generated matrix misses its density slightly. */
export function isNearDensity(actual: number, expected: number): boolean {
  return Math.abs(actual - expected) < Math.max(0.0005, 0.004 * expected);
}

/** Bytes of the arrays that a matrix keeps; if it has no `bytes`, those of its non-zeros as CSR arrays. O(1). */
export function matrixBytes(m: Matrix & { readonly bytes?: number }): number {
  return m.bytes ?? m.nnz * 8 + (m.rows + 1) * 4;
}
