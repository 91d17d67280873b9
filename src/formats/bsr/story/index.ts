import bsrVectorLineSource from '../../../../shaders/bsr/vector_line.wgsl?raw';
import { lineOf, type StepLines } from '../../../core/declared/story/lines.ts';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import encodingSource from '../encoding.ts?raw';
import { derivedStory } from '../../../core/declared/story/index.ts';
import { encoding } from '../encoding.ts';

const sources = {
  'encoding.ts': encodingSource,
  'bsr/vector_line.wgsl': bsrVectorLineSource,
};

/** Lines of a source: `code(FILE, NAME)` are those around the comment `// step: NAME` in it. */
const code = excerptsOf(sources);

/** The code that a step of the story runs: lines of the encoder or, from Multiply on, of a kernel. */
const LINES: StepLines = {
  start: code('encoding.ts', 'count'),
  weight: code('encoding.ts', 'cell'),
  index: code('encoding.ts', 'index'),
  bookkeeping: code('encoding.ts', 'count'),
  product: code('bsr/vector_line.wgsl', 'product'),
  sum: code('bsr/vector_line.wgsl', 'sum'),
};

/** The story of BSR on a window, loaded when the format is chosen. */
export const story = derivedStory(encoding, {
  title: 'BSR',
  keeps: 'BSR keeps whole blocks, with one column number each.',
  questions: [],
  quotes: kernelFilesOf(sources),
  code: (_, step) => lineOf(LINES, step),
});
