import { ReadError } from '../../core/errors.ts';
import { NO_NETWORK } from '../../core/error-messages.ts';
import { LINK_CELLS_BOUNDS } from '../../core/bounds/bounds.ts';
import { cellsName, linkCellsText, linkShapeProblem, readLinkCells } from '../../core/cells/link-cells.ts';
import { CsrMatrix, denseMatrix, type Matrix, toCsr } from '../../core/matrix/index.ts';
import { generateSteps } from '../../generate/generate.ts';
import type { KnownInputs } from '../../io/gallery.ts';
import {
  type LinesReading,
  type FileContents,
  type OpenedContents,
  type PageReadOptions,
  readBytes,
  type RemoteCache,
  openReference,
  type RemoteFile,
} from '../../io/index.ts';
import type { ServiceJob } from '../bridge/service-job.ts';
import { finishPaced, type WorkerPace } from '../worker-pace.ts';
import { findPosition, positionText, type TreeMatrix } from '../../theory/models/model-tree.ts';
import type {
  BaseRequest,
  BaseSource,
  CellsSource,
  ContainerRequest,
  ContainerSource,
  ModelRequest,
  ModelSource,
  TextRequest,
} from './source-types.ts';
import { levelNotes, matrixLocation } from './random-weights.ts';
import type { MatrixLocation } from './matrix-types.ts';

/** A matrix as it was read, generated or downloaded, before the engine counts or prunes it. */
export interface LoadedMatrix {
  readonly name: string;
  readonly source: BaseSource;
  /** the file or link that it was read from; absent for other sources */
  readonly container?: ContainerSource;
  readonly matrix: Matrix;
  readonly notes: readonly string[];
  /** for a table of text: whether its lines were read as entries or as rows of cells, and what else they may be */
  readonly lines?: LinesReading;
  /** for an example: the activations that its columns are multiplied with, where known */
  readonly inputs?: KnownInputs;
  /** model, layer and name of a model's matrix */
  readonly location?: MatrixLocation;
  /** for a model whose weights come with the page: computes the norm of the activations of each column */
  readonly shippedInputs?: TrainedMatrix['inputs'];
}

/** What a worker provides for loading: threads, pauses between steps, and `fetch`. */
export interface WorkerEnvironment extends WorkerPace {
  readonly fetch: (url: string, init: RequestInit) => Promise<Response>;
}

/** A worker's environment with a cache of remote files. */
export interface CachedEnvironment extends WorkerEnvironment {
  readonly cache: RemoteCache;
}

/** All that loading a matrix needs: a worker's environment, a cache, and the models whose weights come with the page. */
export interface LoadingContext extends CachedEnvironment {
  /** null: random weights for every model, even if the page has the model's weights */
  readonly models: ModelReader | null;
}

/** Reads models whose weights come with the page. */
export interface ModelReader {
  /** A matrix with its trained weights. Throws ReadError and CancelledError. */
  read(request: ShippedRequest, matrix: TreeMatrix, job: ServiceJob): Promise<TrainedMatrix>;
}

/** The weights of a matrix of a model, row by row, and the norms of its inputs. */
interface TrainedMatrix {
  readonly weights: Float32Array;
  /** absent: its activations are not known */
  readonly inputs?: {
    /** name of the data that the activations were computed from, for a note: 'tales' */
    readonly dataName: string;
    /** computes the norm of each column's inputs; throws CancelledError */
    readonly norms: (job: ServiceJob) => Promise<Float32Array>;
  };
}

/** A request for a matrix of a model whose weights come with the page. */
export type ShippedRequest = ModelRequest & { readonly folder: string };

/** Whether the weights of the model come with the page. */
export function isShipped(request: ModelRequest): request is ShippedRequest {
  return request.folder !== undefined;
}

/** The code that reads files, loaded when first needed. */
const readers = () => import('../../io/read.ts');

/** Loads the matrix of a request. Throws ReadError, TensorChoiceError, MatrixError and CancelledError. */
export async function loadMatrix(
  request: Exclude<BaseRequest, ModelSource>,
  job: ServiceJob,
  context: LoadingContext,
): Promise<LoadedMatrix> {
  switch (request.kind) {
    case 'generated': {
      const { spec } = request;
      const matrix = await finishPaced(generateSteps(spec), job, context);
      return { name: `${spec.pattern} ${spec.rows} × ${spec.cols}`, source: request, matrix, notes: [] };
    }
    case 'cells': {
      const { rows, cols, cells } = request;
      return { name: cellsName(request), source: request, matrix: readLinkCells(cells, rows, cols), notes: [] };
    }
    case 'file': {
      const { readMatrixFrom } = await readers();
      const read = await readMatrixFrom(filesOf(request), optionsOf(request), job);
      const { file: name, matrix, notes, tensor, lines } = read;
      const container = { kind: 'file', name, ...tensorField(tensor), ...asField(lines) } as const;
      const title = titleOf(name, tensor);
      const source = linkableSource(title, matrix) ?? container;
      return { name: title, source, container, matrix, notes, ...(lines && { lines }) };
    }
    case 'remote': {
      const [{ readMatrixFrom }, remote] = await Promise.all([readers(), connect(request, job, context)]);
      const { file, matrix, notes, tensor, lines } = await readMatrixFrom(remote, optionsOf(request), job);
      const source = { kind: 'remote', link: remote.link, ...tensorField(tensor), ...asField(lines) } as const;
      return { name: titleOf(file, tensor), source, container: source, matrix, notes, ...(lines && { lines }) };
    }
    case 'example': {
      const { name, url, id, inputs } = request;
      const [{ readMatrix }, file] = await Promise.all([readers(), downloadFile(url, job, context)]);
      const { matrix, notes } = await readMatrix(file, {}, job);
      return { name, source: { kind: 'example', id }, matrix, notes, ...(inputs === undefined ? {} : { inputs }) };
    }
  }
}

/** The source of a file's matrix with its cells, which a link may contain; null if there are too many for a link. */
function linkableSource(name: string, matrix: Matrix): CellsSource | null {
  const { rows, cols, nnz } = matrix;
  const { name: nameLength, length } = LINK_CELLS_BOUNDS;
  if (name.length > nameLength || nnz > length || linkShapeProblem(rows, cols) !== null) return null;
  const cells = linkCellsText(new CsrMatrix(toCsr(matrix)));
  return cells === null ? null : { kind: 'cells', rows, cols, cells, name };
}

/** Loads a matrix of a model whose weights come with the page. Throws like `loadMatrix`. */
export async function loadShipped(
  request: ShippedRequest,
  job: ServiceJob,
  models: ModelReader,
): Promise<LoadedMatrix> {
  const location = findPosition(request);
  const { model, path, matrix } = location;
  const { weights, inputs } = await models.read(request, matrix, job);
  return {
    name: positionText(model, matrix),
    source: { kind: 'model', ...path },
    location: matrixLocation(location),
    matrix: denseMatrix(matrix.rows, matrix.cols, weights),
    notes: levelNotes(location),
    ...(inputs && { shippedInputs: inputs }),
  };
}

/** Lists the tensors in a file. Throws ReadError and CancelledError. */
export async function listContents(
  request: ContainerRequest,
  job: ServiceJob,
  context: LoadingContext,
): Promise<FileContents> {
  return (await openFile(request, job, context)).contents;
}

/** Opens a file, to read many of its matrices. Throws ReadError and CancelledError. */
export async function openFile(
  request: ContainerRequest,
  job: ServiceJob,
  context: LoadingContext,
): Promise<OpenedContents> {
  const [{ openContents }, files] = await Promise.all([
    readers(),
    request.kind === 'file' ? filesOf(request) : connect(request, job, context),
  ]);
  return openContents(files, optionsOf(request), job);
}

/**
 * Reads a small remote file. `main`: the file to read if the reference names only a repository. Throws ReadError and
 * CancelledError.
 */
export async function readText(
  { reference, token, main, maxBytes }: TextRequest,
  job: ServiceJob,
  context: LoadingContext,
): Promise<string> {
  const { source } = await connect({ reference, token }, job, context, main);
  if (source.size > maxBytes) {
    throw new ReadError(`${source.name}: found ${source.size} bytes, expected at most ${maxBytes}, as ${main} has`);
  }
  return new TextDecoder().decode(await readBytes(source, 0, source.size));
}

/**
 * A key of an unpruned matrix: for equal keys, loading again would give the same matrix. In sources, `as` is how lines of
 * a table of text are read.
 */
export function baseKey(
  request: BaseRequest,
  source: BaseSource = request.kind === 'remote' ? linkOf(request) : request,
): string {
  if (request.kind !== 'file') return JSON.stringify(source.kind === 'example' ? [source.kind, source.id] : source);
  const { name, tensor = null, as = null } = source.kind === 'file' ? source : request;
  // The matrix may be in another of the request's files than the first.
  const file =
    filesOf(request).find((candidate) => candidate instanceof File && candidate.name === name) ?? request.file;
  return JSON.stringify(['file', name, file.size, file instanceof File ? file.lastModified : 0, tensor, as]);
}

function linkOf({ reference, tensor, as }: BaseRequest & { kind: 'remote' }): BaseSource {
  return { kind: 'remote', link: reference, ...tensorField(tensor ?? null), ...(as && { as }) };
}

/** The reader's options. A request without `as` comes from a link of version 0.2, so lines are read as 0.2 read them. */
function optionsOf({ as, tensor, maxDecompressedBytes }: ContainerRequest): PageReadOptions {
  return {
    ...tensorField(tensor ?? null),
    ...(maxDecompressedBytes !== undefined && { maxDecompressedBytes }),
    ...(as !== 'auto' && { as: as ?? '0.2' }),
  };
}

/**
 * The field `as` of a source: how the lines of a table were read, as entries or as rows of cells. None if version 0.2 reads
 * them so too (`inVersion02`), since links without the field mean what it reads.
 */
function asField(lines: LinesReading | null): Pick<BaseSource & { kind: 'file' }, 'as'> {
  return lines === null || lines.chosen === lines.inVersion02 ? {} : { as: lines.chosen };
}

/** Connects to the file that the user's reference names, or to the file `main` if it names only a repository. */
function connect(
  { reference, token }: Pick<ContainerRequest & { kind: 'remote' }, 'reference' | 'token'>,
  job: ServiceJob,
  { fetch, cache }: LoadingContext,
  main?: string,
): Promise<RemoteFile> {
  job.report({ what: 'Connecting', done: 0, total: 1 });
  return openReference(reference, { fetch, cache, token, signal: job.signal, ...(main !== undefined && { main }) });
}

/** The file of a request, then the other files that were opened with it. */
function filesOf({ file, name, others }: ContainerRequest & { kind: 'file' }): readonly Blob[] {
  // A Blob without a name, such as a test makes, gets the name in the request, and a time that does not depend on the call.
  const first = file instanceof File ? file : new File([file], name, { lastModified: 0 });
  return [first, ...(others ?? [])];
}

function tensorField(tensor: string | null): { readonly tensor?: string } {
  return tensor === null ? {} : { tensor };
}

/** The name of a matrix for the page: of its file and, where that has several, of the tensor. */
function titleOf(file: string, tensor: string | null): string {
  return tensor === null ? file : `${file}, ${tensor}`;
}

/** Downloads a whole file of this site. Throws ReadError with its name. */
async function downloadFile(url: string, job: ServiceJob, { fetch }: Pick<WorkerEnvironment, 'fetch'>) {
  job.report({ what: 'downloading', done: 0, total: 1 });
  // The last part of the address, without query: 'fc2-70.npy'.
  const name = url.replace(/[?#].*$/s, '').replace(/^.*\//s, '');
  try {
    const response = await fetch(url, { signal: job.signal });
    if (response.ok) return { name, bytes: new Uint8Array(await response.arrayBuffer()) };
    throw new ReadError(`${name}: found HTTP status ${response.status} at ${url}`);
  } catch (error) {
    if (error instanceof ReadError) throw error;
    throw new ReadError(`${name}: ${NO_NETWORK}`);
  }
}
