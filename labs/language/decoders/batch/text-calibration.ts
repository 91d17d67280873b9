// Calibration of pruning by Wanda: norms of the inputs of each matrix, over texts that pass through the model.

import type { Steps } from '../../../../src/core/job.ts';
import { BLOCK_MATRICES, type BlockMatrix, type BlockWeights, MATRIX_INPUTS, type MatrixInput } from '../decoder.ts';
import type { Calibration, InputNorms } from '../stored/prune-and-round.ts';
import type { Columns, BatchModel } from './batch-model.ts';

/** The residual stream (hidden states) of a calibration text between two blocks, row by row. */
interface Stream {
  readonly tokens: number;
  readonly numbers: Float32Array;
}

/**
 * Calibration texts for pruning by Wanda. They pass through a model block by block, which yields the norms of the
 * inputs of its matrices. Each pruning begins with the first block. A text has at most `batch.width` tokens. A pruning
 * replaces blocks in `batch`, so it has to end before the next one begins.
 */
export class CalibrationTexts {
  readonly #batch: BatchModel;
  /** the texts after the embedding */
  readonly #first: readonly Stream[];
  /** norms of the first block's inputs, the same for every pruning; by the block's weights */
  readonly #firstNorms = new WeakMap<BlockWeights, InputNorms>();

  constructor(batch: BatchModel, texts: readonly (readonly number[])[]) {
    this.#batch = batch;
    this.#first = texts
      .filter((ids) => ids.length > 0)
      .map((ids) => {
        batch.embed(ids);
        return { tokens: ids.length, numbers: copyOfColumns(batch.stream(ids.length)) };
      });
  }

  /** The texts before the first block, to be passed through the model for one pruning. */
  begin(): Calibration {
    let streams = this.#first;
    const batch = this.#batch;
    const normsSteps = (layer: number, block: BlockWeights): Steps<InputNorms> =>
      inputNormsSteps(batch, streams, layer, block);
    const firstNorms = this.#firstNorms;
    return {
      *norms(layer: number, block: BlockWeights): Steps<InputNorms> {
        const cached = layer === 0 ? firstNorms.get(block) : undefined;
        const norms = cached ?? (yield* normsSteps(layer, block));
        if (layer === 0) firstNorms.set(block, norms);
        return norms;
      },
      *advance(layer: number, block: BlockWeights): Steps<void> {
        batch.setBlock(layer, block);
        const next: Stream[] = [];
        for (const { tokens, numbers } of streams) {
          writeColumns(batch.stream(tokens), numbers);
          batch.throughBlock(layer, tokens);
          next.push({ tokens, numbers: copyOfColumns(batch.stream(tokens)) });
          yield { what: 'Measuring inputs', done: next.length, total: streams.length };
        }
        streams = next;
      },
    };
  }
}

/** The norms, over all texts, of the inputs of a block's matrices. */
function* inputNormsSteps(
  batch: BatchModel,
  streams: readonly Stream[],
  layer: number,
  block: BlockWeights,
): Steps<InputNorms> {
  batch.setBlock(layer, block);
  const squares: Partial<Record<MatrixInput, Float64Array>> = {};
  for (const [index, { tokens, numbers }] of streams.entries()) {
    writeColumns(batch.stream(tokens), numbers);
    batch.inputsOfBlock(layer, tokens, (name, input) =>
      addSquares((squares[name] ??= new Float64Array(input.rows)), input),
    );
    yield { what: 'Measuring inputs', done: index + 1, total: streams.length };
  }
  const norms: Partial<Record<BlockMatrix, Float32Array>> = {};
  for (const name of BLOCK_MATRICES) norms[name] = Float32Array.from(squares[MATRIX_INPUTS[name]] ?? [], Math.sqrt);
  return norms as InputNorms;
}

/** Adds to `sums` the sum of squares of each row, over all tokens. */
function addSquares(sums: Float64Array, { memory, offset, rows, width, tokens }: Columns): void {
  for (let r = 0; r < rows; r++) {
    let sum = 0;
    for (let t = 0, row = offset + r * width; t < tokens; t++) sum += memory[row + t] * memory[row + t];
    sums[r] += sum;
  }
}

/** Returns a copy of the columns (one for each token), row by row. */
function copyOfColumns({ memory, offset, rows, width, tokens }: Columns): Float32Array {
  const numbers = new Float32Array(rows * tokens);
  for (let r = 0; r < rows; r++)
    numbers.set(memory.subarray(offset + r * width, offset + r * width + tokens), r * tokens);
  return numbers;
}

/** Writes numbers copied by `copyOfColumns` back; further columns become 0. */
function writeColumns({ memory, offset, rows, width, tokens }: Columns, numbers: Float32Array): void {
  for (let r = 0; r < rows; r++) {
    const row = offset + r * width;
    memory.set(numbers.subarray(r * tokens, (r + 1) * tokens), row);
    memory.fill(0, row + tokens, row + width);
  }
}
