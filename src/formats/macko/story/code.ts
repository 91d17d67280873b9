import productsSource from '../../../../shaders/macko/products.wgsl?raw';
import rowSource from '../../../../shaders/macko/row_by_subgroup.wgsl?raw';
import type { DeclaredStep } from '../../../story/declared/trace.ts';
import { excerptsOf, kernelFilesOf } from '../../../story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import type { MackoTrace } from './facts.ts';

const sources = {
  'encoding.ts': encodingSource,
  'macko/products.wgsl': productsSource,
  'macko/row_by_subgroup.wgsl': rowSource,
};

/** `code(FILE, NAME)`: the lines of a source around its comment `// step: NAME`. */
const code = excerptsOf(sources);

/** The kernel files that the story quotes. */
export const quotes = kernelFilesOf(sources);

/** The code that a step of MACKO’s story runs: of the encoder, or of a kernel in the chapter Multiply; null if none. */
export function codeOf(_: MackoTrace, step: DeclaredStep | null): CodeExcerpt | null {
  switch (step?.kind) {
    case 'stored':
      if (step.what === 'weight') return code('encoding.ts', 'emit');
      if (step.what === 'padding' && step.cell) return code('encoding.ts', 'pad');
      // A row start, or the end of the list, with the zeros that pad it.
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
