import { SparseScopeError } from '../core/errors.ts';
import type { EncodedMatrix } from '../core/format.ts';
import { finish } from '../core/job.ts';
import { type Matrix, toCsr } from '../core/matrix/index.ts';
import { encodedFacts, encodedTensors } from '../io/tensors/named-tensors.ts';
import { writeMtx } from '../io/write/write-mtx.ts';
import { writeNpzSteps, writeSparseNpzSteps } from '../io/write/write-npz.ts';
import { writeSafetensors } from '../io/write/write-safetensors.ts';
import type { Stored } from './encode.ts';

/**
 * Files of matrices: 'sparsescope/files'. Reads .mtx, .smtx, .npy, .npz, .csv, .safetensors, .gguf, .tar, .zip and .gz by
 * their content, and the arrays of a format as `writeStored` writes them.
 */
export { type OpenedMatrix, readMatrix, type ReadOptions, TensorChoiceError } from '../io/read.ts';
export type { MatrixFile } from '../io/source.ts';

/** Kinds of files for the arrays of a format. */
export const STORED_KINDS = ['npz', 'safetensors'] as const;
/** Kinds of files for a matrix. */
export const MATRIX_KINDS = ['mtx', 'npz'] as const;

/**
 * The arrays of a stored matrix under their documented names, with format and parameters as metadata: NumPy's archive or
 * safetensors, as the page writes them and sparsescope.py reads them. Pieces of the file, in order. Throws SparseScopeError
 * for an .npz above 4 GiB.
 */
export async function writeStored<E extends EncodedMatrix, P>(
  { format, params, encoded, ledger }: Stored<E, P>,
  kind: (typeof STORED_KINDS)[number],
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const tensors = encodedTensors(encoded, await ledger());
  const facts = { format: format.id, params: JSON.stringify(params), ...encodedFacts(encoded) };
  if (kind === 'npz') return finish(writeNpzSteps(tensors, facts));
  if (kind === 'safetensors') return writeSafetensors(tensors, facts);
  throw new SparseScopeError(`kind of file: found '${String(kind)}', expected one of ${STORED_KINDS.join(', ')}`);
}

/**
 * A matrix as Matrix Market text, or as scipy.sparse.save_npz writes CSR in f32. Pieces of the file, in order. Throws
 * SparseScopeError for an .npz above 4 GiB.
 */
export function writeMatrix(matrix: Matrix, kind: (typeof MATRIX_KINDS)[number]): readonly Uint8Array<ArrayBuffer>[] {
  if (kind === 'mtx') return [...writeMtx(matrix)];
  if (kind === 'npz') return finish(writeSparseNpzSteps(toCsr(matrix)));
  throw new SparseScopeError(`kind of file: found '${String(kind)}', expected one of ${MATRIX_KINDS.join(', ')}`);
}
