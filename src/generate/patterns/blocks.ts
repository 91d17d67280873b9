import { MatrixError } from '../../core/errors.ts';
import { Random } from '../../core/number/random.ts';
import { assemble } from '../assemble.ts';
import type { CheckedSpec, PatternSteps } from '../pattern.ts';
import { STREAM, streamSeed } from '../seeds.ts';
import { shuffledOrder } from '../shuffle.ts';

const MAX_BLOCKS = 2 ** 26;

/** Non-zeros clustered in square blocks on a grid. */
export const blocks: PatternSteps = (spec) => {
  const { rows, cols, density } = spec;
  const { fill, blockSize } = spec.options;
  if (density > fill) {
    throw new MatrixError(`fill: found ${fill}, expected at least the share left, ${density}`);
  }
  const wanted = density * rows * cols;
  const { chosen, cells } = chooseBlocks(spec, blockSize, wanted / fill);
  const across = Math.ceil(cols / blockSize);
  const p = cells === 0 ? 0 : wanted / cells;
  return assemble(spec, (row, sampler, into) => {
    const first = Math.floor(row / blockSize) * across;
    let n = 0;
    for (let b = 0; b < across; b++) {
      if (chosen[first + b] === 0) continue;
      n = sampler.choose(b * blockSize, Math.min(cols, (b + 1) * blockSize), p, into, n);
    }
    return n;
  });
};

/** Blocks in random order until they have at least `wanted` cells; `chosen` has a 1 for each, row by row of the grid. */
function chooseBlocks({ rows, cols, seed }: CheckedSpec, blockSize: number, wanted: number) {
  const across = Math.ceil(cols / blockSize);
  const count = across * Math.ceil(rows / blockSize);
  if (count > MAX_BLOCKS) {
    throw new MatrixError(
      `blockSize: found ${blockSize}, which makes ${count} blocks; expected a size that makes at most ${MAX_BLOCKS}`,
    );
  }
  const order = shuffledOrder(count, new Random(streamSeed(seed, STREAM.arrangement)));
  const chosen = new Uint8Array(count);
  let cells = 0;
  for (let i = 0; i < count && cells < wanted; i++) {
    const block = order[i];
    const row = Math.floor(block / across) * blockSize;
    const col = (block % across) * blockSize;
    cells += Math.min(blockSize, rows - row) * Math.min(blockSize, cols - col);
    chosen[block] = 1;
  }
  return { chosen, cells };
}
