export { DenseMatrix, denseMatrix } from './dense.ts';
export { subMatrix, toCsr, toCsrSteps, toDense } from './conversions.ts';
export { type CsrArrays, CsrMatrix, csrMatrix, lowerBound } from './csr.ts';
export {
  type Cell,
  density,
  type Matrix,
  matrixBytes,
  type Region,
  type RowBuffer,
  rowBuffer,
  type Rows,
} from './matrix.ts';
export { checkShape } from './shape.ts';
export { type StoredCells, StoredDenseMatrix } from './stored-dense-matrix.ts';
