import type { Random } from '../../core/number/random.ts';
import type { PatternSteps } from '../pattern.ts';
import { assembleGroups } from '../row-groups.ts';

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
