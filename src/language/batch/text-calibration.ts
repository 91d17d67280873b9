import type { Steps } from '../../core/job.ts';
import { BLOCK_MATRICES, type BlockMatrix, type BlockWeights, MATRIX_INPUTS, type MatrixInput } from '../decoder.ts';
import type { Calibration, InputNorms } from '../stored/store-model.ts';
import type { Numbers, Passes } from './passes.ts';

/**
 * Texts on their way through a model, for pruning by Wanda. Each is at most `passes.width` tokens long. The weights that
 * `passes` holds are replaced, block by block.
 */
export function textCalibration(passes: Passes, texts: readonly (readonly number[])[]): Calibration {
  const streams = texts
    .filter((ids) => ids.length > 0)
    .map((ids) => {
      passes.embed(ids);
      return { tokens: ids.length, numbers: taken(passes.stream(ids.length)) };
    });
  return {
    *norms(layer: number, block: BlockWeights): Steps<InputNorms> {
      passes.setBlock(layer, block);
      const squares: Partial<Record<MatrixInput, Float64Array>> = {};
      for (const [at, { tokens, numbers }] of streams.entries()) {
        put(passes.stream(tokens), numbers);
        passes.throughBlock(layer, tokens, (name, input) =>
          addSquares((squares[name] ??= new Float64Array(input.rows)), input),
        );
        yield { what: 'Measuring inputs', done: at + 1, total: streams.length };
      }
      const norms: Partial<Record<BlockMatrix, Float32Array>> = {};
      for (const name of BLOCK_MATRICES) norms[name] = Float32Array.from(squares[MATRIX_INPUTS[name]] ?? [], Math.sqrt);
      return norms as InputNorms;
    },
    *advance(layer: number, block: BlockWeights): Steps<void> {
      passes.setBlock(layer, block);
      for (const [at, { tokens, numbers }] of streams.entries()) {
        put(passes.stream(tokens), numbers);
        passes.throughBlock(layer, tokens);
        numbers.set(taken(passes.stream(tokens)));
        yield { what: 'Measuring inputs', done: at + 1, total: streams.length };
      }
    },
  };
}

function addSquares(sums: Float64Array, { memory, at, rows, width, tokens }: Numbers): void {
  for (let r = 0; r < rows; r++) {
    let sum = 0;
    for (let t = 0, row = at + r * width; t < tokens; t++) sum += memory[row + t] * memory[row + t];
    sums[r] += sum;
  }
}

/** The columns of a pass, one row behind the other. */
function taken({ memory, at, rows, width, tokens }: Numbers): Float32Array {
  const numbers = new Float32Array(rows * tokens);
  for (let r = 0; r < rows; r++) numbers.set(memory.subarray(at + r * width, at + r * width + tokens), r * tokens);
  return numbers;
}

function put({ memory, at, rows, width, tokens }: Numbers, numbers: Float32Array): void {
  for (let r = 0; r < rows; r++) {
    const row = at + r * width;
    memory.set(numbers.subarray(r * tokens, (r + 1) * tokens), row);
    memory.fill(0, row + tokens, row + width);
  }
}
