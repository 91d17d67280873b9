import type { Random } from '../../core/number/random.ts';
import type { Pattern } from '../pattern.ts';
import { assembleGroups } from '../row-groups.ts';
import { shuffle } from '../shuffle.ts';

/** Dense blocks of a few rows and many columns, with noise between them. */
export const plantedBlocks: Pattern = {
  id: 'planted-blocks',
  title: 'Planted blocks',
  meaning: 'Groups of neighbouring rows share dense blocks of neighbouring columns, with noise everywhere else.',
  options: [
    {
      id: 'granularity',
      label: 'Rows of a block',
      meaning: 'Neighbouring rows that share their blocks; the last group of rows may be smaller.',
      min: 1,
      max: 64,
      default: 8,
      unit: 'rows',
      whole: true,
    },
    {
      id: 'width',
      label: 'Width of a block',
      meaning: 'Columns of a block; one block of each group is narrower, so that the density is met.',
      min: 1,
      max: 4096,
      default: 32,
      unit: 'columns',
      whole: true,
    },
    {
      id: 'noise',
      label: 'Noise',
      meaning: 'Share of the non-zeros that lie outside the blocks.',
      min: 0,
      max: 1,
      default: 0.05,
      whole: false,
    },
  ],
  steps(spec) {
    const { granularity, width, noise } = spec.options;
    return assembleGroups(spec, {
      groupRows: granularity,
      scattered: false,
      noise,
      chooseColumns: (count, random) => blockColumns(spec.cols, width, count, random),
    });
  },
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
