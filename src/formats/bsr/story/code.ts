import bsrVectorLineSource from '../../../../shaders/bsr/vector_line.wgsl?raw';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import type { BsrStep } from './trace.ts';

const sources = {
  'encoding.ts': encodingSource,
  'bsr/vector_line.wgsl': bsrVectorLineSource,
};

const code = excerptsOf(sources);

/** Those of them that belong to kernels. */
export const quotes = kernelFilesOf(sources);

/** The lines of the encoder or, from Multiply on, of the kernel that run in a step. */
export function codeOf(step: BsrStep | null): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
      return code('encoding.ts', 'blocks');
    case 'count':
      return code('encoding.ts', 'count');
    case 'block':
    case 'zeros':
    case 'packed':
      return code('encoding.ts', 'cell');
    case 'product':
      return code('bsr/vector_line.wgsl', 'product');
    case 'sum':
    case 'multiplied':
      return code('bsr/vector_line.wgsl', 'sum');
  }
}
