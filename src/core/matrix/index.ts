export { DenseMatrix, denseMatrix } from './dense.ts';
export {
  type Cell,
  type CsrArrays,
  CsrMatrix,
  csrMatrix,
  lowerBound,
  type Region,
  subMatrix,
  toCsr,
  toDense,
} from './csr.ts';
export { density, type Matrix, matrixBytes, type RowBuffer, rowBuffer, type Rows, shiftedInRows } from './matrix.ts';
export { checkShape } from './shape.ts';
export { type StoredCells, StoredDenseMatrix, storedDenseMatrix } from './stored-dense.ts';
