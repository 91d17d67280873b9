import type { Random } from '../../core/number/random.ts';
import { chooseExactly } from '../column-sampler.ts';
import type { PatternSteps } from '../pattern.ts';
import { assembleGroups } from '../row-groups.ts';
import { shuffledOrder } from '../shuffle.ts';

/** Dense blocks of a few rows and many columns, with noise between them. */
export const plantedBlocks: PatternSteps = (spec) => {
  const { granularity, width, noise } = spec.options;
  return assembleGroups(spec, {
    groupRows: granularity,
    scattered: false,
    noise,
    chooseColumns: (count, random) => blockColumns(spec.cols, width, count, random),
  });
};

/** `count` columns in blocks on a grid of `width`, in ascending order; the block drawn last gives its first columns. */
function blockColumns(cols: number, width: number, count: number, random: Random): Uint32Array {
  const columns = new Uint32Array(count);
  let n = 0;
  for (const slot of shuffledOrder(Math.ceil(cols / width), random)) {
    for (let c = slot * width; c < Math.min(cols, (slot + 1) * width) && n < count; c++) columns[n++] = c;
  }
  return columns.sort();
}

/** Rows that have the same columns as other rows, anywhere in the matrix. */
export const sharedColumns: PatternSteps = (spec) => {
  const { groupRows, noise } = spec.options;
  return assembleGroups(spec, {
    groupRows,
    scattered: true,
    noise,
    chooseColumns(count, random) {
      const columns = new Uint32Array(count);
      chooseExactly(count, 0, spec.cols, random, columns, 0);
      return columns;
    },
  });
};
