// Matrices before a format encodes them: dense, CSR, and dense with the 8 or 16 bit cells of a file.

export { DenseMatrix, denseMatrix } from './dense.ts';
export { subMatrix, toCsr, toCsrSteps, toDense } from './conversions.ts';
export { type CsrArrays, CsrMatrix, csrMatrix, lowerBound } from './csr.ts';
export { density, isNearDensity, type Matrix, matrixBytes, type RowBuffer, rowBuffer, type Rows } from './matrix.ts';
export { type Cell, checkShape, type Region } from './shape.ts';
export { type StoredCells, StoredDenseMatrix } from './stored-dense-matrix.ts';
