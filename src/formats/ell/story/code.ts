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

const code = excerptsOf(sources);

/** Those of them that belong to kernels. */
export const quotes = kernelFilesOf(sources);

const LINES: StepLines = {
  start: code('encoding.ts', 'count'),
  weight: code('encoding.ts', 'slot'),
  padding: code('encoding.ts', 'allocate'),
  bookkeeping: code('encoding.ts', 'count'),
  product: code('ell/spmv_scalar.wgsl', 'product'),
  sum: code('ell/spmv_scalar.wgsl', 'sum'),
};

/** The lines of the encoder or, from Multiply on, of the kernel that run in a step. */
export const codeOf = (step: DeclaredStep | null): CodeExcerpt => lineOf(LINES, step);
