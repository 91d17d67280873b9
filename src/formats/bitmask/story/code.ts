import bitmaskSpmvStagedSource from '../../../../shaders/bitmask/spmv_staged.wgsl?raw';
import bitmaskWalkSource from '../../../../shaders/bitmask/walk.wgsl?raw';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import type { BitmaskStep } from './trace.ts';

const sources = {
  'encoding.ts': encodingSource,
  'bitmask/spmv_staged.wgsl': bitmaskSpmvStagedSource,
  'bitmask/walk.wgsl': bitmaskWalkSource,
};

const code = excerptsOf(sources);

/** Those of them that belong to kernels. */
export const quotes = kernelFilesOf(sources);

/** The lines of the encoder or, from Multiply on, of the kernel that run in a step. */
export function codeOf(step: BitmaskStep | null): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
      return code('encoding.ts', 'start');
    case 'bit':
      return code('encoding.ts', 'bit');
    case 'scale':
      return code('encoding.ts', 'values');
    case 'row-end':
    case 'packed':
      return code('encoding.ts', 'row-end');
    case 'word':
      return code('bitmask/walk.wgsl', 'word');
    case 'product':
      return code('bitmask/walk.wgsl', 'product');
    case 'sum':
    case 'multiplied':
      return code('bitmask/spmv_staged.wgsl', 'sum');
  }
}
