import bitmaskSpmvStagedSource from '../../../../shaders/bitmask/spmv_staged.wgsl?raw';
import bitmaskWalkSource from '../../../../shaders/bitmask/walk.wgsl?raw';
import { lineOf, type StepLines } from '../../../core/declared/story/lines.ts';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import encodingSource from '../encoding.ts?raw';
import { derivedStory } from '../../../core/declared/story/index.ts';
import { encoding } from '../encoding.ts';
import { questions } from './questions.ts';

const sources = {
  'encoding.ts': encodingSource,
  'bitmask/spmv_staged.wgsl': bitmaskSpmvStagedSource,
  'bitmask/walk.wgsl': bitmaskWalkSource,
};

/** Lines of a source: `code(FILE, NAME)` are those around the comment `// step: NAME` in it. */
const code = excerptsOf(sources);

/** The code that a step of the story runs: lines of the encoder or, from Multiply on, of a kernel. */
const LINES: StepLines = {
  start: code('encoding.ts', 'start'),
  weight: code('encoding.ts', 'bit'),
  bookkeeping: code('encoding.ts', 'row-end'),
  product: code('bitmask/walk.wgsl', 'product'),
  sum: code('bitmask/spmv_staged.wgsl', 'sum'),
};

/** The story of the bitmask format on a window, loaded when the format is chosen. */
export const story = derivedStory(encoding, {
  title: 'bitmask',
  // Follows the sentence about the zeros that are left out.
  keeps: 'Bitmask keeps the others, and one bit per place.',
  questions,
  quotes: kernelFilesOf(sources),
  code: (_, step) => lineOf(LINES, step),
});
