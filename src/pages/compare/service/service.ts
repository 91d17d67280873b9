/* The worker's part of the page Compare: bytes of matrices in a format, weights in columns that rows share, and options of formats for the tensors of a file. */

import { sizeOf as sizeOfLedger } from '../../../core/encoded/ledger.ts';
import type { ServiceJob } from '../../../engine/bridge/service-job.ts';
import { defineService } from '../../../engine/bridge/service.ts';
import type { EngineHost } from '../../../engine/host.ts';
import { CancelledError, FormatError, SparseScopeError } from '../../../core/errors.ts';
import { type AnyFormat, isUserWritten, resolvedParams } from '../../../core/format.ts';
import { type Job, withReport } from '../../../core/job.ts';
import { type CsrArrays, type Matrix, toCsr } from '../../../core/matrix/index.ts';
import { throwIfCancelled } from '../../../core/pace.ts';
import { type GenerateSpec, generateSteps } from '../../../generate/generate.ts';
import { encodeTimed } from '../../../engine/matrix/encodings.ts';
import { loadShipped, type ModelReader, openFile } from '../../../engine/matrix/loading.ts';
import { pruneSteps } from '../../../engine/matrix/pruning.ts';
import type { Pruning } from '../../../engine/matrix/source-types.ts';
import { referenceFormat } from '../../../formats/registry.ts';
import type { Candidate, ChoiceMatrix, FormatOption } from '../../../theory/choice/format-choice.ts';
import {
  type FileQuestion,
  type FileTools,
  type TensorAnswer,
  tensorAnswers,
  type TensorFile,
  tensorsToRead,
} from '../../../theory/choice/file-choice.ts';
import { type LosslessBits, losslessSteps } from '../../../theory/lossless-bits.ts';
import { RandomWeights } from '../../../generate/random-weights.ts';
import { sharedPairs, type SharedPairs } from '../../../theory/shared-pairs.ts';
import { findPosition, matricesIn, positionText } from '../../../theory/models/model-tree.ts';
import { finishPaced, type WorkerPace } from '../../../engine/worker-pace.ts';

/** Matrices to encode in a format, with the parameters that differ from their defaults. */
export interface SizesRequest {
  /** matrices to generate; the open matrix is not involved */
  readonly matrices: readonly GenerateSpec[];
  readonly format: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** The bytes of one matrix. */
export interface EncodedSize {
  /** index of the matrix in the request */
  readonly matrix: number;
  /** null if the format cannot store it; `rejection` is the reason */
  readonly bytes: number | null;
  readonly rejection: string | null;
}

/** Encodes in a user's format, whose code runs on the page. Rejects on cancel. */
export type EncodeOnPage = (
  format: string,
  params: Readonly<Record<string, unknown>>,
  matrix: CsrArrays,
) => Promise<unknown>;

/** Receives the size of one matrix; the next one waits until it has returned. */
export type OnSize = (size: EncodedSize) => void | Promise<void>;

/** A model whose weights are shipped with the page, and how to prune it; null: unpruned. */
export interface PairsRequest {
  readonly model: string;
  readonly folder: string; // URL of its files
  readonly pruning: Pruning | null;
}

/** Numbers of weights in columns that both rows of a pair share, summed over matrices of a model. */
export interface ModelPairs {
  /** of all matrices in the layers */
  readonly all: SharedPairs;
  /** of down_proj alone, where rows share the most */
  readonly down: SharedPairs;
}

/** The part of the worker that `measureSizes` needs. */
export interface SizeHost extends WorkerPace {
  readonly formats: readonly AnyFormat[];
  /** Stores what `EncodeOnPage` returned for a matrix, so that the format can encode it. */
  storeResult(format: string, matrix: Matrix, result: unknown): void;
}

/** Maximum non-zeros of a matrix that is encoded on the page, where its copies take ten times as many bytes. */
const MAX_SENT = 2 ** 23;

/**
 * Encodes every matrix in a format, one at a time, and reports each size. At most one encoding is in memory. A rejected
 * matrix is no error. Throws SparseScopeError for an unknown format, MatrixError for an invalid spec, CancelledError.
 */
export async function measureSizes(
  host: SizeHost,
  { matrices, format: id, params: chosenParams }: SizesRequest,
  job: Job,
  onSize: OnSize,
  encodeOnPage: EncodeOnPage,
): Promise<void> {
  const format = host.formats.find((f) => f.id === id);
  if (!format)
    throw new SparseScopeError(`sizes: found '${id}', expected one of ${host.formats.map((f) => f.id).join(', ')}`);
  const total = matrices.length;
  for (const [i, spec] of matrices.entries()) {
    // Progress counts whole matrices: the progress within each would jump back and forth.
    const matrix = await finishPaced(generateSteps(spec), withReport(job), host);
    const params = resolvedParams(format.params, chosenParams, matrix);
    job.report({ what: `${format.title}, matrix ${i + 1} of ${total}`, done: i, total });
    if (isUserWritten(format) && matrix.nnz <= MAX_SENT) {
      const { rows, cols, indptr, indices, data } = toCsr(matrix);
      host.storeResult(id, matrix, await encodeOnPage(id, params, { rows, cols, indptr, indices, data }));
      throwIfCancelled(job);
    }
    await onSize({ matrix: i, ...(await sizeOf(host, format, params, matrix, withReport(job))) });
  }
  job.report({ what: 'Encoding', done: total, total });
}

/** The size of one matrix in a format, or why it cannot be stored. */
async function sizeOf(
  host: SizeHost,
  format: AnyFormat,
  params: SizesRequest['params'],
  matrix: Matrix,
  job: Job,
): Promise<Omit<EncodedSize, 'matrix'>> {
  const rejected = (rejection: string) => ({ bytes: null, rejection });
  if (isUserWritten(format) && matrix.nnz > MAX_SENT) {
    return rejected(`found ${matrix.nnz} non-zeros, expected at most ${MAX_SENT} for a user-written format`);
  }
  const support = format.admits(matrix, params);
  if (!support.ok) return rejected(support.reason);
  try {
    const { encoded } = await encodeTimed(format, matrix, params, job, host);
    return { bytes: sizeOfLedger(format.storage(encoded)), rejection: null };
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    return rejected(error.message);
  }
}

/** Counts, over all layers of a shipped model, weights in columns that both rows of a pair share. */
export async function modelPairs(
  pace: WorkerPace,
  models: ModelReader,
  { model: id, folder, pruning }: PairsRequest,
  job: ServiceJob,
): Promise<ModelPairs> {
  const { model } = findPosition({ model: id });
  const matrices = Array.from({ length: model.layers }, (_, layer) => matricesIn(model, layer)).flat();
  const all = { nnz: 0, paired: 0, random: 0 };
  const down = { ...all };
  for (const [done, named] of matrices.entries()) {
    job.report({ what: positionText(model, named), done, total: matrices.length });
    const path = { kind: 'model' as const, model: id, layer: named.layer ?? 0, matrix: named.name };
    const { matrix: whole, shippedInputs } = await loadShipped({ ...path, folder }, job, models);
    const norms = pruning?.way === 'wanda' && shippedInputs ? await shippedInputs.norms(job) : null;
    const matrix =
      pruning === null ? whole : await finishPaced(pruneSteps(whole, pruning, norms), withReport(job), pace);
    const pairs = sharedPairs(matrix);
    for (const sum of named.name === 'down' ? [all, down] : [all]) {
      sum.nnz += pairs.nnz;
      sum.paired += pairs.paired;
      sum.random += pairs.random;
    }
    await pace.pause();
    throwIfCancelled(job);
  }
  return { all, down };
}

/** An option of a format as the page gets it: the format by its id. */
type SentOption = Omit<FormatOption, 'candidate'> & {
  readonly candidate: Omit<Candidate, 'format'> & { readonly format: string };
};

/** What was found for one tensor, as the page gets it. */
export type SentAnswer = Omit<TensorAnswer, 'options'> & {
  readonly options: { readonly matrix: ChoiceMatrix; readonly options: readonly SentOption[] } | null;
};

/** Receives the answer for one tensor of `total`; the next one waits until it has returned. */
export type OnTensor = (answer: SentAnswer, total: number) => void | Promise<void>;

/** The answer with formats replaced by their ids. */
const sent = ({ options, ...answer }: TensorAnswer): SentAnswer => ({
  ...answer,
  options: options && {
    matrix: options.matrix,
    options: options.options.map(({ candidate, ...option }) => ({
      ...option,
      candidate: { ...candidate, format: candidate.format.id },
    })),
  },
});

/** The service of Compare in the worker. */
export const compareFormats = defineService('compare', (host: EngineHost) => ({
  /** Encodes every matrix in a format, reporting each size. `encodeOnPage`: for users' formats. */
  async sizes(job: ServiceJob, request: SizesRequest, onSize: OnSize, encodeOnPage: EncodeOnPage): Promise<void> {
    host.throwIfBusy('encode');
    return measureSizes(host, request, job, onSize, encodeOnPage);
  },
  /**
   * What the weights of the unpruned matrix with this number (MatrixSummary's `baseNumber`) take in a lossless code; null
   * for random weights, and if another matrix is open by now.
   */
  async lossless(job: ServiceJob, baseNumber: number): Promise<LosslessBits | null> {
    host.throwIfBusy('count');
    const { number, loaded } = host.matrix.current.base;
    if (number !== baseNumber || loaded.matrix instanceof RandomWeights) return null;
    return finishPaced(losslessSteps([loaded.matrix]), job, host);
  },
  /**
   * The formats for every tensor of the file that the open matrix is from, tensor by tensor from number `from` on; the
   * file stays closed if another matrix is open by now. Throws ReadError, and CancelledError.
   */
  async choose(job: ServiceJob, baseNumber: number, question: FileQuestion, from: number, onTensor: OnTensor) {
    host.throwIfBusy('read a file');
    const { number, request } = host.matrix.current.base;
    if (number !== baseNumber || (request.kind !== 'file' && request.kind !== 'remote')) throw new CancelledError();
    const { contents, read } = await openFile(request, job, host.loading);
    const name = request.kind === 'file' ? request.name : request.reference;
    const file: TensorFile = { name, tensors: contents.tensors, read };
    const tools: FileTools = {
      formats: host.formats.filter((format) => !isUserWritten(format)),
      reference: referenceFormat,
      prune: (m, density) => pruneSteps(m, { way: 'magnitude', density }),
      finish: (steps, inner) => finishPaced(steps, inner, host),
    };
    const total = tensorsToRead(file).length;
    for await (const answer of tensorAnswers(file, question, tools, job, from)) await onTensor(sent(answer), total);
  },
  /** `modelPairs` of a shipped model; null if its weights cannot be read. */
  async pairs(job: ServiceJob, request: PairsRequest): Promise<ModelPairs | null> {
    const { models } = host.loading;
    return models && modelPairs(host, models, request, job);
  },
}));
