import bitmaskRowSource from '../../../../shaders/bitmask/row.wgsl?raw';
import bitmaskSpmvSubgroupSource from '../../../../shaders/bitmask/spmv_subgroup.wgsl?raw';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodeSource from '../encode.ts?raw';
import type { BitmaskStep } from './trace.ts';

const sources = {
  'encode.ts': encodeSource,
  'bitmask/row.wgsl': bitmaskRowSource,
  'bitmask/spmv_subgroup.wgsl': bitmaskSpmvSubgroupSource,
};

const code = excerptsOf(sources);

/** The files among them that are parts of kernels. */
export const quotes = kernelFilesOf(sources);

/** The lines of the encoder or, from Multiply on, of the kernel that run in a step. */
export function codeOf(step: BitmaskStep | null): CodeExcerpt {
  switch (step?.kind) {
    case undefined:
      return code('encode.ts', 'start');
    case 'bit':
      return code('encode.ts', 'bit');
    case 'row-end':
    case 'packed':
      return code('encode.ts', 'row-end');
    case 'word':
      return code('bitmask/spmv_subgroup.wgsl', 'word');
    case 'product':
      return code('bitmask/row.wgsl', 'product');
    case 'sum':
    case 'multiplied':
      return code('bitmask/spmv_subgroup.wgsl', 'sum');
  }
}
