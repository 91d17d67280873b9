import twellPackedRowSource from '../../../../shaders/twell/packed_row.wgsl?raw';
import twellSplitRowSource from '../../../../shaders/twell/split_row.wgsl?raw';
import type { DeclaredStep } from '../../../core/declared/story/trace.ts';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import type { TwellTrace } from './facts.ts';

const sources = {
  'encoding.ts': encodingSource,
  'twell/packed_row.wgsl': twellPackedRowSource,
  'twell/split_row.wgsl': twellSplitRowSource,
};

const code = excerptsOf(sources);

/** Those of them that belong to kernels. */
export const quotes = kernelFilesOf(sources);

/** The lines that run in a step, separate for the packed and the split layout. */
export function codeOf(t: TwellTrace, step: DeclaredStep | null): CodeExcerpt {
  const { layout } = t.encoded;
  switch (step?.kind) {
    case undefined:
      return code('encoding.ts', 'tile');
    case 'told':
    case 'stored':
      return code('encoding.ts', hasEntry(t, step) ? `slot-${layout}` : 'count');
    case 'encoded':
      return code('encoding.ts', 'count');
    default:
      return code(layout === 'packed' ? 'twell/packed_row.wgsl' : 'twell/split_row.wgsl', 'product');
  }
}

/** Whether a non-zero is stored in a step, besides a count. */
function hasEntry(
  { stores, owners }: TwellTrace,
  { from, to }: { readonly from: number; readonly to: number },
): boolean {
  for (let i = from; i < to; i++) if (owners.of(stores.array[i], stores.at[i]) >= 0) return true;
  return false;
}
