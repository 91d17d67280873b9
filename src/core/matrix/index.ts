export { DenseMatrix, denseMatrix } from './dense.ts';
export { subMatrix, toCsr, toCsrSteps, toDense } from './conversions.ts';
export { type Cell, type CsrArrays, CsrMatrix, csrMatrix, lowerBound, type Region } from './csr.ts';
export { density, type Matrix, matrixBytes, type RowBuffer, rowBuffer, type Rows } from './matrix.ts';
export { checkShape } from './shape.ts';
export { type StoredCells, StoredDenseMatrix } from './stored-dense.ts';
