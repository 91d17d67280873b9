import { throwIfCancelled } from '../core/pace.ts';
import { MatrixError, ReadError } from '../core/errors.ts';
import { type Job, NO_JOB } from '../core/job.ts';
import type { Matrix } from '../core/matrix/index.ts';
import { chosenTensor, type Container, type ContainerContext, type TensorInfo } from './container.ts';
import { DecompressionLimitError } from './archives/decompression-limit.ts';
import { countOf, type LinesAs, type LinesReading, type MatrixCount, type ReadResult } from './file-format.ts';
import { isGzip } from './archives/gzip.ts';
import { fileNotes, likeliestFirst, shardsWith } from './chosen-files.ts';
import { MAX_CONCURRENT, mapConcurrently } from './map-concurrently.ts';
import { joinedShards } from './tensors/safetensors-index.ts';
import { type FileSource, fileSource, type MatrixFile, type RandomAccessSource, readHead } from './source.ts';
import { HEAD_BYTES, isKnownFormat, openSource, type OpenedSource } from './opened-source.ts';

// Opens files of every supported format: one matrix, the list of the matrices in a file, or all tensors of a model.

export { TensorChoiceError, type TensorInfo } from './container.ts';
export type { LinesAs, LinesReading } from './file-format.ts';
export type { MatrixFile } from './source.ts';

/** Which matrix of a file to read, and how large it may be when decompressed. */
export interface ReadOptions {
  /** Maximum size of a compressed file once decompressed. Default: 4 GiB. */
  readonly maxDecompressedBytes?: number;
  /** Which matrix of a file with several; default: the only one or the file's main one. */
  readonly tensor?: string;
  /**
   * How to read the lines of a text table (.csv, .tsv, .txt, .edges and the like): an entry each, with row, column and
   * perhaps value, or a row of cells. Default: entries if names, comments or the ending .edges indicate it. ReadError for
   * a file of another kind.
   */
  readonly as?: LinesAs;
}

/** Options of the page, whose links of version 0.2 keep its reading of tables. */
export interface PageReadOptions extends Omit<ReadOptions, 'as'> {
  readonly as?: LinesAs | '0.2';
}

/** A matrix of a file, with notes about it. */
export interface OpenedMatrix {
  /** the name of the opened file; of several, the one that was chosen */
  readonly file: string;
  readonly matrix: Matrix;
  /** notes for the user: duplicates summed, values rounded ... */
  readonly notes: readonly string[];
  /** id of the format ('mtx', 'npy', 'npz' ...), followed by '.gz' if it was compressed */
  readonly format: string;
  /** the name of the matrix in the file; null if a file of its format contains only one */
  readonly tensor: string | null;
  /** of a table of text, what its lines were read as and may also be; else null */
  readonly lines: LinesReading | null;
}

/** The contents of a file, before any matrix is read. */
export interface FileContents {
  readonly format: string;
  /** of a file that may contain several; null if it is one matrix */
  readonly tensors: readonly TensorInfo[] | null;
  /** the default choice */
  readonly preferred: string | null;
  /** where the file ends before its last tensor does, in the words 'found ..., expected ...'; absent if it is whole */
  readonly truncation?: string | null;
}

/** A file, and how others in its folder are found. */
interface FileInFolder extends Pick<ContainerContext, 'sibling'> {
  readonly source: FileSource;
}

/** A file, or several that were chosen at once. */
export type MatrixFiles = MatrixFile | readonly MatrixFile[];

/**
 * Opens a matrix. The content determines the format; the name decides only if the content is ambiguous. Of several files
 * an index is read with the files that it names, shards of one model are read as one list of tensors, and else the first that
 * may be a matrix is opened; notes name the others.
 *
 * Throws ReadError with position, found and expected if the file is broken or not supported, DecompressionLimitError if
 * it unpacks to more than `maxDecompressedBytes`, TensorChoiceError if it contains several matrices and none is chosen, and
 * CancelledError if the job is cancelled. The thread is yielded about every 25 ms. Memory: the matrix, and for coordinate
 * files 12 bytes per entry unless they are in row-major order.
 */
export async function readMatrix(
  files: MatrixFiles,
  options: ReadOptions = {},
  job: Job = NO_JOB,
): Promise<OpenedMatrix> {
  return readMatrixFrom(files, options, job);
}

/** Like `readMatrix`, also for a file in a folder, such as one on the web: `sibling` finds the others there. */
export async function readMatrixFrom(
  files: MatrixFiles | FileInFolder,
  options: PageReadOptions,
  job: Job,
): Promise<OpenedMatrix> {
  return withMatrix(
    files,
    options,
    job,
    ({ read }) => read(job),
    ({ read }, tensor) => read(tensor, job),
  );
}

/** A matrix of a file that was only counted. */
export interface CountedMatrix extends Omit<OpenedMatrix, 'matrix'>, Omit<MatrixCount, 'notes' | 'lines'> {}

/**
 * The size of a matrix and its non-zeros. Throws like `readMatrix`. Memory: a piece of the file for safetensors, GGUF, .npy or
 * .npz with dense cells; 4 bytes a row or column for an .npz of SciPy in CSR, CSC or BSR whose indices are sorted; else as for
 * `readMatrix`.
 */
export async function countMatrix(
  files: MatrixFiles,
  options: ReadOptions = {},
  job: Job = NO_JOB,
): Promise<CountedMatrix> {
  return withMatrix(
    files,
    options,
    job,
    async (file) => file.count?.(job) ?? countOf(await file.read(job)),
    async (file, tensor) => (await file.count?.(tensor, job)) ?? countOf(await file.read(tensor, job)),
  );
}

/** Opens files as `readMatrix` does, and reads the one matrix of a file by `ofFile`, or the chosen tensor by `ofTensor`. */
async function withMatrix<T extends Pick<ReadResult, 'notes' | 'lines'>>(
  files: MatrixFiles | FileInFolder,
  options: PageReadOptions,
  job: Job,
  ofFile: (file: OpenedSource & { readonly kind: 'matrix' }) => Promise<T>,
  ofTensor: (container: Container, tensor: string) => Promise<T>,
): Promise<Omit<T, 'lines'> & Omit<OpenedMatrix, 'matrix'>> {
  const chosenFiles = await chooseFiles(files);
  return withFileName(nameOf(chosenFiles), async () => {
    throwIfCancelled(job);
    const openedSource = await openChosen(chosenFiles, options, job);
    const { format } = openedSource;
    const isMatrix = openedSource.kind === 'matrix';
    if (isMatrix && options.tensor !== undefined) {
      throw new ReadError(`found one matrix (${format}), not several to choose '${options.tensor}' from`);
    }
    const { as: linesAs } = options;
    const isExplicit = linesAs === 'entries' || linesAs === 'table';
    if (isExplicit && isMatrix && !openedSource.hasLines) throw notATable(format, linesAs);
    const tensor = isMatrix ? null : chosenTensor(openedSource.container, options.tensor);
    const result = await (isMatrix ? ofFile(openedSource) : ofTensor(openedSource.container, tensor ?? ''));
    const { lines = null } = result;
    if (isExplicit && lines === null) throw notATable(tensor ?? format, linesAs);
    const notes = [...result.notes, ...chosenFiles.notes()];
    return { ...result, file: chosenFiles.shards[0].name, notes, format, tensor, lines };
  });
}

function notATable(foundName: string, linesAs: LinesAs): ReadError {
  const what = linesAs === 'entries' ? 'whose lines are entries' : 'whose lines are rows of cells';
  return new ReadError(`found ${foundName}, expected a table of text, ${what}`);
}

/** Lists the contents of a file. Throws like `readMatrix`; for a file that is one matrix only its format is given. */
export async function listTensors(
  files: MatrixFiles | FileInFolder,
  options: PageReadOptions = {},
  job: Job = NO_JOB,
): Promise<FileContents> {
  return (await openContents(files, options, job)).contents;
}

/** An open file, whose matrices are read one after the other. */
export interface OpenedContents {
  readonly contents: FileContents;
  /** Reads a tensor, or the one matrix of a file without a list (null). Throws like `readMatrix`. */
  read(tensor: string | null, job: Job): Promise<ReadResult>;
}

/** Opens a file to read many of its matrices. Throws like `readMatrix`. */
export async function openContents(
  files: MatrixFiles | FileInFolder,
  options: PageReadOptions,
  job: Job,
): Promise<OpenedContents> {
  const chosenFiles = await chooseFiles(files);
  const withName = <T>(work: () => Promise<T>): Promise<T> => withFileName(nameOf(chosenFiles), work);
  return withName(async () => {
    throwIfCancelled(job);
    const openedSource = await openChosen(chosenFiles, options, job);
    const { format } = openedSource;
    if (openedSource.kind === 'matrix') {
      const read: OpenedContents['read'] = (_, reading) => withName(() => openedSource.read(reading));
      return { contents: { format, tensors: null, preferred: null }, read };
    }
    const { container } = openedSource;
    const { tensors, preferred, truncation = null } = container;
    return {
      contents: { format, tensors, preferred, ...(truncation !== null && { truncation }) },
      read: (tensor, reading) => withName(() => container.read(chosenTensor(container, tensor ?? undefined), reading)),
    };
  });
}

/** Opens a file of several tensors, or an index of such files, to read many of them. Throws like `readMatrix`. */
export async function openTensors(
  source: FileSource,
  sibling: ContainerContext['sibling'],
  job: Job,
): Promise<Container> {
  return withFileName(source.name, async () => {
    throwIfCancelled(job);
    const openedSource = await openSource(source, sibling, {}, job);
    if (openedSource.kind === 'container') return openedSource.container;
    throw new ReadError(`found one matrix (${openedSource.format}), expected the tensors of a model`);
  });
}

/** The files to open, out of those that were chosen. */
interface ChosenFiles {
  /** one file, or all files that share its tensors */
  readonly shards: readonly FileSource[];
  readonly sibling: ContainerContext['sibling'];
  /** about the other files, complete once these are open */
  readonly notes: () => readonly string[];
}

/** Decides which of the chosen files to open: an index, the shards of one model, or the first that may be a matrix. */
async function chooseFiles(files: MatrixFiles | FileInFolder): Promise<ChosenFiles> {
  if ('sibling' in files) return { shards: [files.source], sibling: (name) => files.sibling(name), notes: () => [] };
  const sources = likeliestFirst([files].flat().map(fileSource));
  if (sources.length === 0) throw new ReadError('found no file');
  const shards = shardsWith(await firstThatOpens(sources), sources);
  const openedSources = new Set(shards);
  return {
    shards,
    async sibling(name) {
      const sibling = sources.find((source) => source.name === name);
      if (sibling) openedSources.add(sibling);
      return sibling ?? null;
    },
    notes() {
      const notOpened = sources.filter((source) => !openedSources.has(source));
      return fileNotes(shards, notOpened);
    },
  };
}

/** Of several files, the first that seems to be a matrix; without one the first. */
async function firstThatOpens(sources: readonly RandomAccessSource[]): Promise<RandomAccessSource> {
  if (sources.length > 1) {
    for (const source of sources) {
      const head = await readHead(source, HEAD_BYTES);
      if (head.length > 0 && (isGzip(head) || isKnownFormat(head, source.name))) return source;
    }
  }
  return sources[0];
}

/** The name that errors begin with; '' for shards, whose errors name each file. */
function nameOf({ shards }: ChosenFiles): string {
  return shards.length === 1 ? shards[0].name : '';
}

/** Opens one file, or shards as one container. Throws ReadError if one of the shards is a single matrix. */
async function openChosen({ shards, sibling }: ChosenFiles, options: PageReadOptions, job: Job): Promise<OpenedSource> {
  const [first, ...otherShards] = shards;
  if (otherShards.length === 0) return openSource(first, sibling, options, job);
  const open = (shard: FileSource): Promise<OpenedSource> =>
    withFileName(shard.name, async () => openSource(shard, sibling, options, job));
  const openedShards = await mapConcurrently(shards, MAX_CONCURRENT, open);
  const containers = openedShards.map((openedSource) =>
    openedSource.kind === 'container' ? openedSource.container : null,
  );
  const matrixIndex = containers.indexOf(null);
  if (matrixIndex >= 0)
    throw new ReadError(`${shards[matrixIndex].name}: found one matrix, expected tensors as in ${first.name}`);
  const byFile = new Map(shards.map(({ name }, i) => [name, containers[i]]));
  return { kind: 'container', format: openedShards[0].format, container: await joinedShards(byFile, [], job) };
}

/** Prefixes an error with the name of the file. */
async function withFileName<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ReadError || error instanceof MatrixError) || name === '') throw error;
    const Named = error instanceof DecompressionLimitError ? DecompressionLimitError : ReadError;
    throw new Named(`${name}: ${error.message}`);
  }
}
