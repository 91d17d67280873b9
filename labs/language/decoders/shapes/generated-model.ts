// Models with the sizes of real ones and random weights, for timing.

import { namedArrays } from '../../../../src/core/encoded/encoded.ts';
import { KernelError, SparseScopeError } from '../../../../src/core/errors.ts';
import { type AnyFormat, type EncodedMatrix, resolvedParams } from '../../../../src/core/format.ts';
import type { Job } from '../../../../src/core/job.ts';
import { CsrMatrix, type Matrix } from '../../../../src/core/matrix/index.ts';
import { f16Bits } from '../../../../src/core/number/index.ts';
import type { DecodeMatrix } from '../../../../src/core/reports/decode-report.ts';
import { generate } from '../../../../src/generate/generate.ts';
import { type GpuContext, runBench, type TuningMemory } from '../../../../src/gpu/index.ts';
import { chainMatrix } from '../chain/kernels.ts';
import { withFastestKernel } from '../chain/trial.ts';
import type { ChainBlock, ChainMatrix, ChainWeights, MatrixStack } from '../chain/weights.ts';
import { BLOCK_MATRICES, type BlockMatrix, blockMatrixShape, type DecoderConfig } from '../decoder.ts';
import type { ModelShape } from '../../../../src/theory/models/model-shape.ts';

/** How a matrix is stored: a format, with values of its parameters. */
export interface MatrixStorage {
  readonly format: AnyFormat;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Settings of `generatedModel`. */
export interface GeneratedModelOptions {
  /** how the matrices of the blocks are stored */
  readonly stored: MatrixStorage;
  /** the format 'dense', which stores the head in f16 */
  readonly dense: AnyFormat;
  readonly density: number;
  readonly seed: number;
  /** where results of timing kernels are cached; 'off': kernels run with their default constants */
  readonly tuning: TuningMemory | 'off';
  readonly job: Job;
  /** how many tokens the kernels for many tokens are timed with; absent: MANY_TOKENS (chain/weights.ts) */
  readonly tokensAtOnce?: number;
  /** false: each matrix gets the first suitable kernel, without timing */
  readonly timesKernels?: boolean;
}

/** The matrices of a block, those with the same input stacked. */
interface GeneratedBlock {
  readonly qkv: MatrixStack;
  readonly o: MatrixStack;
  readonly gateUp: MatrixStack;
  readonly down: MatrixStack;
  readonly biases: ChainBlock['biases'];
}

/** A model with the sizes of a real model and generated weights, encoded for the decoder on the GPU (chain.ts). */
export interface GeneratedModel {
  readonly weights: ChainWeights;
  /** the block that is repeated */
  readonly block: GeneratedBlock;
  /** the weights of every norm */
  readonly norm: Float32Array;
  /** its different matrices, as rows of the report */
  readonly matrices: readonly DecodeMatrix[];
  /** decodes a matrix of this model */
  readonly decoded: (encoded: EncodedMatrix) => Matrix;
}

/**
 * The decoder's configuration for a model's sizes, with the other settings of Llama 2. Throws SparseScopeError for a
 * model that is not of the Llama family.
 */
export function configForShape(shape: ModelShape, context: number): DecoderConfig {
  if (!shape.gated || shape.positions > 0) {
    throw new SparseScopeError(
      `${shape.name}: found a model ${shape.gated ? 'with learned positions' : 'without a gate'}, expected one with a gate and rotary positions`,
    );
  }
  return {
    ...shape,
    normEps: 1e-5,
    activation: 'silu',
    rotary: { theta: 10_000, pairing: 'halves', scaling: null },
    context,
    bos: null,
    eos: [],
  };
}

/** Maximum generated rows of the head: later rows repeat these. */
const GENERATED_HEAD_ROWS = 4096;
/** Timed rounds when kernels are chosen. */
const ROUNDS = 5;

/**
 * Generates one matrix of each shape and chooses its kernels by timing. The decoder (chain.ts) copies the matrix on the
 * device for each block, so that all blocks have the same values in separate memory. Throws KernelError if no kernel of
 * the format suits, FormatError, CancelledError.
 */
export async function generatedModel(
  context: GpuContext,
  config: DecoderConfig,
  options: GeneratedModelOptions,
): Promise<GeneratedModel> {
  const { stored: storage, dense, seed, job } = options;
  const matrices: DecodeMatrix[] = [];
  const encodings = new Map<string, Encoding>();
  const tuned = new Map<string, Promise<TunedMatrix>>();
  const formats = new Map<EncodedMatrix, AnyFormat>();
  const limit = bindingBytes(context);
  const encodingOfShape = (rows: number, cols: number): Encoding => {
    const key = `${rows} ${cols}`;
    const encoding = encodings.get(key) ?? encodeTimed(prunedMatrix(rows, cols, options), storage, job);
    encodings.set(key, encoding);
    return encoding;
  };
  /**
   * Adds a matrix to the rows of the report. Its kernels compute one token at a time, `several` (SEVERAL_TOKENS, 16) or
   * `many` (MANY_TOKENS, 512): chain/weights.ts.
   */
  const addToReport = (names: string, count: number, { matrix, ns }: TunedMatrix, format: AnyFormat): void => {
    formats.set(matrix.encoded, format);
    matrices.push({
      names,
      rows: matrix.encoded.rows,
      cols: matrix.encoded.cols,
      count,
      format: format.id,
      kernel: matrix.oneToken.spec.id,
      several: matrix.several?.spec.id ?? null,
      many: matrix.many?.spec.id ?? null,
      ...(matrix.many?.chosen && { manyChosen: matrix.many.chosen }),
      chosen: matrix.oneToken.chosen ?? {},
      ns,
      bytes: sizesOf(matrix.encoded).reduce((sum, bytes) => sum + bytes, 0),
    });
  };

  /** Stacks matrices of a block: as one matrix if it fits into a binding, else each alone, else split by rows. */
  const stackOf = async (names: readonly BlockMatrix[]): Promise<MatrixStack> => {
    const cols = blockMatrixShape(config, names[0])[1];
    const rows = names.reduce((sum, name) => sum + blockMatrixShape(config, name)[0], 0);
    const fitsBinding = (rowCount: number): boolean =>
      sizesOf(encodingOfShape(rowCount, cols).encoded).every((bytes) => bytes <= limit);
    if (!fitsBinding(rows) && names.length > 1) {
      const stacks: MatrixStack[] = [];
      for (const name of names) stacks.push(await stackOf([name]));
      return stacks.flat();
    }
    let maxRows = rows;
    while (!fitsBinding(maxRows) && maxRows > ROWS_MULTIPLE) {
      maxRows = Math.ceil(maxRows / 2 / ROWS_MULTIPLE) * ROWS_MULTIPLE;
    }
    const partRows = splitRows(rows, maxRows);
    const stack: ChainMatrix[] = [];
    for (const size of new Set(partRows)) {
      const key = `${size} ${cols}`;
      const tuning = tuned.get(key) ?? tunedMatrix(context, encodingOfShape(size, cols), options);
      tuned.set(key, tuning);
      const chosen = await tuning;
      const count = partRows.filter((other) => other === size).length;
      // Parts of a matrix multiply one token at a time, since their outputs for several would have gaps.
      const matrix = partRows.length === 1 ? chosen.matrix : { ...chosen.matrix, several: null, many: null };
      for (let i = 0; i < count; i++) stack.push(matrix);
      addToReport(names.join(', '), count * config.layers, { ...chosen, matrix }, storage.format);
    }
    return stack;
  };
  // Around 1, and not all equal, so that a weight of the wrong column would be detected.
  const norm = Float32Array.from({ length: config.hidden }, (_, i) => 0.75 + (i % 9) / 16);
  const block: GeneratedBlock = {
    biases: biasesOf(config),
    qkv: await stackOf(['q', 'k', 'v']),
    o: await stackOf(['o']),
    gateUp: await stackOf(['gate', 'up']),
    down: await stackOf(['down']),
  };
  const { biases, qkv, o, gateUp, down } = block;
  const chainBlock: ChainBlock = {
    attentionNorm: norm,
    feedForwardNorm: norm,
    biases,
    qkv,
    o,
    feedForward: { gateUp, down },
  };
  // Releases encodings that were made only for their size.
  encodings.clear();
  const { vocabulary, hidden } = config;
  const f16: MatrixStorage = { format: dense, params: { valueType: 'f16' } };
  const head: ChainMatrix[] = [];
  // The head may be split into parts. The format 'dense' pads a row in f16 to a multiple of 8 columns.
  const rowLimit = Math.floor(limit / (2 * Math.ceil(hidden / 8) * 8));
  const maxHeadRows = Math.max(ROWS_MULTIPLE, rowLimit - (rowLimit % ROWS_MULTIPLE));
  for (const [i, rows] of splitRows(vocabulary, maxHeadRows).entries()) {
    // Parts with equal numbers of rows share one matrix.
    const { [i - 1]: previous } = head;
    const matrix = repeated(generated(Math.min(rows, GENERATED_HEAD_ROWS), hidden, 1, seed, job), rows);
    const part: TunedMatrix =
      previous?.encoded.rows === rows
        ? { matrix: previous, ns: matrices.at(-1)?.ns ?? null }
        : await tunedMatrix(context, encodeTimed(matrix, f16, job), { ...options, stored: f16 });
    head.push(part.matrix);
    addToReport('head', 1, part, dense);
  }
  const decodings = new Map<EncodedMatrix, Matrix>();
  return {
    weights: {
      embedding: embeddingOf(config, seed, job),
      head,
      finalNorm: norm,
      blocks: Array.from({ length: config.layers }, () => chainBlock),
    },
    block,
    norm,
    matrices,
    decoded: (encoded) => {
      const format = formats.get(encoded);
      if (format === undefined) throw new Error('found a matrix of another model');
      const matrix = decodings.get(encoded) ?? format.decode(encoded);
      decodings.set(encoded, matrix);
      return matrix;
    },
  };
}

/** Rows of a part are a multiple of this: the outputs of the next part begin at a valid offset of a binding. */
const ROWS_MULTIPLE = 64;

/** Splits a matrix into parts of at most `maxRows` rows; returns the rows of each part. */
function splitRows(rows: number, maxRows: number): readonly number[] {
  return Array.from({ length: Math.ceil(rows / maxRows) }, (_, i) => Math.min(maxRows, rows - i * maxRows));
}

function bindingBytes({ facts: { limits } }: GpuContext): number {
  return Math.min(limits.maxBufferSize, limits.maxStorageBufferBindingSize);
}

/** Bytes of each array. */
function sizesOf(encoded: EncodedMatrix): readonly number[] {
  return [...namedArrays(encoded)].map(([, { byteLength }]) => byteLength);
}

/** A matrix with its chosen kernels; ns: the time of the kernel for one token, null if it was not timed. */
interface TunedMatrix {
  readonly matrix: ChainMatrix;
  readonly ns: number | null;
}

interface Encoding {
  readonly matrix: Matrix;
  readonly params: Readonly<Record<string, unknown>>;
  readonly encoded: EncodedMatrix;
  readonly encodeMs: number;
}

function encodeTimed(matrix: Matrix, { format, params: storageParams }: MatrixStorage, job: Job): Encoding {
  const params = resolvedParams(format.params, storageParams, matrix);
  const from = performance.now();
  const encoded: EncodedMatrix = format.encode(matrix, params, job);
  return { matrix, params, encoded, encodeMs: performance.now() - from };
}

/** Chooses the kernels of a matrix by timing. */
async function tunedMatrix(
  context: GpuContext,
  { matrix, params, encoded, encodeMs }: Encoding,
  { stored: { format }, tuning, seed, job, tokensAtOnce, timesKernels = true }: GeneratedModelOptions,
): Promise<TunedMatrix> {
  const untimed = chainMatrix(encoded, format.kernels, context.facts);
  if (context.facts.isFallback || !timesKernels) return { matrix: untimed, ns: null };
  const suited = format.kernels.filter((spec) => {
    try {
      return chainMatrix(encoded, [spec], context.facts).oneToken.spec === spec;
    } catch (error) {
      if (error instanceof KernelError) return false;
      throw error;
    }
  });
  const { rows, cols, nnz } = matrix;
  const report = await runBench(
    context,
    [
      {
        format: { ...format, kernels: suited },
        params,
        kernels: 'auto',
        encode: async () => ({ encoded, encodeMs }),
        isEncoded: () => true,
      },
    ],
    {
      app: 'decode',
      workload: {
        operation: 'spmv',
        rows,
        cols,
        nnz,
        density: nnz / (rows * cols),
        source: 'generated',
        seed,
        memory: 'cold',
        rounds: ROUNDS,
      },
      reference: format.id,
      tuning,
    },
    job,
  );
  const row = report.rows.find(({ verified, medianNs }) => verified.ok && medianNs !== null);
  const spec = suited.find(({ id }) => id === row?.kernel);
  if (row === undefined || spec === undefined) {
    const why = report.refused[0]?.reason ?? 'its results are wrong';
    throw new KernelError(`${format.id}, ${rows} × ${cols}: found no kernel that is right here: ${why}`);
  }
  const chosen = { ...untimed, one: { spec, ...(row.tuned && { chosen: row.tuned.chosen }) } };
  const tuned = tuning === 'off' ? chosen : await withFastestKernel(context, chosen, format.kernels, job, tokensAtOnce);
  return { matrix: tuned, ns: row.medianNs };
}

/** A generated matrix that the format supports: with zeros anywhere, or in every group if it limits their non-zeros. */
function prunedMatrix(
  rows: number,
  cols: number,
  { stored: { format, params }, density, seed, job }: GeneratedModelOptions,
): Matrix {
  const anywhere = generated(rows, cols, density, seed, job);
  const support = format.admits(anywhere, resolvedParams(format.params, params, anywhere));
  return support.ok || !support.prune ? anywhere : generated(rows, cols, density, seed, job, support.prune.group);
}

/** Random values, with zeros anywhere or in every group; scaled so that products are about as large as their inputs. */
function generated(rows: number, cols: number, density: number, seed: number, job: Job, group?: number): Matrix {
  const pattern = group === undefined ? { pattern: 'uniform' } : { pattern: 'n-of-m', options: { m: group } };
  const matrix = generate({ ...pattern, rows, cols, density, seed }, job);
  const scale = 1 / Math.sqrt(Math.max(1, cols * density));
  if (!(matrix instanceof CsrMatrix)) return matrix;
  for (let i = 0; i < matrix.data.length; i++) matrix.data[i] *= scale;
  return matrix;
}

/** The matrix with more rows, which repeat the first ones. */
function repeated(matrix: Matrix, rows: number): Matrix {
  const { rows: period, cols, nnz } = matrix;
  const repeats = Math.floor(rows / period);
  const rest = rows % period;
  const buffer = { columns: new Uint32Array(cols), values: new Float32Array(cols) };
  let restNnz = 0;
  for (let row = 0; row < rest; row++) restNnz += matrix.readRow(row, buffer);
  return { rows, cols, nnz: repeats * nnz + restNnz, readRow: (row, into) => matrix.readRow(row % period, into) };
}

/** A random embedding in f16: 64 generated rows, which later rows repeat with their columns rotated. */
function embeddingOf({ vocabulary, hidden }: DecoderConfig, seed: number, job: Job): ChainWeights['embedding'] {
  const stride = 2 * Math.ceil(hidden / 2);
  const data = new Uint16Array(vocabulary * stride);
  const { rows, cols } = { rows: Math.min(vocabulary, 64), cols: hidden };
  const first = generate({ pattern: 'uniform', rows, cols, density: 1, seed }, job);
  const buffer = { columns: new Uint32Array(cols), values: new Float32Array(cols) };
  for (let row = 0; row < rows; row++) {
    const n = first.readRow(row, buffer);
    for (let i = 0; i < n; i++) data[row * stride + buffer.columns[i]] = f16Bits(buffer.values[i]);
  }
  // Later rows are copies of the first ones, rotated by as many columns as there are rows before them.
  for (let row = rows; row < vocabulary; row++) {
    const from = (row % rows) * stride;
    const shift = row % hidden;
    data.set(data.subarray(from + shift, from + hidden), row * stride);
    data.set(data.subarray(from, from + shift), row * stride + hidden - shift);
  }
  return { data, stride, type: 'f16' };
}

/** Small numbers for the biases of a model. */
function biasesOf(config: DecoderConfig): ChainBlock['biases'] {
  const entries = BLOCK_MATRICES.filter((name) => config.biases.includes(name)).map((name) => {
    const [rows] = blockMatrixShape(config, name);
    return [name, Float32Array.from({ length: rows }, (_, i) => ((i % 7) - 3) / 64)];
  });
  return Object.fromEntries(entries) as ChainBlock['biases'];
}
