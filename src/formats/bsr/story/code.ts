import bsrVectorLineSource from '../../../../shaders/bsr/vector_line.wgsl?raw';
import { lineOf, type StepLines } from '../../../core/declared/story/lines.ts';
import type { DeclaredStep } from '../../../core/declared/story/trace.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import encodingSource from '../encoding.ts?raw';

const sources = {
  'encoding.ts': encodingSource,
  'bsr/vector_line.wgsl': bsrVectorLineSource,
};

/** Lines of a source: `code(FILE, NAME)` are those around the comment `// step: NAME` in it. */
const code = excerptsOf(sources);

/** The kernels' files among the sources. */
export const quotes = kernelFilesOf(sources);

const LINES: StepLines = {
  start: code('encoding.ts', 'count'),
  weight: code('encoding.ts', 'cell'),
  index: code('encoding.ts', 'index'),
  bookkeeping: code('encoding.ts', 'count'),
  product: code('bsr/vector_line.wgsl', 'product'),
  sum: code('bsr/vector_line.wgsl', 'sum'),
};

/** The code that a step of BSR’s story runs: lines of the encoder or, from Multiply on, of a kernel. */
export const codeOf = (step: DeclaredStep | null): CodeExcerpt => lineOf(LINES, step);
