import hybridRowSource from '../../../../shaders/hybrid/spmv_by_row.wgsl?raw';
import { type DeclaredStep, type DeclaredTrace, storesIn } from '../../../story/declared/trace.ts';
import { excerptsOf, kernelFilesOf } from '../../../story/code-excerpt.ts';
import type { CodeExcerpt } from '../../../story/scene.ts';
import encodingSource from '../encoding.ts?raw';
import { type HybridEncoded, NONE } from '../layout.ts';
import { derivedStory } from '../../../story/declared/index.ts';
import type { FormatStory } from '../../../story/format-story.ts';
import { encoding } from '../encoding.ts';
import type { HybridParams } from '../params.ts';
import { largerTail, rowCounts, tailRejection } from '../routing.ts';
import { questions } from './questions.ts';

const sources = {
  'encoding.ts': encodingSource,
  'hybrid/spmv_by_row.wgsl': hybridRowSource,
};

/** Lines of a source: `code(FILE, NAME)` are those around the comment `// step: NAME` in it. */
const code = excerptsOf(sources);

/** The code that a step of the hybrid’s story runs: lines of the encoder or, for the multiplication, of a kernel. */
function codeOf(t: DeclaredTrace<HybridEncoded>, step: DeclaredStep | null): CodeExcerpt {
  const { tailMap } = t.encoded;
  switch (step?.kind) {
    case 'stored':
      if (storesIn(t, step, 'tail')) return code('encoding.ts', 'tail');
      return code('encoding.ts', storesIn(t, step, 'values') ? 'slot' : step.stores.length > 0 ? 'count' : 'room');
    case 'product':
    case 'zeros':
    case 'sum': {
      const row = step.kind === 'product' ? t.run.decoding.puts.rows[step.decodedCell] : step.row;
      return code('hybrid/spmv_by_row.wgsl', tailMap[row] === NONE ? 'product-slots' : 'product-tail');
    }
    case 'multiplied':
      return code('hybrid/spmv_by_row.wgsl', 'product-slots');
    default:
      return code('encoding.ts', 'room');
  }
}

const derived = derivedStory<HybridEncoded, HybridParams>(encoding, {
  title: 'hybrid',
  // In the first frame, after a text about the number of zeros.
  aboutZeros: 'Rows with few non-zeros are packed, others stay dense.',
  matrixKind: 'activations',
  code: codeOf,
  eventOf: (t, step) =>
    step.kind === 'stored' && step.reason !== null && storesIn(t, step, 'tailRows') ? 'overflow' : null,
  quotes: kernelFilesOf(sources),
  questions,
});

/**
 * The story of the hybrid format: an animation of how a small matrix of activations is encoded and multiplied, with its
 * code.
 */
export const story: FormatStory<HybridParams, DeclaredStep> = {
  ...derived,
  // If long rows do not fit in the tail, the story uses a larger tail.
  tracesRejected: (m, p) => tailRejection(rowCounts(m), m.cols, p) !== null,
  trace(m, p) {
    const counts = rowCounts(m);
    if (tailRejection(counts, m.cols, p) === null) return derived.trace(m, p);
    return { ...derived.trace(m, { ...p, tailShare: largerTail(counts, m.cols, p) ?? 1 }), rejected: m };
  },
};
