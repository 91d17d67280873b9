import csrSpmvScalarSource from '../../../../shaders/csr/spmv_scalar.wgsl?raw';
import { lineOf, type StepLines } from '../../../core/declared/story/lines.ts';
import type { DeclaredStep } from '../../../core/declared/story/trace.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import encodingSource from '../encoding.ts?raw';

const sources = {
  'encoding.ts': encodingSource,
  'csr/spmv_scalar.wgsl': csrSpmvScalarSource,
};

const code = excerptsOf(sources);

/** Those of them that belong to kernels. */
export const quotes = kernelFilesOf(sources);

const LINES: StepLines = {
  start: code('encoding.ts', 'start'),
  weight: code('encoding.ts', 'indices'),
  bookkeeping: code('encoding.ts', 'row-end'),
  product: code('csr/spmv_scalar.wgsl', 'product'),
  sum: code('csr/spmv_scalar.wgsl', 'sum'),
};

/** The lines of the encoder or, from Multiply on, of the simplest kernel that run in a step. */
export const codeOf = (step: DeclaredStep | null): CodeExcerpt => lineOf(LINES, step);
