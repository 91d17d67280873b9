import { describe, expect, it } from 'vitest';
import { L1_ACCURACY, PRUNED_ACCURACY, PRUNED_PERPLEXITY } from './published-losses.ts';

describe('published figures of language models', () => {
  it('accuracies of sparse activations equal table 1 of the TwELL paper, non-zeros its table 3', () => {
    expect(L1_ACCURACY.points.map((p) => [p.parameters, p.without, p.withL1])).toEqual([
      [0.5, 40.4, 40.4],
      [1, 44.6, 44.7],
      [1.5, 46.4, 46.2],
      [2, 49.1, 48.8],
    ]);
    expect(L1_ACCURACY.gate).toEqual({ parameters: 1.5, neurons: 5632, without: 911, withL1: 29, dead: 0.3 });
    expect(L1_ACCURACY.source.place).toBe('tables 1 and 3, figure 9');
  });

  it('losses by pruning equal SlideSparse, figure 2, and EC-SpMV, section 8.4', () => {
    const { model, points, source } = PRUNED_ACCURACY;
    expect(points.map((p) => [model, p.pruning, p.density, p.accuracy, source.place])).toEqual([
      ['Qwen3-1.7B', 'unpruned', 1, 54, 'figure 2 and section 2.1'],
      ['Qwen3-1.7B', '6:8', 0.75, 51.6, 'figure 2 and section 2.1'],
      ['Qwen3-1.7B', '2:4', 0.5, 15.3, 'figure 2 and section 2.1'],
    ]);
    const { density, dense, pruned } = PRUNED_PERPLEXITY;
    expect([PRUNED_PERPLEXITY.model, PRUNED_PERPLEXITY.pruning, density, dense, pruned]).toEqual([
      'Llama-2-7B',
      'SparseGPT',
      0.3,
      5.12,
      24,
    ]);
    expect(PRUNED_PERPLEXITY.source.place).toBe('section 8.4');
  });
});
