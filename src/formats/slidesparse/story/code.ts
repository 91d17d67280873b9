import rowPairSource from '../../../../shaders/slidesparse/row_pair.wgsl?raw';
import type { DeclaredStep } from '../../../story/declared/trace.ts';
import { excerptsOf, kernelFilesOf } from '../../../story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import type { SlideSparseTrace } from './facts.ts';

const sources = { 'encoding.ts': encodingSource, 'slidesparse/row_pair.wgsl': rowPairSource };

/** Lines of a source: `code(FILE, NAME)` are those around the comment `// step: NAME` in it. */
const code = excerptsOf(sources);

/** The kernel files that the story quotes. */
export const quotes = kernelFilesOf(sources);

/** The code that a step of SlideSparse’s story runs: the encoder’s or, in the product, a kernel’s; null if none. */
export function codeOf(_: SlideSparseTrace, step: DeclaredStep | null): CodeExcerpt | null {
  switch (step?.kind) {
    case 'stored':
      return code('encoding.ts', step.what === 'weight' ? 'take' : 'fill');
    case 'product':
      return code('slidesparse/row_pair.wgsl', 'product');
    case 'sum':
    case 'multiplied':
      return code('slidesparse/row_pair.wgsl', 'sum');
    default:
      return null;
  }
}
