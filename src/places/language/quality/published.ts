import type { RecordedQuality } from '../../../language/quality/recorded.ts';
import { PRUNED_ACCURACY, PRUNED_PERPLEXITY } from '../../../theory/models/published-losses.ts';
import { aboveFloor } from '../curve/above-floor.ts';
import type { Ghost } from './Marks.tsx';

/**
 * Where a published perplexity is in our units: the bits per token that pruning cost there, over the bytes of our tokens.
 * Its words are on the side of the chart where the line at `density` is not.
 */
export function publishedLoss(recorded: RecordedQuality, denseAbove: number, density: number): Ghost {
  const bits = Math.log2(PRUNED_PERPLEXITY.pruned / PRUNED_PERPLEXITY.dense) / (recorded.bytes / recorded.tokens);
  return {
    id: 'llama',
    x: PRUNED_PERPLEXITY.density,
    y: aboveFloor(denseAbove + bits),
    text: [
      '◇ Llama-2-7B',
      'by SparseGPT, published:',
      `perplexity ${PRUNED_PERPLEXITY.dense} to ${PRUNED_PERPLEXITY.pruned.toFixed(1)}`,
    ],
    // Between the floor and 0.001 there are no lines.
    textAt: {
      ...(density > 0.55 ? { x: 0.06, anchor: 'end' } : { x: 0.98, anchor: 'start' }),
      y: aboveFloor(0.00072),
    },
  };
}

/** Published accuracies, as shares. */
export const PUBLISHED_ACCURACY: readonly Ghost[] = PRUNED_ACCURACY.points.map(({ density, accuracy }, i) => ({
  id: `qwen ${density}`,
  x: density,
  y: accuracy / 100,
  text: i === 0 ? ['◇ Qwen3, accuracy,', 'published: 54.0,', '6:8 51.6, 2:4 15.3 %'] : [],
  textAt: { x: 0.46, y: 0.94 },
}));

export const PUBLISHED_SOURCES =
  'Dashed diamonds are other models: Llama-2-7B pruned by SparseGPT as EC-SpMV’s paper reports it, in bits per token over the bytes of our tokens; Qwen3 as SlideSparse’s reports it.';
