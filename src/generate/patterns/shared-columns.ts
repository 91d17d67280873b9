import type { Random } from '../../core/number/random.ts';
import type { Pattern } from '../pattern.ts';
import { assembleGroups } from '../row-groups.ts';

/** Rows that have the same columns as other rows, anywhere in the matrix. */
export const sharedColumns: Pattern = {
  id: 'shared-columns',
  title: 'Shared columns',
  meaning: 'Groups of rows anywhere in the matrix share the same columns, scattered over the row, plus a little noise.',
  options: [
    {
      id: 'groupRows',
      label: 'Rows of a group',
      meaning: 'Rows that have the same columns; the last group may be smaller.',
      min: 1,
      max: 4096,
      default: 8,
      unit: 'rows',
      whole: true,
    },
    {
      id: 'noise',
      label: 'Noise',
      meaning: 'Share of the non-zeros that are not in a column of their group.',
      min: 0,
      max: 1,
      default: 0.05,
      whole: false,
    },
  ],
  steps(spec) {
    const { groupRows, noise } = spec.options;
    return assembleGroups(spec, {
      groupRows,
      scattered: true,
      noise,
      chooseColumns: (count, random) => anyColumns(spec.cols, count, random),
    });
  },
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
