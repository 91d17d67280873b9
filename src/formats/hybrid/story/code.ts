import hybridRowSource from '../../../../shaders/hybrid/spmv_by_row.wgsl?raw';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import { NONE } from '../layout.ts';
import type { HybridStep, HybridTrace } from './trace.ts';

const sources = {
  'encoding.ts': encodingSource,
  'hybrid/spmv_by_row.wgsl': hybridRowSource,
};

const code = excerptsOf(sources);

/** Those of them that belong to kernels. */
export const quotes = kernelFilesOf(sources);

/** The lines of the encoder or, from Multiply on, of the kernel that run in a step. */
export function codeOf({ encoded: { tailMap } }: HybridTrace, step: HybridStep | null): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
    case 'room':
      return code('encoding.ts', 'room');
    case 'route':
      return code('encoding.ts', tailMap[step.row] === NONE ? 'slot' : 'tail');
    case 'stored':
      return code('encoding.ts', 'count');
    case 'row':
      return code('hybrid/spmv_by_row.wgsl', tailMap[step.row] === NONE ? 'product-slots' : 'product-tail');
    case 'multiplied':
      return code('hybrid/spmv_by_row.wgsl', 'product-slots');
  }
}
