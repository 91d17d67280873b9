import ellSpmvScalarSource from '../../../../shaders/ell/spmv_scalar.wgsl?raw';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import type { EllStep } from './trace.ts';

const sources = {
  'encoding.ts': encodingSource,
  'ell/spmv_scalar.wgsl': ellSpmvScalarSource,
};

const code = excerptsOf(sources);

/** Those of them that belong to kernels. */
export const quotes = kernelFilesOf(sources);

/** The lines of the encoder or, from Multiply on, of the kernel that run in a step. */
export function codeOf(step: EllStep | null): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
    case 'count':
      return code('encoding.ts', 'count');
    case 'allocate':
    case 'padding':
      return code('encoding.ts', 'allocate');
    case 'slot':
    case 'packed':
      return code('encoding.ts', 'slot');
    case 'round':
      return code('ell/spmv_scalar.wgsl', 'product');
    case 'multiplied':
      return code('ell/spmv_scalar.wgsl', 'sum');
  }
}
