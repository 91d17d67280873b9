import twellPackedRowSource from '../../../../shaders/twell/packed_row.wgsl?raw';
import twellSplitRowSource from '../../../../shaders/twell/split_row.wgsl?raw';
import type { DeclaredStep } from '../../../story/declared/trace.ts';
import { excerptsOf, kernelFilesOf } from '../../../story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import type { TwellTrace } from './facts.ts';

const sources = {
  'encoding.ts': encodingSource,
  'twell/packed_row.wgsl': twellPackedRowSource,
  'twell/split_row.wgsl': twellSplitRowSource,
};

/** Lines of a source: `code(FILE, NAME)` returns those around the comment `// step: NAME` in FILE. */
const code = excerptsOf(sources);

/** The paths of the kernels' files that the story quotes. */
export const quotes = kernelFilesOf(sources);

/** The code that a step of TwELL’s story runs: the encoder’s or, from Multiply on, the kernel’s of the layout. */
export function codeOf(t: TwellTrace, step: DeclaredStep | null): CodeExcerpt {
  const { layout } = t.encoded;
  switch (step?.kind) {
    case undefined:
      return code('encoding.ts', 'tile');
    case 'stored':
      return code('encoding.ts', step.what === 'weight' ? `slot-${layout}` : 'count');
    case 'encoded':
      return code('encoding.ts', 'count');
    default:
      return code(layout === 'packed' ? 'twell/packed_row.wgsl' : 'twell/split_row.wgsl', 'product');
  }
}
