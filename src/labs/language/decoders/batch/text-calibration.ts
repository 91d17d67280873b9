import type { Steps } from '../../../../core/job.ts';
import { BLOCK_MATRICES, type BlockMatrix, type BlockWeights, MATRIX_INPUTS, type MatrixInput } from '../decoder.ts';
import type { Calibration, InputNorms } from '../stored/store-model.ts';
import type { Numbers, Passes } from './passes.ts';

/** The stream of a text. */
interface Stream {
  readonly tokens: number;
  readonly numbers: Float32Array;
}

/**
 * Calibration texts that go through a model, from the beginning for every pruning by Wanda. Each is at most `passes.width`
 * tokens long. The blocks that `passes` holds are replaced, so one pruning has to end before the next one begins.
 */
export class CalibrationTexts {
  readonly #passes: Passes;
  readonly #first: readonly Stream[];
  /** by block: those after the embedding are the same for every pruning */
  readonly #firstNorms = new WeakMap<BlockWeights, InputNorms>();

  constructor(passes: Passes, texts: readonly (readonly number[])[]) {
    this.#passes = passes;
    this.#first = texts
      .filter((ids) => ids.length > 0)
      .map((ids) => {
        passes.embed(ids);
        return { tokens: ids.length, numbers: taken(passes.stream(ids.length)) };
      });
  }

  /** Puts the texts at the beginning of the model. */
  begin(): Calibration {
    let streams = this.#first;
    const passes = this.#passes;
    const measured = (layer: number, block: BlockWeights): Steps<InputNorms> =>
      normsSteps(passes, streams, layer, block);
    const firstNorms = this.#firstNorms;
    return {
      *norms(layer: number, block: BlockWeights): Steps<InputNorms> {
        const known = layer === 0 ? firstNorms.get(block) : undefined;
        const norms = known ?? (yield* measured(layer, block));
        if (layer === 0) firstNorms.set(block, norms);
        return norms;
      },
      *advance(layer: number, block: BlockWeights): Steps<void> {
        passes.setBlock(layer, block);
        const next: Stream[] = [];
        for (const { tokens, numbers } of streams) {
          put(passes.stream(tokens), numbers);
          passes.throughBlock(layer, tokens);
          next.push({ tokens, numbers: taken(passes.stream(tokens)) });
          yield { what: 'Measuring inputs', done: next.length, total: streams.length };
        }
        streams = next;
      },
    };
  }
}

function* normsSteps(
  passes: Passes,
  streams: readonly Stream[],
  layer: number,
  block: BlockWeights,
): Steps<InputNorms> {
  passes.setBlock(layer, block);
  const squares: Partial<Record<MatrixInput, Float64Array>> = {};
  for (const [at, { tokens, numbers }] of streams.entries()) {
    put(passes.stream(tokens), numbers);
    passes.inputsOfBlock(layer, tokens, (name, input) =>
      addSquares((squares[name] ??= new Float64Array(input.rows)), input),
    );
    yield { what: 'Measuring inputs', done: at + 1, total: streams.length };
  }
  const norms: Partial<Record<BlockMatrix, Float32Array>> = {};
  for (const name of BLOCK_MATRICES) norms[name] = Float32Array.from(squares[MATRIX_INPUTS[name]] ?? [], Math.sqrt);
  return norms as InputNorms;
}

function addSquares(sums: Float64Array, { memory, at, rows, width, tokens }: Numbers): void {
  for (let r = 0; r < rows; r++) {
    let sum = 0;
    for (let t = 0, row = at + r * width; t < tokens; t++) sum += memory[row + t] * memory[row + t];
    sums[r] += sum;
  }
}

/** The columns of a pass, row by row. */
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
