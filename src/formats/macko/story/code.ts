import productsSource from '../../../../shaders/macko/products.wgsl?raw';
import rowSource from '../../../../shaders/macko/row_by_subgroup.wgsl?raw';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import type { MackoStep } from './trace.ts';

const sources = {
  'encoding.ts': encodingSource,
  'macko/products.wgsl': productsSource,
  'macko/row_by_subgroup.wgsl': rowSource,
};

const code = excerptsOf(sources);

/** Those of them that belong to kernels. */
export const quotes = kernelFilesOf(sources);

/** The lines of the encoder or, from Multiply on, of the kernel that run in a step; null if none does. */
export function codeOf(step: MackoStep | null): CodeExcerpt | null {
  switch (step?.kind) {
    case undefined:
    case 'pad':
      return code('encoding.ts', 'pad');
    case 'emit':
      return code('encoding.ts', 'emit');
    case 'row-start':
    case 'group-scale':
    case 'row-end':
    case 'starts':
      return code('encoding.ts', 'row');
    case 'byte':
    case 'word':
      return code('encoding.ts', 'pack');
    case 'scan0':
      return code('macko/row_by_subgroup.wgsl', 'scan-1');
    case 'scan1':
      return code('macko/row_by_subgroup.wgsl', 'scan-2');
    case 'gather':
    case 'product':
      return code('macko/products.wgsl', step.kind);
    case 'load':
    case 'sum':
    case 'columns':
    case 'reduce':
      return code('macko/row_by_subgroup.wgsl', step.kind);
    case 'align':
      return code('macko/row_by_subgroup.wgsl', 'align');
  }
}
