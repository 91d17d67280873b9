import hybridRowSource from '../../../../shaders/hybrid/spmv_by_row.wgsl?raw';
import { type DeclaredStep, type DeclaredTrace, storesIn } from '../../../core/declared/story/trace.ts';
import { excerptsOf, kernelFilesOf } from '../../../core/story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../core/story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import { type HybridEncoded, NONE } from '../layout.ts';

const sources = {
  'encoding.ts': encodingSource,
  'hybrid/spmv_by_row.wgsl': hybridRowSource,
};

/** Lines of a source: `code(FILE, NAME)` are those around the comment `// step: NAME` in it. */
const code = excerptsOf(sources);

/** The kernels' files among the sources. */
export const quotes = kernelFilesOf(sources);

/** The code that a step of the hybrid’s story runs: lines of the encoder or, from Multiply on, of a kernel. */
export function codeOf(t: DeclaredTrace<HybridEncoded>, step: DeclaredStep | null): CodeExcerpt {
  const { tailMap } = t.encoded;
  switch (step?.kind) {
    case 'stored':
      if (storesIn(t, step, 'tail')) return code('encoding.ts', 'tail');
      return code('encoding.ts', storesIn(t, step, 'values') ? 'slot' : step.stores.length > 0 ? 'count' : 'room');
    case 'product':
    case 'zeros':
    case 'sum': {
      const row = step.kind === 'product' ? t.run.decoding.puts.rows[step.put] : step.row;
      return code('hybrid/spmv_by_row.wgsl', tailMap[row] === NONE ? 'product-slots' : 'product-tail');
    }
    case 'multiplied':
      return code('hybrid/spmv_by_row.wgsl', 'product-slots');
    default:
      return code('encoding.ts', 'room');
  }
}
