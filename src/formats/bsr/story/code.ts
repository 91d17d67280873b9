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

const code = excerptsOf(sources);

/** Those of them that belong to kernels. */
export const quotes = kernelFilesOf(sources);

const LINES: StepLines = {
  start: code('encoding.ts', 'count'),
  weight: code('encoding.ts', 'cell'),
  index: code('encoding.ts', 'index'),
  bookkeeping: code('encoding.ts', 'count'),
  product: code('bsr/vector_line.wgsl', 'product'),
  sum: code('bsr/vector_line.wgsl', 'sum'),
};

/** The lines of the encoder or, from Multiply on, of the kernel that run in a step. */
export const codeOf = (step: DeclaredStep | null): CodeExcerpt => lineOf(LINES, step);
