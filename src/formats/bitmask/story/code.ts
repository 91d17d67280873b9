import bitmaskSpmvStagedSource from '../../../../shaders/bitmask/spmv_staged.wgsl?raw';
import bitmaskWalkSource from '../../../../shaders/bitmask/walk.wgsl?raw';
import { lineOf, type StepLines } from '../../../core/declared/story/lines.ts';
import type { DeclaredStep } from '../../../core/declared/story/trace.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import encodingSource from '../encoding.ts?raw';

const sources = {
  'encoding.ts': encodingSource,
  'bitmask/spmv_staged.wgsl': bitmaskSpmvStagedSource,
  'bitmask/walk.wgsl': bitmaskWalkSource,
};

/** Lines of a source: `code(FILE, NAME)` are those around the comment `// step: NAME` in it. */
const code = excerptsOf(sources);

/** The kernels' files among the sources. */
export const quotes = kernelFilesOf(sources);

const LINES: StepLines = {
  start: code('encoding.ts', 'start'),
  weight: code('encoding.ts', 'bit'),
  bookkeeping: code('encoding.ts', 'row-end'),
  product: code('bitmask/walk.wgsl', 'product'),
  sum: code('bitmask/spmv_staged.wgsl', 'sum'),
};

/** The code that a step of the bitmask’s story runs: lines of the encoder or, from Multiply on, of a kernel. */
export const codeOf = (step: DeclaredStep | null): CodeExcerpt => lineOf(LINES, step);
