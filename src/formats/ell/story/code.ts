import ellSpmvScalarSource from '../../../../shaders/ell/spmv_scalar.wgsl?raw';
import { lineOf, type StepLines } from '../../../core/declared/story/lines.ts';
import type { DeclaredStep } from '../../../core/declared/story/trace.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import encodingSource from '../encoding.ts?raw';

const sources = {
  'encoding.ts': encodingSource,
  'ell/spmv_scalar.wgsl': ellSpmvScalarSource,
};

/** Lines of a source: `code(FILE, NAME)` are those around the comment `// step: NAME` in it. */
const code = excerptsOf(sources);

/** The kernels' files among the sources. */
export const quotes = kernelFilesOf(sources);

const LINES: StepLines = {
  start: code('encoding.ts', 'count'),
  weight: code('encoding.ts', 'slot'),
  padding: code('encoding.ts', 'allocate'),
  bookkeeping: code('encoding.ts', 'count'),
  product: code('ell/spmv_scalar.wgsl', 'product'),
  sum: code('ell/spmv_scalar.wgsl', 'sum'),
};

/** The code that a step of ELL’s story runs: lines of the encoder or, from Multiply on, of a kernel. */
export const codeOf = (step: DeclaredStep | null): CodeExcerpt => lineOf(LINES, step);
