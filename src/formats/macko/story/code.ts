import productsSource from '../../../../shaders/macko/products.wgsl?raw';
import rowSource from '../../../../shaders/macko/row_by_subgroup.wgsl?raw';
import type { DeclaredStep } from '../../../core/declared/story/trace.ts';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import type { MackoTrace } from './facts.ts';

const sources = {
  'encoding.ts': encodingSource,
  'macko/products.wgsl': productsSource,
  'macko/row_by_subgroup.wgsl': rowSource,
};

const code = excerptsOf(sources);

/** Those of them that belong to kernels. */
export const quotes = kernelFilesOf(sources);

/** The lines of the encoder or, from Multiply on, of the kernel that run in a step; null if none does. */
export function codeOf(_: MackoTrace, step: DeclaredStep | null): CodeExcerpt | null {
  switch (step?.kind) {
    case 'stored':
      if (step.what === 'weight') return code('encoding.ts', 'emit');
      if (step.what === 'padding' && step.cell) return code('encoding.ts', 'pad');
      // A row start, or where the list ends with what fills it up.
      return code('encoding.ts', step.rows.length > 0 ? 'row' : 'end');
    case 'product':
      return code('macko/products.wgsl', 'product');
    case 'sum':
    case 'multiplied':
      return code('macko/row_by_subgroup.wgsl', 'reduce');
    default:
      return null;
  }
}
