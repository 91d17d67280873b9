import { addChecksumSteps } from '../core/encoded/checksum.ts';
import { messageOf, ReadError, SparseScopeError } from '../core/errors.ts';
import type { EncodedMatrix } from '../core/format.ts';
import { finish } from '../core/job.ts';
import { type Matrix, toCsr } from '../core/matrix/index.ts';
import type { MatrixFile } from '../io/source.ts';
import { readEncodedFile } from '../io/tensors/encoded-file.ts';
import { encodedFacts, encodedTensors } from '../io/tensors/named-tensors.ts';
import { writeMtx } from '../io/write/write-mtx.ts';
import { writeNpzSteps, writeSparseNpzSteps } from '../io/write/write-npz.ts';
import { writeSafetensors } from '../io/write/write-safetensors.ts';
import { type Stored, storedOf } from './encode.ts';

/**
 * Files of matrices: 'sparsescope/files'. Reads .mtx, .smtx, .npy, .npz, .csv, .safetensors, .gguf, .tar, .zip and .gz
 * by their content, and the arrays of a format as `writeStored` writes them.
 */
export { type OpenedMatrix, readMatrix, type ReadOptions, TensorChoiceError } from '../io/read.ts';
export type { MatrixFile } from '../io/source.ts';

/** Kinds of files for the arrays of a format. */
export const STORED_KINDS = ['npz', 'safetensors'] as const;
/** Kinds of files for a matrix. */
export const MATRIX_KINDS = ['mtx', 'npz'] as const;

/**
 * The arrays of a stored matrix under their documented names, with format and parameters as metadata: NumPy's archive
 * or safetensors, as the page writes them and sparsescope.py reads them. Pieces of the file, in order. Throws
 * SparseScopeError for an .npz above 4 GiB.
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
 * Reads what `writeStored`, the page and the command write. Throws ReadError for a file of another kind, an unknown
 * format, or arrays that contradict each other. `ledger` rejects for EC-CSR: files do not hold its counts of padding.
 */
export async function readStored(file: MatrixFile): Promise<Stored> {
  const { formatById } = await import('../formats/registry.ts');
  const { arrays, facts } = await readEncodedFile(file);
  const name = 'name' in file ? String(file.name) : 'the file';
  const { format: id, params, ...numbers } = facts;
  const plain = Object.entries(numbers).map(([key, text]) => [key, plainOf(text)] as const);
  try {
    const format = formatById(id);
    const all = { ...Object.fromEntries(plain), ...arrays } as unknown as Omit<EncodedMatrix, 'checksums'>;
    const encoded: EncodedMatrix = finish(addChecksumSteps(all, 1));
    const [violation] = format.validate(encoded, 'full');
    if (violation) throw new ReadError(`${violation.array}: ${violation.message}`);
    const stored = storedOf(format, JSON.parse(params ?? '{}') as object, encoded, null);
    // Files hold arrays, but not all counts that a ledger needs.
    const ledger = (): ReturnType<Stored['ledger']> =>
      stored.ledger().catch((error: unknown) => {
        // TypeError: a count is missing.
        if (!(error instanceof TypeError)) throw error;
        throw new ReadError(
          `${name}: found no counts of padding, expected them for a ledger; encode its decoded matrix`,
        );
      });
    return { ...stored, ledger };
  } catch (error) {
    throw new ReadError(`${name}: ${messageOf(error)}`);
  }
}

/** The number, boolean or string of a text in metadata. */
function plainOf(text: string): number | boolean | string {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** A matrix as Matrix Market text or SciPy's CSR archive, in pieces. Throws SparseScopeError for .npz above 4 GiB. */
export function writeMatrix(matrix: Matrix, kind: (typeof MATRIX_KINDS)[number]): readonly Uint8Array<ArrayBuffer>[] {
  if (kind === 'mtx') return [...writeMtx(matrix)];
  if (kind === 'npz') return finish(writeSparseNpzSteps(toCsr(matrix)));
  throw new SparseScopeError(`kind of file: found '${String(kind)}', expected one of ${MATRIX_KINDS.join(', ')}`);
}
