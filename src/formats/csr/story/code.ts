import csrSpmvScalarSource from '../../../../shaders/csr/spmv_scalar.wgsl?raw';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import type { CsrStep } from './trace.ts';

const sources = {
  'encoding.ts': encodingSource,
  'csr/spmv_scalar.wgsl': csrSpmvScalarSource,
};

const code = excerptsOf(sources);

/** Those of them that belong to kernels. */
export const quotes = kernelFilesOf(sources);

/** The lines of the encoder or, from Multiply on, of the simplest kernel that run in a step. */
export function codeOf(step: CsrStep | null): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
      return code('encoding.ts', 'start');
    case 'entry':
      return code('encoding.ts', 'indices');
    case 'row-end':
    case 'packed':
      return code('encoding.ts', 'row-end');
    case 'product':
      return code('csr/spmv_scalar.wgsl', 'product');
    case 'sum':
    case 'multiplied':
      return code('csr/spmv_scalar.wgsl', 'sum');
  }
}
