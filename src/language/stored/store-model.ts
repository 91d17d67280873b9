import { MatrixError } from '../../core/errors.ts';
import type { Steps } from '../../core/job.ts';
import { denseMatrix, rowBuffer, type Matrix } from '../../core/matrix/index.ts';
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
import { type Kept, keptOf, pack, withNumbers } from '../packed.ts';
import { pruneMatrixSteps } from './prune-matrix.ts';
import { needsInputs, type Recipe, recipeAt } from './recipe.ts';
import { toStoredValues } from './stored-values.ts';

/** The Euclidean norm of every input of a matrix, over all tokens of some texts. */
export type InputNorms = Readonly<Record<BlockMatrix, Float32Array>>;

/** Texts on their way through a model, block by block. */
export interface Calibration {
  /** Norms of the inputs that the matrices of the block before which the texts are would have with these weights. */
  norms(layer: number, block: BlockWeights): Steps<InputNorms>;
  /** Moves the texts behind that block, with these weights. */
  advance(layer: number, block: BlockWeights): Steps<void>;
}

/** A model whose blocks' matrices are pruned and hold the values that formats store. */
export interface StoredModel {
  readonly weights: DecoderWeights;
  /** entries that the pruning left, by layer; some may have become 0 when they were rounded */
  readonly kept: readonly Readonly<Record<BlockMatrix, number>>[];
  /** over all matrices */
  readonly keptInAll: number;
}

/**
 * Prunes and rounds the matrices of all blocks; everything else is shared with `weights`. A pruning by Wanda needs
 * `calibration`: each block is pruned by the inputs that it gets behind the blocks already pruned. Throws MatrixError for what
 * is out of range, FormatError for weights that the type cannot hold.
 */
export function* storeModelSteps(
  config: DecoderConfig,
  weights: DecoderWeights,
  recipe: Recipe,
  calibration: Calibration | null = null,
): Steps<StoredModel> {
  const calibrated = needsInputs(recipe) ? calibration : null;
  if (calibrated === null && needsInputs(recipe)) {
    throw new MatrixError('pruning by Wanda: found no texts, expected some whose inputs can be measured');
  }
  if ('density' in recipe.pruning) {
    const { density } = recipe.pruning;
    if (typeof density !== 'number' && density.length !== config.layers) {
      throw new MatrixError(`densities: found ${density.length} layers, expected ${config.layers}`);
    }
  }
  const names = blockMatrices(config);
  const blocks: BlockWeights[] = [];
  const kept: Record<BlockMatrix, number>[] = [];
  let keptInAll = 0;
  for (const [layer, block] of weights.blocks.entries()) {
    const norms = calibrated ? yield* calibrated.norms(layer, block) : null;
    const matrices: Partial<Record<BlockMatrix, Kept>> = {};
    const counts: Partial<Record<BlockMatrix, number>> = {};
    for (const [at, name] of names.entries()) {
      const [rows, cols] = blockMatrixShape(config, name);
      const where = { layer, name, number: layer * names.length + at };
      const { pruning, valueType } = recipeAt(recipe, layer, name);
      const isPacked = keptOf(block.matrices, name) instanceof Halves;
      const whole = denseMatrix(rows, cols, block.matrices[name]);
      const pruned = yield* pruneMatrixSteps(whole, pruning, where, norms?.[name] ?? null);
      const cells = pruned === whole ? whole.data.slice() : cellsOf(pruned);
      toStoredValues(cells, cols, valueType);
      matrices[name] = isPacked ? pack(cells) : cells;
      counts[name] = pruned.nnz;
      keptInAll += pruned.nnz;
      yield { what: 'Pruning', done: where.number + 1, total: config.layers * names.length };
    }
    const others = BLOCK_MATRICES.map((name) => [name, matrices[name] ?? keptOf(block.matrices, name)] as const);
    const stored = { ...block, matrices: withNumbers(Object.fromEntries(others) as Record<BlockMatrix, Kept>, {}) };
    blocks.push(stored);
    kept.push(counts as Record<BlockMatrix, number>);
    if (calibrated && layer + 1 < config.layers) yield* calibrated.advance(layer, stored);
  }
  const { finalNorm, finalNormBias, positions } = weights;
  const vectors = { finalNorm, ...(finalNormBias && { finalNormBias }), ...(positions && { positions }) };
  const tables = { embedding: keptOf(weights, 'embedding'), head: keptOf(weights, 'head') };
  return { weights: withNumbers(tables, { ...vectors, blocks }), kept, keptInAll };
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
