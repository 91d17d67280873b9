import { addChecksumSteps } from '../core/encoded/checksum.ts';
import { clip, quotedValue } from '../core/bounds/quote.ts';
import { ReadError } from '../core/errors.ts';
import { isOwnError, messageOf } from '../core/error-messages.ts';
import type { EncodedMatrix } from '../core/format.ts';
import { finish, type Job } from '../core/job.ts';
import { type Matrix, toCsr } from '../core/matrix/index.ts';
import {
  listTensors as listIn,
  type OpenedMatrix,
  readMatrix as readFrom,
  type ReadOptions,
  type MatrixFile,
  OtherFileError,
  readEncodedFile,
  encodedFacts,
  encodedTensors,
  writeMtx,
  writeNpzSteps,
  writeSparseNpzSteps,
  writeSafetensors,
} from '../io/index.ts';
import {
  checkedChoice,
  checkedJob,
  checkedMatrix,
  checkedOptions,
  checkType,
  isObject,
  madeHere,
  wrong,
} from './arguments.ts';
import { checksOf } from './codec.ts';
import { checkedStored, type Stored, storedOf } from './encode.ts';
import { codecById, FORMAT_IDS, withChecks } from './loaders.ts';

/**
 * Files of matrices: 'sparsescope/files'. Reads .mtx, .smtx, .npy, .npz, .csv, .safetensors, .gguf, .pt, .tar, .zip and .gz
 * by their content, and the arrays of a format as `writeStored` writes them.
 */
export {
  type LinesAs,
  type LinesReading,
  type OpenedMatrix,
  type ReadOptions,
  TensorChoiceError,
  type MatrixFile,
} from '../io/index.ts';
export { DecompressionLimitError } from '../io/archives/decompression-limit.ts';

/** Kinds of files for the arrays of a format. */
export const STORED_KINDS = ['npz', 'safetensors'] as const;
/** Kinds of files for a matrix. */
export const MATRIX_KINDS = ['mtx', 'npz'] as const;

/**
 * Opens a matrix of a file, or of several files that were chosen together, such as the shards of a model. The kind of
 * file follows from its content. Throws SparseScopeError for an argument that is no file or no option, ReadError with
 * position, found and expected if the file is broken or not supported, DecompressionLimitError if it unpacks to more
 * than `maxDecompressedBytes`, TensorChoiceError if it contains several matrices and none is chosen, and CancelledError
 * if the job is cancelled.
 */
export async function readMatrix(
  files: MatrixFile | readonly MatrixFile[],
  options: ReadOptions = {},
  job?: Job,
): Promise<OpenedMatrix> {
  checkFiles(files);
  const { tensor, maxDecompressedBytes, as: linesAs } = checkedOptions('options', options, READ_OPTIONS);
  checkType('tensor', tensor, 'string');
  if (linesAs !== undefined) checkedChoice('as', linesAs, LINES_AS);
  const isLimit = typeof maxDecompressedBytes === 'number' && maxDecompressedBytes >= 0;
  if (maxDecompressedBytes !== undefined && !isLimit) {
    throw wrong('maxDecompressedBytes', maxDecompressedBytes, 'a number of bytes');
  }
  const openedMatrix = await readFrom(files, options, checkedJob(job));
  return { ...openedMatrix, matrix: madeHere(openedMatrix.matrix) };
}

/** A tensor of a file: a matrix that `readMatrix` opens by its name, unless it is rejected. */
export interface ListedTensor {
  /** unique in its file */
  readonly name: string;
  /** its element type in the words of the file, in lower case: 'f16', 'q4_k' */
  readonly dtype: string;
  /** [] if it is known only after reading, as for a text file in an archive */
  readonly shape: readonly number[];
  /** number of its bytes in the file */
  readonly bytes: number;
  /** why `readMatrix` rejects it, in the words 'found ..., expected ...'; null if it opens it */
  readonly rejected: string | null;
}

/** The tensors of a file. */
export interface TensorList {
  /** id of the kind of file, as `format` of `readMatrix`: 'safetensors', 'gguf', 'npz' */
  readonly format: string;
  /** by name; [] for a file that is one matrix without a name, such as .mtx and .npy: `readMatrix` needs no `tensor` then */
  readonly tensors: readonly ListedTensor[];
  /** the tensor that `readMatrix` opens if none is named; null: one has to be named, or the file is one matrix */
  readonly preferred: string | null;
  /** where the file ends too early, in the words 'found ..., expected ...'; null if it is whole */
  readonly truncation: string | null;
}

/**
 * Lists the tensors of a file, or of several that were chosen together, without reading their values: the names that
 * `readMatrix` accepts as `tensor`. Throws SparseScopeError for an argument that is no file, ReadError with position,
 * found and expected if the file is broken or not supported, and CancelledError if the job is cancelled.
 */
export async function listTensors(files: MatrixFile | readonly MatrixFile[], job?: Job): Promise<TensorList> {
  checkFiles(files);
  const { format, tensors, preferred, truncation = null } = await listIn(files, {}, checkedJob(job));
  const listedTensors = (tensors ?? []).map(({ name, dtype, shape, bytes, refused }) => {
    return { name, dtype, shape: [...shape], bytes, rejected: refused };
  });
  const [first] = listedTensors;
  return {
    format,
    tensors: listedTensors,
    preferred: preferred ?? (listedTensors.length === 1 && first.rejected === null ? first.name : null),
    truncation,
  };
}

/** Throws SparseScopeError unless it is a file, or an array of files. */
function checkFiles(files: unknown): void {
  if (!Array.isArray(files)) checkFile('files', files);
  else for (const [i, file] of (files as readonly unknown[]).entries()) checkFile(`files[${i}]`, file);
}

const READ_OPTIONS: readonly (keyof ReadOptions)[] = ['as', 'maxDecompressedBytes', 'tensor'];
const LINES_AS = ['entries', 'table'] as const;

/** Throws SparseScopeError unless it is a Blob, or a name with bytes. */
function checkFile(argument: string, file: unknown): void {
  if (file instanceof Blob) return;
  const { name, bytes }: Readonly<Record<string, unknown>> = isObject(file) ? file : {};
  if (typeof name === 'string' && bytes instanceof Uint8Array) return;
  const expected = 'a Blob, or { name, bytes } with a Uint8Array of its content';
  if (!isObject(file)) throw wrong(argument, file, expected);
  const [member, value, type] =
    typeof name === 'string' ? ['bytes', bytes, 'a Uint8Array'] : ['name', name, 'a string'];
  throw wrong(`${argument}.${member}`, value, `${type}: a file is ${expected}`);
}

/**
 * Writes a stored matrix as an .npz archive or a safetensors file: its arrays under their documented names, with format
 * and parameters as metadata, as the page writes them and sparsescope.py reads them. Returns the pieces of the file in
 * order. Throws SparseScopeError for an .npz above 4 GiB.
 */
export async function writeStored<E extends EncodedMatrix, P>(
  stored: Stored<E, P>,
  kind: (typeof STORED_KINDS)[number],
): Promise<readonly Uint8Array<ArrayBuffer>[]> {
  const { format, params, encoded, ledger } = withChecks(checkedStored(stored));
  checkedChoice('kind', kind, STORED_KINDS);
  const tensors = encodedTensors(encoded, await ledger());
  const facts = { format: format.id, params: JSON.stringify(params), ...encodedFacts(encoded) };
  return kind === 'npz' ? finish(writeNpzSteps(tensors, facts)) : writeSafetensors(tensors, facts);
}

/**
 * Reads a file of `writeStored`, of the page or of the command. Throws ReadError for a file of another kind, an unknown
 * format, or arrays that contradict each other. `ledger` rejects for EC-CSR: files do not contain its counts of
 * padding.
 */
export async function readStored(file: MatrixFile): Promise<Stored> {
  checkFile('file', file);
  const { arrays, facts } = await readEncodedFile(file);
  const name = 'name' in file ? String(file.name) : 'the file';
  const { format: id, params, ...numbers } = facts;
  const members = Object.entries(numbers).map(([key, text]) => [key, metadataValue(text)] as const);
  if (!FORMAT_IDS.some((knownId) => knownId === id)) {
    throw new OtherFileError(`${name}: found the format '${id}', expected one of ${FORMAT_IDS.join(', ')}`);
  }
  const format = await codecById(id);
  const { validate } = await checksOf(format);
  try {
    const unchecked = { ...Object.fromEntries(members), ...arrays } as unknown as Omit<EncodedMatrix, 'checksums'>;
    for (const count of ['rows', 'cols', 'nnz'] as const) {
      if (Number.isSafeInteger(unchecked[count]) && unchecked[count] >= 0) continue;
      throw new ReadError(`${count}: found ${quotedValue(numbers[count])}, expected a whole number`);
    }
    const encoded: EncodedMatrix = finish(addChecksumSteps(unchecked, 1));
    const [violation] = validate(encoded, 'full');
    if (violation) throw new ReadError(`${violation.array}: ${violation.message}`);
    const stored = storedOf(format, paramsOf(params) as unknown, encoded, null);
    // Files contain arrays, but not all counts that a ledger needs.
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
    if (isOwnError(error)) throw new ReadError(`${name}: ${messageOf(error)}`);
    // Any other error: the checks of a format assume that all of its arrays and numbers exist.
    const found = Object.keys(arrays).map(clip).join(', ') || 'no array';
    throw new ReadError(
      `${name}: found ${found}, which do not make a matrix in ${id}; expected what writeStored writes`,
    );
  }
}

/** The parameters in the metadata of a file. Throws ReadError. */
function paramsOf(text = '{}'): object {
  try {
    const params: unknown = JSON.parse(text);
    if (typeof params === 'object' && params !== null) return params;
  } catch {
    // The message is the same for invalid JSON, and for JSON that is no object.
  }
  throw new ReadError(`params: found ${quotedValue(text)}, expected an object of JSON`);
}

/** A value of the metadata: 'true' and 'false' as booleans, decimal numbers as numbers, anything else as it is. */
function metadataValue(text: string): number | boolean | string {
  if (text === 'true' || text === 'false') return text === 'true';
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text;
}

/** A matrix as Matrix Market text or SciPy's CSR archive, in pieces. Throws SparseScopeError for .npz above 4 GiB. */
export function writeMatrix(matrix: Matrix, kind: (typeof MATRIX_KINDS)[number]): readonly Uint8Array<ArrayBuffer>[] {
  checkedMatrix(matrix);
  checkedChoice('kind', kind, MATRIX_KINDS);
  return kind === 'mtx' ? [...writeMtx(matrix)] : finish(writeSparseNpzSteps(toCsr(matrix)));
}
