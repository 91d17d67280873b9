// Prunes the matrices of a model, and rounds the remaining weights to values that formats store.

import { FormatError, MatrixError } from '../../../../src/core/errors.ts';
import type { Steps } from '../../../../src/core/job.ts';
import { CsrMatrix, denseMatrix, type DenseMatrix, type Matrix, rowBuffer } from '../../../../src/core/matrix/index.ts';
import {
  BLOCK_MATRICES,
  blockMatrices,
  type BlockMatrix,
  blockMatrixShape,
  type BlockWeights,
  type DecoderConfig,
  type DecoderWeights,
} from '../decoder.ts';
import { Halves } from '../halves.ts';
import { type PackedNumbers, packedOf, packNumbers, withNumbers } from '../packed-numbers.ts';
import { pruneToSpenseSteps } from './prune-spense.ts';
import { densityAt, type ModelPruning, needsInputs, type Recipe, recipeAt, type StoredType } from './recipe.ts';
import {
  f16FromF32Bits,
  f16Table,
  f16Value,
  i8Of,
  i8Scale,
  Q4_BORDER,
  Q4_GROUP,
  Q4_GROUP_BYTES,
  Q4_ZERO,
  q4At,
  quantiseQ4,
} from '../../../../src/core/number/index.ts';
import { pruneToPatternSteps } from '../../../../src/core/matrix/prune-pattern.ts';
import { pruneAtRandomSteps, pruneSteps, pruneRowsSteps, pruneByWandaSteps } from '../../../../src/generate/prune.ts';
import { mix } from '../../../../src/generate/seeds.ts';

/**
 * Rounds the cells of a row-major matrix to values that formats store: f16, a byte times a scale per row, or 4 bits
 * times a scale per 32 columns. Zeros stay zeros. Throws FormatError for values that the type cannot represent: finite
 * ones that f16 would make infinite, and for i8 and i4 NaN and infinities. O(cells).
 */
function toStoredValues(cells: Float32Array, cols: number, type: StoredType): void {
  if (type === 'f16') {
    const table = f16Table();
    const bits = new Uint32Array(cells.buffer, cells.byteOffset, cells.length);
    for (let i = 0; i < cells.length; i++) {
      const value = cells[i];
      cells[i] = table[f16FromF32Bits(bits[i])];
      if (!Number.isFinite(cells[i]) && Number.isFinite(value)) throw notRepresentable(value, i, cols, type);
    }
    return;
  }
  const limit = type === 'i8' ? Number.POSITIVE_INFINITY : Q4_BORDER;
  const invalidAt = cells.findIndex((value) => !(Math.abs(value) < limit));
  if (invalidAt >= 0) throw notRepresentable(cells[invalidAt], invalidAt, cols, type);
  for (let start = 0; start < cells.length; start += cols) {
    const row = cells.subarray(start, start + cols);
    if (type === 'i8') toI8(row);
    else toI4(row);
  }
}

function notRepresentable(value: number, index: number, cols: number, type: StoredType): FormatError {
  const position = `row ${Math.floor(index / cols)}, column ${index % cols}`;
  return new FormatError(`weights: found ${value} at ${position}, expected values that ${type} can represent`);
}

function toI8(row: Float32Array): void {
  const scale = i8Scale(row, row.length);
  for (let c = 0; c < row.length; c++) row[c] = i8Of(row[c], scale) * scale;
}

/** Buffers that `toI4` uses for every group. */
const groupCells = new Float32Array(Q4_GROUP);
const groupCodes = new Uint8Array(Q4_GROUP_BYTES);

/** A last group with fewer columns is filled with zeros, as in the dense format. */
function toI4(row: Float32Array): void {
  for (let from = 0; from < row.length; from += Q4_GROUP) {
    const cells = row.subarray(from, from + Q4_GROUP);
    groupCells.fill(0);
    groupCells.set(cells);
    const scale = f16Value(quantiseQ4(groupCells, groupCodes, 0));
    for (let i = 0; i < cells.length; i++) cells[i] = (q4At(groupCodes, 0, i) - Q4_ZERO) * scale;
  }
}

/** For each matrix of a block, the Euclidean norm of each of its inputs over all tokens of some texts. */
export type InputNorms = Readonly<Record<BlockMatrix, Float32Array>>;

/** Calibration texts, passed through a model block by block. */
export interface Calibration {
  /** Norms of the inputs of the next block's matrices, computed with these weights. */
  norms(layer: number, block: BlockWeights): Steps<InputNorms>;
  /** Passes the texts through that block, with these weights. */
  advance(layer: number, block: BlockWeights): Steps<void>;
}

/**
 * The model with the matrices of all blocks pruned, and rounded to values that formats store; the rest is shared with
 * `weights`. Pruning by Wanda needs `calibration`: the inputs of a block come from the pruned blocks before it.
 * Throws MatrixError for values out of range, FormatError for weights that the type cannot represent.
 */
export function* pruneAndRoundSteps(
  config: DecoderConfig,
  weights: DecoderWeights,
  recipe: Recipe,
  calibration: Calibration | null = null,
): Steps<DecoderWeights> {
  const calibrated = needsInputs(recipe) ? calibration : null;
  if (calibrated === null && needsInputs(recipe)) {
    throw new MatrixError('pruning by Wanda: found no texts, expected some whose inputs can be measured');
  }
  if ('density' in recipe.pruning) {
    const { density } = recipe.pruning;
    if (typeof density !== 'number' && density.length !== config.layers) {
      throw new MatrixError(`shares left: found ${density.length} layers, expected ${config.layers}`);
    }
  }
  const names = blockMatrices(config);
  const blocks: BlockWeights[] = [];
  for (const [layer, block] of weights.blocks.entries()) {
    const norms = calibrated ? yield* calibrated.norms(layer, block) : null;
    const matrices: Partial<Record<BlockMatrix, PackedNumbers>> = {};
    for (const [i, name] of names.entries()) {
      const [rows, cols] = blockMatrixShape(config, name);
      const numberedMatrix = { layer, name, number: layer * names.length + i };
      const { pruning, valueType } = recipeAt(recipe, layer, name);
      const isPacked = packedOf(block.matrices, name) instanceof Halves;
      const unpruned = denseMatrix(rows, cols, block.matrices[name]);
      const pruned = yield* pruneMatrixSteps(unpruned, pruning, numberedMatrix, norms?.[name] ?? null);
      const cells = pruned === unpruned ? unpruned.data.slice() : cellsOf(pruned);
      toStoredValues(cells, cols, valueType);
      matrices[name] = isPacked ? packNumbers(cells) : cells;
      yield { what: 'Pruning', done: numberedMatrix.number + 1, total: config.layers * names.length };
    }
    // A model without gate stores an empty matrix for it.
    const allMatrices = BLOCK_MATRICES.map((name) => [name, matrices[name] ?? packedOf(block.matrices, name)] as const);
    const stored = {
      ...block,
      matrices: withNumbers(Object.fromEntries(allMatrices) as Record<BlockMatrix, PackedNumbers>, {}),
    };
    blocks.push(stored);
    if (calibrated && layer + 1 < config.layers) yield* calibrated.advance(layer, stored);
  }
  const { finalNorm, finalNormBias, positions } = weights;
  const vectors = { finalNorm, ...(finalNormBias && { finalNormBias }), ...(positions && { positions }) };
  const tables = { embedding: packedOf(weights, 'embedding'), head: packedOf(weights, 'head') };
  return withNumbers(tables, { ...vectors, blocks });
}

/** All cells, row-major. */
function cellsOf(m: Matrix): Float32Array {
  const cells = new Float32Array(m.rows * m.cols);
  const { columns, values } = rowBuffer(m.cols);
  for (let r = 0, start = 0; r < m.rows; r++, start += m.cols) {
    const n = m.readRow(r, { columns, values });
    for (let i = 0; i < n; i++) cells[start + columns[i]] = values[i];
  }
  return cells;
}

/** A matrix of a model, with its number. */
interface NumberedMatrix {
  readonly layer: number;
  readonly name: BlockMatrix;
  /** index among all matrices of the model, so that no two are pruned with the same random numbers */
  readonly number: number;
}

/**
 * A pruned matrix of a model. `norms`: the norms of its inputs, null if the pruning needs none. Throws MatrixError for
 * densities out of range, an invalid pattern, and norms that do not match the columns. O(rows * cols) on average.
 */
function* pruneMatrixSteps(
  m: DenseMatrix,
  pruning: ModelPruning,
  { layer, name, number }: NumberedMatrix,
  norms: Float32Array | null,
): Steps<Matrix> {
  const density = densityAt(pruning, layer, name);
  // The same matrix, since pruning drops the sign of a negative zero.
  if (density === 1) return m;
  switch (pruning.way) {
    case 'none':
      return m;
    case 'magnitude':
      return yield* pruneSteps(m, density);
    case 'rows':
      return yield* pruneRowsSteps(m, density);
    case 'wanda':
      return yield* pruneByWandaSteps(m, density, norms ?? new Float32Array());
    case 'random':
      return yield* pruneAtRandomSteps(m, density, mix(pruning.seed) + number);
    case 'spense':
      return yield* pruneToSpenseSteps(
        m,
        density,
        pruning.by === 'magnitude' ? m : scoresOf(m, norms ?? new Float32Array()),
      );
    case 'n-of-m': {
      const { kept, group } = pruning;
      if (pruning.by === 'magnitude') return yield* pruneToPatternSteps(m, kept, group);
      return entriesAt(m, yield* pruneToPatternSteps(scoresOf(m, norms ?? new Float32Array()), kept, group));
    }
  }
}

/** Wanda's scores: |w| times the norm of its column's inputs, in f32. */
function scoresOf({ rows, cols, data }: DenseMatrix, norms: Float32Array): DenseMatrix {
  const scores = new Float32Array(data.length);
  for (let r = 0, i = 0; r < rows; r++) for (let c = 0; c < cols; c++, i++) scores[i] = Math.abs(data[i]) * norms[c];
  return denseMatrix(rows, cols, scores);
}

/** The entries of `m` at the positions of the non-zeros of `pattern`. */
function entriesAt(m: DenseMatrix, pattern: Matrix): Matrix {
  const { rows, cols } = m;
  const indptr = new Uint32Array(rows + 1);
  const indices = new Uint32Array(pattern.nnz);
  const data = new Float32Array(pattern.nnz);
  const buffer = rowBuffer(cols);
  let next = 0;
  for (let r = 0; r < rows; r++) {
    const n = pattern.readRow(r, buffer);
    for (let i = 0; i < n; i++, next++) {
      indices[next] = buffer.columns[i];
      data[next] = m.data[r * cols + buffer.columns[i]];
    }
    indptr[r + 1] = next;
  }
  return new CsrMatrix({ rows, cols, indptr, indices, data });
}
