import type { Matrix } from './matrix.ts';

/** Bytes of the arrays that a matrix keeps; if it does not report them, those of its non-zeros as CSR arrays. O(1). */
export function matrixBytes(m: Matrix & { readonly bytes?: number }): number {
  return m.bytes ?? m.nnz * 8 + (m.rows + 1) * 4;
}
