import type { Random } from '../../core/number/random.ts';
import type { PatternSteps } from '../pattern.ts';
import { assembleGroups } from '../row-groups.ts';
import { shuffle } from '../shuffle.ts';

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
  const order = Uint32Array.from({ length: Math.ceil(cols / width) }, (_, slot) => slot);
  shuffle(order, random);
  const columns = new Uint32Array(count);
  let n = 0;
  for (const slot of order) {
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
    chooseColumns: (count, random) => anyColumns(spec.cols, count, random),
  });
};

/** `count` different columns in ascending order, every choice equally likely (Knuth, TAOCP 3.4.2, algorithm S). */
function anyColumns(cols: number, count: number, random: Random): Uint32Array {
  const columns = new Uint32Array(count);
  let n = 0;
  for (let c = 0; n < count; c++) {
    if (random.below(cols - c) < count - n) columns[n++] = c;
  }
  return columns;
}
