import ellSpmvScalarSource from '../../../../shaders/ell/spmv_scalar.wgsl?raw';
import { lineOf, type StepLines } from '../../../core/declared/story/lines.ts';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import encodingSource from '../encoding.ts?raw';
import { derivedStory } from '../../../core/declared/story/index.ts';
// oxlint-disable-next-line import/no-duplicates -- the module itself, next to its text
import { encoding } from '../encoding.ts';
import { questions } from './questions.ts';

const sources = {
  'encoding.ts': encodingSource,
  'ell/spmv_scalar.wgsl': ellSpmvScalarSource,
};

/** Lines of a source: `code(FILE, NAME)` are those around the comment `// step: NAME` in it. */
const code = excerptsOf(sources);

/** The code that a step of the story runs: lines of the encoder or, from Multiply on, of a kernel. */
const LINES: StepLines = {
  start: code('encoding.ts', 'count'),
  weight: code('encoding.ts', 'slot'),
  padding: code('encoding.ts', 'allocate'),
  bookkeeping: code('encoding.ts', 'count'),
  product: code('ell/spmv_scalar.wgsl', 'product'),
  sum: code('ell/spmv_scalar.wgsl', 'sum'),
};

/** The story of ELL on a window, loaded when the format is chosen. */
export const story = derivedStory(encoding, {
  title: 'ELL',
  keeps: 'ELL keeps the others in rows of equal length.',
  questions,
  quotes: kernelFilesOf(sources),
  code: (_, step) => lineOf(LINES, step),
});
