import bitmaskSpmvStagedSource from '../../../../shaders/bitmask/spmv_staged.wgsl?raw';
import bitmaskWalkSource from '../../../../shaders/bitmask/walk.wgsl?raw';
import { quotedCode } from '../../../story/declared/lines.ts';
import encodingSource from '../encoding.ts?raw';
import { derivedStory } from '../../../story/declared/index.ts';
// oxlint-disable-next-line import/no-duplicates -- the module itself, next to its text
import { encoding } from '../encoding.ts';
import { questions } from './questions.ts';

const sources = {
  'encoding.ts': encodingSource,
  'bitmask/spmv_staged.wgsl': bitmaskSpmvStagedSource,
  'bitmask/walk.wgsl': bitmaskWalkSource,
};

/** The story of the bitmask format: an animation of how a small matrix is encoded and multiplied, with its code. */
export const story = derivedStory(encoding, {
  title: 'bitmask',
  // Follows the text about the zeros that are not stored.
  aboutZeros: 'Bitmask keeps the others, and one bit per cell.',
  questions,
  // kind of step: a file, and the comment `// step: MARK` in it whose lines are shown
  ...quotedCode(sources, () => ({
    start: ['encoding.ts', 'start'],
    weight: ['encoding.ts', 'bit'],
    bookkeeping: ['encoding.ts', 'row-end'],
    product: ['bitmask/walk.wgsl', 'product'],
    sum: ['bitmask/spmv_staged.wgsl', 'sum'],
  })),
});
